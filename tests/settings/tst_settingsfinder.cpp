// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "settings/settingsfinder.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestSettingsFinder : public QObject {
    Q_OBJECT

private slots:
    void init();
    void nothingFoundIsNoError();
    void theWorkingFolderComesFirst();
    void foldersAboveAreSearched();
    void filesWithoutOurKeysAreSkippedAndNoted();
    void brokenFilesThatDoNotNameUsAreSkipped();
    void brokenFilesThatNameUsAreErrors_data();
    void brokenFilesThatNameUsAreErrors();
    void filesThatCannotBeReadAreErrors();
    void foldersOfTheNameAreSkipped();
    void theConfigFolderComesAfterTheFoldersAbove();
    void theTutorialsConfigTomlComesAfterTheConfigFolder();
    void aBrokenConfigTomlIsAnError();
    void theExplicitFileIsTheOnlyOne();
    void anExplicitFileOfAnotherShapeIsRead_data();
    void anExplicitFileOfAnotherShapeIsRead();
    void anExplicitFileOfNoShapeIsAnError_data();
    void anExplicitFileOfNoShapeIsAnError();
    void anExplicitFileThatIsMissingIsAnError();
    void linksAreFollowed();
    void filesAreNeverChanged();
    void theEnvironmentComesLast();
    void ownVariablesWinOverThoseOfOpenAi();
    void aKeyOfOpenAiAloneMeansItsService();
    void anOwnKeyAloneMeansNothing();
    void keysDoNotCrossOver();
    void emptyVariablesCountAsUnset();
    void aBadUrlInAVariableIsAProblemThatNamesIt();
    void variablesAreTakenAsTheyStand();
    void theLogGoesToTheDataFolderWithoutAFile();
    void hugeFilesAreRefused();

private:
    [[nodiscard]] QString path(const QString& relative) const { return m_folder->filePath(relative); }
    void write(const QString& relative, const QByteArray& text) const
    {
        QDir().mkpath(QFileInfo(path(relative)).path());
        QFile file(path(relative));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    [[nodiscard]] SettingsResult find(const std::map<QString, QString>& variables = {},
                                      const QString& explicitFile = {}) const
    {
        SettingsPlaces places;
        places.explicitFile = explicitFile;
        places.workingFolder = path(QStringLiteral("project/deep/er"));
        places.configHome = path(QStringLiteral("home/.config"));
        places.home = path(QStringLiteral("home"));
        std::map<QString, QString> all = variables;
        all.emplace(QStringLiteral("HOME"), path(QStringLiteral("home")));
        places.environment = table(all);
        return findSettings(places);
    }
    /// Was a place looked at, with a note that holds this?
    [[nodiscard]] static bool noted(const SettingsResult& result, const QString& place, QStringView note)
    {
        for (const QString& entry : result.lookedAt) {
            if (entry.startsWith(place) && entry.contains(note)) {
                return true;
            }
        }
        return false;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

const QString inWorkingFolder = QStringLiteral("project/deep/er/settings.json");
const QString above = QStringLiteral("project/settings.json");
const QString inConfig = QStringLiteral("home/.config/tokenpace/settings.json");
const QString baseUrlVariable = QStringLiteral("TAOTOKEN_BASE_URL");

QByteArray settingsNamed(const char* name)
{
    return R"({"taotoken.provider":{"baseUrl":"http://h","name":")" + QByteArray(name) + "\"}}";
}

QString foundName(const SettingsResult& result)
{
    return result.settings && result.settings->endpoints.size() == 1 ? result.settings->endpoints.first().name
                                                                     : QString();
}

} // namespace

void TestSettingsFinder::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY(QDir().mkpath(path(QStringLiteral("project/deep/er"))));
}

void TestSettingsFinder::nothingFoundIsNoError()
{
    const SettingsResult result = find();
    QVERIFY(!result.settings);
    QCOMPARE(result.error, QString());
    QVERIFY(noted(result, QStringLiteral("settings.json in ") + path(QStringLiteral("project/deep/er")), u"none"));
    QVERIFY(noted(result, path(inConfig), u"not there"));
    QVERIFY(noted(result, baseUrlVariable, u"not set"));
    QVERIFY(noted(result, QStringLiteral("OPENAI_BASE_URL"), u"not set"));
}

