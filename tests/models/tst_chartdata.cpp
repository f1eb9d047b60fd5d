// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "chartdata.h"

#include <cmath>

#include <QSignalSpy>
#include <QtTest>

#include "measure/metrics.h"
#include "timelines.h"

using namespace tokenpace;
using tokenpace::testing::Made;
using tokenpace::testing::make;

namespace {

struct Fixture {
    SeriesModel series;
    RequestsModel requests{series};
    ChartData data{requests};
    QSignalSpy changed{&data, &ChartData::changed};

    void add(std::initializer_list<Made> all)
    {
        std::vector<TimelinePtr> timelines;
        for (const Made& made : all) {
            timelines.push_back(make(made));
        }
        requests.append(timelines);
    }
};

} // namespace

class TestChartData : public QObject {
    Q_OBJECT
private slots:
    void aBatchIsToldOnce();
    void dotsStandAtTheMeasuredLength();
    void mediansAndBandsCountOnlyWhatCounts();
    void whatIsLeftOutByHandStaysInSight();
    void theBandIsPercentilesFromTenOn();
    void levelsAreOrderedByLength();
    void aLaterBatchMovesTheMedian();
    void tpotFiguresCountOnlyWhatCounts();
    void warmUpsAreNoDots();
    void requestsWithoutANumberAreCountedButNotDrawn();
    void hiddenSeriesLeaveTheCounts();
    void aReplyWithoutUsageStandsAtAnEstimate();
    void withoutAPlannedLengthThereIsNoMedian();
    void requestsOfBeforeAreThereAndClearForgets();
    void veryManyValuesUseTheHistogram();
    void gapsAreThoseOfTheRequestsThatCount();
};

void TestChartData::aBatchIsToldOnce()
{
    Fixture fixture;
    fixture.add({{.seq = 0}, {.seq = 1}, {.seq = 2, .model = "beta"}});
    QCOMPARE(fixture.changed.size(), 1);
    QCOMPARE(fixture.data.ttft().size(), std::size_t{2});
    QCOMPARE(fixture.data.tpot().size(), std::size_t{2});
    QCOMPARE(fixture.data.ttft().at(1).series, 1);
}

void TestChartData::dotsStandAtTheMeasuredLength()
{
    Fixture fixture;
    fixture.add(
        {{.target = 100, .promptTokens = 97, .ttftMs = 120}, {.target = 100, .promptTokens = 105, .ttftMs = 80}});
    const auto& dots = fixture.data.ttft().at(0).dots;
    QCOMPARE(dots.size(), std::size_t{2});
    QCOMPARE(dots[0].row, 0);
    QCOMPARE(dots[0].x, 97.0);
    QCOMPARE(dots[0].ms, 120.0);
    QVERIFY(!dots[0].hollow);
    QCOMPARE(dots[1].row, 1);
    QCOMPARE(dots[1].ms, 80.0);
    const auto& levels = fixture.data.ttft().at(0).levels;
    QCOMPARE(levels.size(), std::size_t{1});
    QCOMPARE(levels[0].x, 101.0);
    QCOMPARE(levels[0].band.median, 100.0);
}

void TestChartData::mediansAndBandsCountOnlyWhatCounts()
{
    Fixture fixture;
    fixture.add({{.ttftMs = 100},
                 {.ttftMs = 110},
                 {.ttftMs = 120},
                 {.ttftMs = 5, .flags = {Flag::Cached}},
                 {.ttftMs = 900, .attempts = 2},
                 {.ttftMs = 800, .flags = {Flag::CoarseStamp}},
                 {.ttftMs = 700, .status = Status::Truncated}});
    const TtftSeries& series = fixture.data.ttft().at(0);
    QCOMPARE(series.dots.size(), std::size_t{7});
    for (std::size_t i = 0; i < series.dots.size(); ++i) {
        QCOMPARE(series.dots[i].hollow, i >= 3);
    }
    QCOMPARE(series.levels[0].values.size(), std::size_t{3});
    QCOMPARE(series.levels[0].band.low, 100.0);
    QCOMPARE(series.levels[0].band.median, 110.0);
    QCOMPARE(series.levels[0].band.high, 120.0);
    QVERIFY(series.levels[0].band.isRange);
    const ChartCounts counts = fixture.data.ttftCounts();
    QCOMPARE(counts.shown, 7);
    QCOMPARE(counts.ok, 3);
    QCOMPARE(counts.failed, 1);
    QCOMPARE(counts.undrawn, 0);
    QCOMPARE(counts.hollow, (std::map<Flag, int>{{Flag::Retried, 1}, {Flag::Cached, 1}, {Flag::CoarseStamp, 1}}));
}

