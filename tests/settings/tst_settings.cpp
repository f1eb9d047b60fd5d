// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void theTutorialsFileIsRead();
    void allFormsOfAFileMeanTheSame_data();
    void allFormsOfAFileMeanTheSame();
    void defaultsHoldWhereNothingIsSaid();
    void tokenpaceWinsOverTaotokenWithAWarning();
    void wrongValuesKeepTheirDefaultsWithAPlace_data();
    void wrongValuesKeepTheirDefaultsWithAPlace();
    void wholeNumbersMayBeWrittenInAnyWay();
    void relativePathsBeginAtTheFile();
    void experimentDefaultsAreRead();
    void theManagerCanBeChosen();
    void slipsOfKeysAreWarnedOfAndOtherUnknownKeysAreNot();
    void whatIsNoSettingsFileIsAnError_data();
    void whatIsNoSettingsFileIsAnError();
    void tolerancesAreWarnedOf();
    void documentsAreToldApart();
};

void TestSettings::theTutorialsFileIsRead()
{
    const SettingsResult result = read(caseFile("settings.json"));
    QCOMPARE(result.error, QString());
    QVERIFY(result.settings);
    const Settings& settings = *result.settings;
    QCOMPARE(settings.warnings, QStringList());
    QCOMPARE(settings.file, settingsPath);
    QCOMPARE(settings.source, settingsPath);
    QCOMPARE(settings.endpoints.size(), 1);
    const EndpointSettings& endpoint = settings.endpoints.first();
    QCOMPARE(endpoint.name, QStringLiteral("gateway.example"));
    QCOMPARE(endpoint.baseUrl, QStringLiteral("https://gateway.example/api"));
    QCOMPARE(endpoint.apiKey, QStringLiteral("sk-from-variable"));
    QCOMPARE(endpoint.apiKeySource, QStringLiteral("${TAOTOKEN_API_KEY}"));
    QCOMPARE(endpoint.models.size(), 1);
    QCOMPARE(endpoint.models.first().name, QStringLiteral("small-model"));
    QVERIFY(!endpoint.protocol);
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.place, QStringLiteral("/folder/settings.json:2:3: taotoken.provider"));
    QCOMPARE(settings.telemetry.outputPath, QStringLiteral("/folder/logs/token_timing.jsonl"));
    QCOMPARE(settings.hash.size(), 7);
}