void TestSettingsFinder::theWorkingFolderComesFirst()
{
    write(inWorkingFolder, settingsNamed("here"));
    write(above, settingsNamed("above"));
    write(inConfig, settingsNamed("config"));
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://env")}});
    QCOMPARE(foundName(result), QStringLiteral("here"));
    QCOMPARE(result.settings->file, path(inWorkingFolder));
    QCOMPARE(result.lookedAt, QStringList{path(inWorkingFolder)});
    QCOMPARE(result.settings->telemetry.outputPath, path(QStringLiteral("project/deep/er/logs/token_timing.jsonl")));
}

void TestSettingsFinder::foldersAboveAreSearched()
{
    write(above, settingsNamed("above"));
    write(inConfig, settingsNamed("config"));
    QCOMPARE(foundName(find()), QStringLiteral("above"));
}

void TestSettingsFinder::filesWithoutOurKeysAreSkippedAndNoted()
{
    write(inWorkingFolder, R"({"editor.fontSize":14})");
    write(QStringLiteral("project/deep/settings.json"), caseFile("cline.vscode-settings.json"));
    write(above, settingsNamed("above"));
    const SettingsResult result = find();
    QCOMPARE(foundName(result), QStringLiteral("above"));
    QVERIFY(noted(result, path(inWorkingFolder), u"no key"));
    QVERIFY(noted(result, path(QStringLiteral("project/deep/settings.json")), u"no key"));
}

void TestSettingsFinder::brokenFilesThatDoNotNameUsAreSkipped()
{
    write(inWorkingFolder, "{ not ours and broken");
    write(QStringLiteral("project/deep/settings.json"), R"(["taotoken"])");
    write(above, settingsNamed("above"));
    QCOMPARE(foundName(find()), QStringLiteral("above"));
}

void TestSettingsFinder::brokenFilesThatNameUsAreErrors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("cut") << QByteArray("{\n\"taotoken.provider\":{") << QStringLiteral(":2:");
    QTest::newRow("comma missing") << QByteArray("{\"tokenpace\":{}\n\"a\":1}") << QStringLiteral(":2:1: ");
    const QString text = QStringLiteral(R"({"taotoken.provider":{}})");
    QByteArray utf16("\xFF\xFE", 2);
    for (const QChar c : text) {
        utf16 += static_cast<char>(c.unicode());
        utf16 += '\0';
    }
    QTest::newRow("UTF-16") << utf16 << QStringLiteral("UTF-16");
    QTest::newRow("latin 1") << QByteArray("{\"taotoken.provider\":{\"name\":\"caf\xE9\"}}") << QStringLiteral("0xE9");
}

void TestSettingsFinder::brokenFilesThatNameUsAreErrors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    write(inWorkingFolder, text);
    write(above, settingsNamed("above"));
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://env")}});
    QVERIFY(!result.settings);
    QVERIFY2(result.error.startsWith(path(inWorkingFolder) + u':'), qPrintable(result.error));
    QVERIFY2(result.error.contains(part), qPrintable(result.error));
}

void TestSettingsFinder::filesThatCannotBeReadAreErrors()
{
    // A link to nothing cannot be read by anybody, root included.
    QVERIFY(QFile::link(path(QStringLiteral("nowhere.json")), path(inWorkingFolder)));
    write(above, settingsNamed("above"));
    const SettingsResult result = find();
    QVERIFY(!result.settings);
    QVERIFY2(result.error.startsWith(path(inWorkingFolder) + u':'), qPrintable(result.error));
    QVERIFY2(result.error.contains(u"cannot be read"), qPrintable(result.error));
}

void TestSettingsFinder::foldersOfTheNameAreSkipped()
{
    QVERIFY(QDir().mkpath(path(inWorkingFolder)));
    write(above, settingsNamed("above"));
    const SettingsResult result = find();
    QCOMPARE(foundName(result), QStringLiteral("above"));
    QVERIFY(noted(result, path(inWorkingFolder), u"folder"));
}

