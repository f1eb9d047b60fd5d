// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "measure/metrics.h"
#include "support/timelines.h"

using namespace tokenpace;
using tokenpace::test::timelineWith;

class MetricsTest final : public QObject {
    Q_OBJECT

private slots:
    void ttftIsTheFirstOutputFromZero();
    void tpotDividesTheWindowByTokensLessOne();
    void tpotFallsBackToChunksWithoutUsage();
    void tpotIsUnknownWhereItWouldDivideByNothing_data();
    void tpotIsUnknownWhereItWouldDivideByNothing();
    void aWholeReplyHasATotalAndNeitherTtftNorTpot();
    void totalEndsAtTheEarlierOfLastByteAndTerminalEvent();
    void throughputIsTokensOverE2e();
    void gapsAreOneFewerThanOutputs();
    void nothingReceivedMeansNothingKnown();
    void foreignFiguresStandInForMissingStamps();
    void flagsFollowTheirThresholds();
    void aBurstFarIntoTheReplyIsBuffered();
    void aFastModelWithoutWaitIsNotBuffered();
    void stallsAreFarAboveTheMedianGap();
    void modelsAreComparedWithoutPathCaseTagAndDate_data();
    void modelsAreComparedWithoutPathCaseTagAndDate();
    void whatCountsFollowsStatusAttemptsAndFlags();
    void promptLengthPrefersUsageAndMarksEstimates();
    void everyWordIsReadBackAsItsEnumerator();
};

void MetricsTest::ttftIsTheFirstOutputFromZero()
{
    Timeline timeline = timelineWith({120, 140, 1000}, 3);
    timeline.channels = "rrt";
    timeline.marks.firstText = fromMs(2000);
    QCOMPARE(ttftMs(timeline).value(), 120.0);
    QCOMPARE(ttftAnswerMs(timeline).value(), 1000.0);
    QCOMPARE(e2eMs(timeline).value(), 1000.0);
}

void MetricsTest::tpotDividesTheWindowByTokensLessOne()
{
    const Timeline timeline = timelineWith({100, 130, 160, 190}, 10);
    QCOMPARE(tpotMs(timeline).value(), 10.0);
    QCOMPARE(outputTokens(timeline).value(), 10);
    QCOMPARE(tokenSource(timeline).value(), TokenSource::Usage);
    QCOMPARE(chunkCount(timeline), 4);
}

void MetricsTest::tpotFallsBackToChunksWithoutUsage()
{
    const Timeline timeline = timelineWith({100, 130, 160, 190});
    QCOMPARE(tpotMs(timeline).value(), 30.0);
    QCOMPARE(tokenSource(timeline).value(), TokenSource::Chunks);
}

void MetricsTest::tpotIsUnknownWhereItWouldDivideByNothing_data()
{
    QTest::addColumn<int>("row");
    QTest::newRow("one token") << 0;
    QTest::newRow("one event of many tokens") << 1;
    QTest::newRow("window of zero") << 2;
    QTest::newRow("no output") << 3;
    QTest::newRow("usage says one token in two events") << 4;
}

void MetricsTest::tpotIsUnknownWhereItWouldDivideByNothing()
{
    QFETCH(const int, row);
    const std::array<Timeline, 5> timelines{timelineWith({100}, 1), timelineWith({100}, 20),
                                            timelineWith({100, 100, 100}, 3), timelineWith({}, 0),
                                            timelineWith({100, 120}, 1)};
    QVERIFY(!tpotMs(timelines[static_cast<std::size_t>(row)]));
}

void MetricsTest::aWholeReplyHasATotalAndNeitherTtftNorTpot()
{
    Timeline timeline = timelineWith({}, 2);
    timeline.streamed = false;
    timeline.marks.lastByte = fromMs(1900);
    QVERIFY(!ttftMs(timeline) && !tpotMs(timeline) && !ttftAnswerMs(timeline));
    QCOMPARE(totalMs(timeline).value(), 900.0);
    QCOMPARE(e2eMs(timeline).value(), 900.0);
    QCOMPARE(chunkCount(timeline), 0);
    timeline.usage.completionTokens.reset();
    QVERIFY(!outputTokens(timeline) && !tokenSource(timeline));
}

void MetricsTest::totalEndsAtTheEarlierOfLastByteAndTerminalEvent()
{
    Timeline timeline = timelineWith({100, 200}, 2);
    timeline.marks.terminal = fromMs(1210);
    timeline.marks.lastByte = fromMs(1400);
    QCOMPARE(totalMs(timeline).value(), 210.0);
    timeline.marks.terminal.reset();
    QCOMPARE(totalMs(timeline).value(), 400.0);
}

void MetricsTest::throughputIsTokensOverE2e()
{
    QCOMPARE(throughputTps(timelineWith({100, 500}, 50)).value(), 100.0);
    QVERIFY(!throughputTps(timelineWith({}, 0)));
}

