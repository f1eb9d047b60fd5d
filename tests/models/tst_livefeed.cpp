// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "livefeed.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include <QSignalSpy>
#include <QtTest>

#include "timelines.h"

using namespace tokenpace;
using tokenpace::testing::make;

namespace {

const auto runId = QStringLiteral("run-1");

struct Fixture {
    SeriesModel series;
    RequestsModel requests{series};
    ClientMailbox mailbox;

    Fixture()
    {
        requests.announce(runId, {{series.seriesFor(QStringLiteral("local"), QStringLiteral("alpha")), 100, 64}});
    }
};

} // namespace

class TestLiveFeed : public QObject {
    Q_OBJECT
private slots:
    void aThreadsTenThousandItemsTakeFewDrainsAndAllArrive();
    void whatWasPushedBeforeTheFeedExistsArrives();
    void drainTakesAtOnce();
    void aFailedWriteIsLostAndToldOncePerBatch();
    void aFeedMayGoWhileAThreadPushes();
};

void TestLiveFeed::aThreadsTenThousandItemsTakeFewDrainsAndAllArrive()
{
    constexpr int items = 10'000;
    Fixture fixture;
    LiveFeed feed(fixture.mailbox, fixture.requests);
    QSignalSpy drained(&feed, &LiveFeed::drained);
    QSignalSpy inserted(&fixture.requests, &QAbstractItemModel::rowsInserted);
    QSignalSpy arrived(&fixture.requests, &RequestsModel::arrivalsChanged);
    QElapsedTimer clock;
    clock.start();
    std::thread pusher([&fixture] {
        fixture.mailbox.push(RequestStarted{runId, 0, fromMs(1000)});
        for (int i = 0; i < items; ++i) {
            fixture.mailbox.push(OutputsArrived{runId, 0, fromMs(1001 + i), 1, Channel::Text});
        }
    });
    const auto received = [&] {
        return fixture.requests.rowCount() == 0 ? std::size_t{0} : fixture.requests.row(0).liveArrivals.size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(received(), std::size_t{items}, 30'000);
    pusher.join();
    const auto mostDrains = clock.elapsed() / 33 + 2;
    QVERIFY2(drained.size() <= mostDrains, qPrintable(QString::number(drained.size())));
    QVERIFY(arrived.size() <= drained.size());
    QCOMPARE(inserted.size(), 1);
    int updates = 0;
    for (const auto& call : drained) {
        updates += call.first().toInt();
    }
    QCOMPARE(updates, items + 1);
    const auto& arrivals = fixture.requests.row(0).liveArrivals;
    QVERIFY(std::is_sorted(arrivals.begin(), arrivals.end()));
}

void TestLiveFeed::whatWasPushedBeforeTheFeedExistsArrives()
{
    Fixture fixture;
    fixture.mailbox.push(RequestStarted{runId, 0, fromMs(1000)});
    LiveFeed feed(fixture.mailbox, fixture.requests);
    QTRY_COMPARE(fixture.requests.rowCount(), 1);
}

void TestLiveFeed::drainTakesAtOnce()
{
    Fixture fixture;
    LiveFeed feed(fixture.mailbox, fixture.requests);
    QSignalSpy drained(&feed, &LiveFeed::drained);
    feed.drain();
    QCOMPARE(drained.size(), 0);
    fixture.mailbox.push(RequestFinished{make({}), {}});
    feed.drain();
    QCOMPARE(drained.size(), 1);
    QCOMPARE(fixture.requests.finishedCount(), 1);
    QCOMPARE(feed.recordsWritten(), 1);
    QCOMPARE(feed.recordsLost(), 0);
    QVERIFY(feed.lastLogError().isEmpty());
}

void TestLiveFeed::aFailedWriteIsLostAndToldOncePerBatch()
{
    Fixture fixture;
    LiveFeed feed(fixture.mailbox, fixture.requests);
    QSignalSpy failed(&feed, &LiveFeed::logFailed);
    fixture.mailbox.push(RequestFinished{make({.seq = 0}), {}});
    fixture.mailbox.push(RequestFinished{make({.seq = 1}), QStringLiteral("disk full")});
    fixture.mailbox.push(RequestFinished{make({.seq = 2}), QStringLiteral("disk still full")});
    feed.drain();
    QCOMPARE(fixture.requests.finishedCount(), 3);
    QCOMPARE(feed.recordsWritten(), 1);
    QCOMPARE(feed.recordsLost(), 2);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed.first().first().toString(), QStringLiteral("disk still full"));
    QCOMPARE(feed.lastLogError(), QStringLiteral("disk still full"));
}

void TestLiveFeed::aFeedMayGoWhileAThreadPushes()
{
    Fixture fixture;
    auto feed = std::make_unique<LiveFeed>(fixture.mailbox, fixture.requests);
    std::atomic<bool> stop = false;
    std::atomic<int> pushed = 0;
    std::thread pusher([&] {
        while (!stop) {
            fixture.mailbox.push(RequestFinished{make({}), {}});
            ++pushed;
        }
    });
    QTRY_VERIFY(fixture.requests.finishedCount() > 0);
    feed.reset();
    const int before = pushed;
    QTRY_VERIFY(pushed > before);
    stop = true;
    pusher.join();
    // Nothing is lost: the next reader of the box gets the rest.
    QCOMPARE(fixture.requests.finishedCount() + static_cast<int>(fixture.mailbox.take().size()), pushed.load());
}

QTEST_GUILESS_MAIN(TestLiveFeed)
#include "tst_livefeed.moc"
