// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/settingstest.h"
#include "settings/tomltext.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestTomlText : public QObject {
    Q_OBJECT

private slots:
    void valuesAndTheirOrderAreKept();
    void placesAreKept();
    void brokenTextsAreErrorsWithTheirPlace_data();
    void brokenTextsAreErrorsWithTheirPlace();
    void endlessKeysAreErrors_data();
    void endlessKeysAreErrors();
    void dotsInTextsAreNoKeys();
};

void TestTomlText::valuesAndTheirOrderAreKept()
{
    const JsonText text =
        parseTomlText("\xEF\xBB\xBFz = 1\na.b = \"x # y\"\r\n[t]\nf = 0.2\nb = true\nl = [1, {k = 'v'}]\n"
                      "d = 2024-01-02\nn = nan\nbig = 9007199254740993\n\"odd/key\" = ''");
    QVERIFY2(!text.error, text.error ? text.error->message.c_str() : "");
    QCOMPARE(QByteArray::fromStdString(text.root.dump()),
             QByteArray(R"({"z":1,"a":{"b":"x # y"},"t":{"f":0.2,"b":true,"l":[1,{"k":"v"}],)"
                        R"("d":"2024-01-02","n":"nan","big":9007199254740993,"odd/key":""}})"));
}

void TestTomlText::placesAreKept()
{
    const JsonText text = parseTomlText("# é\n[provider]\n  base_url = 'é'\n[model_providers.one]\nname = \"n\"\n"
                                        "list = [ 1, 2 ]\n");
    QCOMPARE(text.placeOf("/provider/base_url"), (TextPlace{3, 3}));
    QCOMPARE(text.placeOf("/model_providers/one/name"), (TextPlace{5, 1}));
    QCOMPARE(text.placeOf("/model_providers/one/list/1"), (TextPlace{6, 13}));
    QCOMPARE(text.placeOf("/provider").line, 2);
}

void TestTomlText::brokenTextsAreErrorsWithTheirPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("no quotes") << QByteArray("a = 1\nkey = sk-secret-value\n") << 2;
    QTest::newRow("quote without an end") << QByteArray("a = 1\nkey = \"sk-secret-value\nb = 1\n") << 2;
    QTest::newRow("two values") << QByteArray("a = 1\nkey = \"sk-secret-value\" \"sk-secret-value\"\n") << 2;
    QTest::newRow("no value") << QByteArray("a = 1\nb =\n") << 2;
    QTest::newRow("section without an end") << QByteArray("a = 1\n[b\nc = 1\n") << 2;
    QTest::newRow("key twice") << QByteArray("[p]\nkey = \"sk-secret-value\"\nkey = \"sk-secret-value\"\n") << 3;
    QTest::newRow("number too large") << QByteArray("a = 1\nb = 99999999999999999999999\n") << 2;
    QTest::newRow("latin 1") << QByteArray("a = 1\nb = \"caf\xE9\"\n") << 2;
    QTest::newRow("a line of a secret") << QByteArray("a = 1\nsk-secret-value\n") << 2;
}

void TestTomlText::brokenTextsAreErrorsWithTheirPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    const JsonText result = parseTomlText(text.toStdString());
    QVERIFY(result.error);
    const QByteArray message = QByteArray::fromStdString(result.error->message);
    QVERIFY2(result.error->place.line == line, message + QByteArray::number(result.error->place.line));
    QVERIFY(result.root.empty());
    QVERIFY2(!message.contains("sk-") && !message.contains("secret") && !message.contains("999"), message);
}

void TestTomlText::endlessKeysAreErrors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("keys") << QByteArray("x = 1\n") + QByteArray("a.").repeated(1000000) + "a = 1";
    QTest::newRow("quoted") << QByteArray("x = 1\n") + QByteArray("\"a\" . ").repeated(1000000) + "a = 1";
    QTest::newRow("sections") << QByteArray("x = 1\n[") + QByteArray("a.").repeated(1000000) + "a]";
    QTest::newRow("lists") << QByteArray("x = 1\na = ") + QByteArray("[").repeated(1000000);
}

void TestTomlText::endlessKeysAreErrors()
{
    QFETCH(QByteArray, text);
    const JsonText result = parseTomlText(text.toStdString());
    QVERIFY(result.error);
    QCOMPARE(result.error->place.line, 2);
}

void TestTomlText::dotsInTextsAreNoKeys()
{
    QVERIFY(!parseTomlText("a = \"1.2.3\" # " + std::string(200, '.')).error);
}

QTEST_GUILESS_MAIN(TestTomlText)
#include "tst_tomltext.moc"