void TestSettingsFinder::theConfigFolderComesAfterTheFoldersAbove()
{
    write(inConfig, settingsNamed("config"));
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://env")}});
    QCOMPARE(foundName(result), QStringLiteral("config"));
    QCOMPARE(result.settings->file, path(inConfig));
}

void TestSettingsFinder::theTutorialsConfigTomlComesAfterTheConfigFolder()
{
    const QString toml = QStringLiteral("home/.config/taotoken/config.toml");
    write(toml, caseFile("config-sections.toml"));
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://env")}});
    QCOMPARE(foundName(result), QStringLiteral("taotoken"));
    QCOMPARE(result.settings->file, path(toml));
    QCOMPARE(result.settings->foreignShape, QStringLiteral("config.toml of sections"));
    QCOMPARE(result.lookedAt.last(), path(toml));
    QVERIFY(noted(result, path(inConfig), u"not there"));
    const QStringList problems = result.settings->endpoints.first().problems;
    QCOMPARE(problems,
             QStringList{path(toml)
                         + QStringLiteral(":5:1: provider.api_key: environment variable TAOTOKEN_API_KEY is not set")});

    write(inConfig, settingsNamed("config"));
    QCOMPARE(foundName(find()), QStringLiteral("config"));
}

void TestSettingsFinder::aBrokenConfigTomlIsAnError()
{
    const QString toml = QStringLiteral("home/.config/taotoken/config.toml");
    write(toml, "[provider]\nbase_url = http://h\n");
    const SettingsResult broken = find({{baseUrlVariable, QStringLiteral("http://env")}});
    QVERIFY(!broken.settings);
    QVERIFY2(broken.error.startsWith(path(toml) + QStringLiteral(":2:")), qPrintable(broken.error));
    QCOMPARE(broken.lookedAt.last(), path(toml));
    write(toml, "[package]\nname = 'x'\n");
    QVERIFY(find({{baseUrlVariable, QStringLiteral("http://env")}}).error.startsWith(path(toml)));
}

void TestSettingsFinder::theExplicitFileIsTheOnlyOne()
{
    write(inWorkingFolder, settingsNamed("here"));
    write(QStringLiteral("other/any.json"), settingsNamed("explicit"));
    QCOMPARE(foundName(find({}, path(QStringLiteral("other/any.json")))), QStringLiteral("explicit"));
    const SettingsResult relative = find({}, QStringLiteral("../../../other/any.json"));
    QCOMPARE(foundName(relative), QStringLiteral("explicit"));
    QCOMPARE(relative.settings->file, path(QStringLiteral("other/any.json")));
    QCOMPARE(relative.lookedAt, QStringList{path(QStringLiteral("other/any.json"))});
}

void TestSettingsFinder::anExplicitFileOfAnotherShapeIsRead_data()
{
    QTest::addColumn<QString>("key");
    const QString literal = QStringLiteral("sk-example-not-a-key");
    for (const char* name :
         {"claude-code.settings.json", "cline.vscode-settings.json", "codex.auth.json", "config-flat.toml", "dotenv"}) {
        QTest::newRow(name) << literal;
    }
    for (const char* name : {"flat.json", "models-map.json", "config-sections.toml"}) {
        QTest::newRow(name) << QStringLiteral("sk-variable");
    }
}

void TestSettingsFinder::anExplicitFileOfAnotherShapeIsRead()
{
    QFETCH(QString, key);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    write(name, caseFile(QTest::currentDataTag()));
    const SettingsResult result =
        find({{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-variable")}}, path(name));
    QVERIFY2(result.settings, qPrintable(result.error));
    QVERIFY(!result.settings->foreignShape.isEmpty());
    QCOMPARE(result.settings->endpoints.size(), 1);
    const EndpointSettings& endpoint = result.settings->endpoints.first();
    QCOMPARE(endpoint.baseUrl, QStringLiteral("https://gateway.example/api"));
    QCOMPARE(endpoint.apiKey, key);
    QCOMPARE(endpoint.problems, QStringList());
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), caseFile(QTest::currentDataTag()));
}

void TestSettingsFinder::anExplicitFileOfNoShapeIsAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("other.json") << QByteArray(R"({"editor.fontSize": 14})") << QStringLiteral("taotoken.provider");
    QTest::newRow("list.json") << QByteArray("[1]") << QStringLiteral(":1:1: ");
    QTest::newRow("sign-in.json") << QByteArray(R"({"tokens": {}})") << QStringLiteral("tokens: ");
    QTest::newRow("empty.json") << QByteArray() << QStringLiteral(":1:1: ");
    QTest::newRow("other.toml") << QByteArray("[package]\nname='x'\n") << QStringLiteral("known are");
    QTest::newRow("broken.toml") << QByteArray("[taotoken]\nmodel = m\n") << QStringLiteral(":2:");
    QTest::newRow("other.yaml") << QByteArray("base_url: http://h\n") << QStringLiteral("known are");
    QTest::newRow(".env") << QByteArray("A=1\n") << QStringLiteral("TAOTOKEN_BASE_URL");
}

