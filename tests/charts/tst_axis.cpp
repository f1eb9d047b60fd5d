// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cmath>

#include <QtTest>

#include "charts/axis.h"
#include "charts/labelspread.h"
#include "charts/violin.h"

using namespace tokenpace;

Q_DECLARE_METATYPE(tokenpace::AxisRange)

class AxisTest final : public QObject {
    Q_OBJECT

private slots:
    void aScaleMapsItsEndsToZeroAndOne();
    void aLogarithmicScalePutsZeroFarBelowInsteadOfNowhere();
    void aFittedRangeHasHeadRoomAndRoundEnds_data();
    void aFittedRangeHasHeadRoomAndRoundEnds();
    void aFittedRangeHoldsTheDataWhateverTheyAre();
    void aRangeNeverShrinksWhileDataCome();
    void aRangeThatHoldsTheDataStaysAsItIs();
    void aGrowingRangeGlidesAndArrives();
    void zoomingKeepsTheValueUnderTheCursor();
    void panningMovesByThePartAsked();
    void ticksAreAt125_data();
    void ticksAreAt125();
    void ticksOfAZoomedAxisAreNotFewerThanTwo();
    void labelsOfTicksKeepTheirDistance();
    void tickLabels_data();
    void tickLabels();
    void labelsAreMovedApart_data();
    void labelsAreMovedApart();
    void aViolinNeedsFiftyValues();
    void aViolinIsWidestAtTheMode();
};

void AxisTest::aScaleMapsItsEndsToZeroAndOne()
{
    for (const bool log : {true, false}) {
        const AxisScale scale{{10, 1000}, log};
        QCOMPARE(scale.fraction(10), 0.0);
        QCOMPARE(scale.fraction(1000), 1.0);
        QCOMPARE(scale.valueAt(scale.fraction(137)), 137.0);
    }
    QCOMPARE(AxisScale({{10, 1000}, true}).fraction(100), 0.5);
    QCOMPARE(AxisScale({{0, 1000}, false}).fraction(250), 0.25);
}

void AxisTest::aLogarithmicScalePutsZeroFarBelowInsteadOfNowhere()
{
    const AxisScale scale{{10, 1000}, true};
    QVERIFY(std::isfinite(scale.unit(0)));
    QVERIFY(scale.fraction(0) < -10);
    QVERIFY(scale.fraction(-5) < -10);
    QVERIFY(!scale.contains(0));
}

void AxisTest::aFittedRangeHasHeadRoomAndRoundEnds_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("log");
    QTest::addColumn<bool>("oneTwoFive");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("TTFT of the design's picture") << 37.0 << 4500.0 << true << false << 30.0 << 7000.0;
    QTest::newRow("TPOT of the design's picture") << 7.3 << 53.0 << true << true << 5.0 << 100.0;
    QTest::newRow("one value gets a decade") << 137.0 << 137.0 << true << true << 50.0 << 500.0;
    QTest::newRow("zero cannot be on a logarithmic axis") << 0.0 << 8.0 << true << true << 0.005 << 20.0;
    QTest::newRow("linear starts at zero") << 37.0 << 450.0 << false << false << 0.0 << 500.0;
    QTest::newRow("linear with nothing above zero") << 0.0 << 0.0 << false << false << 0.0 << 1.0;
}

void AxisTest::aFittedRangeHasHeadRoomAndRoundEnds()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, log);
    QFETCH(bool, oneTwoFive);
    QFETCH(double, from);
    QFETCH(double, to);
    FitRule rule;
    rule.oneTwoFive = oneTwoFive;
    const AxisRange range = fittedRange({low, high}, log, rule);
    QVERIFY2(std::abs(range.low - from) <= 1e-9 * std::abs(from), qPrintable(QString::number(range.low)));
    QVERIFY2(std::abs(range.high - to) <= 1e-9 * std::abs(to), qPrintable(QString::number(range.high)));
}

void AxisTest::aFittedRangeHoldsTheDataWhateverTheyAre()
{
    for (const bool log : {true, false}) {
        for (double low = 0.02; low < 1e5; low *= 1.37) {
            for (double high = low; high < 1e6; high *= 2.3) {
                for (const bool oneTwoFive : {true, false}) {
                    const AxisRange range = fittedRange({low, high}, log, {1.15, 1.4, oneTwoFive, 1});
                    QVERIFY(range.low <= low);
                    QVERIFY(range.high >= high);
                }
            }
        }
    }
}

void AxisTest::aRangeNeverShrinksWhileDataCome()
{
    const FitRule rule;
    AxisRange range = fittedRange({400, 500}, true, rule);
    AxisRange data{400, 500};
    for (const double value : {420.0, 90.0, 3000.0, 200.0, 12.0, 7000.0, 8000.0}) {
        const AxisRange before = range;
        data = {std::min(data.low, value), std::max(data.high, value)};
        range = grownRange(range, data, true, rule);
        QVERIFY(range.low <= before.low);
        QVERIFY(range.high >= before.high);
        QVERIFY(range.low <= value && value <= range.high);
    }
    // And also when the data themselves become fewer, as when a series is hidden.
    QCOMPARE(grownRange(range, {300, 400}, true, rule), range);
}

