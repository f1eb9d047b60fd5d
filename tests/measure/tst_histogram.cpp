// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <QTest>

#include "measure/histogram.h"
#include "measure/statistics.h"

using namespace tokenpace;

class HistogramTest final : public QObject {
    Q_OBJECT

private slots:
    void emptyHasNoQuantile();
    void quantilesAreWithinSixTenthsOfAPercent();
    void zerosAndValuesOutOfRangeAreCounted();
    void negativeAndUndefinedValuesAreNotCounted();
    void mergingIsAddingAll();
    void aQuantileReadsBothNeighbouringRanks();
};

void HistogramTest::emptyHasNoQuantile()
{
    QVERIFY(!LogHistogram{}.quantileMs(0.5));
}

void HistogramTest::quantilesAreWithinSixTenthsOfAPercent()
{
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> times(3, 1);
    LogHistogram histogram;
    std::vector<double> raw;
    for (int i = 0; i < 20000; ++i) {
        raw.push_back(times(random));
        histogram.add(raw.back());
    }
    for (const double p : {0.01, 0.25, 0.5, 0.9, 0.95, 0.99}) {
        const double exact = percentile(raw, p).value();
        QVERIFY(std::abs(histogram.quantileMs(p).value() - exact) <= 0.006 * exact);
    }
}

void HistogramTest::zerosAndValuesOutOfRangeAreCounted()
{
    LogHistogram histogram;
    histogram.add(0);
    histogram.add(0.001);
    histogram.add(1.0);
    histogram.add(5e6);
    QCOMPARE(histogram.count(), 4u);
    QCOMPARE(histogram.zeros(), 1u);
    QCOMPARE(histogram.below(), 1u);
    QCOMPARE(histogram.above(), 1u);
    QCOMPARE(histogram.quantileMs(0).value(), 0.0);
    QCOMPARE(histogram.quantileMs(1).value(), 1e6);
}

void HistogramTest::negativeAndUndefinedValuesAreNotCounted()
{
    LogHistogram histogram;
    histogram.add(-1);
    histogram.add(std::numeric_limits<double>::quiet_NaN());
    QCOMPARE(histogram.count(), 0u);
}

void HistogramTest::mergingIsAddingAll()
{
    LogHistogram a;
    LogHistogram b;
    LogHistogram both;
    for (int i = 1; i <= 100; ++i) {
        (i % 2 == 0 ? a : b).add(i);
        both.add(i);
    }
    a.merge(b);
    QCOMPARE(a.count(), both.count());
    for (const double p : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        QCOMPARE(a.quantileMs(p).value(), both.quantileMs(p).value());
    }
}

void HistogramTest::aQuantileReadsBothNeighbouringRanks()
{
    LogHistogram histogram;
    histogram.add(10);
    histogram.add(1000);
    // Type 7 of [10, 1000] has its median half-way, not at either of the two.
    QVERIFY(std::abs(histogram.quantileMs(0.5).value() - 505) <= 0.006 * 505);
}

QTEST_GUILESS_MAIN(HistogramTest)
#include "tst_histogram.moc"