void TestSettingsFinder::anExplicitFileOfNoShapeIsAnError()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    write(name, text);
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://env")}}, path(name));
    QVERIFY(!result.settings);
    QVERIFY2(result.error.startsWith(path(name)), qPrintable(result.error));
    QVERIFY2(result.error.contains(part), qPrintable(result.error));
}

void TestSettingsFinder::anExplicitFileThatIsMissingIsAnError()
{
    write(inWorkingFolder, settingsNamed("here"));
    for (const QString& name : {QStringLiteral("missing.json"), QStringLiteral("project")}) {
        const SettingsResult result = find({}, path(name));
        QVERIFY(!result.settings);
        QVERIFY2(result.error.startsWith(path(name) + u':'), qPrintable(result.error));
    }
}

void TestSettingsFinder::linksAreFollowed()
{
    write(QStringLiteral("dotfiles/s.json"), settingsNamed("linked"));
    QVERIFY(QFile::link(path(QStringLiteral("dotfiles/s.json")), path(inWorkingFolder)));
    const SettingsResult result = find();
    QCOMPARE(foundName(result), QStringLiteral("linked"));
    QCOMPARE(result.settings->file, path(inWorkingFolder));
}

void TestSettingsFinder::filesAreNeverChanged()
{
    const QByteArray text =
        "\xEF\xBB\xBF{ // mine\n\"taotoken.request\":{\"ttftTimeoutMs\":\"1\",},\"z\":[9007199254740993]}";
    write(inWorkingFolder, text);
    QVERIFY(find().settings);
    QFile file(path(inWorkingFolder));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), text);
}

void TestSettingsFinder::theEnvironmentComesLast()
{
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("https://gateway.example/api\n")},
                                        {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-own-key")},
                                        {QStringLiteral("TAOTOKEN_MODEL"), QStringLiteral("m")}});
    QVERIFY(result.settings);
    const Settings& settings = *result.settings;
    QCOMPARE(settings.file, QString());
    QCOMPARE(settings.source, QStringLiteral("the environment (TAOTOKEN_BASE_URL, TAOTOKEN_API_KEY, TAOTOKEN_MODEL)"));
    QCOMPARE(settings.warnings, QStringList());
    QCOMPARE(settings.hash.size(), 7);
    const EndpointSettings& endpoint = settings.endpoints.first();
    QCOMPARE(endpoint.name, QStringLiteral("gateway.example"));
    QCOMPARE(endpoint.baseUrl, QStringLiteral("https://gateway.example/api"));
    QCOMPARE(endpoint.apiKey, QStringLiteral("sk-own-key"));
    QCOMPARE(endpoint.apiKeySource, QStringLiteral("${TAOTOKEN_API_KEY}"));
    QCOMPARE(endpoint.models.size(), 1);
    QCOMPARE(endpoint.models.first().name, QStringLiteral("m"));
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.request.maxTokens, 1024);
}

void TestSettingsFinder::ownVariablesWinOverThoseOfOpenAi()
{
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://own")},
                                        {QStringLiteral("OPENAI_BASE_URL"), QStringLiteral("http://other")},
                                        {QStringLiteral("OPENAI_API_KEY"), QStringLiteral("sk-other")}});
    QCOMPARE(foundName(result), QStringLiteral("own"));
    QVERIFY(result.settings->endpoints.first().apiKey.isEmpty());
}

