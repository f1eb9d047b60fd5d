// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestSettingsEndpoints : public QObject {
    Q_OBJECT

private slots:
    void endpointsOverrideRequestAndConcurrency();
    void nullUnsetsWhatAllEndpointsSend();
    void endpointsWithoutNameTakeTheirHost();
    void aSecondEndpointOfOneNameIsNumbered();
    void modelsAreNamesOrObjects();
    void variablesExpandInTextsThatAreSent();
    void anUnsetVariableForbidsSending_data();
    void anUnsetVariableForbidsSending();
    void anEmptyVariableIsWarnedOf();
    void badBaseUrlsAreProblems_data();
    void badBaseUrlsAreProblems();
    void proxiesAreCheckedAndNeverDropped_data();
    void proxiesAreCheckedAndNeverDropped();
    void headersAndBodyAreKept();
    void theProviderComesBeforeTheEndpoints();
};

void TestSettingsEndpoints::endpointsOverrideRequestAndConcurrency()
{
    const Settings settings = settingsOf(R"("taotoken.endpoints":[
        {"baseUrl":"http://a","request":{"maxTokens":5,"topP":0.5},"concurrency":{"maxRetries":2}},
        {"baseUrl":"http://b"}],
        "taotoken.request":{"maxTokens":9,"temperature":0.2,"ttftTimeoutMs":1},
        "taotoken.concurrency":{"maxParallel":4})");
    const EndpointSettings& a = settings.endpoints.at(0);
    QCOMPARE(a.request.maxTokens, 5);
    QCOMPARE(a.request.topP, std::optional(0.5));
    QCOMPARE(a.request.temperature, std::optional(0.2));
    QCOMPARE(a.request.ttftTimeoutMs, 1);
    QCOMPARE(a.concurrency.maxParallel, 4);
    QCOMPARE(a.concurrency.maxRetries, 2);
    const EndpointSettings& b = settings.endpoints.at(1);
    QCOMPARE(b.request.maxTokens, 9);
    QVERIFY(!b.request.topP);
    QCOMPARE(b.concurrency.maxRetries, 0);
    QCOMPARE(settings.request.maxTokens, 9);
}

void TestSettingsEndpoints::nullUnsetsWhatAllEndpointsSend()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://a","apiKey":null,
        "request":{"temperature":null,"maxTokens":null}},"taotoken.request":{"temperature":0.2,"maxTokens":9})");
    QVERIFY(!settings.endpoints.first().request.temperature);
    QCOMPARE(settings.endpoints.first().request.maxTokens, 9);
    QCOMPARE(settings.warnings, QStringList());
}

void TestSettingsEndpoints::endpointsWithoutNameTakeTheirHost()
{
    const Settings settings =
        settingsOf(R"("taotoken.endpoints":[{"baseUrl":"https://user:secretpw@api.example/v1?k=v"},
        {"baseUrl":"http://localhost:8000"},{"name":"  ","baseUrl":"http://[::1]:9/v1"},{"model":"m"}])");
    QStringList names;
    for (const EndpointSettings& endpoint : settings.endpoints) {
        names << endpoint.name;
    }
    QCOMPARE(names,
             (QStringList{QStringLiteral("api.example"), QStringLiteral("localhost:8000"), QStringLiteral("[::1]:9"),
                          QStringLiteral("endpoint 4")}));
}

void TestSettingsEndpoints::aSecondEndpointOfOneNameIsNumbered()
{
    const Settings settings =
        settingsOf("\"taotoken.endpoints\":[{\"baseUrl\":\"http://h/a\"},\n{\"baseUrl\":\"http://h/b\"},\n"
                   "{\"name\":\"h\",\"baseUrl\":\"http://x\"}]");
    QCOMPARE(settings.endpoints.at(0).name, QStringLiteral("h"));
    QCOMPARE(settings.endpoints.at(1).name, QStringLiteral("h (2)"));
    QCOMPARE(settings.endpoints.at(2).name, QStringLiteral("h (3)"));
    QCOMPARE(settings.warnings.size(), 2);
    QVERIFY2(settings.warnings.first().startsWith(u"/folder/settings.json:2:1: taotoken.endpoints[1]: "),
             qPrintable(settings.warnings.first()));
}

