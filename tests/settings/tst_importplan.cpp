// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "settings/importplan.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

const QByteArray flatJson = R"({"base_url":"http://new","api_key":"sk-new-secret","model":"m","max_tokens":64})";

ImportPlan plan(const QByteArray& source, const QByteArray& settings)
{
    return planImport({importSettings(source, QStringLiteral("src"))}, settings, settingsPath);
}

QString said(const ImportPlan& plan)
{
    return (plan.lines + plan.notTaken + plan.warnings).join(u'\n') + plan.error;
}

} // namespace

class TestImportPlan : public QObject {
    Q_OBJECT

private slots:
    void aNewFileGetsTheEndpointAsItsProvider();
    void aFileWithoutEndpointsKeepsItsOtherKeys();
    void aFurtherEndpointIsAddedWithItsOwnRequest_data();
    void aFurtherEndpointIsAddedWithItsOwnRequest();
    void severalEndpointsMakeAList();
    void severalFilesAreOneImport();
    void whatIsOverwrittenIsNamed();
    void theSameImportTwiceChangesNothing_data();
    void theSameImportTwiceChangesNothing();
    void onlySecretsAsSuchAskForAPrivateFile();
    void filesThatCannotBeEditedStayAsTheyAre_data();
    void filesThatCannotBeEditedStayAsTheyAre();
    void theFileToWriteIsTheOneInUse();
};

void TestImportPlan::aNewFileGetsTheEndpointAsItsProvider()
{
    const ImportPlan result = plan(flatJson, {});
    QCOMPARE(result.error, QString());
    QCOMPARE(result.changes, 4);
    QCOMPARE(result.lines.size(), 4);
    QCOMPARE(result.lines[0], QStringLiteral("tokenpace.provider.baseUrl = http://new, from src:1:2: base_url"));
    QCOMPARE(result.lines[1], QStringLiteral("tokenpace.provider.apiKey = ***, from src:1:26: api_key"));
    QVERIFY(!said(result).contains(u"sk-new"));
    const SettingsResult settings = read(result.text);
    QVERIFY2(settings.settings, qPrintable(settings.error));
    QCOMPARE(settings.settings->warnings, QStringList());
    QCOMPARE(settings.settings->endpoints.size(), 1);
    QCOMPARE(settings.settings->endpoints.first().apiKey, QStringLiteral("sk-new-secret"));
    QCOMPARE(settings.settings->request.maxTokens, 64);
}

void TestImportPlan::aFileWithoutEndpointsKeepsItsOtherKeys()
{
    const QByteArray before =
        "{\r\n  // mine\r\n  \"editor.fontSize\": 14.0,\r\n  \"taotoken.limits\": {\"ttftMs\": 500}\r\n}\r\n";
    const ImportPlan result = plan(flatJson, before);
    QCOMPARE(result.error, QString());
    QVERIFY(result.text.startsWith(
        "{\r\n  // mine\r\n  \"editor.fontSize\": 14.0,\r\n  \"taotoken.limits\": {\"ttftMs\": 500}"));
    const Settings settings = read(result.text).settings.value_or(Settings{});
    QCOMPARE(settings.limits.ttftMs, 500.0);
    QCOMPARE(settings.endpoints.size(), 1);
    QVERIFY(result.lines[0].startsWith(u"taotoken.provider.baseUrl"));
}

