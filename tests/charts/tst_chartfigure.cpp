// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QPainter>
#include <QtTest>

#include "chartfixture.h"
#include "charts/chartfigure.h"
#include "charts/tpotfigure.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

namespace {

constexpr QSizeF size{690, 318};

std::unique_ptr<ChartFigure> figureOf(const ChartFixture& fixture, ChartKind kind)
{
    ChartSpec spec;
    spec.kind = kind;
    spec.limitMs = kind == ChartKind::TtftByLength ? 800 : 50;
    auto figure = ChartFigure::make(spec, fixture.data);
    figure->setTheme(darkTheme());
    figure->setSize(size, 1);
    figure->update();
    return figure;
}

QImage paint(ChartFigure& figure)
{
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(darkTheme().panel);
    QPainter painter(&image);
    figure.paint(painter);
    return image;
}

/// Pixels that are nearer to `colour` than to anything else of the theme.
int pixelsLike(const QImage& image, const QColor& colour, QRect area)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const int distance = std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green())
                + std::abs(pixel.blue() - colour.blue());
            count += distance < 90 ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class ChartFigureTest final : public QObject {
    Q_OBJECT

private slots:
    void anEmptyChartInvites();
    void aDotStandsWhereItsNumbersSay();
    void hidingASeriesRemovesItsDotsAndKeepsTheColoursOfTheOthers();
    void axesNeverShrinkDuringARun();
    void axesForgetWhenARunBegins();
    void thePlotDoesNotMoveWithTheNumbers();
    void theExpectedLengthsAreOnTheAxisFromTheStart();
    void belowFiftyRequestsThereIsNoViolin();
    void theTableWithholdsWhatTooFewSamplesCannotSay();
    void theSubtitleNamesFailuresAndHollowDots();
    void aDistantLimitIsLeftOut();
    void theMedianLineGoesThroughTheMedians();
    void newDotsAreAddedToTheOldPicture();
    void aClearedModelLeavesNothingBehind();
    void valuesAtZeroDoNotHideTheOthers();
    void perGapTheAxisSaysSoAndNoLimitIsDrawn();
    void gapsOfZeroAreSaidAndLeaveTheViolin();
};

void ChartFigureTest::anEmptyChartInvites()
{
    ChartFixture fixture;
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        const auto figure = figureOf(fixture, kind);
        QVERIFY(figure->isEmpty());
        QVERIFY(figure->front().texts().contains(QStringLiteral("Points appear as requests finish")));
        QVERIFY(!figure->nearest(figure->plot().center(), 1000));
        paint(*figure);
    }
}

void ChartFigureTest::aDotStandsWhereItsNumbersSay()
{
    ChartFixture fixture;
    fixture.add("a", 1000, 400, 10);
    fixture.add("a", 3000, 900, 12);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    const QRectF plot = figure->plot();
    const auto dot = figure->placeOf(1);
    QVERIFY(dot);
    QCOMPARE(figure->xScale().valueAt((dot->at.x() - plot.left()) / plot.width()), 3000.0);
    QCOMPARE(figure->yScale().valueAt((plot.bottom() - dot->at.y()) / plot.height()), 900.0);
    QCOMPARE(figure->nearest(dot->at + QPointF(3, 2), 6)->row, 1);
    QVERIFY(!figure->nearest(dot->at + QPointF(9, 9), 6));
    QVERIFY(pixelsLike(paint(*figure), darkTheme().series(0), QRect(dot->at.toPoint() - QPoint(3, 3), QSize(7, 7)))
            > 4);
}