void TestSettingsFinder::aKeyOfOpenAiAloneMeansItsService()
{
    const SettingsResult alone = find({{QStringLiteral("OPENAI_API_KEY"), QStringLiteral("sk-other")},
                                       {QStringLiteral("OPENAI_MODEL"), QStringLiteral("m")}});
    QCOMPARE(foundName(alone), QStringLiteral("api.openai.com"));
    QCOMPARE(alone.settings->endpoints.first().baseUrl, QStringLiteral("https://api.openai.com/v1"));
    QCOMPARE(alone.settings->endpoints.first().models.first().name, QStringLiteral("m"));
    // A local server needs no key.
    QCOMPARE(foundName(find({{QStringLiteral("OPENAI_BASE_URL"), QStringLiteral("http://localhost:8000/v1")}})),
             QStringLiteral("localhost:8000"));
}

void TestSettingsFinder::anOwnKeyAloneMeansNothing()
{
    const SettingsResult result = find({{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-own-key")},
                                        {QStringLiteral("TAOTOKEN_MODEL"), QStringLiteral("m")}});
    QVERIFY(!result.settings);
    QCOMPARE(result.error, QString());
    QVERIFY(noted(result, QStringLiteral("TAOTOKEN_API_KEY is set"), u"TAOTOKEN_BASE_URL is not"));
}

void TestSettingsFinder::keysDoNotCrossOver()
{
    const SettingsResult result = find({{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-own-key")},
                                        {QStringLiteral("OPENAI_BASE_URL"), QStringLiteral("http://other")}});
    QCOMPARE(foundName(result), QStringLiteral("other"));
    QVERIFY(result.settings->endpoints.first().apiKey.isEmpty());
}

void TestSettingsFinder::emptyVariablesCountAsUnset()
{
    QVERIFY(!find({{baseUrlVariable, QString()}, {QStringLiteral("OPENAI_API_KEY"), QStringLiteral(" ")}}).settings);
}

void TestSettingsFinder::aBadUrlInAVariableIsAProblemThatNamesIt()
{
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("h:8000/v1")}});
    QVERIFY(result.settings);
    const QStringList problems = result.settings->endpoints.first().problems;
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems.first().contains(baseUrlVariable));
    QVERIFY(problems.first().contains(u"http://h:8000/v1"));
}

void TestSettingsFinder::variablesAreTakenAsTheyStand()
{
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://h")},
                                        {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("pa${HOME}word$5")}});
    QCOMPARE(result.settings->endpoints.first().apiKey, QStringLiteral("pa${HOME}word$5"));
}

void TestSettingsFinder::theLogGoesToTheDataFolderWithoutAFile()
{
    const QString tail = QStringLiteral("/tokenpace/token_timing.jsonl");
    const QString home = QStringLiteral("HOME");
    const QString data = QStringLiteral("XDG_DATA_HOME");
    QCOMPARE(defaultLogPath(table({{home, QStringLiteral("/h")}})), QStringLiteral("/h/.local/share") + tail);
    QCOMPARE(defaultLogPath(table({{home, QStringLiteral("/h")}, {data, QStringLiteral("/d/")}})),
             QStringLiteral("/d") + tail);
    // The XDG rules: a relative path is to be ignored.
    QCOMPARE(defaultLogPath(table({{home, QStringLiteral("/h")}, {data, QStringLiteral("d")}})),
             QStringLiteral("/h/.local/share") + tail);
    const SettingsResult result = find({{baseUrlVariable, QStringLiteral("http://h")}});
    QCOMPARE(result.settings->telemetry.outputPath, path(QStringLiteral("home/.local/share")) + tail);
}

void TestSettingsFinder::hugeFilesAreRefused()
{
    const QByteArray huge = "{\"taotoken.provider\":{}, \"x\":\"" + QByteArray(5 * 1024 * 1024, 'x') + "\"}";
    write(QStringLiteral("huge.json"), huge);
    const SettingsResult result = find({}, path(QStringLiteral("huge.json")));
    QVERIFY(!result.settings);
    QVERIFY(result.error.contains(u"larger"));
}

QTEST_GUILESS_MAIN(TestSettingsFinder)
#include "tst_settingsfinder.moc"