void TestSettings::allFormsOfAFileMeanTheSame_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("flat") << QByteArray(
        R"({"taotoken.provider":{"baseUrl":"http://h","model":"m"},"taotoken.request":{"maxTokens":7}})");
    QTest::newRow("nested") << QByteArray(
        R"({"taotoken":{"provider":{"baseUrl":"http://h","model":"m"},"request":{"maxTokens":7}}})");
    QTest::newRow("fully flat") << QByteArray(
        R"({"taotoken.provider.baseUrl":"http://h","taotoken.provider.model":"m","taotoken.request.maxTokens":7})");
    QTest::newRow("flat inside") << QByteArray(
        R"({"taotoken":{"provider.baseUrl":"http://h","provider.model":"m","request.maxTokens":7}})");
    QTest::newRow("mixed") << QByteArray(
        R"({"taotoken":{"provider":{"baseUrl":"http://h"}},"taotoken.request":{"maxTokens":7},"taotoken.provider.model":"m"})");
    QTest::newRow("tokenpace") << QByteArray(
        R"({"tokenpace":{"provider":{"baseUrl":"http://h","model":"m","request":{"maxTokens":7}}}})");
    QTest::newRow("endpoints") << QByteArray(
        R"({"tokenpace.endpoints":[{"baseUrl":"http://h","models":["m"],"request.maxTokens":7}]})");
    QTest::newRow("no endpoints under provider.request") << QByteArray(
        R"({"tokenpace.provider":{"baseUrl":"http://h","models":[{"name":"m"}]},"tokenpace.provider.request.maxTokens":7})");
}

void TestSettings::allFormsOfAFileMeanTheSame()
{
    QFETCH(QByteArray, text);
    const SettingsResult result = read(text);
    QVERIFY2(result.settings, qPrintable(result.error));
    QCOMPARE(result.settings->warnings, QStringList());
    QCOMPARE(result.settings->endpoints.size(), 1);
    const EndpointSettings& endpoint = result.settings->endpoints.first();
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.name, QStringLiteral("h"));
    QCOMPARE(endpoint.models.size(), 1);
    QCOMPARE(endpoint.models.first().name, QStringLiteral("m"));
    QCOMPARE(endpoint.request.maxTokens, 7);
}

void TestSettings::defaultsHoldWhereNothingIsSaid()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://h"})");
    const EndpointSettings& endpoint = settings.endpoints.first();
    QCOMPARE(endpoint.apiKey, QString());
    QVERIFY(endpoint.models.isEmpty());
    QVERIFY(endpoint.streamOptions);
    QVERIFY(!endpoint.insecure);
    QVERIFY(!endpoint.http2);
    QCOMPARE(endpoint.proxy, QStringLiteral("none"));
    QCOMPARE(endpoint.extraBody, QString());
    QVERIFY(endpoint.request.stream);
    QCOMPARE(endpoint.request.maxTokens, 1024);
    QVERIFY(!endpoint.request.temperature && !endpoint.request.topP && !endpoint.request.seed);
    QCOMPARE(endpoint.request.connectTimeoutMs, 10000);
    QCOMPARE(endpoint.request.ttftTimeoutMs, 30000);
    QCOMPARE(endpoint.request.idleTimeoutMs, 30000);
    QCOMPARE(endpoint.request.totalTimeoutMs, 120000);
    QCOMPARE(endpoint.concurrency.maxParallel, 1);
    QCOMPARE(endpoint.concurrency.maxRetries, 0);
    QVERIFY(settings.telemetry.recordTokenTiming);
    QVERIFY(!settings.telemetry.recordText);
    QCOMPARE(settings.limits.ttftMs, 800.0);
    QCOMPARE(settings.limits.tpotMs, 50.0);
    QCOMPARE(settings.limits.timeoutRate, 0.01);
    QCOMPARE(settings.limits.loadFactor, 3.0);
    QCOMPARE(settings.manager, QStringLiteral("measuring"));
    QVERIFY(!settings.experiment.repeats);
}

void TestSettings::tokenpaceWinsOverTaotokenWithAWarning()
{
    const Settings settings = settingsOf("\"taotoken.provider\":{\"baseUrl\":\"http://old\"},\n"
                                         "\"tokenpace\":{\"provider\":{\"baseUrl\":\"http://new\"}}");
    QCOMPARE(settings.endpoints.size(), 1);
    QCOMPARE(settings.endpoints.first().name, QStringLiteral("new"));
    QCOMPARE(settings.warnings.size(), 1);
    QVERIFY(settings.warnings.first().startsWith(u"/folder/settings.json:1:2: taotoken.provider: "));
    const Settings single = settingsOf(R"("taotoken.provider":{"model":"m"},"tokenpaceful":1)");
    QCOMPARE(single.warnings, QStringList());
    QCOMPARE(single.endpoints.size(), 1);
}

void TestSettings::wrongValuesKeepTheirDefaultsWithAPlace_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("warning");
    const auto row = [](const char* members, const char* warning) {
        QTest::newRow(members) << QByteArray(members) << QString::fromLatin1(warning);
    };
    row(R"("taotoken.request":{"ttftTimeoutMs":"30000"})", "1:22: taotoken.request.ttftTimeoutMs: a whole number");
    row(R"("taotoken.request":{"ttftTimeoutMs":"30000"})", "without quotes");
    row(R"("taotoken.request":{"maxTokens":0})", "from 1 to 10000000 is expected, not 0");
    row(R"("taotoken.request":{"maxTokens":1.5})", "not 1.5");
    row(R"("taotoken.request":{"maxTokens":99999999999})", "not 99999999999");
    row(R"("taotoken.request":{"maxTokens":true})", "not true or false");
    row(R"("taotoken.request":{"stream":"true"})", "without quotes");
    row(R"("taotoken.request":{"stream":1})", "true or false is expected, not 1");
    row(R"("taotoken.request":{"temperature":"warm"})", "not a text");
    row(R"("taotoken.request":{"temperature":-1})", "from 0 to 100");
    row(R"("taotoken.request":{"topP":1.1})", "from 0 to 1");
    row(R"("taotoken.request":{"seed":1.5})", "whole number");
    row(R"("taotoken.request":{"idleTimeoutMs":-1})", "idleTimeoutMs");
    row(R"("taotoken.request":5)", "1:2: taotoken.request: an object is expected, not 5");
    row(R"("taotoken":[])", "1:2: taotoken: an object is expected, not a list");
    row(R"("taotoken.concurrency":{"maxParallel":0})", "maxParallel");
    row(R"("taotoken.concurrency":{"maxRetries":-1})", "maxRetries");
    row(R"("taotoken.telemetry":{"recordText":"no"})", "recordText");
    row(R"("taotoken.telemetry":{"outputPath":7})", "outputPath");
    row(R"("taotoken.telemetry":{"outputPath":" "})", "outputPath: the path is empty");
    row(R"("taotoken.telemetry":{"outputPath":"${NOPE}/x"})", "NOPE is not set; the log goes to /folder/logs/");
    row(R"("taotoken.limits":{"timeoutRate":2})", "from 0 to 1");
    row(R"("taotoken.limits":{"ttftMs":null,"tpotMs":"50"})", "tpotMs");
    row(R"("taotoken.endpoints":{"x":1})", "a list of objects is expected, not an object");
    row(R"("taotoken.endpoints":["http://h"])", "taotoken.endpoints[0]: an object is expected");
    row(R"("taotoken.experiment":{"promptTokens":[100,"1000"]})", "promptTokens[1]");
    row(R"("taotoken.experiment":{"promptTokens":[]})", "empty");
    row(R"("taotoken.experiment":{"experiment":"lenght"})", "one of length");
    row(R"("taotoken.experiment":{"order":1})", "interleaved");
    row(R"("taotoken.network":{"manager":"quick"})", "one of measuring, stock");
}

void TestSettings::wrongValuesKeepTheirDefaultsWithAPlace()
{
    QFETCH(QByteArray, members);
    QFETCH(QString, warning);
    const SettingsResult result = read('{' + members + '}');
    QVERIFY2(result.settings, qPrintable(result.error));
    const Settings& settings = *result.settings;
    QCOMPARE(settings.warnings.size(), 1);
    QVERIFY2(settings.warnings.first().startsWith(u"/folder/settings.json:1:"), qPrintable(settings.warnings.first()));
    QVERIFY2(settings.warnings.first().contains(warning), qPrintable(settings.warnings.first()));
    const Settings standard = settingsOf(R"("taotoken.provider":{})");
    QCOMPARE(settingsJson(settings), settingsJson(standard));
}

void TestSettings::wholeNumbersMayBeWrittenInAnyWay()
{
    const Settings settings =
        settingsOf(R"("taotoken.request":{"ttftTimeoutMs":3e4,"maxTokens":30.0,"seed":-9007199254740993,
        "idleTimeoutMs":0},"taotoken.experiment":{"seed":18446744073709551615,"promptTokens":500})");
    QCOMPARE(settings.warnings, QStringList());
    QCOMPARE(settings.request.ttftTimeoutMs, 30000);
    QCOMPARE(settings.request.maxTokens, 30);
    QCOMPARE(settings.request.seed, std::optional<std::int64_t>(-9007199254740993));
    QCOMPARE(settings.request.idleTimeoutMs, 0);
    QCOMPARE(settings.experiment.seed, std::optional<quint64>(18446744073709551615u));
    QCOMPARE(settings.experiment.promptTokens, QList<int>{500});
}

void TestSettings::relativePathsBeginAtTheFile()
{
    const auto output = [](const char* path) {
        return settingsOf("\"taotoken.telemetry\":{\"outputPath\":\"" + QByteArray(path) + "\"}").telemetry.outputPath;
    };
    QCOMPARE(output("./logs/x.jsonl"), QStringLiteral("/folder/logs/x.jsonl"));
    QCOMPARE(output("../x.jsonl"), QStringLiteral("/x.jsonl"));
    QCOMPARE(output("/abs//x.jsonl"), QStringLiteral("/abs/x.jsonl"));
    QCOMPARE(output("~/x.jsonl"), QStringLiteral("/home/someone/x.jsonl"));
    QCOMPARE(output("~x.jsonl"), QStringLiteral("/folder/~x.jsonl"));
    QCOMPARE(endpointOf(R"("caFile":"ca/root.pem")").caFile, QStringLiteral("/folder/ca/root.pem"));
}

void TestSettings::experimentDefaultsAreRead()
{
    const ExperimentSettings experiment =
        settingsOf(R"("taotoken.experiment":{"experiment":"length","promptTokens":[10,20],"maxTokens":64,"repeats":3,
        "warmup":0,"concurrency":[1,2],"order":"blocked","seed":7,"rate":[1]})")
            .experiment;
    QCOMPARE(experiment.experiment, std::optional(QStringLiteral("length")));
    QCOMPARE(experiment.promptTokens, (QList<int>{10, 20}));
    QCOMPARE(experiment.maxTokens, std::optional(64));
    QCOMPARE(experiment.repeats, std::optional(3));
    QCOMPARE(experiment.warmup, std::optional(0));
    QCOMPARE(experiment.concurrency, (QList<int>{1, 2}));
    QCOMPARE(experiment.order, std::optional(QStringLiteral("blocked")));
    QCOMPARE(experiment.seed, std::optional<quint64>(7));
}

void TestSettings::theManagerCanBeChosen()
{
    for (const QString& name : {QStringLiteral("stock"), QStringLiteral("measuring")}) {
        const Settings settings = settingsOf("\"taotoken.network\":{\"manager\":\"" + name.toLatin1() + "\"}");
        QVERIFY(settings.warnings.isEmpty());
        QCOMPARE(settings.manager, name);
    }
}

void TestSettings::slipsOfKeysAreWarnedOfAndOtherUnknownKeysAreNot()
{
    const auto warnings = [](const char* members) {
        return settingsOf(members).warnings;
    };
    const auto advises = [&](const char* members, QStringView key) {
        const QStringList all = warnings(members);
        return all.size() == 1 && all.first().contains(QStringLiteral("did you mean %1?").arg(key));
    };
    QVERIFY(advises(R"("taotoken.provider":{"base_url":"h"})", u"baseUrl"));
    QVERIFY(advises(R"("taotoken.provider":{"baseURL":"h"})", u"baseUrl"));
    QVERIFY(advises(R"("taotoken.request":{"ttftTimeoutMS":1})", u"ttftTimeoutMs"));
    QVERIFY(advises(R"("taotoken.request":{"temprature":1})", u"temperature"));
    QVERIFY(advises(R"("taotoken.requests":{"stream":true})", u"request"));
    QVERIFY(advises(R"("taotoken.provider":{"extraHeader":{}})", u"extraHeaders"));
    QCOMPARE(warnings(R"("taotoken.ui":{"theme":"dark"},"taotoken.provider":{"x_note":"keep",
        "note":"n"},"taotoken.request":{"n":1,"think":true},"editor.fontSize":14)"),
             QStringList());
}

void TestSettings::whatIsNoSettingsFileIsAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("/folder/settings.json:1:1: ");
    QTest::newRow("cut") << QByteArray("{\n\"taotoken.provider\": {\"baseUrl\":") << QStringLiteral(":2:33: ");
    QTest::newRow("cut, key") << QByteArray("{\n\"taotoken.provider\": {\"baseUrl\":")
                              << QStringLiteral("taotoken.provider.baseUrl: ");
    QTest::newRow("list") << QByteArray("[]") << QStringLiteral("object");
    QTest::newRow("utf-16") << QByteArray("\xFF\xFE{\0}\0", 6) << QStringLiteral("UTF-16");
    for (const char* name : {"flat.json", "claude-code.settings.json", "cline.vscode-settings.json", "codex.auth.json",
                             "models-map.json"}) {
        QVERIFY(!caseFile(name).isEmpty());
        QTest::newRow(name) << caseFile(name) << QStringLiteral("\"taotoken.provider\"");
        QTest::addRow("%s, key", name) << caseFile(name) << QStringLiteral("\"baseUrl\"");
    }
    for (const char* name : {"config-flat.toml", "config-sections.toml", "dotenv"}) {
        QVERIFY(!caseFile(name).isEmpty());
        QTest::newRow(name) << caseFile(name) << QStringLiteral("/folder/settings.json:1:1: ");
    }
}

void TestSettings::whatIsNoSettingsFileIsAnError()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    const SettingsResult result = read(text);
    QVERIFY(!result.settings);
    QVERIFY2(result.error.startsWith(settingsPath), qPrintable(result.error));
    QVERIFY2(result.error.contains(part), qPrintable(result.error));
    QVERIFY(!result.error.contains(u"sk-example"));
}