void TestSettingsEndpoints::modelsAreNamesOrObjects()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://h","model":"org/b:7b","models":["a",
        {"name":"org/b:7b","alias":"B","price":{"input":0.1,"output":2}},{"name":"${KEY}"},{"alias":"x"},"",3,"a"]})");
    const QList<ModelSettings>& models = settings.endpoints.first().models;
    QCOMPARE(models.size(), 3);
    QCOMPARE(models.at(0).name, QStringLiteral("org/b:7b"));
    QCOMPARE(models.at(0).alias, QStringLiteral("B"));
    QCOMPARE(models.at(0).price.input, std::optional(0.1));
    QVERIFY(!models.at(0).price.cached);
    QCOMPARE(models.at(0).price.output, std::optional(2.0));
    QCOMPARE(models.at(1).name, QStringLiteral("a"));
    QCOMPARE(models.at(2).name, QStringLiteral("abc"));
    QCOMPARE(settings.warnings.size(), 4);
    QVERIFY(settings.warnings.at(2).contains(u"taotoken.provider.models[5]: "));
}

void TestSettingsEndpoints::variablesExpandInTextsThatAreSent()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"name":"${KEY}","baseUrl":"http://${KEY}:1",
        "apiKey":"x-${KEY}-y","model":"${KEY}","path":"/${KEY}","caFile":"${KEY}.pem","proxy":"http://${KEY}:2",
        "extraHeaders":{"X-A":"$${KEY} pa$USERword ${KEY}"},"extraBody":{"a":{"b":["${KEY}",1]}}},
        "taotoken.telemetry":{"outputPath":"${KEY}/t.jsonl"})");
    QCOMPARE(settings.warnings, QStringList());
    const EndpointSettings& endpoint = settings.endpoints.first();
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.name, QStringLiteral("${KEY}")); // shown, never sent
    QCOMPARE(endpoint.baseUrl, QStringLiteral("http://abc:1"));
    QCOMPARE(endpoint.apiKey, QStringLiteral("x-abc-y"));
    QCOMPARE(endpoint.apiKeySource, QStringLiteral("${KEY}"));
    QCOMPARE(endpoint.models.first().name, QStringLiteral("abc"));
    QCOMPARE(endpoint.path, QStringLiteral("/abc"));
    QCOMPARE(endpoint.caFile, QStringLiteral("/folder/abc.pem"));
    QCOMPARE(endpoint.proxy, QStringLiteral("http://abc:2"));
    QCOMPARE(endpoint.extraHeaders.first().second, QStringLiteral("${KEY} pa$USERword abc"));
    QCOMPARE(endpoint.extraBody, QStringLiteral(R"({"a":{"b":["abc",1]}})"));
    QCOMPARE(settings.telemetry.outputPath, QStringLiteral("/folder/abc/t.jsonl"));
    QCOMPARE(endpointOf(R"("apiKey":"sk-literal$5")").apiKeySource, QString());
}