void ChartFigureTest::hidingASeriesRemovesItsDotsAndKeepsTheColoursOfTheOthers()
{
    ChartFixture fixture;
    for (int i = 0; i < 5; ++i) {
        fixture.add("a", 1000, 100 + i, 10);
        fixture.add("b", 1000, 2000 + i * 10, 30);
    }
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        fixture.series.setShown(0, true);
        const auto figure = figureOf(fixture, kind);
        const QRect plot = figure->plot().toRect();
        QVERIFY(pixelsLike(paint(*figure), darkTheme().series(0), plot) > 0);
        fixture.series.setShown(0, false);
        figure->update();
        const QImage image = paint(*figure);
        QCOMPARE(pixelsLike(image, darkTheme().series(0), plot), 0);
        QVERIFY(pixelsLike(image, darkTheme().series(1), plot) > 0);
        QVERIFY(!figure->placeOf(0));
        QVERIFY(figure->placeOf(1));
        QVERIFY(!figure->front().texts().contains(QStringLiteral("a")));
    }
}

void ChartFigureTest::axesNeverShrinkDuringARun()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        const auto figure = figureOf(fixture, kind);
        AxisRange x = figure->xScale().range;
        AxisRange y = figure->yScale().range;
        for (const double ms : {60.0, 700.0, 55.0, 9000.0, 3.0, 100.0}) {
            fixture.add("a", static_cast<std::int64_t>(ms * 3), ms, ms / 10);
            int frames = 0;
            while (figure->update(33)) {
                QVERIFY(++frames < 100);
                QVERIFY(figure->xScale().range.low <= x.low && figure->xScale().range.high >= x.high);
                QVERIFY(figure->yScale().range.low <= y.low && figure->yScale().range.high >= y.high);
                x = figure->xScale().range;
                y = figure->yScale().range;
            }
        }
        y = figure->yScale().range;
        fixture.series.setShown(0, false);
        fixture.add("b", 100, 50, 10);
        figure->update();
        QCOMPARE(figure->yScale().range, y);
        fixture.series.setShown(0, true);
    }
}

void ChartFigureTest::axesForgetWhenARunBegins()
{
    ChartFixture fixture;
    fixture.add("a", 100, 9000, 10);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    const AxisRange wide = figure->yScale().range;
    fixture.requests.clear();
    fixture.add("a", 100, 50, 10);
    figure->update();
    QVERIFY(figure->yScale().range.high >= wide.high);
    figure->resetRanges();
    figure->update();
    QVERIFY(figure->yScale().range.high < wide.high);
}

void ChartFigureTest::thePlotDoesNotMoveWithTheNumbers()
{
    ChartFixture fixture;
    fixture.add("a", 100, 5, 10);
    const auto ttft = figureOf(fixture, ChartKind::TtftByLength);
    const auto tpot = figureOf(fixture, ChartKind::TpotByModel);
    const QRectF ttftPlot = ttft->plot();
    const QRectF tpotPlot = tpot->plot();
    fixture.add("a", 120000, 123456, 2345);
    ttft->update();
    tpot->update();
    QCOMPARE(ttft->plot(), ttftPlot);
    QCOMPARE(tpot->plot(), tpotPlot);
}

void ChartFigureTest::theExpectedLengthsAreOnTheAxisFromTheStart()
{
    ChartFixture fixture;
    fixture.add("a", 1000, 50, 10);
    ChartSpec spec;
    spec.expectedX = AxisRange{100, 10000};
    const auto figure = ChartFigure::make(spec, fixture.data);
    figure->setTheme(darkTheme());
    figure->setSize(size, 1);
    figure->update();
    QVERIFY(figure->xScale().range.low <= 100);
    QVERIFY(figure->xScale().range.high >= 10000);
}

void ChartFigureTest::belowFiftyRequestsThereIsNoViolin()
{
    ChartFixture fixture;
    for (int i = 0; i < 49; ++i) {
        fixture.add("a", 100, 50, 10 + i * 0.1);
    }
    const auto figure = figureOf(fixture, ChartKind::TpotByModel);
    QVERIFY(figure->series().areaUpper(0).isEmpty());
    QCOMPARE(figure->dotsDrawn(), std::size_t(49));
    QVERIFY(figure->subtitle().contains(QStringLiteral("points and box")));
    QVERIFY(figure->placeOf(3)->at.x() < figure->plot().center().x() + 15);

    fixture.add("a", 100, 50, 10);
    figure->update();
    QVERIFY(figure->series().areaUpper(0).size() >= 30);
    QCOMPARE(figure->dotsDrawn(), std::size_t(0));
    QVERIFY(figure->subtitle().contains(QStringLiteral("violin")));
    paint(*figure);
}