void TestSettings::tolerancesAreWarnedOf()
{
    const SettingsResult result = read("\xEF\xBB\xBF{ // mine\n\"taotoken.provider\":{\"baseUrl\":\"http://x//y\",\n"
                                       "\"model\":\"a\",\"model\":\"b\",},}");
    QVERIFY2(result.settings, qPrintable(result.error));
    QCOMPARE(result.settings->endpoints.first().baseUrl, QStringLiteral("http://x//y"));
    QCOMPARE(result.settings->endpoints.first().models.first().name, QStringLiteral("b"));
    const QStringList& warnings = result.settings->warnings;
    QCOMPARE(warnings.size(), 3);
    QVERIFY2(warnings.at(0).startsWith(u"/folder/settings.json:1:3: comments"), qPrintable(warnings.at(0)));
    QVERIFY2(warnings.at(1).startsWith(u"/folder/settings.json:3:13: taotoken.provider.model: "),
             qPrintable(warnings.at(1)));
    QVERIFY2(warnings.at(2).startsWith(u"/folder/settings.json:3:24: a comma"), qPrintable(warnings.at(2)));
    // The same key in two writings is a duplicate as well.
    const Settings twice = settingsOf(R"("taotoken":{"request":{"maxTokens":1}},"taotoken.request.maxTokens":2)");
    QCOMPARE(twice.request.maxTokens, 2);
    QCOMPARE(twice.warnings.size(), 1);
}

void TestSettings::documentsAreToldApart()
{
    QCOMPARE(documentKind(R"({"taotoken":1})"), DocumentKind::Ours);
    QCOMPARE(documentKind(R"({"a":1,"tokenpace.limits":{}})"), DocumentKind::Ours);
    QCOMPARE(documentKind(R"({"a":{"taotoken":1},"taotokenx":1})"), DocumentKind::Foreign);
    QCOMPARE(documentKind(R"(["taotoken"])"), DocumentKind::Foreign);
    QCOMPARE(documentKind(R"({"taotoken":)"), DocumentKind::Broken);
    QCOMPARE(documentKind(QByteArray()), DocumentKind::Broken);
}

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
