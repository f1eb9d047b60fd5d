// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QTest>

#include "settings/settings.h"
#include "settings/settingsschema.h"

using namespace tokenpace;
using Json = nlohmann::ordered_json;

class SettingsSchemaTest final : public QObject {
    Q_OBJECT

private slots:
    void everyDefaultIsAGoodValue();
    void everyKeyIsReadWithoutAWarning();
    void everyRangeAndWordIsWhatIsRead_data();
    void everyRangeAndWordIsWhatIsRead();
    void badValuesAreNamed_data();
    void badValuesAreNamed();
    void whatIsShippedIsMadeFromTheTable();
};

namespace {

QByteArray fileOf(const char* name)
{
    QFile file(QStringLiteral(TOKENPACE_SOURCES "/") + QString::fromUtf8(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A good value of a key without a default.
Json goodValue(const SettingKey& key)
{
    if (key.standard[0] != '\0') {
        return Json::parse(key.standard);
    }
    if (key.choices[0] != '\0') {
        return key.choiceList().first().toStdString();
    }
    switch (key.type) {
    case SettingType::Whole:
    case SettingType::Number:
        return 1;
    case SettingType::Models:
        return Json::array({"m", Json{{"name", "n"}}});
    default:
        return key.name() == "baseUrl" ? "http://h" : key.name() == "path" ? "/v1/x" : "text";
    }
}

/// A document with one key set, beside what an endpoint needs.
QStringList warningsWith(const SettingKey& key, const Json& value)
{
    Json own{{"provider", {{"baseUrl", "http://h"}, {"model", "x"}}}};
    const std::string section = key.section();
    if (key.scope == SettingScope::Endpoint) {
        own["provider"][key.name()] = value;
    } else {
        own[section][key.name()] = value;
    }
    const QByteArray text = QByteArray::fromStdString(Json{{"tokenpace", own}}.dump());
    const SettingsResult result = readSettings(text, QStringLiteral("/s/settings.json"), {});
    return result.settings ? result.settings->warnings + result.settings->endpoints.first().problems
                           : QStringList{result.error};
}

} // namespace

void SettingsSchemaTest::everyDefaultIsAGoodValue()
{
    for (const SettingKey& key : settingKeys()) {
        QVERIFY2(problemOf(key, goodValue(key)).isEmpty(), key.path);
        QVERIFY2(key.label[0] != '\0' && key.what[0] != '\0', key.path);
        QVERIFY2(key.standard[0] != '\0' || key.standardWords[0] != '\0', key.path);
        QVERIFY2(&settingKey(key.path) == &key, key.path);
    }
}

void SettingsSchemaTest::everyKeyIsReadWithoutAWarning()
{
    for (const SettingKey& key : settingKeys()) {
        const QStringList warnings = warningsWith(key, goodValue(key));
        QVERIFY2(warnings.isEmpty(), qPrintable(warnings.join(QStringLiteral("\n"))));
    }
}

void SettingsSchemaTest::everyRangeAndWordIsWhatIsRead_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("json");
    for (const SettingKey& key : settingKeys()) {
        const std::string name(key.path);
        if (key.hasRange()) {
            QTest::newRow((name + " below").c_str()) << name << std::to_string(key.least - 1);
            QTest::newRow((name + " above").c_str()) << name << std::to_string(key.most + 1);
        }
        if (key.choices[0] != '\0') {
            QTest::newRow((name + " word").c_str()) << name << std::string("\"sideways\"");
        }
    }
}

void SettingsSchemaTest::everyRangeAndWordIsWhatIsRead()
{
    QFETCH(const std::string, path);
    QFETCH(const std::string, json);
    const SettingKey& key = settingKey(path);
    QVERIFY(!problemOf(key, Json::parse(json)).isEmpty());
    QCOMPARE(warningsWith(key, Json::parse(json)).size(), 1);
}

void SettingsSchemaTest::badValuesAreNamed_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("json");
    QTest::addColumn<QString>("part");
    QTest::newRow("text") << std::string("baseUrl") << std::string("1") << QStringLiteral("text");
    QTest::newRow("switch") << std::string("insecure") << std::string("\"yes\"") << QStringLiteral("true or false");
    QTest::newRow("whole") << std::string("request.maxTokens") << std::string("1.5") << QStringLiteral("whole number");
    QTest::newRow("range") << std::string("request.topP") << std::string("1.5") << QStringLiteral("0 to 1");
    QTest::newRow("list") << std::string("experiment.promptTokens") << std::string("[]") << QStringLiteral("empty");
    QTest::newRow("item") << std::string("experiment.promptTokens") << std::string("[1, \"2\"]")
                          << QStringLiteral("whole number");
    QTest::newRow("models") << std::string("models") << std::string("[{}]") << QStringLiteral("names");
    QTest::newRow("headers") << std::string("extraHeaders") << std::string("{\"a\": 1}") << QStringLiteral("texts");
    QTest::newRow("object") << std::string("extraBody") << std::string("[]") << QStringLiteral("JSON object");
}

void SettingsSchemaTest::badValuesAreNamed()
{
    QFETCH(const std::string, path);
    QFETCH(const std::string, json);
    QFETCH(const QString, part);
    const QString problem = problemOf(settingKey(path), Json::parse(json));
    QVERIFY2(problem.contains(part), qPrintable(problem));
}

// `settings_docs FOLDER` makes both anew.
void SettingsSchemaTest::whatIsShippedIsMadeFromTheTable()
{
    QVERIFY(fileOf("README.md").contains(settingsTableMarkdown()));
    QCOMPARE(fileOf("resources/settings.schema.json"), settingsSchemaJson());
}

QTEST_GUILESS_MAIN(SettingsSchemaTest)
#include "tst_settingsschema.moc"
