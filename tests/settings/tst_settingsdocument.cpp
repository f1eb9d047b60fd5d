// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include "settings/redactor.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

EnvironmentLookup secretEnvironment()
{
    return table({{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-from-variable")},
                  {QStringLiteral("VAR"), QStringLiteral("sk-VARIABLE1")}});
}

// What stands in secrets.json, in every place where a secret can.
const char* const secrets[] = {"hunter22pw",  "sk-QUERY123",  "sk-from-variable", "sk-HEADER123",
                               "people",      "sk-BEARER123", "sk-VARIABLE1",     "sk-BODY1234",
                               "sk-DEEP1234", "sk-PATH1234",  "proxypw12",        "sk-BADURL1"};

nlohmann::json documentOf(const Settings& settings)
{
    return nlohmann::json::parse(settingsJson(settings).toStdString());
}

/// The value at a JSON pointer, as JSON text.
QByteArray at(const nlohmann::json& json, const char* pointer)
{
    return QByteArray::fromStdString(json.at(nlohmann::json::json_pointer(pointer)).dump());
}

} // namespace

class TestSettingsDocument : public QObject {
    Q_OBJECT

private slots:
    void noSecretIsInTheDocument();
    void whatIsNoSecretIsInTheDocument();
    void messagesHoldNoSecret();
    void theRedactorKnowsEverySecret();
    void theHashIsOfSevenHexDigitsAndStable();
    void theHashChangesWithWhatIsMeasuredOnly();
    void aCopyOfTheFolderGivesTheSameDocument();
    void aSimulatedEndpointIsLabelledAndKeepsNoPort();
};

void TestSettingsDocument::noSecretIsInTheDocument()
{
    const SettingsResult result = readSettings(caseFile("secrets.json"), settingsPath, secretEnvironment());
    QVERIFY2(result.settings, qPrintable(result.error));
    QCOMPARE(result.settings->endpoints.first().problems, QStringList());
    const QByteArray json = settingsJson(*result.settings);
    for (const char* secret : secrets) {
        QVERIFY2(!json.contains(secret), secret);
    }
}

