// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <numeric>
#include <vector>

#include <QTest>

#include "measure/statistics.h"

using namespace tokenpace;

namespace {

std::vector<double> oneTo(int n)
{
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

} // namespace

class StatisticsTest final : public QObject {
    Q_OBJECT

private slots:
    void percentilesInterpolateBetweenOrderStatistics_data();
    void percentilesInterpolateBetweenOrderStatistics();
    void noSamplesHaveNoPercentile();
    void percentilesAreWithheldBelowTheirSmallestN();
    void anIntervalExistsFromItsFirstN_data();
    void anIntervalExistsFromItsFirstN();
    void theIntervalOfAMedianOfTenIsTheSecondAndTheNinth();
    void theIntervalOfAMedianOfManyIsThatOfTheNormalLaw();
    void describeKeepsTheOrderOfNothing();
    void boxesHaveRangeWhiskersBelowTwentySamples();
    void bandsAreRangesBelowTenSamples();
};

void StatisticsTest::percentilesInterpolateBetweenOrderStatistics_data()
{
    QTest::addColumn<QList<double>>("samples");
    QTest::addColumn<double>("p50");
    QTest::addColumn<double>("p90");
    QTest::addColumn<double>("p95");
    QTest::addColumn<double>("p99");
    const auto hundred = oneTo(100);
    QTest::newRow("one") << QList<double>{7} << 7.0 << 7.0 << 7.0 << 7.0;
    QTest::newRow("two") << QList<double>{10, 20} << 15.0 << 19.0 << 19.5 << 19.9;
    QTest::newRow("three") << QList<double>{10, 20, 30} << 20.0 << 28.0 << 29.0 << 29.8;
    QTest::newRow("unsorted") << QList<double>{30, 10, 20} << 20.0 << 28.0 << 29.0 << 29.8;
    QTest::newRow("ties") << QList<double>{5, 5, 5, 5} << 5.0 << 5.0 << 5.0 << 5.0;
    QTest::newRow("1 to 100") << QList<double>(hundred.begin(), hundred.end()) << 50.5 << 90.1 << 95.05 << 99.01;
}

void StatisticsTest::percentilesInterpolateBetweenOrderStatistics()
{
    QFETCH(const QList<double>, samples);
    QFETCH(const double, p50);
    QFETCH(const double, p90);
    QFETCH(const double, p95);
    QFETCH(const double, p99);
    const std::vector<double> values(samples.begin(), samples.end());
    QCOMPARE(percentile(values, 0.50).value(), p50);
    QCOMPARE(percentile(values, 0.90).value(), p90);
    QCOMPARE(percentile(values, 0.95).value(), p95);
    QCOMPARE(percentile(values, 0.99).value(), p99);
}

void StatisticsTest::noSamplesHaveNoPercentile()
{
    QVERIFY(!percentile({}, 0.5));
    QVERIFY(!boxOf({}));
    QVERIFY(!bandOf({}));
    const Distribution nothing = describe({});
    QCOMPARE(nothing.n, std::size_t{0});
    QVERIFY(!nothing.p50 && !nothing.mean && !nothing.min && !nothing.max && !nothing.p50Interval);
}

void StatisticsTest::percentilesAreWithheldBelowTheirSmallestN()
{
    const auto nineteen = describe(oneTo(19));
    QVERIFY(nineteen.p50 && nineteen.p90);
    QVERIFY(!nineteen.p95 && !nineteen.p99);
    const auto twenty = describe(oneTo(20));
    QCOMPARE(twenty.p95.value(), 19.05);
    QVERIFY(!twenty.p99);
    QVERIFY(!describe(oneTo(99)).p99);
    QCOMPARE(describe(oneTo(100)).p99.value(), 99.01);
}

void StatisticsTest::anIntervalExistsFromItsFirstN_data()
{
    QTest::addColumn<double>("p");
    QTest::addColumn<int>("firstN");
    QTest::newRow("P50") << 0.50 << 6;
    QTest::newRow("P90") << 0.90 << 36;
    QTest::newRow("P95") << 0.95 << 72;
    QTest::newRow("P99") << 0.99 << 368;
}

void StatisticsTest::anIntervalExistsFromItsFirstN()
{
    QFETCH(const double, p);
    QFETCH(const int, firstN);
    for (int n = 0; n < firstN; ++n) {
        QVERIFY2(!percentileInterval(static_cast<std::size_t>(n), p), qPrintable(QString::number(n)));
    }
    for (int n = firstN; n < firstN + 50; ++n) {
        QVERIFY2(percentileInterval(static_cast<std::size_t>(n), p), qPrintable(QString::number(n)));
    }
}

void StatisticsTest::theIntervalOfAMedianOfTenIsTheSecondAndTheNinth()
{
    // P(X <= 1) = 11/1024 = 1.07 % and P(X <= 2) = 56/1024 = 5.5 % for X binomial(10, 1/2).
    const auto ranks = percentileInterval(10, 0.5);
    QVERIFY(ranks);
    QCOMPARE(ranks->low, std::size_t{1});
    QCOMPARE(ranks->high, std::size_t{8});
    const auto ten = describe(oneTo(10));
    QCOMPARE(ten.p50Interval->first, 2.0);
    QCOMPARE(ten.p50Interval->second, 9.0);
}

void StatisticsTest::theIntervalOfAMedianOfManyIsThatOfTheNormalLaw()
{
    // 50,000 -+ 1.95996 * sqrt(100,000) / 2 = 50,000 -+ 309.9.
    const auto ranks = percentileInterval(100'000, 0.5);
    QVERIFY(ranks);
    QVERIFY2(ranks->low >= 49'688 && ranks->low <= 49'691, qPrintable(QString::number(ranks->low)));
    QVERIFY2(ranks->high >= 50'309 && ranks->high <= 50'312, qPrintable(QString::number(ranks->high)));
}

void StatisticsTest::describeKeepsTheOrderOfNothing()
{
    const auto figures = describe({3, 1, 2});
    QCOMPARE(figures.min.value(), 1.0);
    QCOMPARE(figures.max.value(), 3.0);
    QCOMPARE(figures.p50.value(), 2.0);
    QCOMPARE(figures.mean.value(), 2.0);
    QVERIFY(!figures.p50Interval);
}

void StatisticsTest::boxesHaveRangeWhiskersBelowTwentySamples()
{
    const auto small = boxOf(oneTo(19));
    QVERIFY(small->whiskersAreRange);
    QCOMPARE(small->low, 1.0);
    QCOMPARE(small->high, 19.0);
    QCOMPARE(small->q1, 5.5);
    QCOMPARE(small->median, 10.0);
    QCOMPARE(small->q3, 14.5);
    const auto large = boxOf(oneTo(21));
    QVERIFY(!large->whiskersAreRange);
    QCOMPARE(large->low, 2.0);
    QCOMPARE(large->high, 20.0);
}

void StatisticsTest::bandsAreRangesBelowTenSamples()
{
    const auto small = bandOf(oneTo(9));
    QVERIFY(small->isRange);
    QCOMPARE(small->low, 1.0);
    QCOMPARE(small->median, 5.0);
    QCOMPARE(small->high, 9.0);
    const auto large = bandOf(oneTo(11));
    QVERIFY(!large->isRange);
    QCOMPARE(large->low, 2.0);
    QCOMPARE(large->high, 10.0);
}

QTEST_GUILESS_MAIN(StatisticsTest)
#include "tst_statistics.moc"