void MetricsTest::gapsAreOneFewerThanOutputs()
{
    QCOMPARE(itlMs(timelineWith({500, 510, 520})), (std::vector<double>{10, 10}));
    QVERIFY(itlMs(timelineWith({500})).empty());
    QVERIFY(itlMs(timelineWith({})).empty());
}

void MetricsTest::nothingReceivedMeansNothingKnown()
{
    Timeline timeline;
    timeline.status = Status::Error;
    QVERIFY(!ttftMs(timeline) && !tpotMs(timeline) && !e2eMs(timeline) && !totalMs(timeline));
    QVERIFY(!outputTokens(timeline) && !tokenSource(timeline) && !throughputTps(timeline));
}

void MetricsTest::foreignFiguresStandInForMissingStamps()
{
    Timeline timeline;
    timeline.reported = {312.4, {}, 21.7, {}, 5850.1, {}};
    timeline.reportedTokens = 256;
    QCOMPARE(ttftMs(timeline).value(), 312.4);
    QCOMPARE(tpotMs(timeline).value(), 21.7);
    QCOMPARE(totalMs(timeline).value(), 5850.1);
    QVERIFY(!e2eMs(timeline));
    QCOMPARE(outputTokens(timeline).value(), 256);
}

void MetricsTest::flagsFollowTheirThresholds()
{
    Timeline whole = timelineWith({2000, 2000, 2000}, 3);
    setDerivedFlags(whole);
    QVERIFY(whole.flags.has(Flag::Buffered) && whole.flags.has(Flag::Coalesced));
    QVERIFY(!tpotMs(whole));

    Timeline single = timelineWith({2000}, 1);
    setDerivedFlags(single);
    QVERIFY(!single.flags.has(Flag::Buffered) && !single.flags.has(Flag::Coalesced));

    Timeline bursty = timelineWith({}, 60);
    for (int burst = 0; burst < 3; ++burst) {
        bursty.arrivals.insert(bursty.arrivals.end(), 20, fromMs(1500 + 500 * burst));
    }
    setDerivedFlags(bursty);
    QVERIFY(bursty.flags.has(Flag::Bursty) && !bursty.flags.has(Flag::Buffered));

    Timeline cached = timelineWith({100, 120}, 2);
    cached.usage.promptTokens = 1000;
    cached.usage.cachedTokens = 49;
    setDerivedFlags(cached);
    QVERIFY(!cached.flags.has(Flag::Cached));
    cached.usage.cachedTokens = 50;
    setDerivedFlags(cached);
    QVERIFY(cached.flags.has(Flag::Cached));
    cached.usage.promptTokens = 100;
    cached.usage.cachedTokens = 31;
    setDerivedFlags(cached);
    QVERIFY(!cached.flags.has(Flag::Cached));

    Timeline silent = timelineWith({100, 120});
    silent.firstUsageTokens = 2;
    silent.attempts = 2;
    silent.afterDone = 1;
    setDerivedFlags(silent);
    QVERIFY(silent.flags.has(Flag::NoUsage) && silent.flags.has(Flag::MultiTokenFirst));
    QVERIFY(silent.flags.has(Flag::Retried) && silent.flags.has(Flag::AfterDone));
}

void MetricsTest::aBurstFarIntoTheReplyIsBuffered()
{
    // Byte by byte through a buffering proxy: 50 events within 10 ms after a wait of 2 s.
    Timeline timeline = timelineWith({}, 50);
    for (int i = 0; i < 50; ++i) {
        timeline.arrivals.push_back(fromMs(3000 + 0.2 * i));
    }
    setDerivedFlags(timeline);
    QVERIFY(timeline.flags.has(Flag::Buffered));
    QVERIFY(!tpotMs(timeline));
}

void MetricsTest::aFastModelWithoutWaitIsNotBuffered()
{
    Timeline timeline = timelineWith({}, 50);
    for (int i = 0; i < 50; ++i) {
        timeline.arrivals.push_back(fromMs(1020 + 1.0 * i));
    }
    setDerivedFlags(timeline);
    QVERIFY(!timeline.flags.has(Flag::Buffered));
    QVERIFY(tpotMs(timeline));
}

void MetricsTest::stallsAreFarAboveTheMedianGap()
{
    Timeline timeline = timelineWith({100, 120, 140, 400}, 4);
    setDerivedFlags(timeline);
    QVERIFY(timeline.flags.has(Flag::Stall));
    // Ten times the median of 30 ms is 300 ms.
    QCOMPARE(stallThresholdMs({30, 30, 290}), 300.0);
    QCOMPARE(stallThresholdMs({20, 20, 260}), 250.0);
}