void TestSettingsDocument::whatIsNoSecretIsInTheDocument()
{
    const SettingsResult result = readSettings(caseFile("secrets.json"), settingsPath, secretEnvironment());
    const nlohmann::json json = documentOf(*result.settings);
    QCOMPARE(at(json, "/endpoints/0/name"), R"("h")");
    const QByteArray url(R"("https://h/v1?key=***&api-version=2025-04-01")");
    QCOMPARE(at(json, "/endpoints/0/baseUrl"), url);
    QCOMPARE(at(json, "/endpoints/0/models/1/price"), R"({"input":1.0,"output":2.5})");
    QCOMPARE(at(json, "/endpoints/0/models/1/alias"), R"("N")");
    QCOMPARE(at(json, "/endpoints/0/protocol"), R"("auto")");
    QCOMPARE(at(json, "/endpoints/0/extraHeaders/X-Team"), R"("***")");
    QCOMPARE(at(json, "/endpoints/0/extraHeaders/User-Agent"), R"("bench [redacted]")");
    QCOMPARE(at(json, "/endpoints/0/extraBody/n"), "1");
    QCOMPARE(at(json, "/endpoints/0/extraBody/api_key"), R"("***")");
    QCOMPARE(at(json, "/endpoints/0/extraBody/v"), R"("[redacted]")");
    QCOMPARE(at(json, "/endpoints/0/caFile"), R"("ca.pem")");
    QCOMPARE(at(json, "/endpoints/0/request/maxTokens"), "1024");
    QCOMPARE(at(json, "/endpoints/0/concurrency/maxParallel"), "1");
    QCOMPARE(at(json, "/endpoints/1/baseUrl"), R"("")");
    QCOMPARE(at(json, "/telemetry/outputPath"), R"("logs/x.jsonl")");
    QCOMPARE(at(json, "/limits/timeoutRate"), "0.01");
    QCOMPARE(at(json, "/network/manager"), R"("measuring")");
    QVERIFY(!json.at("request").contains("temperature"));
}

void TestSettingsDocument::messagesHoldNoSecret()
{
    const SettingsResult result = readSettings(caseFile("secrets.json"), settingsPath, secretEnvironment());
    QStringList messages = result.settings->warnings;
    for (const EndpointSettings& endpoint : result.settings->endpoints) {
        messages << endpoint.problems << endpoint.name << endpoint.place << endpoint.apiKeySource;
    }
    QVERIFY(!result.settings->endpoints.at(1).problems.isEmpty());
    for (const char* secret : secrets) {
        QVERIFY2(!messages.join(u'\n').contains(QLatin1String(secret)), secret);
    }
}

void TestSettingsDocument::theRedactorKnowsEverySecret()
{
    const SettingsResult result = readSettings(caseFile("secrets.json"), settingsPath, secretEnvironment());
    const Redactor redactor = redactorFor(*result.settings);
    for (const char* secret : {"hunter22pw", "sk-QUERY123", "sk-from-variable", "sk-HEADER123", "sk-BEARER123",
                               "sk-VARIABLE1", "sk-BODY1234", "sk-DEEP1234", "sk-PATH1234", "proxypw12"}) {
        const std::string text = std::string("server says: ") + secret + '.';
        QCOMPARE(redactor.redacted(std::string_view(text)), std::string("server says: [redacted]."));
    }
    // A header that is no secret by its name may hold a common word.
    QCOMPARE(redactor.redacted(std::string_view("people, 2025-04-01")), std::string("people, 2025-04-01"));
}

void TestSettingsDocument::theHashIsOfSevenHexDigitsAndStable()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://h","model":"m"})");
    static const QRegularExpression sevenHexDigits(QStringLiteral("^[0-9a-f]{7}$"));
    QVERIFY(sevenHexDigits.match(settings.hash).hasMatch());
    QCOMPARE(settings.hash, settingsHash(settings));
    // The order in the file, the prefix and the form say nothing of what is measured.
    const Settings nested = settingsOf(R"("tokenpace":{"provider":{"model":"m","baseUrl":"http://h"}})");
    QCOMPARE(nested.hash, settings.hash);
}

void TestSettingsDocument::theHashChangesWithWhatIsMeasuredOnly()
{
    const auto hash = [](const QByteArray& members) {
        return settingsOf("\"taotoken.provider\":{\"baseUrl\":\"http://h\"," + members + '}').hash;
    };
    const QString plain = hash(R"("model":"m")");
    QCOMPARE(hash(R"("model":"m","apiKey":"sk-one-key")"), plain);
    QCOMPARE(hash(R"("model":"m","apiKey":"${KEY}")"), plain);
    QVERIFY(hash(R"("model":"n")") != plain);
    QVERIFY(hash(R"("model":"m","request":{"temperature":0.5})") != plain);
    QVERIFY(hash(R"("models":[{"name":"m","price":{"input":1}}])") != plain);
}

void TestSettingsDocument::aCopyOfTheFolderGivesTheSameDocument()
{
    const auto copyIn = [](const char* folder) {
        const QString file = QLatin1String(folder) + QStringLiteral("/settings.json");
        return readSettings(caseFile("secrets.json"), file, secretEnvironment()).settings.value_or(Settings{});
    };
    const Settings here = copyIn("/folder");
    const Settings there = copyIn("/home/someone/else");
    QVERIFY(here.telemetry.outputPath != there.telemetry.outputPath);
    QCOMPARE(settingsJson(here), settingsJson(there));
    QCOMPARE(here.hash, there.hash);
    QVERIFY(!settingsJson(here).contains("/folder"));
}

void TestSettingsDocument::aSimulatedEndpointIsLabelledAndKeepsNoPort()
{
    Settings settings;
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("simulated");
    endpoint.simulated = true;
    endpoint.baseUrl = QStringLiteral("http://127.0.0.1:40001");
    settings.endpoints << endpoint;
    const QByteArray first = settingsJson(settings);
    settings.endpoints.first().baseUrl = QStringLiteral("http://127.0.0.1:40002");
    QCOMPARE(settingsJson(settings), first);
    const nlohmann::json json = documentOf(settings);
    QCOMPARE(at(json, "/endpoints/0/simulated"), "true");
}

QTEST_GUILESS_MAIN(TestSettingsDocument)
#include "tst_settingsdocument.moc"