void TestChartData::whatIsLeftOutByHandStaysInSight()
{
    Fixture fixture;
    fixture.add({{.ttftMs = 100}, {.ttftMs = 110}, {.ttftMs = 9000}, {.ttftMs = 700, .status = Status::Truncated}});
    fixture.changed.clear();
    fixture.requests.setExcluded({2, 3}, true);
    QCOMPARE(fixture.changed.size(), 1);
    const TtftSeries& series = fixture.data.ttft().at(0);
    QCOMPARE(series.dots.size(), std::size_t{4});
    QVERIFY(series.dots[2].hollow);
    QCOMPARE(series.levels[0].band.high, 110.0);
    ChartCounts counts = fixture.data.ttftCounts();
    QCOMPARE(counts.ok, 2);
    QCOMPARE(counts.failed, 0);
    QCOMPARE(counts.hollow, (std::map<Flag, int>{{Flag::Excluded, 2}}));
    fixture.requests.setExcluded({2, 3}, false);
    QCOMPARE(fixture.data.ttft().at(0).levels[0].band.high, 9000.0);
    counts = fixture.data.ttftCounts();
    QCOMPARE(counts.failed, 1);
    QVERIFY(counts.hollow.empty());
}

void TestChartData::theBandIsPercentilesFromTenOn()
{
    Fixture fixture;
    std::vector<TimelinePtr> timelines;
    for (int i = 0; i <= 10; ++i) {
        timelines.push_back(make({.seq = i, .ttftMs = 100.0 + 10 * i}));
    }
    fixture.requests.append(timelines);
    const Band& band = fixture.data.ttft().at(0).levels[0].band;
    QVERIFY(!band.isRange);
    QCOMPARE(band.low, 110.0);
    QCOMPARE(band.median, 150.0);
    QCOMPARE(band.high, 190.0);
}

void TestChartData::levelsAreOrderedByLength()
{
    Fixture fixture;
    fixture.add({{.target = 3000, .promptTokens = 3010},
                 {.target = 100, .promptTokens = 99},
                 {.target = 1000, .promptTokens = 1003}});
    const auto& levels = fixture.data.ttft().at(0).levels;
    QCOMPARE(levels.size(), std::size_t{3});
    QCOMPARE(levels[0].x, 99.0);
    QCOMPARE(levels[1].x, 1003.0);
    QCOMPARE(levels[2].x, 3010.0);
    QCOMPARE(levels[2].promptTokensTarget, std::optional<std::int64_t>(3000));
}

void TestChartData::aLaterBatchMovesTheMedian()
{
    Fixture fixture;
    fixture.add({{.ttftMs = 100}});
    QCOMPARE(fixture.data.ttft().at(0).levels[0].band.median, 100.0);
    QCOMPARE(fixture.data.tpot().at(0).figures.p50, std::optional(10.0));
    fixture.add({{.ttftMs = 200, .tpotMs = 30}});
    fixture.add({{.ttftMs = 300, .tpotMs = 20}});
    QCOMPARE(fixture.data.ttft().at(0).levels[0].band.median, 200.0);
    QCOMPARE(fixture.data.tpot().at(0).figures.p50, std::optional(20.0));
    QCOMPARE(fixture.data.tpot().at(0).figures.n, std::size_t{3});
}

void TestChartData::tpotFiguresCountOnlyWhatCounts()
{
    Fixture fixture;
    fixture.add({{.tpotMs = 10},
                 {.tpotMs = 20},
                 {.tpotMs = 30, .flags = {Flag::Cached}}, // the cache shortens TTFT only
                 {.tpotMs = 500, .flags = {Flag::ClientBusy}},
                 {.tpotMs = 600, .status = Status::Timeout}});
    const TpotSeries& series = fixture.data.tpot().at(0);
    QCOMPARE(series.dots.size(), std::size_t{5});
    QVERIFY(!series.dots[2].hollow);
    QVERIFY(series.dots[3].hollow);
    QVERIFY(series.dots[4].hollow);
    QCOMPARE(series.figures.n, std::size_t{3});
    QCOMPARE(series.figures.p50, std::optional(20.0));
    QCOMPARE(series.histogram.count(), std::uint64_t{3});
    QVERIFY(series.box.has_value());
    QCOMPARE(series.box->high, 30.0);
    const ChartCounts counts = fixture.data.tpotCounts();
    QCOMPARE(counts.shown, 5);
    QCOMPARE(counts.ok, 3);
    QCOMPARE(counts.timeouts, 1);
    QCOMPARE(counts.hollow, (std::map<Flag, int>{{Flag::ClientBusy, 1}}));
}

void TestChartData::warmUpsAreNoDots()
{
    Fixture fixture;
    fixture.add({{.flags = {Flag::WarmUp}}});
    QVERIFY(fixture.data.ttft().empty());
    QVERIFY(fixture.data.tpot().empty());
    QCOMPARE(fixture.data.ttftCounts().shown, 0);
    QCOMPARE(fixture.data.ttftCounts().ok, 0);
}

