// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "requestsmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtTest>

#include "numbertext.h"
#include "timelines.h"

using namespace tokenpace;
using tokenpace::testing::Made;
using tokenpace::testing::make;

namespace {

const auto firstRun = QStringLiteral("run-1");
const auto secondRun = QStringLiteral("run-2");

/// The model with testers on it and on a sorting proxy before it has data, and spies that count its signals.
struct Watched {
    SeriesModel series;
    RequestsModel model{series};
    QSortFilterProxyModel proxy;
    QAbstractItemModelTester tester{&model};
    QAbstractItemModelTester proxyTester{&proxy};
    QSignalSpy inserted{&model, &QAbstractItemModel::rowsInserted};
    QSignalSpy changed{&model, &QAbstractItemModel::dataChanged};
    QSignalSpy finished{&model, &RequestsModel::requestsFinished};
    QSignalSpy arrived{&model, &RequestsModel::arrivalsChanged};
    int alpha = series.seriesFor(QStringLiteral("local"), QStringLiteral("alpha"));

    Watched()
    {
        proxy.setSourceModel(&model);
        proxy.setSortRole(RequestsModel::SortRole);
        proxy.sort(RequestsModel::Ttft);
    }

    void announce(const QString& run, int requests)
    {
        model.announce(run,
                       std::vector<RequestsModel::Announced>(static_cast<std::size_t>(requests), {alpha, 300, 64}));
    }

    [[nodiscard]] QString text(int row, RequestsModel::Column column) const
    {
        return model.data(model.index(row, column)).toString();
    }
    [[nodiscard]] QString toolTip(int row, RequestsModel::Column column) const
    {
        return model.data(model.index(row, column), Qt::ToolTipRole).toString();
    }
    [[nodiscard]] QVariant sortValue(int row, RequestsModel::Column column) const
    {
        return model.data(model.index(row, column), RequestsModel::SortRole);
    }
    void clearSpies()
    {
        inserted.clear();
        changed.clear();
        finished.clear();
        arrived.clear();
    }
};

RequestStarted started(int seq, double zeroMs = 1000, const QString& run = firstRun)
{
    return {run, seq, fromMs(zeroMs)};
}

OutputsArrived outputs(int seq, double atMs, int count = 1, const QString& run = firstRun)
{
    return {run, seq, fromMs(atMs), count, Channel::Text};
}

} // namespace

class TestRequestsModel : public QObject {
    Q_OBJECT
private slots:
    void aBatchInsertsOnce();
    void finishedRowsChangeInContiguousRanges();
    void aRunningRowShowsWhatHasArrived();
    void startAndFinishInOneBatchIsOneFinishedRow();
    void aRetryMovesZeroAndClearsArrivals();
    void lateUpdatesOfAFinishedRowAreDropped();
    void startsThatNobodyAnnouncedWaitForTheirEnd();
    void twoRunsWithEqualSeqStayApart();
    void linesOfALogAreOneBatchAndKeepTheirRows();
    void linesWithoutRunAndSeqAreRequestsOfTheirOwn();
    void cellsHaveThreeDigitsAndToolTipsAll();
    void whatIsUnknownIsADashWithItsReason();
    void estimatesAndChunksAreMarked();
    void whatDoesNotCountSaysWhy();
    void aFailedRequestSaysHowItEnded();
    void aRenamedSeriesRenamesItsRows();
    void headersDefineTheirNumbers();
    void leavingOutByHandMakesARecordOfItsOwn();
    void clearForgetsRowsAndAnnouncements();
    void aHundredThousandRequestsStayQuick();
};

void TestRequestsModel::aBatchInsertsOnce()
{
    Watched watched;
    watched.announce(firstRun, 100);
    std::vector<ClientUpdate> batch;
    for (int seq = 0; seq < 100; ++seq) {
        batch.emplace_back(started(seq));
        batch.emplace_back(outputs(seq, 1050));
        batch.emplace_back(outputs(seq, 1060));
    }
    watched.model.apply(batch);
    QCOMPARE(watched.model.rowCount(), 100);
    QCOMPARE(watched.inserted.size(), 1);
    QCOMPARE(watched.changed.size(), 0);
    QCOMPARE(watched.finished.size(), 0);
    QCOMPARE(watched.arrived.size(), 1);
    QCOMPARE(watched.model.row(42).liveArrivals.size(), std::size_t{2});
    QCOMPARE(watched.model.rowOf(firstRun, 42), 42);
    QCOMPARE(watched.model.finishedCount(), 0);
    watched.model.apply({});
    QCOMPARE(watched.inserted.size(), 1);
}