void TestSettingsEndpoints::anUnsetVariableForbidsSending_data()
{
    QTest::addColumn<QByteArray>("member");
    QTest::addColumn<QString>("key");
    QTest::newRow("apiKey") << QByteArray(R"("apiKey":"${NOPE}")") << QStringLiteral("apiKey");
    QTest::newRow("part") << QByteArray(R"("apiKey":"x${NOPE}y")") << QStringLiteral("apiKey");
    QTest::newRow("baseUrl") << QByteArray(R"("baseUrl":"http://${NOPE}")") << QStringLiteral("baseUrl");
    QTest::newRow("model") << QByteArray(R"("model":"${NOPE}")") << QStringLiteral("model");
    QTest::newRow("models") << QByteArray(R"("models":[{"name":"${NOPE}"}])") << QStringLiteral("models[0].name");
    QTest::newRow("path") << QByteArray(R"("path":"${NOPE}")") << QStringLiteral("path");
    QTest::newRow("header") << QByteArray(R"("extraHeaders":{"X-A":"${NOPE}"})") << QStringLiteral("extraHeaders.X-A");
    QTest::newRow("body") << QByteArray(R"("extraBody":{"a":["${NOPE}"]})") << QStringLiteral("extraBody.a[0]");
    QTest::newRow("caFile") << QByteArray(R"("caFile":"${NOPE}")") << QStringLiteral("caFile");
    QTest::newRow("proxy") << QByteArray(R"("proxy":"${NOPE}")") << QStringLiteral("proxy");
    QTest::newRow("with a default") << QByteArray(R"("apiKey":"${NOPE:-def}")") << QStringLiteral("apiKey");
}

void TestSettingsEndpoints::anUnsetVariableForbidsSending()
{
    QFETCH(QByteArray, member);
    QFETCH(QString, key);
    QByteArray text = "{\n\"taotoken.provider\":{\n" + member + "}}";
    if (key != u"baseUrl") {
        text.replace(member, member + ",\"baseUrl\":\"http://h\"");
    }
    const SettingsResult result = read(text);
    QVERIFY2(result.settings, qPrintable(result.error));
    const EndpointSettings& endpoint = result.settings->endpoints.first();
    QCOMPARE(endpoint.problems.size(), 1);
    const QString problem = endpoint.problems.first();
    QVERIFY2(problem.startsWith(u"/folder/settings.json:3:"), qPrintable(problem));
    QVERIFY2(problem.contains(QStringLiteral(": taotoken.provider.%1: ").arg(key)), qPrintable(problem));
    QVERIFY2(problem.contains(u"NOPE"), qPrintable(problem));
    QVERIFY(!problem.contains(u"def"));
    QVERIFY2(problem.contains(u"is not set") || problem.contains(u"not supported"), qPrintable(problem));
    QCOMPARE(endpoint.apiKey, QString());
    QVERIFY(endpoint.models.isEmpty());
    QVERIFY(endpoint.extraHeaders.isEmpty());
}

void TestSettingsEndpoints::anEmptyVariableIsWarnedOf()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://h","apiKey":"${EMPTY}"})");
    QCOMPARE(settings.endpoints.first().problems, QStringList());
    QCOMPARE(settings.endpoints.first().apiKey, QString());
    QCOMPARE(settings.warnings.size(), 1);
    QVERIFY(settings.warnings.first().endsWith(u"taotoken.provider.apiKey: environment variable EMPTY is empty"));
    QVERIFY(!endpointOf(R"("baseUrl":"${EMPTY}")").problems.isEmpty());
}