void ChartFigureTest::theTableWithholdsWhatTooFewSamplesCannotSay()
{
    ChartFixture fixture;
    for (int i = 0; i < 19; ++i) {
        fixture.add("a", 100, 50, 10);
    }
    const auto figure = figureOf(fixture, ChartKind::TpotByModel);
    QVERIFY(figure->front().texts().contains(QStringLiteral("P95")));
    QVERIFY(figure->front().texts().contains(QStringLiteral("–")));
    QVERIFY(figure->front().texts().contains(QStringLiteral("19")));
    fixture.add("a", 100, 50, 10);
    figure->update();
    QVERIFY(!figure->front().texts().contains(QStringLiteral("–")));
    for (int i = 0; i < 80; ++i) {
        fixture.add("a", 100, 50, 10);
    }
    figure->update();
    QVERIFY(figure->front().texts().contains(QStringLiteral("P99")));
    QVERIFY(!figure->front().texts().contains(QStringLiteral("P95")));
}

void ChartFigureTest::theSubtitleNamesFailuresAndHollowDots()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    QCOMPARE(figure->subtitle(), QStringLiteral("1 ok, 0 failed · dots: requests · line: median · band: min–max"));
    Timeline cached = fixture.timeline("a", 100, 100, 20, 10);
    cached.flags.set(Flag::Cached);
    Timeline late = fixture.timeline("a", 100, 100, 20, 10);
    late.status = Status::Timeout;
    fixture.add({cached, late});
    figure->update();
    QCOMPARE(figure->subtitle(), QStringLiteral("1 ok, 1 time-out, 1 cached (hollow) · line: median · band: min–max"));
    QVERIFY(figure->summary().contains(QStringLiteral("a: median TTFT 50.0 ms at 100 tokens")));
}

void ChartFigureTest::aDistantLimitIsLeftOut()
{
    ChartFixture fixture;
    fixture.add("a", 100, 5, 10);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    QVERIFY(!figure->yScale().contains(800));
    QVERIFY(figure->front().texts().filter(QStringLiteral("limit")).isEmpty());
    fixture.add("a", 100, 300, 10);
    figure->update();
    QVERIFY(figure->yScale().contains(800));
    QCOMPARE(figure->front().texts().filter(QStringLiteral("limit")), QStringList{QStringLiteral("limit 800 ms")});
}

void ChartFigureTest::theMedianLineGoesThroughTheMedians()
{
    ChartFixture fixture;
    for (const double ms : {100.0, 200.0, 400.0}) {
        fixture.add("a", 100, ms, 10);
        fixture.add("a", 1000, ms * 10, 10);
    }
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    const QList<QPointF> line = figure->series().line(0);
    QCOMPARE(line.size(), 2);
    QCOMPARE(line[0], QPointF(2, std::log10(200.0)));
    QCOMPARE(line[1], QPointF(3, std::log10(2000.0)));
    const QList<QPointF> upper = figure->series().areaUpper(0);
    QCOMPARE(upper.size(), 2);
    QCOMPARE(upper[0].y(), std::log10(400.0));
}

void ChartFigureTest::newDotsAreAddedToTheOldPicture()
{
    // What grows batch by batch must look like what is drawn at once.
    ChartFixture fixture;
    fixture.add("a", 100, 20, 10);
    fixture.add("b", 10000, 20000, 100);
    const auto growing = figureOf(fixture, ChartKind::TtftByLength);
    for (int i = 0; i < 50; ++i) {
        fixture.add(i % 2 == 0 ? "a" : "b", 1000, 100 + i * 20, 20);
        growing->update();
    }
    const auto atOnce = figureOf(fixture, ChartKind::TtftByLength);
    QCOMPARE(growing->yScale().range, atOnce->yScale().range);
    QCOMPARE(paint(*growing), paint(*atOnce));
}