void TestRequestsModel::finishedRowsChangeInContiguousRanges()
{
    Watched watched;
    watched.announce(firstRun, 10);
    std::vector<ClientUpdate> batch;
    for (int seq = 0; seq < 10; ++seq) {
        batch.emplace_back(started(seq));
    }
    watched.model.apply(batch);
    watched.clearSpies();

    batch.clear();
    for (const int seq : {7, 2, 4, 3}) {
        batch.emplace_back(RequestFinished{make({.seq = seq}), {}});
    }
    watched.model.apply(batch);
    QCOMPARE(watched.inserted.size(), 0);
    QCOMPARE(watched.changed.size(), 2);
    QCOMPARE(watched.changed[0][0].toModelIndex().row(), 2);
    QCOMPARE(watched.changed[0][1].toModelIndex().row(), 4);
    QCOMPARE(watched.changed[1][0].toModelIndex().row(), 7);
    QCOMPARE(watched.changed[1][1].toModelIndex().row(), 7);
    QCOMPARE(watched.finished.size(), 1);
    QCOMPARE(watched.finished[0][0].value<QList<int>>(), (QList<int>{7, 2, 4, 3}));
    QCOMPARE(watched.arrived.size(), 0);
    QCOMPARE(watched.model.finishedCount(), 4);
}

void TestRequestsModel::aRunningRowShowsWhatHasArrived()
{
    Watched watched;
    watched.announce(firstRun, 1);
    watched.model.apply({started(0)});
    QCOMPARE(watched.text(0, RequestsModel::Model), QStringLiteral("alpha"));
    QCOMPARE(watched.text(0, RequestsModel::PromptTokens), QStringLiteral("≈300"));
    QCOMPARE(watched.text(0, RequestsModel::Ttft), dashText);
    QCOMPARE(watched.text(0, RequestsModel::OutputTokens), dashText);
    QVERIFY(!watched.sortValue(0, RequestsModel::Ttft).isValid());
    QVERIFY(!watched.model.data(watched.model.index(0, 0), RequestsModel::TimelineRole).isValid());
    const QString waiting = watched.text(0, RequestsModel::StatusText);

    watched.model.apply({outputs(0, 1250, 3)});
    QCOMPARE(watched.text(0, RequestsModel::Ttft), QStringLiteral("250"));
    QCOMPARE(watched.text(0, RequestsModel::OutputTokens), QStringLiteral("≈3"));
    QCOMPARE(watched.text(0, RequestsModel::Tpot), dashText);
    QVERIFY(watched.text(0, RequestsModel::StatusText) != waiting);
    QVERIFY(watched.toolTip(0, RequestsModel::OutputTokens).contains(QStringLiteral("64")));
    QCOMPARE(watched.model.row(0).zeroStamp(), fromMs(1000));
    QCOMPARE(watched.model.row(0).arrivals().size(), std::size_t{3});

    watched.model.apply({RequestFinished{make({.target = 300}), {}}});
    QCOMPARE(watched.text(0, RequestsModel::Ttft), QStringLiteral("100"));
    QVERIFY(watched.model.row(0).liveArrivals.empty());
    QCOMPARE(watched.model.row(0).arrivals().size(), std::size_t{11});
    QVERIFY(watched.model.data(watched.model.index(0, 0), RequestsModel::TimelineRole).value<TimelinePtr>());
}

void TestRequestsModel::startAndFinishInOneBatchIsOneFinishedRow()
{
    Watched watched;
    watched.announce(firstRun, 2);
    watched.model.apply({started(1), outputs(1, 1100), RequestFinished{make({.seq = 1}), {}}});
    QCOMPARE(watched.model.rowCount(), 1);
    QCOMPARE(watched.inserted.size(), 1);
    QCOMPARE(watched.changed.size(), 0);
    QCOMPARE(watched.finished[0][0].value<QList<int>>(), QList<int>{0});
    QVERIFY(watched.model.row(0).finished());
}