void TestSettingsEndpoints::badBaseUrlsAreProblems_data()
{
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QString>("part");
    QTest::newRow("missing") << QByteArray(R"({"model":"m"})") << QStringLiteral("1:2: taotoken.provider: no baseUrl");
    QTest::newRow("null") << QByteArray(R"({"baseUrl":null})") << QStringLiteral("no baseUrl");
    QTest::newRow("empty") << QByteArray(R"({"baseUrl":""})") << QStringLiteral("taotoken.provider.baseUrl: ");
    QTest::newRow("number") << QByteArray(R"({"baseUrl":8000})") << QStringLiteral("no baseUrl");
    QTest::newRow("no scheme") << QByteArray(R"({"baseUrl":"h:8000/v1"})") << QStringLiteral("http://h:8000/v1");
    QTest::newRow("ftp") << QByteArray(R"({"baseUrl":"ftp://u:hunter2@h"})") << QStringLiteral("ftp is not supported");
}

void TestSettingsEndpoints::badBaseUrlsAreProblems()
{
    QFETCH(QByteArray, provider);
    QFETCH(QString, part);
    const Settings settings = settingsOf("\"taotoken.provider\":" + provider);
    QCOMPARE(settings.endpoints.size(), 1);
    QCOMPARE(settings.endpoints.first().problems.size(), 1);
    const QString problem = settings.endpoints.first().problems.first();
    QVERIFY2(problem.startsWith(u"/folder/settings.json:1:"), qPrintable(problem));
    QVERIFY2(problem.contains(part), qPrintable(problem));
    QVERIFY(!problem.contains(u"hunter2"));
}

void TestSettingsEndpoints::proxiesAreCheckedAndNeverDropped_data()
{
    QTest::addColumn<QByteArray>("proxy");
    QTest::addColumn<QString>("expected");
    QTest::newRow("none") << QByteArray("none") << QStringLiteral("none");
    QTest::newRow("system") << QByteArray("system") << QStringLiteral("system");
    QTest::newRow("http") << QByteArray("http://u:pw@p:3128") << QStringLiteral("http://u:pw@p:3128");
    QTest::newRow("socks5") << QByteArray("socks5://p:1080") << QStringLiteral("socks5://p:1080");
    QTest::newRow("no scheme") << QByteArray("p:3128") << QString();
    QTest::newRow("ftp") << QByteArray("ftp://p") << QString();
    QTest::newRow("word") << QByteArray("auto") << QString();
    QTest::newRow("no host") << QByteArray("http://") << QString();
}

void TestSettingsEndpoints::proxiesAreCheckedAndNeverDropped()
{
    QFETCH(QByteArray, proxy);
    QFETCH(QString, expected);
    const EndpointSettings endpoint = endpointOf("\"proxy\":\"" + proxy + '"');
    if (expected.isEmpty()) {
        QCOMPARE(endpoint.problems.size(), 1);
    } else {
        QCOMPARE(endpoint.problems, QStringList());
        QCOMPARE(endpoint.proxy, expected);
    }
}

void TestSettingsEndpoints::headersAndBodyAreKept()
{
    const Settings settings = settingsOf(R"("taotoken.provider":{"baseUrl":"http://h",
        "extraHeaders":{"X.Dotted":"1","X-B":"one","x-b":"two","X-N":5,"X-Null":null,"Bad Name":"x"},
        "extraBody":{"z":9007199254740993,"a.b":{"c":[1.5,null]},"price":0.10}},
        "taotoken.provider.extraHeaders.X-Flat":"f")");
    const EndpointSettings& endpoint = settings.endpoints.first();
    const QList<QPair<QString, QString>> headers{{QStringLiteral("X.Dotted"), QStringLiteral("1")},
                                                 {QStringLiteral("x-b"), QStringLiteral("two")},
                                                 {QStringLiteral("X-Flat"), QStringLiteral("f")}};
    QCOMPARE(endpoint.extraHeaders, headers);
    QCOMPARE(endpoint.extraBody, QStringLiteral(R"({"z":9007199254740993,"a.b":{"c":[1.5,null]},"price":0.1})"));
    QCOMPARE(settings.warnings.size(), 2);
    QCOMPARE(endpoint.problems.size(), 1);
    QVERIFY(endpoint.problems.first().contains(u"taotoken.provider.extraHeaders.Bad Name"));
}

void TestSettingsEndpoints::theProviderComesBeforeTheEndpoints()
{
    const Settings settings = settingsOf(R"("taotoken.endpoints":[{"name":"b","baseUrl":"http://b"},
        {"name":"c","baseUrl":"http://c"}],"taotoken.provider":{"name":"a","baseUrl":"http://a"})");
    QCOMPARE(settings.endpoints.size(), 3);
    QCOMPARE(settings.endpoints.at(0).name, QStringLiteral("a"));
    QCOMPARE(settings.endpoints.at(1).name, QStringLiteral("b"));
    QCOMPARE(settings.endpoints.at(2).name, QStringLiteral("c"));
    // A template's empty provider is no endpoint.
    QVERIFY(settingsOf(R"("taotoken.provider":{})").endpoints.isEmpty());
}

QTEST_GUILESS_MAIN(TestSettingsEndpoints)
#include "tst_settingsendpoints.moc"
