// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/exporters.h"
#include "settings/importers.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

SettingsResult readBack(const QByteArray& text, const char* name)
{
    return readImported(importSettings(text, QString::fromLatin1(name)), settingsPath, keyEnvironment());
}

} // namespace

class TestExporters : public QObject {
    Q_OBJECT

private slots:
    void configTomlIsReadBackAsTheSameSettings();
    void configTomlHasTheTutorialsShape();
    void anEnvironmentFileIsReadBackAsTheSameSettings();
    void strangeTextsSurvive_data();
    void strangeTextsSurvive();
    void noSecretIsExported();
    void withoutEndpointsTheRestIsExported();
};

void TestExporters::configTomlIsReadBackAsTheSameSettings()
{
    const Settings settings = read(caseFile("settings.json")).settings.value_or(Settings{});
    const SettingsResult back = readBack(exportConfigToml(settings), "config.toml");
    QVERIFY2(back.settings, qPrintable(back.error));
    QCOMPARE(back.settings->warnings, QStringList());
    QCOMPARE(settingsJson(*back.settings), settingsJson(settings));
    QCOMPARE(back.settings->endpoints.first().apiKey, QStringLiteral("sk-from-variable"));
}

void TestExporters::configTomlHasTheTutorialsShape()
{
    const Settings settings = readBack(caseFile("config-sections.toml"), "config.toml").settings.value_or(Settings{});
    const QByteArray text = exportConfigToml(settings);
    const QList<QByteArray> lines = caseFile("config-sections.toml").split('\n');
    for (const QByteArray& line : lines) {
        // Paths are absolute once they are read.
        if (!line.startsWith('#') && !line.startsWith("log_path")) {
            QVERIFY2(('\n' + text).contains('\n' + line + '\n'), line);
        }
    }
}

void TestExporters::anEnvironmentFileIsReadBackAsTheSameSettings()
{
    const Settings settings =
        settingsOf("\"taotoken.provider\":{\"baseUrl\":\"http://h:1\",\"apiKey\":\"${KEY}\",\"model\":\"m\"},"
                   "\"taotoken.request\":{\"temperature\":0.2,\"maxTokens\":7}");
    const SettingsResult back = readBack(exportDotenv(settings), ".env");
    QVERIFY2(back.settings, qPrintable(back.error));
    QCOMPARE(back.settings->warnings, QStringList());
    QCOMPARE(settingsJson(*back.settings), settingsJson(settings));
    QCOMPARE(back.settings->endpoints.first().apiKey, QStringLiteral("abc"));
}

void TestExporters::strangeTextsSurvive_data()
{
    QTest::addColumn<QString>("model");
    QTest::newRow("quotes") << QStringLiteral("a\"b'c\\d");
    QTest::newRow("variable") << QStringLiteral("a${KEY}$b");
    QTest::newRow("variable beside quotes") << QStringLiteral("it's ${KEY} $");
    QTest::newRow("comment") << QStringLiteral("a # b=[c]");
    QTest::newRow("control characters") << QStringLiteral("a\nb\tc") + QChar(0x7F);
    QTest::newRow("other scripts") << QString::fromUtf8("北京🌍");
}

void TestExporters::strangeTextsSurvive()
{
    QFETCH(QString, model);
    Settings settings;
    EndpointSettings endpoint;
    endpoint.name = model;
    endpoint.baseUrl = QStringLiteral("http://h/v1");
    endpoint.models.push_back({model, {}, {}});
    endpoint.models.push_back({QStringLiteral("a second\n[x]\nb=1"), {}, {}});
    settings.endpoints << endpoint;
    for (const QByteArray& text : {exportConfigToml(settings), exportDotenv(settings)}) {
        const SettingsResult back = readBack(text, "file");
        QVERIFY2(back.settings, qPrintable(back.error + QString::fromUtf8(text)));
        QCOMPARE(back.settings->warnings, QStringList());
        QCOMPARE(back.settings->endpoints.first().models.first().name, model);
    }
}

void TestExporters::noSecretIsExported()
{
    const Settings literal = settingsOf(
        "\"taotoken.provider\":{\"baseUrl\":\"https://user:SECRET1@h/v1?key=SECRET2\",\"apiKey\":\"sk-SECRET3\","
        "\"extraHeaders\":{\"X-Key\":\"SECRET4\"}}");
    const Settings variable =
        settingsOf("\"taotoken.provider\":{\"baseUrl\":\"https://h\",\"apiKey\":\"${TAOTOKEN_API_KEY}\"}");
    for (const QByteArray& text : {exportConfigToml(literal), exportDotenv(literal)}) {
        QVERIFY2(!text.contains("SECRET") && !text.contains("user:"), text);
        QVERIFY2(text.contains("https://h/v1"), text);
        QVERIFY2(text.contains("TAOTOKEN_API_KEY"), text);
    }
    for (const QByteArray& text : {exportConfigToml(variable), exportDotenv(variable)}) {
        QVERIFY2(!text.contains("sk-from-variable"), text);
    }
}

void TestExporters::withoutEndpointsTheRestIsExported()
{
    QVERIFY(exportDotenv({}).isEmpty());
    const QByteArray text = exportConfigToml({});
    QVERIFY(!text.contains("[provider]"));
    QVERIFY(text.contains("\nmax_tokens = 1024\n"));
}

QTEST_GUILESS_MAIN(TestExporters)
#include "tst_exporters.moc"