void TestRequestsModel::aRetryMovesZeroAndClearsArrivals()
{
    Watched watched;
    watched.announce(firstRun, 1);
    watched.model.apply({started(0, 1000), outputs(0, 1100, 5)});
    watched.clearSpies();
    watched.model.apply({started(0, 2000)});
    QCOMPARE(watched.model.rowCount(), 1);
    QCOMPARE(watched.model.row(0).zero, fromMs(2000));
    QVERIFY(watched.model.row(0).liveArrivals.empty());
    QCOMPARE(watched.inserted.size(), 0);
    QCOMPARE(watched.changed.size(), 1);
    QCOMPARE(watched.arrived.size(), 1);
    watched.model.apply({outputs(0, 2300)});
    QCOMPARE(watched.text(0, RequestsModel::Ttft), QStringLiteral("300"));
    // The same within the batch that made the row.
    watched.announce(secondRun, 1);
    watched.model.apply({started(0, 10, secondRun), outputs(0, 20, 2, secondRun), started(0, 30, secondRun)});
    QCOMPARE(watched.model.row(1).zero, fromMs(30));
    QVERIFY(watched.model.row(1).liveArrivals.empty());
}

void TestRequestsModel::lateUpdatesOfAFinishedRowAreDropped()
{
    Watched watched;
    watched.announce(firstRun, 1);
    watched.model.apply({started(0), RequestFinished{make({}), {}}});
    watched.clearSpies();
    watched.model.apply({started(0, 5000), outputs(0, 5100), outputs(0, 5200, 0)});
    QCOMPARE(watched.changed.size(), 0);
    QCOMPARE(watched.arrived.size(), 0);
    QCOMPARE(watched.model.row(0).zeroStamp(), fromMs(1000));
}

void TestRequestsModel::startsThatNobodyAnnouncedWaitForTheirEnd()
{
    Watched watched;
    watched.announce(firstRun, 1);
    watched.model.apply({started(5), outputs(5, 1100), started(0, 1000, secondRun), started(-1)});
    QCOMPARE(watched.model.rowCount(), 0);
    watched.model.apply(
        {RequestFinished{make({.run = "run-2", .seq = 7, .model = "beta"}), {}}, RequestFinished{nullptr, {}}});
    QCOMPARE(watched.model.rowCount(), 1);
    QCOMPARE(watched.text(0, RequestsModel::Model), QStringLiteral("beta"));
    QCOMPARE(watched.model.row(0).series, watched.series.find(QStringLiteral("local"), QStringLiteral("beta")));
    QCOMPARE(watched.model.rowOf(secondRun, 7), 0);
    QCOMPARE(watched.finished.size(), 1);
}

void TestRequestsModel::twoRunsWithEqualSeqStayApart()
{
    Watched watched;
    watched.announce(firstRun, 1);
    watched.announce(secondRun, 1);
    watched.model.apply({started(0, 1000), started(0, 3000, secondRun), outputs(0, 3100, 1, secondRun)});
    QCOMPARE(watched.model.rowCount(), 2);
    QVERIFY(watched.model.row(0).liveArrivals.empty());
    QCOMPARE(watched.model.row(1).liveArrivals.size(), std::size_t{1});
    watched.model.apply({RequestFinished{make({.run = "run-2"}), {}}});
    QVERIFY(!watched.model.row(0).finished());
    QVERIFY(watched.model.row(1).finished());
    QCOMPARE(watched.model.rowOf(firstRun, 0), 0);
    QCOMPARE(watched.model.rowOf(secondRun, 0), 1);
    QCOMPARE(watched.model.rowOf(QStringLiteral("run-3"), 0), -1);
}

void TestRequestsModel::linesOfALogAreOneBatchAndKeepTheirRows()
{
    Watched watched;
    std::vector<TimelinePtr> log;
    for (int seq = 0; seq < 50; ++seq) {
        log.push_back(make({.run = "old", .seq = seq, .model = seq % 2 == 0 ? "alpha" : "beta"}));
    }
    watched.model.append(log);
    QCOMPARE(watched.model.rowCount(), 50);
    QCOMPARE(watched.inserted.size(), 1);
    QCOMPARE(watched.finished.size(), 1);
    QCOMPARE(watched.finished[0][0].value<QList<int>>().size(), 50);
    QCOMPARE(watched.arrived.size(), 0);
    QCOMPARE(watched.model.rowOf(QStringLiteral("old"), 49), 49);
    QCOMPARE(watched.series.count(), 2);
    QCOMPARE(watched.model.row(49).series, 1);
}