void MetricsTest::modelsAreComparedWithoutPathCaseTagAndDate_data()
{
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("served");
    QTest::addColumn<bool>("same");
    QTest::newRow("equal") << QByteArray("m") << QByteArray("m") << true;
    QTest::newRow("case") << QByteArray("Qwen-Small") << QByteArray("qwen-small") << true;
    QTest::newRow("path") << QByteArray("org/model") << QByteArray("model") << true;
    QTest::newRow("file") << QByteArray("gemma") << QByteArray("/models/gemma.gguf") << true;
    QTest::newRow("tag") << QByteArray("llama:latest") << QByteArray("llama") << true;
    QTest::newRow("alias") << QByteArray("gpt-4o-latest") << QByteArray("gpt-4o") << true;
    QTest::newRow("ISO date") << QByteArray("gpt-4o") << QByteArray("gpt-4o-2024-08-06") << true;
    QTest::newRow("plain date") << QByteArray("sonnet") << QByteArray("sonnet-20240620") << true;
    QTest::newRow("month and day") << QByteArray("gpt-4") << QByteArray("gpt-4-0613") << true;
    QTest::newRow("another") << QByteArray("small") << QByteArray("large") << false;
    QTest::newRow("a size is no date") << QByteArray("llama-8b") << QByteArray("llama-70b") << false;
    QTest::newRow("a number is no date") << QByteArray("m-9999") << QByteArray("m") << false;
}

void MetricsTest::modelsAreComparedWithoutPathCaseTagAndDate()
{
    QFETCH(const QByteArray, asked);
    QFETCH(const QByteArray, served);
    QFETCH(const bool, same);
    QCOMPARE(sameModel(asked.toStdString(), served.toStdString()), same);
    QCOMPARE(sameModel(served.toStdString(), asked.toStdString()), same);
}

void MetricsTest::whatCountsFollowsStatusAttemptsAndFlags()
{
    const Timeline good = timelineWith({100, 120}, 2);
    QVERIFY(counts(good) && ttftCounts(good) && tpotCounts(good));
    for (const Flag flag : {Flag::WarmUp, Flag::Resent, Flag::ClockJump, Flag::ClientBusy, Flag::OtherModel}) {
        Timeline flagged = good;
        flagged.flags.set(flag);
        QVERIFY(!counts(flagged) && !ttftCounts(flagged) && !tpotCounts(flagged));
    }
    for (const Status status : {Status::Truncated, Status::Timeout, Status::Cancelled, Status::Error}) {
        Timeline failed = good;
        failed.status = status;
        QVERIFY(!counts(failed));
    }
    Timeline retried = good;
    retried.attempts = 2;
    QVERIFY(!counts(retried));

    Timeline cached = good;
    cached.flags.set(Flag::Cached);
    QVERIFY(counts(cached) && tpotCounts(cached) && !ttftCounts(cached) && ttftCounts(cached, true));
    Timeline coarse = good;
    coarse.flags.set(Flag::CoarseStamp);
    QVERIFY(!ttftCounts(coarse) && tpotCounts(coarse));
    Timeline buffered = good;
    buffered.flags.set(Flag::Buffered);
    QVERIFY(!ttftCounts(buffered) && !tpotCounts(buffered));
}

void MetricsTest::promptLengthPrefersUsageAndMarksEstimates()
{
    Timeline timeline;
    QVERIFY(!promptLength(timeline));
    timeline.promptTokensTarget = 1000;
    QCOMPARE(promptLength(timeline)->tokens, 1000.0);
    QVERIFY(promptLength(timeline)->estimated);
    timeline.promptTokensEstimate = 990;
    QCOMPARE(promptLength(timeline)->tokens, 990.0);
    timeline.usage.promptTokens = 1012;
    QCOMPARE(promptLength(timeline)->tokens, 1012.0);
    QVERIFY(!promptLength(timeline)->estimated);
}

void MetricsTest::everyWordIsReadBackAsItsEnumerator()
{
    for (std::uint32_t bit = 1; bit <= static_cast<std::uint32_t>(Flag::Cold); bit <<= 1) {
        const auto flag = static_cast<Flag>(bit);
        QVERIFY(!name(flag).empty());
        QCOMPARE(flagFromName(name(flag)).value(), flag);
    }
    QCOMPARE(statusFromName("timeout").value(), Status::Timeout);
    QCOMPARE(errorKindFromName("not_sent").value(), ErrorKind::NotSent);
    QCOMPARE(phaseFromName("idle").value(), Phase::Idle);
    QCOMPARE(protocolFromName("ollama-chat").value(), Protocol::OllamaChat);
    QVERIFY(!statusFromName("fine"));
    const Flags flags{Flag::WarmUp, Flag::Stall};
    QCOMPARE(names(flags), (std::vector<std::string_view>{"warm-up", "stall"}));
}

QTEST_GUILESS_MAIN(MetricsTest)
#include "tst_metrics.moc"