void AxisTest::aRangeThatHoldsTheDataStaysAsItIs()
{
    const AxisRange shown{30, 7000};
    QCOMPARE(grownRange(shown, {30, 7000}, true, {}), shown);
    QCOMPARE(grownRange(shown, {31, 6999}, true, {}), shown);
}

void AxisTest::aGrowingRangeGlidesAndArrives()
{
    const AxisRange target{10, 10000};
    AxisRange shown{30, 7000};
    int steps = 0;
    double before = shown.high;
    while (!(shown == target)) {
        shown = easedRange(shown, target, true, 33);
        QVERIFY(shown.high > before || shown.high == target.high);
        QVERIFY(shown.high <= target.high);
        QVERIFY(shown.low >= target.low);
        before = shown.high;
        QVERIFY(++steps < 40);
    }
    QVERIFY2(steps >= 4, "it jumped");
    QVERIFY2(steps * 33 < 900, "it crawled");
}

void AxisTest::zoomingKeepsTheValueUnderTheCursor()
{
    for (const bool log : {true, false}) {
        const AxisScale scale{{10, 1000}, log};
        const double under = scale.valueAt(0.3);
        const AxisScale zoomed{zoomedRange(scale, 0.3, 0.5), log};
        QVERIFY(std::abs(zoomed.valueAt(0.3) - under) < 1e-9 * under);
        QVERIFY(zoomed.range.low > 10 && zoomed.range.high < 1000);
    }
}

void AxisTest::panningMovesByThePartAsked()
{
    const AxisRange range = pannedRange({{10, 1000}, true}, 0.5);
    QVERIFY(std::abs(range.low - 100) < 1e-9);
    QVERIFY(std::abs(range.high - 10000) < 1e-6);
}

void AxisTest::ticksAreAt125_data()
{
    QTest::addColumn<AxisRange>("range");
    QTest::addColumn<bool>("log");
    QTest::addColumn<bool>("lengths");
    QTest::addColumn<double>("px");
    QTest::addColumn<QString>("labels");
    QTest::newRow("TTFT") << AxisRange{30, 7000} << true << false << 196.0 << "50 ms|100 ms|200 ms|500 ms|1 s|2 s|5 s";
    QTest::newRow("TPOT") << AxisRange{5, 100} << true << false << 168.0 << "5 ms|10 ms|20 ms|50 ms|100 ms";
    QTest::newRow("lengths") << AxisRange{80, 10000} << true << true << 452.0 << "100|300|1k|3k|10k";
    QTest::newRow("from two and a half decades on only powers of ten")
        << AxisRange{50, 20000} << true << true << 780.0 << "100|1k|10k";
    QTest::newRow("no room for all powers") << AxisRange{1, 1e6} << true << false << 80.0 << "1 ms|100 ms|10 s|1000 s";
    QTest::newRow("within a decade") << AxisRange{110, 190} << true << false << 200.0 << "120 ms|140 ms|160 ms|180 ms";
    QTest::newRow("linear") << AxisRange{0, 500} << false << false << 200.0
                            << "0 ms|100 ms|200 ms|300 ms|400 ms|500 ms";
    QTest::newRow("linear thousands") << AxisRange{0, 10000} << false << true << 450.0 << "0|2k|4k|6k|8k|10k";
}

void AxisTest::ticksAreAt125()
{
    QFETCH(AxisRange, range);
    QFETCH(bool, log);
    QFETCH(bool, lengths);
    QFETCH(double, px);
    QFETCH(QString, labels);
    const AxisTicks ticks =
        axisTicks({range, log}, lengths ? TickSteps::OneThree : TickSteps::OneTwoFive, px, lengths ? 44 : 22);
    QStringList texts;
    for (const double tick : ticks.major) {
        texts << (lengths ? countTickText(tick) : msTickText(tick));
    }
    QCOMPARE(texts.join(QLatin1Char('|')), labels);
    for (const double minor : ticks.minor) {
        QVERIFY(std::find(ticks.major.begin(), ticks.major.end(), minor) == ticks.major.end());
        QVERIFY(minor >= range.low * (1 - 1e-6) && minor <= range.high * (1 + 1e-6));
    }
}

void AxisTest::ticksOfAZoomedAxisAreNotFewerThanTwo()
{
    for (double low = 3; low < 5000; low *= 1.7) {
        for (const double factor : {1.06, 1.3, 2.0, 4.0, 9.0, 30.0, 500.0}) {
            for (const bool log : {true, false}) {
                const AxisTicks ticks = axisTicks({{low, low * factor}, log}, TickSteps::OneTwoFive, 200, 22);
                QVERIFY2(ticks.major.size() >= 2,
                         qPrintable(QStringLiteral("%1 x %2 log %3").arg(low).arg(factor).arg(log)));
            }
        }
    }
}