void TestRequestsModel::linesWithoutRunAndSeqAreRequestsOfTheirOwn()
{
    Watched watched;
    watched.model.append({make({.run = {}}), make({.run = {}, .ttftMs = 200}), make({.run = {}, .ttftMs = 300})});
    QCOMPARE(watched.model.rowCount(), 3);
    QCOMPARE(watched.text(2, RequestsModel::Ttft), QStringLiteral("300"));
    QCOMPARE(watched.model.finishedCount(), 3);
    QCOMPARE(watched.proxy.rowCount(), 3);
}

void TestRequestsModel::cellsHaveThreeDigitsAndToolTipsAll()
{
    Watched watched;
    watched.model.append({make({.seq = 1070, .promptTokens = 3147, .ttftMs = 2814.931, .tpotMs = 18.3456})});
    QCOMPARE(watched.text(0, RequestsModel::Seq), QStringLiteral("1,070"));
    QCOMPARE(watched.text(0, RequestsModel::PromptTokens), QStringLiteral("3,147"));
    QCOMPARE(watched.text(0, RequestsModel::Ttft), QStringLiteral("2,810"));
    QCOMPARE(watched.text(0, RequestsModel::Tpot), QStringLiteral("18.3"));
    QCOMPARE(watched.text(0, RequestsModel::E2e), QStringLiteral("3,000"));
    QCOMPARE(watched.text(0, RequestsModel::OutputTokens), QStringLiteral("11"));
    QCOMPARE(watched.text(0, RequestsModel::Throughput), QStringLiteral("3.67"));
    QCOMPARE(watched.text(0, RequestsModel::FinishReason), QStringLiteral("length"));
    QCOMPARE(watched.text(0, RequestsModel::StatusText), QStringLiteral("ok"));
    QCOMPARE(watched.text(0, RequestsModel::FlagsText), dashText);
    QVERIFY(watched.toolTip(0, RequestsModel::Ttft).contains(QStringLiteral("2,814.931 ms")));
    QCOMPARE(watched.sortValue(0, RequestsModel::Ttft).toDouble(), 2814.931);
    QCOMPARE(watched.sortValue(0, RequestsModel::OutputTokens).toInt(), 11);
    QCOMPARE(watched.model.data(watched.model.index(0, 0), RequestsModel::SeriesRole).toInt(), watched.alpha);
}

void TestRequestsModel::whatIsUnknownIsADashWithItsReason()
{
    Watched watched;
    watched.model.append({make({.seq = 0, .target = {}, .promptTokens = {}, .tokens = 0, .usage = false}),
                          make({.seq = 1, .tokens = 1}), make({.seq = 2, .flags = {Flag::Buffered}})});
    for (const auto column : {RequestsModel::PromptTokens, RequestsModel::Ttft, RequestsModel::Tpot, RequestsModel::E2e,
                              RequestsModel::OutputTokens, RequestsModel::Throughput, RequestsModel::FinishReason}) {
        QCOMPARE(watched.text(0, column), dashText);
        QVERIFY(!watched.sortValue(0, column).isValid());
        QVERIFY(!watched.toolTip(0, column).isEmpty());
    }
    QCOMPARE(watched.text(1, RequestsModel::Tpot), dashText);
    QVERIFY(watched.toolTip(1, RequestsModel::Tpot).contains(QStringLiteral("two tokens")));
    QCOMPARE(watched.text(2, RequestsModel::Tpot), dashText);
    QVERIFY(watched.toolTip(2, RequestsModel::Tpot).contains(QStringLiteral("buffered")));
}

