// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <nlohmann/json.hpp>

#include <QTest>

#include "settings/redactor.h"

using namespace tokenpace;

namespace {

Redactor redactorOf(const QStringList& secrets)
{
    Redactor redactor;
    for (const QString& secret : secrets) {
        redactor.addSecret(secret);
    }
    return redactor;
}

} // namespace

class TestRedactor : public QObject {
    Q_OBJECT

private slots:
    void secretsGoWhereverTheyStand();
    void shortSecretsAreLeftAlone();
    void secretsAreTrimmedAsKeysAre();
    void otherWritingsOfASecretGoAsWell_data();
    void otherWritingsOfASecretGoAsWell();
    void overlappingSecretsGoWhole();
    void aSecretInsideAnotherLeavesNoTail();
    void textBeyondAsciiStaysWhole();
    void urlsGiveTheirSecrets();
    void harmlessQueryValuesStay();
    void shortUrlSecretsGoInTheirContext();
    void documentsAreCleanedKeysIncluded();
    void anEmptyRedactorChangesNothing();
};

void TestRedactor::secretsGoWhereverTheyStand()
{
    const Redactor redactor = redactorOf({QStringLiteral("sk-SECRET123")});
    QCOMPARE(redactor.redacted(std::string_view("Incorrect API key provided: sk-SECRET123")),
             std::string("Incorrect API key provided: [redacted]"));
    QCOMPARE(redactor.redacted(std::string_view("sk-SECRET123sk-SECRET123,sk-SECRET123")),
             std::string("[redacted][redacted],[redacted]"));
    QCOMPARE(redactor.redacted(QStringLiteral("xsk-SECRET123x")), QStringLiteral("x[redacted]x"));
    QCOMPARE(redactor.redacted(std::string_view("sk-SECRET12")), std::string("sk-SECRET12"));
}

void TestRedactor::shortSecretsAreLeftAlone()
{
    QVERIFY(redactorOf({QStringLiteral("EMPTY"), QStringLiteral("1234567"), QString()}).empty());
    QVERIFY(!redactorOf({QStringLiteral("12345678")}).empty());
}

void TestRedactor::secretsAreTrimmedAsKeysAre()
{
    const Redactor redactor = redactorOf({QStringLiteral(u" \u00A0sk-SECRET123\r\n")});
    QCOMPARE(redactor.redacted(std::string_view("(sk-SECRET123)")), std::string("([redacted])"));
    QVERIFY(redactorOf({QStringLiteral("  abc      ")}).empty());
}

void TestRedactor::otherWritingsOfASecretGoAsWell_data()
{
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QByteArray>("written");
    const QString odd = QStringLiteral("a/b+c\"d\\e&f g%");
    QTest::newRow("percent") << odd << QByteArray("a%2Fb%2Bc%22d%5Ce%26f%20g%25");
    QTest::newRow("percent, lower case") << odd << QByteArray("a%2fb%2bc%22d%5ce%26f%20g%25");
    QTest::newRow("form") << odd << QByteArray("a%2Fb%2Bc%22d%5Ce%26f+g%25");
    QTest::newRow("in a query") << odd << QByteArray("a/b+c%22d%5Ce&f%20g%25");
    QTest::newRow("JSON") << odd << QByteArray(R"(a/b+c\"d\\e&f g%)");
    QTest::newRow("JSON, slashes") << odd << QByteArray(R"(a\/b+c\"d\\e&f g%)");
    QTest::newRow("JSON in JSON") << odd << QByteArray(R"(a/b+c\\\"d\\\\e&f g%)");
    QTest::newRow("HTML") << odd << QByteArray("a/b+c&quot;d\\e&amp;f g%");
    const QString wide = QStringLiteral(u"пароль-🌍x");
    QTest::newRow("UTF-8") << wide << wide.toUtf8();
    QTest::newRow("JSON, ASCII") << wide << QByteArray(R"(\u043f\u0430\u0440\u043e\u043b\u044c-\ud83c\udf0dx)");
    QTest::newRow("JSON, ASCII, upper") << wide << QByteArray(R"(\u043F\u0430\u0440\u043E\u043B\u044C-\uD83C\uDF0Dx)");
    QTest::newRow("percent, wide") << wide << QByteArray("%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C-%F0%9F%8C%8Dx");
}