void ChartFigureTest::aClearedModelLeavesNothingBehind()
{
    ChartFixture fixture;
    for (int i = 0; i < 5; ++i) {
        fixture.add("a", 1000, 100 + i, 10);
    }
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    fixture.requests.clear();
    // Between the reset and the next update.
    QVERIFY(!figure->placeOf(0));
    QVERIFY(!figure->nearest(figure->plot().center(), 1000));
    figure->update();
    QVERIFY(figure->isEmpty());
    QCOMPARE(pixelsLike(paint(*figure), darkTheme().series(0), figure->plot().toRect()), 0);
}

void ChartFigureTest::valuesAtZeroDoNotHideTheOthers()
{
    ChartFixture fixture;
    fixture.add("a", 1000, 0, 10);
    fixture.add("a", 1000, 100, 10);
    fixture.add("a", 3000, 300, 10);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    QVERIFY(figure->yScale().range.low > 0);
    QVERIFY(figure->placeOf(1));
    QVERIFY(!figure->placeOf(0));
    QVERIFY(pixelsLike(paint(*figure), darkTheme().series(0), figure->plot().toRect()) > 0);
}

namespace {

/// A reply of as many gaps as there are in `gaps`, a token an output event unless `tokens` says otherwise.
void addGaps(ChartFixture& fixture, const std::vector<double>& gaps, int tokens = 0)
{
    Timeline one = fixture.timeline("a", 100, 100, 50, 10);
    one.arrivals.resize(1);
    for (const double gap : gaps) {
        one.arrivals.push_back(one.arrivals.back() + fromMs(gap));
    }
    one.channels = std::string(one.arrivals.size(), 't');
    one.usage.completionTokens = tokens > 0 ? tokens : static_cast<std::int64_t>(one.arrivals.size());
    one.marks.lastByte = one.arrivals.back();
    fixture.add({one});
}

std::unique_ptr<ChartFigure> perGap(const ChartFixture& fixture)
{
    auto figure = figureOf(fixture, ChartKind::TpotByModel);
    ChartSpec spec = figure->spec();
    spec.perGap = true;
    figure->setSpec(spec);
    figure->update();
    return figure;
}

} // namespace

void ChartFigureTest::perGapTheAxisSaysSoAndNoLimitIsDrawn()
{
    ChartFixture fixture;
    addGaps(fixture, {40, 45, 60});
    auto figure = perGap(fixture);
    QVERIFY(figure->front().texts().contains(QStringLiteral("ITL, gap between tokens (log scale)")));
    QVERIFY(figure->front().texts().filter(QStringLiteral("limit")).isEmpty());
    QVERIFY2(figure->subtitle().contains(QStringLiteral("1 request, 0 failed · 3 gaps")),
             qPrintable(figure->subtitle()));
    QCOMPARE(figure->dotsDrawn(), std::size_t(3));
    QVERIFY(figure->front().texts().contains(QStringLiteral("45.0 ms")));
    QCOMPARE(figure->rowsIn(figure->plot()), std::vector<int>{0});

    addGaps(fixture, {40}, 9); // a chunk of several tokens
    figure->update();
    QVERIFY(figure->front().texts().contains(QStringLiteral("ITL, gap between chunks (log scale)")));
}

void ChartFigureTest::gapsOfZeroAreSaidAndLeaveTheViolin()
{
    ChartFixture fixture;
    std::vector<double> gaps;
    for (int i = 0; i < 100; ++i) {
        gaps.push_back(i % 4 == 0 ? 0 : 10 + i * 0.1);
    }
    addGaps(fixture, gaps);
    const auto figure = perGap(fixture);
    QVERIFY2(figure->subtitle().contains(QStringLiteral("100 gaps, 25 of them 0")), qPrintable(figure->subtitle()));
    QVERIFY(figure->series().areaUpper(0).size() >= 30);
    QVERIFY(figure->yScale().range.low > 1);
    paint(*figure);
}

QTEST_MAIN(ChartFigureTest)
#include "tst_chartfigure.moc"