void TestRequestsModel::estimatesAndChunksAreMarked()
{
    Watched watched;
    watched.model.append({make({.promptTokens = {}, .usage = false, .flags = {Flag::NoUsage}})});
    QCOMPARE(watched.text(0, RequestsModel::PromptTokens), QStringLiteral("≈100"));
    QVERIFY(watched.toolTip(0, RequestsModel::PromptTokens).contains(QStringLiteral("estimate")));
    QCOMPARE(watched.text(0, RequestsModel::OutputTokens), QStringLiteral("≈11"));
    QCOMPARE(watched.text(0, RequestsModel::Tpot), QStringLiteral("≈10.0"));
    QVERIFY(watched.text(0, RequestsModel::Throughput).startsWith(u'≈'));
    for (const auto column : {RequestsModel::OutputTokens, RequestsModel::Tpot, RequestsModel::Throughput}) {
        QVERIFY(watched.toolTip(0, column).contains(QStringLiteral("chunks")));
    }
    QCOMPARE(watched.text(0, RequestsModel::Ttft), QStringLiteral("100"));
    QCOMPARE(watched.sortValue(0, RequestsModel::PromptTokens).toDouble(), 100.0);
}

void TestRequestsModel::whatDoesNotCountSaysWhy()
{
    Watched watched;
    watched.model.append(
        {make({.seq = 0, .flags = {Flag::Cached}}), make({.seq = 1, .attempts = 2}), make({.seq = 2})});
    const auto notCounted = QStringLiteral("Not counted");
    QCOMPARE(watched.text(0, RequestsModel::FlagsText), QStringLiteral("cached"));
    QVERIFY(watched.toolTip(0, RequestsModel::FlagsText).contains(QStringLiteral("prefix cache")));
    QVERIFY(watched.toolTip(0, RequestsModel::Ttft).contains(notCounted));
    QVERIFY(!watched.toolTip(0, RequestsModel::Tpot).contains(notCounted));
    QVERIFY(watched.toolTip(1, RequestsModel::Tpot).contains(QStringLiteral("2 attempts")));
    QVERIFY(!watched.toolTip(2, RequestsModel::Ttft).contains(notCounted));
}

void TestRequestsModel::aFailedRequestSaysHowItEnded()
{
    Watched watched;
    watched.model.append({make({.tokens = 0, .usage = false, .status = Status::Timeout})});
    QCOMPARE(watched.text(0, RequestsModel::StatusText), QStringLiteral("time-out"));
    QCOMPARE(watched.text(0, RequestsModel::FinishReason), QStringLiteral("time-out"));
    QVERIFY(watched.toolTip(0, RequestsModel::StatusText).contains(QStringLiteral("it went wrong")));
    QCOMPARE(watched.text(0, RequestsModel::Ttft), dashText);
}

void TestRequestsModel::aRenamedSeriesRenamesItsRows()
{
    Watched watched;
    watched.model.append({make({}), make({.seq = 1})});
    watched.clearSpies();
    watched.series.seriesFor(QStringLiteral("remote"), QStringLiteral("alpha"));
    QCOMPARE(watched.text(1, RequestsModel::Model), QStringLiteral("local/alpha"));
    QCOMPARE(watched.changed.size(), 1);
    QCOMPARE(watched.changed[0][1].toModelIndex().column(), static_cast<int>(RequestsModel::Model));
    watched.series.setShown(0, false);
    QCOMPARE(watched.changed.size(), 1);
}

void TestRequestsModel::headersDefineTheirNumbers()
{
    Watched watched;
    const auto header = [&](int column, int role) {
        return watched.model.headerData(column, Qt::Horizontal, role).toString();
    };
    const QStringList titles{QStringLiteral("#"),        QStringLiteral("Model"),    QStringLiteral("Prompt, tokens"),
                             QStringLiteral("TTFT, ms"), QStringLiteral("TPOT, ms"), QStringLiteral("E2E, ms"),
                             QStringLiteral("Output"),   QStringLiteral("Tokens/s"), QStringLiteral("Finish"),
                             QStringLiteral("Status"),   QStringLiteral("Flags")};
    QCOMPARE(watched.model.columnCount(), titles.size());
    for (int column = 0; column < titles.size(); ++column) {
        QCOMPARE(header(column, Qt::DisplayRole), titles[column]);
        QVERIFY(!header(column, Qt::ToolTipRole).isEmpty());
    }
    for (const auto column : {RequestsModel::Ttft, RequestsModel::Tpot, RequestsModel::E2e}) {
        QVERIFY(header(column, Qt::ToolTipRole).contains(QStringLiteral("Steady clock")));
    }
}