void TestRedactor::otherWritingsOfASecretGoAsWell()
{
    QFETCH(QString, secret);
    QFETCH(QByteArray, written);
    const std::string clean = redactorOf({secret}).redacted(std::string_view("<" + written.toStdString() + ">"));
    QCOMPARE(clean, std::string("<[redacted]>"));
}

void TestRedactor::overlappingSecretsGoWhole()
{
    const Redactor redactor = redactorOf({QStringLiteral("abcdefghij"), QStringLiteral("hijklmnopqrstuv")});
    QCOMPARE(redactor.redacted(std::string_view("<abcdefghijklmnopqrstuv>")), std::string("<[redacted]>"));
    // A secret may overlap itself.
    QCOMPARE(redactorOf({QStringLiteral("abababab")}).redacted(std::string_view("<ababababab>")),
             std::string("<[redacted]>"));
}

void TestRedactor::aSecretInsideAnotherLeavesNoTail()
{
    const Redactor redactor = redactorOf({QStringLiteral("sk-SECRET"), QStringLiteral("sk-SECRET-LONGER")});
    QCOMPARE(redactor.redacted(std::string_view("sk-SECRET-LONGER sk-SECRET")), std::string("[redacted] [redacted]"));
}

void TestRedactor::textBeyondAsciiStaysWhole()
{
    const Redactor redactor = redactorOf({QStringLiteral("sk-SECRET123")});
    QCOMPARE(redactor.redacted(QStringLiteral(u"北京🌍sk-SECRET123北")), QStringLiteral(u"北京🌍[redacted]北"));
    const QString lone = QString(QChar(0xD83C)) + QStringLiteral(" nothing here");
    QCOMPARE(redactor.redacted(lone), lone);
}

void TestRedactor::urlsGiveTheirSecrets()
{
    Redactor redactor;
    redactor.addUrlSecrets(
        QUrl(QStringLiteral("https://some-user:pass%20word1@h/v1?key=sk-SECRET123&x=a%2Fb%2Fc%2Fdefg")));
    const std::string clean = redactor.redacted(
        std::string_view("some-user, pass word1, pass%20word1, sk-SECRET123, a/b/c/defg, a%2Fb%2Fc%2Fdefg, h"));
    QCOMPARE(clean, std::string("[redacted], [redacted], [redacted], [redacted], [redacted], [redacted], h"));
}

void TestRedactor::harmlessQueryValuesStay()
{
    Redactor redactor;
    redactor.addUrlSecrets(QUrl(QStringLiteral("https://h/v1?api-version=2025-04-01")));
    QVERIFY(redactor.empty());
}

void TestRedactor::shortUrlSecretsGoInTheirContext()
{
    Redactor redactor;
    redactor.addUrlSecrets(QUrl(QStringLiteral("https://u:pw@h/v1?key=abc&n=5")));
    QCOMPARE(redactor.redacted(std::string_view("GET https://u:pw@h/v1?key=abc&n=5: no route; pwd")),
             std::string("GET https://[redacted]h/v1?[redacted]&n=5: no route; pwd"));
}

void TestRedactor::documentsAreCleanedKeysIncluded()
{
    const Redactor redactor = redactorOf({QStringLiteral("sk-SECRET123"), QStringLiteral("sk-SECRET456")});
    auto json = nlohmann::ordered_json::parse(
        R"({"z":1,"sk-SECRET123":{"a":["x sk-SECRET123",null,true,1.5]},"sk-SECRET456":"\u0073k-SECRET456"})");
    redactor.redact(json);
    QCOMPARE(
        json.dump(),
        std::string(R"x({"z":1,"[redacted]":{"a":["x [redacted]",null,true,1.5]},"[redacted] (2)":"[redacted]"})x"));
}

void TestRedactor::anEmptyRedactorChangesNothing()
{
    const Redactor redactor;
    QVERIFY(redactor.empty());
    QCOMPARE(redactor.redacted(std::string_view("text")), std::string("text"));
    auto json = nlohmann::ordered_json::parse(R"({"a":"b"})");
    redactor.redact(json);
    QCOMPARE(json.dump(), std::string(R"({"a":"b"})"));
}

QTEST_GUILESS_MAIN(TestRedactor)
#include "tst_redactor.moc"
