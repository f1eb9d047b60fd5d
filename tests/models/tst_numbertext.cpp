// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "numbertext.h"

#include <limits>

#include <QLocale>
#include <QtTest>

using namespace tokenpace;

class TestNumberText : public QObject {
    Q_OBJECT
private slots:
    void threeSignificantDigits_data();
    void threeSignificantDigits();
    void whatIsUnknownIsADash();
    void durationsPickTheirUnit_data();
    void durationsPickTheirUnit();
    void countsAreGrouped();
    void exactTextKeepsMicroseconds();
    void intervalsAndSharesAreRounded();
    void theTextIsTheSameInEveryLocale();
};

void TestNumberText::threeSignificantDigits_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, double value, const QString& expected) {
        QTest::newRow(name) << value << expected;
    };
    row("hundreds", 137.2, QStringLiteral("137"));
    row("tens", 18.34, QStringLiteral("18.3"));
    row("ones keep a trailing zero", 4.3, QStringLiteral("4.30"));
    row("thousands are rounded", 2443, QStringLiteral("2,440"));
    row("zero", 0, QStringLiteral("0"));
    row("negative", -18.34, QStringLiteral("-18.3"));
    row("rounds up into four digits", 999.5, QStringLiteral("1,000"));
    row("stays below", 999.4, QStringLiteral("999"));
    row("rounds up into two digits", 9.996, QStringLiteral("10.0"));
    row("rounds up into one", 0.9996, QStringLiteral("1.00"));
    row("small", 0.0004, QStringLiteral("0.000400"));
    row("tiny", 4e-9, QStringLiteral("4.00e-09"));
    row("millions", 1234567, QStringLiteral("1,230,000"));
    row("huge", 1.234e21, QStringLiteral("1.23e+21"));
}

void TestNumberText::threeSignificantDigits()
{
    QFETCH(double, value);
    QFETCH(QString, expected);
    QCOMPARE(threeDigits(value).toLower(), expected);
}

void TestNumberText::whatIsUnknownIsADash()
{
    QCOMPARE(threeDigits(std::nullopt), dashText);
    QCOMPARE(threeDigits(std::numeric_limits<double>::quiet_NaN()), dashText);
    QCOMPARE(threeDigits(std::numeric_limits<double>::infinity()), dashText);
    QCOMPARE(durationText(std::nullopt), dashText);
    QCOMPARE(durationText(std::numeric_limits<double>::infinity()), dashText);
    QCOMPARE(countText(std::nullopt), dashText);
    QCOMPARE(exactMs(std::nullopt), dashText);
    QCOMPARE(exactNumber(std::nullopt), dashText);
    QCOMPARE(intervalText(std::nullopt), dashText);
    QCOMPARE(percentText(std::nullopt), dashText);
    QCOMPARE(approximately(dashText), dashText);
}

void TestNumberText::durationsPickTheirUnit_data()
{
    QTest::addColumn<double>("ms");
    QTest::addColumn<QString>("expected");
    QTest::newRow("milliseconds") << 8.251 << QStringLiteral("8.25 ms");
    QTest::newRow("hundreds of them") << 894.2 << QStringLiteral("894 ms");
    QTest::newRow("none") << 0.0 << QStringLiteral("0 ms");
    QTest::newRow("microseconds") << 0.008214 << QStringLiteral("8.21 µs");
    QTest::newRow("just under a tenth of a millisecond") << 0.09994 << QStringLiteral("99.9 µs");
    QTest::newRow("rounds up into milliseconds") << 0.09996 << QStringLiteral("0.100 ms");
    QTest::newRow("microseconds before zero") << -0.0012 << QStringLiteral("-1.20 µs");
    QTest::newRow("rounds up into seconds") << 999.6 << QStringLiteral("1.00 s");
    QTest::newRow("seconds") << 3121.0 << QStringLiteral("3.12 s");
    QTest::newRow("rounds up into minutes") << 59'970.0 << QStringLiteral("1 min");
    QTest::newRow("minutes") << 125'000.0 << QStringLiteral("2 min 5 s");
    QTest::newRow("whole minutes") << 180'000.0 << QStringLiteral("3 min");
    QTest::newRow("hours") << 13'860'000.0 << QStringLiteral("3 h 51 min");
    QTest::newRow("seconds round up into an hour") << 3'599'600.0 << QStringLiteral("1 h");
    QTest::newRow("negative") << -125'000.0 << QStringLiteral("-2 min 5 s");
}

void TestNumberText::durationsPickTheirUnit()
{
    QFETCH(double, ms);
    QFETCH(QString, expected);
    QCOMPARE(durationText(ms), expected);
}

void TestNumberText::countsAreGrouped()
{
    QCOMPARE(countText(0), QStringLiteral("0"));
    QCOMPARE(countText(3147), QStringLiteral("3,147"));
    QCOMPARE(countText(-3147), QStringLiteral("-3,147"));
    QCOMPARE(approximately(countText(3147)), QStringLiteral("≈3,147"));
}

void TestNumberText::exactTextKeepsMicroseconds()
{
    QCOMPARE(exactMs(2814.931), QStringLiteral("2,814.931 ms"));
    QCOMPARE(exactMs(0.0), QStringLiteral("0.000 ms"));
    QCOMPARE(exactNumber(52.4172), QStringLiteral("52.417"));
}

void TestNumberText::intervalsAndSharesAreRounded()
{
    QCOMPARE(intervalText(std::pair(1714.0, 2918.0)), QStringLiteral("1,710 – 2,920"));
    QCOMPARE(percentText(0.0125), QStringLiteral("1.25"));
    QCOMPARE(percentText(1.0), QStringLiteral("100"));
}

void TestNumberText::theTextIsTheSameInEveryLocale()
{
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString text = threeDigits(2443) + threeDigits(18.34) + exactMs(2814.931);
    QLocale::setDefault(before);
    QCOMPARE(text, QStringLiteral("2,44018.32,814.931 ms"));
}

QTEST_GUILESS_MAIN(TestNumberText)
#include "tst_numbertext.moc"
