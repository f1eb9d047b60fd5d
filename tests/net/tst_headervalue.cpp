// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "net/headervalue.h"

using namespace tokenpace;

class TestHeaderValue : public QObject {
    Q_OBJECT
private slots:
    void aKeyIsTrimmed_data();
    void aKeyIsTrimmed();
    void aBadKeyIsRefused_data();
    void aBadKeyIsRefused();
    void anEmptyKeyIsNoProblem();
    void aKeyInQuotesSaysSo();
    void otherHeadersMayHoldBlanks();
    void otherHeadersMayNotHoldLineEnds();
};

void TestHeaderValue::aKeyIsTrimmed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("trimmed");
    QTest::newRow("as it is") << QStringLiteral("sk-T") << false;
    QTest::newRow("line feed") << QStringLiteral("sk-T\n") << true;
    QTest::newRow("CR LF") << QStringLiteral("sk-T\r\n") << true;
    QTest::newRow("spaces") << QStringLiteral(" sk-T ") << true;
    QTest::newRow("tab") << QStringLiteral("\tsk-T") << true;
    QTest::newRow("NBSP") << QStringLiteral("sk-T\u00A0") << true;
}

void TestHeaderValue::aKeyIsTrimmed()
{
    QFETCH(const QString, text);
    QFETCH(const bool, trimmed);
    const HeaderValue key = keyValue(text);
    QCOMPARE(key.value, QByteArray("sk-T"));
    QCOMPARE(key.problem, QString());
    QCOMPARE(key.trimmed, trimmed);
}

void TestHeaderValue::aBadKeyIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("em dash") << QStringLiteral("sk-\u2014T") << QStringLiteral("character 4 is U+2014");
    QTest::newRow("look-alike") << QStringLiteral("sk-\u028BT") << QStringLiteral("character 4 is U+028B");
    QTest::newRow("ZWSP") << QStringLiteral("s\u200Bk-T") << QStringLiteral("character 2 is U+200B");
    QTest::newRow("ZWSP at the end") << QStringLiteral("sk-T\u200B") << QStringLiteral("character 5 is U+200B");
    QTest::newRow("beyond the BMP") << QStringLiteral("ab\U0001F600") << QStringLiteral("character 3 is U+1F600");
    QTest::newRow("after one") << QStringLiteral("\u2014\U0001F600") << QStringLiteral("character 1 is U+2014");
    QTest::newRow("injection") << QStringLiteral("sk-T\r\nX-Injected: 1") << QStringLiteral("a control character");
    QTest::newRow("delete") << QStringLiteral("sk\x7FT") << QStringLiteral("character 3 is U+007F");
    QTest::newRow("space inside") << QStringLiteral("Bearer T") << QStringLiteral("character 7 is U+0020, a space");
    QTest::newRow("NBSP inside") << QStringLiteral("sk\u00A0T") << QStringLiteral("character 3 is U+00A0");
}

void TestHeaderValue::aBadKeyIsRefused()
{
    QFETCH(const QString, text);
    QFETCH(const QString, says);
    const HeaderValue key = keyValue(text);
    QVERIFY2(key.problem.contains(says), qPrintable(key.problem));
    QVERIFY(key.value.isEmpty());
    QVERIFY(!key.problem.contains(u"Injected"));
    QVERIFY(!key.problem.contains(u"sk-"));
}

void TestHeaderValue::anEmptyKeyIsNoProblem()
{
    for (const QString& text : {QString(), QStringLiteral(""), QStringLiteral(" \n")}) {
        const HeaderValue key = keyValue(text);
        QVERIFY(key.value.isEmpty());
        QVERIFY(key.problem.isEmpty());
    }
}

void TestHeaderValue::aKeyInQuotesSaysSo()
{
    for (const QString& text : {QStringLiteral("\"sk-T\""), QStringLiteral("'sk-T'"), QStringLiteral("\"\"")}) {
        const HeaderValue key = keyValue(text);
        QVERIFY(key.problem.contains(u"quotes"));
        QVERIFY(!key.problem.contains(u"sk-T"));
        QCOMPARE(QString::fromLatin1(key.value), text); // what would be left to remove them from
    }
    QVERIFY(keyValue(QStringLiteral("\"sk-T")).problem.isEmpty());
    QVERIFY(keyValue(QStringLiteral("\"")).problem.isEmpty());
}

void TestHeaderValue::otherHeadersMayHoldBlanks()
{
    const HeaderValue value = headerValue(QStringLiteral(" a b\tc \"d\" "));
    QCOMPARE(value.value, QByteArray("a b\tc \"d\""));
    QVERIFY(value.problem.isEmpty());
    QVERIFY(value.trimmed);
    QVERIFY(headerValue(QStringLiteral("\"quoted\"")).problem.isEmpty());
}

void TestHeaderValue::otherHeadersMayNotHoldLineEnds()
{
    QVERIFY(headerValue(QStringLiteral("a\nb")).problem.contains(u"character 2 is U+000A"));
    QVERIFY(headerValue(QStringLiteral("a\u00E9")).problem.contains(u"character 2 is U+00E9"));
}

QTEST_GUILESS_MAIN(TestHeaderValue)

#include "tst_headervalue.moc"