void TestRequestsModel::leavingOutByHandMakesARecordOfItsOwn()
{
    Watched watched;
    const TimelinePtr logged = make({.seq = 0});
    watched.model.append({logged, make({.seq = 1}), make({.seq = 2})});
    watched.announce(secondRun, 1);
    watched.model.apply({started(0, 1000, secondRun)});
    QCOMPARE(watched.model.rowCount(), 4);
    watched.clearSpies();
    QSignalSpy counted(&watched.model, &RequestsModel::requestsChanged);
    watched.model.setExcluded({0, 1, 3}, true);
    QCOMPARE(watched.changed.size(), 1); // one range
    QCOMPARE(counted.size(), 1);
    QCOMPARE(counted.first().first().value<QList<int>>(), (QList<int>{0, 1})); // the one that runs has no record yet
    QVERIFY(watched.model.isExcluded(0) && watched.model.isExcluded(1) && !watched.model.isExcluded(2));
    QVERIFY(!logged->flags.has(Flag::Excluded));
    QVERIFY(watched.text(0, RequestsModel::FlagsText).contains(QStringLiteral("excluded")));
    watched.model.setExcluded({0, 1}, true);
    QCOMPARE(counted.size(), 1); // nothing new
    watched.model.setExcluded({0}, false);
    QVERIFY(!watched.model.isExcluded(0));
    QCOMPARE(watched.text(0, RequestsModel::FlagsText), watched.text(2, RequestsModel::FlagsText));
}

void TestRequestsModel::clearForgetsRowsAndAnnouncements()
{
    Watched watched;
    watched.announce(firstRun, 2);
    watched.model.apply({started(0), RequestFinished{make({.seq = 1}), {}}});
    QSignalSpy reset(&watched.model, &QAbstractItemModel::modelReset);
    watched.model.clear();
    QCOMPARE(reset.size(), 1);
    QCOMPARE(watched.model.rowCount(), 0);
    QCOMPARE(watched.model.finishedCount(), 0);
    QCOMPARE(watched.model.rowOf(firstRun, 0), -1);
    QCOMPARE(watched.proxy.rowCount(), 0);
    // Late updates of a run that was cleared away make no rows.
    watched.model.apply({started(0), outputs(0, 1100)});
    QCOMPARE(watched.model.rowCount(), 0);
}

void TestRequestsModel::aHundredThousandRequestsStayQuick()
{
    constexpr int requests = 100'000;
    SeriesModel series;
    RequestsModel model(series);
    const int alpha = series.seriesFor(QStringLiteral("local"), QStringLiteral("alpha"));
    model.announce(firstRun, std::vector<RequestsModel::Announced>(requests, {alpha, 300, 64}));
    std::vector<TimelinePtr> timelines;
    for (int seq = 0; seq < requests; ++seq) {
        timelines.push_back(make({.seq = seq, .tokens = 2}));
    }
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QElapsedTimer clock;
    const auto applyRange = [&](int from, int to) {
        std::vector<ClientUpdate> batch;
        for (int seq = from; seq < to; ++seq) {
            batch.emplace_back(started(seq));
            batch.emplace_back(outputs(seq, 1100));
            batch.emplace_back(RequestFinished{timelines[static_cast<std::size_t>(seq)], {}});
        }
        clock.start();
        model.apply(batch);
        return clock.nsecsElapsed();
    };
    // A thousand requests at the end may cost no multiple of a thousand at the start: nothing is done over all rows.
    qint64 early = 0;
    qint64 late = 0;
    for (int from = 0; from < requests; from += 100) {
        const qint64 took = applyRange(from, from + 100);
        early += from < requests / 4 ? took : 0;
        late += from >= requests - requests / 4 ? took : 0;
    }
    QCOMPARE(model.finishedCount(), requests);
    QCOMPARE(inserted.size(), requests / 100);
    QVERIFY2(late < early * 20, qPrintable(QStringLiteral("%1 ns, then %2 ns").arg(early).arg(late)));
}

QTEST_GUILESS_MAIN(TestRequestsModel)
#include "tst_requestsmodel.moc"