void TestChartData::requestsWithoutANumberAreCountedButNotDrawn()
{
    Fixture fixture;
    fixture.add({{.tokens = 1}, // no TPOT
                 {.tokens = 0, .usage = false, .status = Status::Cancelled},
                 {.tokens = 0, .usage = false, .status = Status::Error},
                 {.target = {}, .promptTokens = {}}}); // nowhere to stand
    const ChartCounts ttft = fixture.data.ttftCounts();
    QCOMPARE(ttft.shown, 1);
    QCOMPARE(ttft.ok, 1);
    QCOMPARE(ttft.undrawn, 1);
    QCOMPARE(ttft.cancelled, 1);
    QCOMPARE(ttft.failed, 1);
    const ChartCounts tpot = fixture.data.tpotCounts();
    QCOMPARE(tpot.shown, 1);
    QCOMPARE(tpot.undrawn, 1);
    QCOMPARE(fixture.data.ttft().at(0).dots.size(), std::size_t{1});
}

void TestChartData::hiddenSeriesLeaveTheCounts()
{
    Fixture fixture;
    fixture.add({{.seq = 0}, {.seq = 1, .model = "beta"}, {.seq = 2, .model = "beta"}});
    QCOMPARE(fixture.data.ttftCounts().ok, 3);
    fixture.changed.clear();
    fixture.series.setShown(1, false);
    QCOMPARE(fixture.changed.size(), 1);
    QCOMPARE(fixture.data.ttftCounts().ok, 1);
    QCOMPARE(fixture.data.tpotCounts().shown, 1);
    // Hidden, not forgotten.
    QCOMPARE(fixture.data.ttft().at(1).dots.size(), std::size_t{2});
    fixture.series.setShown(1, true);
    QCOMPARE(fixture.data.ttftCounts().ok, 3);
}

void TestChartData::aReplyWithoutUsageStandsAtAnEstimate()
{
    Fixture fixture;
    fixture.add({{}});
    QVERIFY(!fixture.data.ttftCounts().xEstimated);
    fixture.add({{.target = 300, .promptTokens = {}}});
    QVERIFY(fixture.data.ttftCounts().xEstimated);
    QCOMPARE(fixture.data.ttft().at(0).dots[1].x, 300.0);
}

void TestChartData::withoutAPlannedLengthThereIsNoMedian()
{
    Fixture fixture;
    fixture.add({{.target = {}}});
    QCOMPARE(fixture.data.ttft().at(0).dots.size(), std::size_t{1});
    QVERIFY(fixture.data.ttft().at(0).levels.empty());
}

void TestChartData::requestsOfBeforeAreThereAndClearForgets()
{
    Fixture fixture;
    fixture.add({{}});
    const ChartData late(fixture.requests);
    QCOMPARE(late.ttft().at(0).dots.size(), std::size_t{1});
    fixture.changed.clear();
    fixture.requests.clear();
    QCOMPARE(fixture.changed.size(), 1);
    QVERIFY(fixture.data.ttft().empty());
    QVERIFY(fixture.data.tpot().empty());
    QCOMPARE(fixture.data.tpotCounts().shown, 0);
}

void TestChartData::veryManyValuesUseTheHistogram()
{
    constexpr int many = 100'001;
    Fixture fixture;
    std::vector<TimelinePtr> timelines;
    for (int i = 0; i < many; ++i) {
        timelines.push_back(make({.seq = i, .tpotMs = 10.0 + 10.0 * i / (many - 1), .tokens = 2}));
    }
    fixture.requests.append(timelines);
    const TpotSeries& series = fixture.data.tpot().at(0);
    const auto near = [](std::optional<double> value, double expected) {
        return value && std::fabs(*value - expected) <= 0.006 * expected;
    };
    QCOMPARE(series.figures.n, std::size_t{many});
    QCOMPARE(series.figures.min, std::optional(10.0));
    QCOMPARE(series.figures.max, std::optional(20.0));
    QVERIFY(near(series.figures.p50, 15.0));
    QVERIFY(near(series.figures.p99, 19.9));
    QVERIFY(near(series.figures.mean, 15.0));
    QVERIFY(series.figures.p50Interval.has_value());
    QVERIFY(near(series.figures.p50Interval->first, 15.0));
    QVERIFY(near(series.box->q1, 12.5));
    QVERIFY(near(series.box->high, 19.5));
}

void TestChartData::gapsAreThoseOfTheRequestsThatCount()
{
    Fixture fixture;
    fixture.add({{.ttftMs = 100}, {.ttftMs = 100, .flags = {Flag::ClientBusy}}});
    const std::vector<double> gaps = itlMs(*fixture.requests.row(0).timeline);
    QVERIFY(gaps.size() > 1);
    const TpotSeries& series = fixture.data.gaps().at(0);
    QCOMPARE(series.figures.n, gaps.size());
    QCOMPARE(series.figures.p50, percentile(gaps, 0.5));
    QCOMPARE(series.dots.size(), gaps.size() < 50 ? gaps.size() : std::size_t{0});
    for (int i = 0; i < 60; ++i) {
        fixture.add({{.ttftMs = 100}});
    }
    QVERIFY(fixture.data.gaps().at(0).dots.empty()); // from here on a violin
    QCOMPARE(fixture.data.gaps().at(0).figures.n, 61 * gaps.size());
}

QTEST_GUILESS_MAIN(TestChartData)
#include "tst_chartdata.moc"