void AxisTest::labelsOfTicksKeepTheirDistance()
{
    for (double factor = 1.05; factor < 1e7; factor *= 1.31) {
        for (const double px : {60.0, 100.0, 170.0, 300.0, 800.0}) {
            for (const bool log : {true, false}) {
                const AxisScale scale{{17, 17 * factor}, log};
                const AxisTicks ticks = axisTicks(scale, TickSteps::OneTwoFive, px, 22);
                for (std::size_t i = 1; i < ticks.major.size(); ++i) {
                    const double apart = (scale.fraction(ticks.major[i]) - scale.fraction(ticks.major[i - 1])) * px;
                    QVERIFY2(apart >= 15,
                             qPrintable(QStringLiteral("%1 px at factor %2 over %3 px, log %4")
                                            .arg(apart)
                                            .arg(factor)
                                            .arg(px)
                                            .arg(log)));
                }
            }
        }
    }
}

void AxisTest::tickLabels_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("ms");
    QTest::addColumn<QString>("count");
    QTest::newRow("half") << 0.5 << "0.5 ms"
                          << "0.5";
    QTest::newRow("hundred") << 100.0 << "100 ms"
                             << "100";
    QTest::newRow("thousand") << 1000.0 << "1 s"
                              << "1k";
    QTest::newRow("odd thousand") << 2500.0 << "2.5 s"
                                  << "2.5k";
    QTest::newRow("ten thousand") << 10000.0 << "10 s"
                                  << "10k";
    QTest::newRow("million") << 1e6 << "1000 s"
                             << "1M";
    QTest::newRow("zero") << 0.0 << "0 ms"
                          << "0";
}

void AxisTest::tickLabels()
{
    QFETCH(double, value);
    QFETCH(QString, ms);
    QFETCH(QString, count);
    QCOMPARE(msTickText(value), ms);
    QCOMPARE(countTickText(value), count);
}

void AxisTest::labelsAreMovedApart_data()
{
    QTest::addColumn<QList<double>>("wanted");
    QTest::addColumn<QList<double>>("places");
    QTest::newRow("none") << QList<double>{} << QList<double>{};
    QTest::newRow("far apart stay") << QList<double>{20, 60} << QList<double>{20, 60};
    QTest::newRow("two on one place") << QList<double>{50, 50} << QList<double>{41.5, 58.5};
    QTest::newRow("order of the input") << QList<double>{60, 50} << QList<double>{63.5, 46.5};
    QTest::newRow("three push each other") << QList<double>{50, 51, 52} << QList<double>{34, 51, 68};
    QTest::newRow("against the top") << QList<double>{2, 3} << QList<double>{0, 17};
    QTest::newRow("above the top") << QList<double>{-30} << QList<double>{0};
    QTest::newRow("against the bottom") << QList<double>{98, 99} << QList<double>{83, 100};
    QTest::newRow("more than fit") << QList<double>{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}
                                   << QList<double>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
}

void AxisTest::labelsAreMovedApart()
{
    QFETCH(QList<double>, wanted);
    QFETCH(QList<double>, places);
    const std::vector<double> got = spreadLabels({wanted.begin(), wanted.end()}, 17, 0, 100);
    QCOMPARE(got.size(), static_cast<std::size_t>(places.size()));
    for (std::size_t i = 0; i < got.size(); ++i) {
        QVERIFY2(std::abs(got[i] - places[static_cast<qsizetype>(i)]) < 0.51, qPrintable(QString::number(got[i])));
    }
}

void AxisTest::aViolinNeedsFiftyValues()
{
    LogHistogram histogram;
    for (int i = 0; i < 49; ++i) {
        histogram.add(10 + i * 0.1);
    }
    QVERIFY(violinOutline(histogram, 90).empty());
    histogram.add(12);
    QCOMPARE(violinOutline(histogram, 90).size(), std::size_t(90));
}

void AxisTest::aViolinIsWidestAtTheMode()
{
    LogHistogram histogram;
    for (int i = -300; i <= 300; ++i) {
        const double z = i / 100.0;
        for (int k = 0; k < static_cast<int>(100 * std::exp(-z * z / 2)); ++k) {
            histogram.add(20 * std::exp(0.1 * z));
        }
    }
    const auto outline = violinOutline(histogram, 90);
    const auto widest = std::max_element(outline.begin(), outline.end(), [](const auto& a, const auto& b) {
        return a.width < b.width;
    });
    QCOMPARE(widest->width, 1.0);
    QVERIFY2(std::abs(widest->ms - 20) < 0.5, qPrintable(QString::number(widest->ms)));
    QVERIFY(outline.front().width < 0.2);
    QVERIFY(outline.back().width < 0.2);
    for (std::size_t i = 1; i < outline.size(); ++i) {
        QVERIFY(outline[i].ms > outline[i - 1].ms);
    }
}

QTEST_GUILESS_MAIN(AxisTest)
#include "tst_axis.moc"
