// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "settings/settingsfinder.h"
#include "settings/settingstest.h"
#include "settings/variablesources.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestVariableSources : public QObject {
    Q_OBJECT

private slots:
    void init();
    void withoutAFileTheEnvironmentIsAll();
    void theFileGivesWhatTheEnvironmentDoesNotHold();
    void theEnvironmentGoesBeforeTheFile();
    void anEmptyVariableOfTheEnvironmentIsSet();
    void aNameThatBothHoldIsWarnedOfOnceItIsUsed();
    void aBrokenFileGivesNothingAndAWarningWithItsPlace();
    void warningsHoldNoValue();
    void settingsReadTheFileBesideThem_data();
    void settingsReadTheFileBesideThem();
    void whatNobodySetsIsStillAnError();

private:
    [[nodiscard]] QString settingsFile() const { return m_folder->filePath(QStringLiteral("settings.json")); }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    [[nodiscard]] SettingsResult findIn(const QString& file, const EnvironmentLookup& environment = table({})) const
    {
        SettingsPlaces places;
        places.explicitFile = m_folder->filePath(file);
        places.workingFolder = m_folder->path();
        places.environment = environment;
        return findSettings(places);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestVariableSources::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestVariableSources::withoutAFileTheEnvironmentIsAll()
{
    const VariableSources sources(settingsFile(), keyEnvironment());
    QCOMPARE(sources.lookup()(QStringLiteral("KEY")), std::optional(QStringLiteral("abc")));
    QCOMPARE(sources.lookup()(QStringLiteral("NOPE")), std::nullopt);
    QCOMPARE(sources.dotenvFile(), QString());
    QCOMPARE(sources.warnings(), QStringList());
}

void TestVariableSources::theFileGivesWhatTheEnvironmentDoesNotHold()
{
    write(QStringLiteral(".env"), "# keys\nexport OTHER='pa$s'\nC=three # comment\n");
    const VariableSources sources(settingsFile(), keyEnvironment());
    QCOMPARE(sources.lookup()(QStringLiteral("OTHER")), std::optional(QStringLiteral("pa$s")));
    QCOMPARE(sources.lookup()(QStringLiteral("C")), std::optional(QStringLiteral("three")));
    QCOMPARE(sources.dotenvFile(), m_folder->filePath(QStringLiteral(".env")));
    QCOMPARE(sources.warnings(), QStringList());
}

void TestVariableSources::theEnvironmentGoesBeforeTheFile()
{
    write(QStringLiteral(".env"), "KEY=of-the-file\n");
    const VariableSources sources(settingsFile(), keyEnvironment());
    QCOMPARE(sources.lookup()(QStringLiteral("KEY")), std::optional(QStringLiteral("abc")));
}

void TestVariableSources::anEmptyVariableOfTheEnvironmentIsSet()
{
    write(QStringLiteral(".env"), "EMPTY=of-the-file\n");
    const VariableSources sources(settingsFile(), keyEnvironment());
    QCOMPARE(sources.lookup()(QStringLiteral("EMPTY")), std::optional(QString()));
}

void TestVariableSources::aNameThatBothHoldIsWarnedOfOnceItIsUsed()
{
    write(QStringLiteral(".env"), "KEY=of-the-file\nHOME=/home/someone\n");
    const VariableSources sources(settingsFile(), keyEnvironment());
    QCOMPARE(sources.warnings(), QStringList());
    Q_UNUSED(sources.lookup()(QStringLiteral("HOME"))); // the same in both
    Q_UNUSED(sources.lookup()(QStringLiteral("KEY")));
    QCOMPARE(sources.warnings().size(), 1);
    QVERIFY(sources.warnings().first().startsWith(m_folder->filePath(QStringLiteral(".env: KEY is set"))));
}

void TestVariableSources::aBrokenFileGivesNothingAndAWarningWithItsPlace()
{
    write(QStringLiteral(".env"), "GOOD=yes\nBAD=\"sk-never-closed\n");
    const VariableSources sources(settingsFile(), table({}));
    QCOMPARE(sources.lookup()(QStringLiteral("GOOD")), std::nullopt);
    QCOMPARE(sources.warnings().size(), 1);
    QVERIFY(sources.warnings().first().startsWith(m_folder->filePath(QStringLiteral(".env:2:"))));
}

void TestVariableSources::warningsHoldNoValue()
{
    write(QStringLiteral(".env"), "KEY=sk-secret-of-file\nsk-secret-alone\nX=\"sk-secret-open\n");
    const VariableSources sources(settingsFile(), keyEnvironment());
    Q_UNUSED(sources.lookup()(QStringLiteral("KEY")));
    QVERIFY(!sources.warnings().isEmpty());
    QVERIFY(!sources.warnings().join(u'\n').contains(u"sk-secret"));
}

void TestVariableSources::settingsReadTheFileBesideThem_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("ours") << QStringLiteral("settings.json")
                          << QByteArray(R"({"taotoken.provider":{"baseUrl":"http://h:1","apiKey":"${FROM_FILE}"}})");
    QTest::newRow("config.toml") << QStringLiteral("config.toml")
                                 << QByteArray("[provider]\nbase_url = \"http://h:1\"\napi_key = \"${FROM_FILE}\"\n");
}

void TestVariableSources::settingsReadTheFileBesideThem()
{
    QFETCH(const QString, file);
    QFETCH(const QByteArray, text);
    write(QStringLiteral(".env"), "FROM_FILE=sk-of-the-file\n");
    write(file, text);
    const SettingsResult result = findIn(file);
    QVERIFY2(result.settings, qPrintable(result.error));
    const EndpointSettings endpoint = result.settings->endpoints.value(0);
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.apiKey, QStringLiteral("sk-of-the-file"));
    QCOMPARE(endpoint.apiKeySource, QStringLiteral("${FROM_FILE}"));
}

void TestVariableSources::whatNobodySetsIsStillAnError()
{
    write(QStringLiteral(".env"), "OTHER=x\n");
    write(QStringLiteral("settings.json"), R"({"taotoken.provider":{"baseUrl":"http://h:1","apiKey":"${NOPE}"}})");
    const SettingsResult result = findIn(QStringLiteral("settings.json"));
    QVERIFY(result.settings);
    QCOMPARE(result.settings->endpoints.first().problems.size(), 1);
    QVERIFY(result.settings->endpoints.first().problems.first().contains(u"NOPE is not set"));
}

QTEST_GUILESS_MAIN(TestVariableSources)
#include "tst_variablesources.moc"
