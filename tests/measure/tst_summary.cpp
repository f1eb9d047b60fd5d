// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "measure/summary.h"
#include "support/timelines.h"

using namespace tokenpace;
using tokenpace::test::shared;
using tokenpace::test::timelineWith;

class SummaryTest final : public QObject {
    Q_OBJECT

private slots:
    void failedRequestsAreCountedAndNeverSamples();
    void warmUpsAreInNoNumber();
    void whatIsNotCountedIsCountedByItsReason();
    void goodputMissesFailuresAndUnknownNumbers();
    void systemThroughputSpansFirstZeroToLastOutput();
    void groupsAreEndpointModelAndLengthAscending();
    void cancelledRequestsAreNotTheServersFault();
};

void SummaryTest::failedRequestsAreCountedAndNeverSamples()
{
    std::vector<TimelinePtr> requests;
    for (int i = 0; i < 8; ++i) {
        requests.push_back(shared(timelineWith({100, 120}, 2)));
    }
    Timeline truncated = timelineWith({100});
    truncated.status = Status::Truncated;
    truncated.error = RequestError{ErrorKind::Truncated, 200, "", {}, {}, {}};
    requests.push_back(shared(truncated));
    Timeline failed = timelineWith({});
    failed.status = Status::Error;
    failed.error = RequestError{ErrorKind::Http, 500, "", {}, {}, {}};
    requests.push_back(shared(failed));

    const SummaryRow row = summarise(summaryKey(*requests.front()), requests, {});
    QCOMPARE(row.sent, 10);
    QCOMPARE(row.ok, 8);
    QCOMPARE(row.ttft.n, std::size_t{8});
    QCOMPARE(row.ttft.mean.value(), 100.0);
    QCOMPARE(row.errors.at(ErrorKind::Http), 1);
    QCOMPARE(row.errors.at(ErrorKind::Truncated), 1);
    QCOMPARE(row.tpot.p50.value(), 20.0);
}

void SummaryTest::warmUpsAreInNoNumber()
{
    Timeline warmUp = timelineWith({900, 920}, 2);
    warmUp.flags.set(Flag::WarmUp);
    const std::vector<TimelinePtr> requests{shared(warmUp), shared(timelineWith({100, 120}, 2))};
    const auto rows = summariseAll(requests, {});
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].sent, 1);
    QCOMPARE(rows[0].ttft.max.value(), 100.0);
}

void SummaryTest::whatIsNotCountedIsCountedByItsReason()
{
    Timeline cached = timelineWith({10, 20}, 2);
    cached.flags.set(Flag::Cached);
    Timeline retried = timelineWith({10, 20}, 2);
    retried.attempts = 2;
    const std::vector<TimelinePtr> requests{shared(timelineWith({100, 120}, 2)), shared(cached), shared(retried)};
    const SummaryRow row = summarise(summaryKey(*requests.front()), requests, {});
    QCOMPARE(row.ok, 3);
    QCOMPARE(row.ttft.n, std::size_t{1});
    QCOMPARE(row.notCounted, 2);
    QCOMPARE(row.notCountedBy.at(Flag::Cached), 1);
    QCOMPARE(row.notCountedBy.at(Flag::Retried), 1);
}

void SummaryTest::goodputMissesFailuresAndUnknownNumbers()
{
    Timeline failed = timelineWith({100, 120}, 2);
    failed.status = Status::Timeout;
    failed.error = RequestError{ErrorKind::Timeout, {}, "", {}, {}, Phase::Idle};
    const std::vector<TimelinePtr> requests{
        shared(timelineWith({100, 120}, 2)), // meets both
        shared(timelineWith({900, 920}, 2)), // TTFT over its limit
        shared(timelineWith({100, 100, 100}, 3)), // TPOT unknown though there were tokens
        shared(timelineWith({100}, 1)), // TPOT unknown for want of tokens
        shared(failed),
    };
    const SummaryRow row = summarise(summaryKey(*requests.front()), requests, {800, 50, {}});
    QCOMPARE(row.goodputShare.value(), 0.4);
    QCOMPARE(row.timeouts, 1);
}

void SummaryTest::systemThroughputSpansFirstZeroToLastOutput()
{
    Timeline first = timelineWith({100, 1000}, 10);
    first.usage.promptTokens = 100;
    Timeline second = timelineWith({100, 1000}, 30);
    second.zero = fromMs(2000);
    for (Stamp& at : second.arrivals) {
        at += fromMs(1000);
    }
    const std::vector<TimelinePtr> requests{shared(first), shared(second)};
    const SummaryRow row = summarise(summaryKey(first), requests, {});
    QCOMPARE(row.outputTps.value(), 20.0);
    QCOMPARE(row.requestsPerS.value(), 1.0);
    QCOMPARE(row.totalTps.value(), 70.0);
}

void SummaryTest::groupsAreEndpointModelAndLengthAscending()
{
    Timeline a = timelineWith({100, 120}, 2);
    a.promptTokensTarget = 100;
    Timeline b = a;
    b.promptTokensTarget = 300;
    Timeline c = a;
    c.model = "model-b";
    const auto rows = summariseAll(std::vector<TimelinePtr>{shared(b), shared(c), shared(a), shared(a)}, {});
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[0].sent, 2);
    QCOMPARE(rows[0].key.promptTokensTarget.value(), 100);
    QCOMPARE(rows[1].key.promptTokensTarget.value(), 300);
    QCOMPARE(rows[2].key.model, std::string("model-b"));
}

void SummaryTest::cancelledRequestsAreNotTheServersFault()
{
    Timeline cancelled = timelineWith({100});
    cancelled.status = Status::Cancelled;
    cancelled.error = RequestError{ErrorKind::Cancelled, {}, "", {}, {}, {}};
    const std::vector<TimelinePtr> requests{shared(timelineWith({100, 120}, 2)), shared(cancelled)};
    const SummaryRow row = summarise(summaryKey(cancelled), requests, {800, 50, {}});
    QCOMPARE(row.sent, 1);
    QCOMPARE(row.goodputShare.value(), 1.0);
    QCOMPARE(row.errors.at(ErrorKind::Cancelled), 1);
}

QTEST_GUILESS_MAIN(SummaryTest)
#include "tst_summary.moc"