void TestImportPlan::aFurtherEndpointIsAddedWithItsOwnRequest_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("flat") << QByteArray(
        R"({"taotoken.provider":{"baseUrl":"http://old","model":"o"},"taotoken.request":{"maxTokens":9}})");
    QTest::newRow("nested") << QByteArray(
        R"({"tokenpace":{"provider":{"baseUrl":"http://old","model":"o"},"request":{"maxTokens":9}}})");
    QTest::newRow("single keys") << QByteArray(
        R"({"taotoken.provider.baseUrl":"http://old","taotoken.provider.model":"o","taotoken.request.maxTokens":9})");
    QTest::newRow("list") << QByteArray(
        R"({"tokenpace":{"endpoints":[{"baseUrl":"http://old","model":"o"}],"request":{"maxTokens":9}}})");
}

void TestImportPlan::aFurtherEndpointIsAddedWithItsOwnRequest()
{
    QFETCH(QByteArray, before);
    const ImportPlan result = plan(flatJson, before);
    QCOMPARE(result.error, QString());
    const Settings settings = read(result.text).settings.value_or(Settings{});
    QCOMPARE(settings.warnings, QStringList());
    QCOMPARE(settings.endpoints.size(), 2);
    QCOMPARE(settings.endpoints[0].baseUrl, QStringLiteral("http://old"));
    QCOMPARE(settings.endpoints[0].request.maxTokens, 9);
    QCOMPARE(settings.endpoints[1].baseUrl, QStringLiteral("http://new"));
    QCOMPARE(settings.endpoints[1].request.maxTokens, 64);
    QVERIFY(!said(result).contains(u"instead of"));
}

void TestImportPlan::severalEndpointsMakeAList()
{
    const ImportPlan result = plan("OPENAI_BASE_URL=http://a\nANTHROPIC_BASE_URL=http://b\n", {});
    QCOMPARE(result.error, QString());
    const Settings settings = read(result.text).settings.value_or(Settings{});
    QCOMPARE(settings.endpoints.size(), 2);
    QCOMPARE(settings.endpoints[1].protocol, std::optional(Protocol::AnthropicMessages));
    QVERIFY(result.lines[0].startsWith(u"tokenpace.endpoints[0].baseUrl = http://a"));
    QVERIFY(result.lines[1].startsWith(u"tokenpace.endpoints[1].baseUrl = http://b"));
}

void TestImportPlan::severalFilesAreOneImport()
{
    const ImportPlan result =
        planImport({importSettings(caseFile("config-sections.toml"), QStringLiteral("a.toml")),
                    importSettings(caseFile("claude-code.settings.json"), QStringLiteral("b.json"))},
                   {}, settingsPath);
    QCOMPARE(result.error, QString());
    const Settings settings = read(result.text).settings.value_or(Settings{});
    QCOMPARE(settings.endpoints.size(), 2);
    QCOMPARE(settings.endpoints[0].request.temperature, std::optional(0.2));
    QCOMPARE(settings.endpoints[1].request.temperature, std::nullopt);
    QCOMPARE(settings.telemetry.recordTokenTiming, true);
    QVERIFY(said(result).contains(u"from a.toml:4:1: provider.base_url"));
    QVERIFY(said(result).contains(u"b.json:7:3: permissions: "));
}

void TestImportPlan::whatIsOverwrittenIsNamed()
{
    const QByteArray before = R"({"tokenpace":{"telemetry":{"outputPath":"./mine.jsonl"},"request":{"stream":true}}})";
    const ImportPlan result =
        plan("[provider]\nbase_url='http://h'\n[request]\nstream=true\n[logging]\nlog_path='./new.jsonl'\n", before);
    QCOMPARE(result.error, QString());
    QVERIFY(result.lines.contains(QStringLiteral("tokenpace.telemetry.outputPath = \"./new.jsonl\" (instead of "
                                                 "\"./mine.jsonl\"), from src:6:1: logging.log_path")));
    QVERIFY(result.lines.contains(
        QStringLiteral("tokenpace.request.stream = true (as it is already), from src:4:1: request.stream")));
    QCOMPARE(result.changes, 2);
}

void TestImportPlan::theSameImportTwiceChangesNothing_data()
{
    QTest::addColumn<QByteArray>("file");
    for (const char* name : {"config-sections.toml", "config-flat.toml", "codex.config.toml", "models-map.json",
                             "flat.json", "claude-code.settings.json", "cline.vscode-settings.json",
                             "cline.globalState.json", "codex.auth.json", "dotenv"}) {
        QTest::newRow(name) << caseFile(name);
    }
}

void TestImportPlan::theSameImportTwiceChangesNothing()
{
    QFETCH(QByteArray, file);
    const ImportPlan first = plan(file, "{\n}\n");
    QCOMPARE(first.error, QString());
    QVERIFY(first.changes > 0);
    const ImportPlan second = plan(file, first.text);
    QCOMPARE(second.error, QString());
    QCOMPARE(second.changes, 0);
    QCOMPARE(second.text, first.text);
    QVERIFY(!said(first).contains(u"not-a-key"));
}

void TestImportPlan::onlySecretsAsSuchAskForAPrivateFile()
{
    const ImportPlan password = plan(R"({"base_url":"http://u:p@h","model":"m","x":1})", {});
    const ImportPlan variable = plan(R"({"base_url":"http://h","api_key":"${KEY}"})", {});
    QVERIFY(plan(flatJson, {}).holdsKey);
    QVERIFY(password.holdsKey);
    QVERIFY(!variable.holdsKey);
    QVERIFY(!plan(caseFile("models-map.json"), {}).holdsKey);
}

void TestImportPlan::filesThatCannotBeEditedStayAsTheyAre_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QString>("message");
    QTest::newRow("broken") << QByteArray("{\n\"a\": }") << QStringLiteral(":2:");
    QTest::newRow("list") << QByteArray("[]") << QStringLiteral(":1:1: ");
    QTest::newRow("no list of endpoints")
        << QByteArray("{\n\"tokenpace.endpoints\": {}}") << QStringLiteral(":2:1: tokenpace.endpoints: ");
    QTest::newRow("no object") << QByteArray("{\n\"tokenpace\": 5}") << QStringLiteral("/folder/settings.json:2:");
}

void TestImportPlan::filesThatCannotBeEditedStayAsTheyAre()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, message);
    const ImportPlan result = plan(flatJson, before);
    QVERIFY2(result.error.startsWith(settingsPath), qPrintable(result.error));
    QVERIFY2(result.error.contains(message), qPrintable(result.error));
    QCOMPARE(result.text, before);
}

void TestImportPlan::theFileToWriteIsTheOneInUse()
{
    const QTemporaryDir folder;
    const auto write = [&](const QString& name, const QByteArray& text) {
        QDir().mkpath(QFileInfo(folder.filePath(name)).path());
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    SettingsPlaces places;
    places.workingFolder = folder.filePath(QStringLiteral("work"));
    places.configHome = folder.filePath(QStringLiteral("config"));
    places.home = folder.path();
    QString error;
    const QString standard = folder.filePath(QStringLiteral("config/tokenpace/settings.json"));
    QVERIFY(QDir().mkpath(places.workingFolder));
    QCOMPARE(settingsFileToWrite(places, &error), standard);
    write(QStringLiteral(".config/taotoken/config.toml"), caseFile("config-sections.toml"));
    QCOMPARE(settingsFileToWrite(places, &error), standard);
    write(QStringLiteral("work/settings.json"), R"({"taotoken":{}})");
    QCOMPARE(settingsFileToWrite(places, &error), folder.filePath(QStringLiteral("work/settings.json")));
    places.explicitFile = QStringLiteral("other.json");
    QCOMPARE(settingsFileToWrite(places, &error), folder.filePath(QStringLiteral("work/other.json")));
    QCOMPARE(error, QString());
    places.explicitFile.clear();
    write(QStringLiteral("work/settings.json"), R"({"taotoken":)");
    QCOMPARE(settingsFileToWrite(places, &error), QString());
    QVERIFY(error.startsWith(folder.filePath(QStringLiteral("work/settings.json")) + u':'));
}

QTEST_GUILESS_MAIN(TestImportPlan)
#include "tst_importplan.moc"
