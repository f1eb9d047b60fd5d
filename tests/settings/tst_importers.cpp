// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/importers.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

/// What was taken, as the settings that it makes.
QByteArray taken(const ImportPreview& preview)
{
    return QByteArray::fromStdString(importedDocument(preview).root.at("tokenpace").dump());
}

ImportPreview import(const QByteArray& text, const char* name = "file")
{
    return importSettings(text, QString::fromLatin1(name));
}

/// Everything in a preview that people see.
QString said(const ImportPreview& preview)
{
    QStringList all = preview.notTaken + preview.warnings;
    all << preview.error << preview.kind;
    const auto add = [&all](const std::vector<ImportedValue>& values) {
        for (const ImportedValue& value : values) {
            all << value.shown << value.note << value.source.key;
        }
    };
    add(preview.values);
    for (const ImportedEndpoint& endpoint : preview.endpoints) {
        add(endpoint.values);
    }
    return all.join(u'\n');
}

} // namespace

class TestImporters : public QObject {
    Q_OBJECT

private slots:
    void theShapesThatPeopleHaveAreRead_data();
    void theShapesThatPeopleHaveAreRead();
    void theContentTellsTheShapeWhateverTheName_data();
    void theContentTellsTheShapeWhateverTheName();
    void everyShapeIsReadAsSettings_data();
    void everyShapeIsReadAsSettings();
    void otherSpellingsAreRead_data();
    void otherSpellingsAreRead();
    void whatHasNoPlaceIsToldWithItsPlace();
    void wrongValuesAreToldWithTheirPlaceAndLeftOut_data();
    void wrongValuesAreToldWithTheirPlaceAndLeftOut();
    void unreadableFilesAreErrorsWithTheirPlace_data();
    void unreadableFilesAreErrorsWithTheirPlace();
    void noMessageHoldsASecret_data();
    void noMessageHoldsASecret();
    void variablesAreShownAndSecretsAreMasked();
    void messagesOfSettingsNameTheFileTheyCameFrom();
    void cutFilesNeverBreak_data();
    void cutFilesNeverBreak();
};

void TestImporters::theShapesThatPeopleHaveAreRead_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<int>("left");
    QTest::newRow("config-sections.toml")
        << QStringLiteral("config.toml of sections")
        << QByteArray(R"({"provider":{"name":"taotoken","baseUrl":"https://gateway.example/api",)"
                      R"("apiKey":"${TAOTOKEN_API_KEY}","model":"small-model"},)"
                      R"("request":{"maxTokens":1024,"temperature":0.2,"ttftTimeoutMs":30000,"totalTimeoutMs":120000,)"
                      R"("stream":true},"concurrency":{"maxParallel":1,"maxRetries":0},)"
                      R"("telemetry":{"recordTokenTiming":true,"outputPath":"./logs/token_timing.jsonl"}})")
        << 0;
    QTest::newRow("config-flat.toml")
        << QStringLiteral("config.toml of one table")
        << QByteArray(
               R"({"provider":{"baseUrl":"https://gateway.example/api","apiKey":"sk-example-not-a-key",)"
               R"("model":"claude-like-model"},"request":{"totalTimeoutMs":60000},"concurrency":{"maxRetries":0}})")
        << 0;
    QTest::newRow("dotenv")
        << QStringLiteral("environment file")
        << QByteArray(R"({"provider":{"baseUrl":"https://gateway.example/api","apiKey":"sk-example-not-a-key",)"
                      R"("model":"claude-like-model"}})")
        << 0;
    QTest::newRow("models-map.json")
        << QStringLiteral("map of models")
        << QByteArray(R"({"provider":{"baseUrl":"https://gateway.example/api","apiKey":"${TAOTOKEN_API_KEY}",)"
                      R"("models":[{"name":"small-model","alias":"fast"},{"name":"large-model","alias":"strong"},)"
                      R"({"name":"thinking-model","alias":"reasoning"}]},)"
                      R"("request":{"stream":true,"maxTokens":500,"temperature":0.7}})")
        << 0;
    QTest::newRow("flat.json")
        << QStringLiteral("flat JSON")
        << QByteArray(R"({"provider":{"protocol":"openai-chat","baseUrl":"https://gateway.example/api",)"
                      R"("apiKey":"${TAOTOKEN_API_KEY}","model":"small-model"},)"
                      R"("request":{"stream":true,"maxTokens":512,"temperature":0.7}})")
        << 0;
    QTest::newRow("claude-code.settings.json")
        << QStringLiteral("Claude Code settings")
        << QByteArray(R"({"provider":{"baseUrl":"https://gateway.example/api","apiKey":"sk-example-not-a-key",)"
                      R"("model":"claude-like-model","protocol":"anthropic-messages"}})")
        << 1;
    QTest::newRow("cline.vscode-settings.json")
        << QStringLiteral("Cline settings")
        << QByteArray(R"({"provider":{"name":"taotoken","baseUrl":"https://gateway.example/api",)"
                      R"("apiKey":"sk-example-not-a-key","model":"claude-like-model"}})")
        << 2;
    QTest::newRow("codex.auth.json")
        << QStringLiteral("Codex auth.json")
        << QByteArray(R"({"provider":{"baseUrl":"https://gateway.example/api","apiKey":"sk-example-not-a-key",)"
                      R"("model":"claude-like-model"}})")
        << 0;
    QTest::newRow("codex.config.toml")
        << QStringLiteral("Codex config.toml")
        << QByteArray(
               R"({"endpoints":[{"name":"Gateway","baseUrl":"https://gateway.example/v1?api-version=2025-04-01",)"
               R"("apiKey":"${GATEWAY_KEY}","protocol":"openai-responses",)"
               R"("extraHeaders":{"X-Team":"blue","X-Feature":"${FEATURES}"},"concurrency":{"maxRetries":4},)"
               R"("request":{"idleTimeoutMs":300000},"model":"large-model"},)"
               R"({"name":"Local","baseUrl":"http://localhost:11434/v1","protocol":"openai-chat",)"
               R"("model":"small-model"}]})")
        << 4;
    QTest::newRow("cline.globalState.json")
        << QStringLiteral("Cline settings")
        << QByteArray(R"({"endpoints":[{"baseUrl":"https://gateway.example/v1","models":["large-model","small-model"],)"
                      R"("protocol":"openai-chat","extraHeaders":{"X-Team":"blue"}},)"
                      R"({"baseUrl":"http://localhost:11434","model":"tiny-model","protocol":"ollama-chat"}]})")
        << 1;
}

void TestImporters::theShapesThatPeopleHaveAreRead()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, expected);
    QFETCH(int, left);
    const ImportPreview preview = import(caseFile(QTest::currentDataTag()), QTest::currentDataTag());
    QCOMPARE(preview.error, QString());
    QCOMPARE(taken(preview), expected);
    QCOMPARE(preview.kind, kind);
    QCOMPARE(preview.warnings, QStringList());
    QVERIFY2(preview.notTaken.size() == left, qPrintable(preview.notTaken.join(u'\n')));
}

void TestImporters::theContentTellsTheShapeWhateverTheName_data()
{
    QTest::addColumn<QByteArray>("file");
    for (const char* file : {"config-sections.toml", "config-flat.toml", "codex.config.toml", "models-map.json",
                             "flat.json", "claude-code.settings.json", "cline.vscode-settings.json", "codex.auth.json",
                             "cline.globalState.json", "dotenv"}) {
        QTest::newRow(file) << caseFile(file);
    }
}

void TestImporters::theContentTellsTheShapeWhateverTheName()
{
    QFETCH(QByteArray, file);
    const ImportPreview plain = import(file, QTest::currentDataTag());
    QVERIFY(!plain.endpoints.empty());
    QCOMPARE(taken(import(file, "/dev/stdin")), taken(plain));
    QByteArray crlf = file;
    crlf.replace("\n", "\r\n");
    QCOMPARE(taken(import("\xEF\xBB\xBF" + crlf, "settings")), taken(plain));
}

void TestImporters::everyShapeIsReadAsSettings_data()
{
    theContentTellsTheShapeWhateverTheName_data();
}

void TestImporters::everyShapeIsReadAsSettings()
{
    QFETCH(QByteArray, file);
    const EnvironmentLookup environment = table({{QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-variable")},
                                                 {QStringLiteral("GATEWAY_KEY"), QStringLiteral("sk-variable")},
                                                 {QStringLiteral("FEATURES"), QStringLiteral("some")}});
    const SettingsResult result =
        readImported(import(file, QTest::currentDataTag()), QStringLiteral("/folder/any"), environment);
    QVERIFY2(result.settings, qPrintable(result.error));
    QCOMPARE(result.settings->warnings, QStringList());
    QCOMPARE(result.settings->file, QStringLiteral("/folder/any"));
    QVERIFY(!result.settings->endpoints.isEmpty());
    for (const EndpointSettings& endpoint : result.settings->endpoints) {
        QCOMPARE(endpoint.problems, QStringList());
        QVERIFY(!endpoint.models.isEmpty());
    }
    QCOMPARE(result.settings->telemetry.outputPath, QStringLiteral("/folder/logs/token_timing.jsonl"));
}

void TestImporters::otherSpellingsAreRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("comments and trailing commas", "// mine\n{ /* x */ \"base_url\": \"http://h//y\", \"api_key\": \"k\", }",
        R"({"provider":{"baseUrl":"http://h//y","apiKey":"k"}})");
    row("models map with a key", R"({"base_url":"http://h","api_key_env":"K","models":{"fast":"m"}})",
        R"({"provider":{"baseUrl":"http://h","apiKey":"${K}","models":[{"name":"m","alias":"fast"}]}})");
    row("further parameters of a models map",
        R"({"base_url":"http://h","models":{},"default_params":{"top_p":0.9,"seed":7,"reasoning_effort":"low"}})",
        R"({"provider":{"baseUrl":"http://h","apiKey":"${TAOTOKEN_API_KEY}","extraBody":{"reasoning_effort":"low"}},)"
        R"("request":{"topP":0.9,"seed":7}})");
    row("two keys in flat JSON", R"({"base_url":"http://h","api_key":"k","api_key_env":"K","temperature":0})",
        R"({"provider":{"baseUrl":"http://h","apiKey":"k"},"request":{"temperature":0}})");
    row("an empty key beside a variable", R"({"base_url":"http://h","api_key":"","api_key_env":"K","stream":false})",
        R"({"provider":{"baseUrl":"http://h","apiKey":"${K}"},"request":{"stream":false}})");
    row("anthropic in flat JSON", R"({"provider":"anthropic","base_url":"http://h","timeout":1.5})",
        R"({"provider":{"protocol":"anthropic-messages","baseUrl":"http://h"},"request":{"totalTimeoutMs":1500}})");
    row("flat TOML with a variable", "[taotoken]\nbase_url='http://h'\napi_key_env='K'\ntimeout=0.5\n",
        R"({"provider":{"baseUrl":"http://h","apiKey":"${K}"},"request":{"totalTimeoutMs":500}})");
    row("OpenAI's variables", "OPENAI_API_KEY=k\nOPENAI_API_BASE=http://h/v1\nOPENAI_MODEL=m",
        R"({"provider":{"baseUrl":"http://h/v1","apiKey":"k","model":"m"}})");
    row("OpenAI's key alone", "OPENAI_API_KEY=k",
        R"({"provider":{"baseUrl":"https://api.openai.com/v1","apiKey":"k"}})");
    row("several tools' variables", "TAOTOKEN_BASE_URL=http://t\nOPENAI_BASE_URL=http://o\nANTHROPIC_AUTH_TOKEN=k\n",
        R"({"endpoints":[{"baseUrl":"http://t"},{"baseUrl":"http://o"},)"
        R"({"baseUrl":"https://api.anthropic.com","apiKey":"k","protocol":"anthropic-messages"}]})");
    row("numbers in variables",
        "TAOTOKEN_BASE_URL=http://t\nTAOTOKEN_MAX_TOKENS=64\nTAOTOKEN_STREAM=false\nTAOTOKEN_TEMPERATURE=0.2\n"
        "TAOTOKEN_TIMEOUT=90\n",
        R"({"provider":{"baseUrl":"http://t"},)"
        R"("request":{"stream":false,"maxTokens":64,"temperature":0.2,"totalTimeoutMs":90000}})");
    row("variables in variables", "TAOTOKEN_BASE_URL=http://${HOST}\nTAOTOKEN_API_KEY='a${b}'",
        R"({"provider":{"baseUrl":"http://${HOST}","apiKey":"a$${b}"}})");
    row("Ollama's host", "OLLAMA_HOST=0.0.0.0",
        R"({"provider":{"baseUrl":"http://127.0.0.1:11434","protocol":"ollama-chat"}})");
    row("Ollama's port", "OLLAMA_HOST=:8000",
        R"({"provider":{"baseUrl":"http://127.0.0.1:8000","protocol":"ollama-chat"}})");
    row("Ollama's URL", "OLLAMA_HOST=https://h", R"({"provider":{"baseUrl":"https://h","protocol":"ollama-chat"}})");
    row("Ollama on IPv6", "OLLAMA_HOST=[::1]:9",
        R"({"provider":{"baseUrl":"http://[::1]:9","protocol":"ollama-chat"}})");
    row("several models of Claude Code",
        R"({"env":{"ANTHROPIC_BASE_URL":"http://h","ANTHROPIC_AUTH_TOKEN":"k","ANTHROPIC_MODEL":"a",)"
        R"("ANTHROPIC_SMALL_FAST_MODEL":"b","ANTHROPIC_DEFAULT_OPUS_MODEL":"a",)"
        R"("ANTHROPIC_CUSTOM_HEADERS":"X-A: 1\nX-B: two"}})",
        R"({"provider":{"baseUrl":"http://h","apiKey":"k","models":["a","b"],"protocol":"anthropic-messages",)"
        R"("extraHeaders":{"X-A":"1","X-B":"two"}}})");
    row("MCP servers with VS Code's variables",
        R"({"mcpServers":{"one":{"env":{"TAOTOKEN_BASE_URL":"http://h","TAOTOKEN_API_KEY":"${env:MY_KEY}"}}}})",
        R"({"provider":{"name":"one","baseUrl":"http://h","apiKey":"${MY_KEY}"}})");
    row("Cline in VS Code",
        R"({"cline.apiProvider":"openai-compatible","cline.openAiCompatible.baseUrl":"http://h/v1",)"
        R"("cline.openAiCompatible.apiKey":"k","cline.openAiCompatible.modelId":"m"})",
        R"({"provider":{"baseUrl":"http://h/v1","apiKey":"k","model":"m","protocol":"openai-chat"}})");
    row("Cline of old", R"({"apiProvider":"anthropic","apiKey":"k","apiModelId":"m"})",
        R"({"provider":{"baseUrl":"https://api.anthropic.com","apiKey":"k","model":"m","protocol":"anthropic-messages"}})");
    row("Codex with its own provider", "model = \"m\"\n",
        R"({"provider":{"baseUrl":"https://api.openai.com/v1","apiKey":"${OPENAI_API_KEY}",)"
        R"("protocol":"openai-responses","model":"m"}})");
    row("a table whose name is quoted", "[model_providers.\"a b\"]\nbase_url='http://h'\n",
        R"({"provider":{"baseUrl":"http://h"}})");
    row("Codex's auth.json of an API key", R"({"OPENAI_API_KEY":"k","tokens":null})",
        R"({"provider":{"baseUrl":"https://api.openai.com/v1","apiKey":"k"}})");
}

void TestImporters::otherSpellingsAreRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const ImportPreview preview = import(text);
    QCOMPARE(preview.error, QString());
    QCOMPARE(taken(preview), expected);
}

void TestImporters::whatHasNoPlaceIsToldWithItsPlace()
{
    const ImportPreview sections = import("[provider]\nbase_url='http://h'\nregion='eu'\n[other]\na=1\n", "c.toml");
    QCOMPARE(sections.notTaken.size(), 2);
    QVERIFY(sections.notTaken[0].startsWith(u"c.toml:3:1: provider.region: "));
    QVERIFY(sections.notTaken[1].startsWith(u"c.toml:4:2: other: "));
    const ImportPreview claude = import(caseFile("claude-code.settings.json"), "s.json");
    QVERIFY(claude.notTaken[0].startsWith(u"s.json:7:3: permissions: "));
    const ImportPreview variables =
        import("OPENAI_BASE_URL=http://h\nPATH=/bin\nTAOTOKEN_API_KEY=sk-lonely-key\n", ".env");
    QCOMPARE(variables.notTaken.size(), 2);
    QVERIFY(variables.notTaken[0].startsWith(u".env:3:1: TAOTOKEN_API_KEY: TAOTOKEN_BASE_URL"));
    QVERIFY(variables.notTaken[1].startsWith(u".env:2:1: PATH: "));
}

void TestImporters::wrongValuesAreToldWithTheirPlaceAndLeftOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* text, const char* message) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(message);
    };
    row("text for a number", "[provider]\nbase_url='http://h'\n[model]\nmax_tokens = '64'\n",
        "f:4:1: model.max_tokens: ");
    row("out of range", "[provider]\nbase_url='http://h'\n[concurrency]\nmax_parallel = 0\n",
        "f:4:1: concurrency.max_parallel: ");
    row("text for a truth value", R"({"base_url":"http://h","x":0,"stream":"yes"})", "f:1:30: stream: ");
    row("number for a text", R"({"base_url":"http://h","x":0,"model":5})", "f:1:30: model: ");
    row("seconds", "[taotoken]\nbase_url='http://h'\ntimeout='soon'\n", "f:3:1: taotoken.timeout: ");
    row("endless seconds", "[taotoken]\nbase_url='http://h'\ntimeout=1e300\n", "f:3:1: taotoken.timeout: ");
    row("a variable's name", R"({"base_url":"http://h","x":0,"api_key_env":"sk-pasted-key"})", "f:1:30: api_key_env: ");
    row("a variable's number", "TAOTOKEN_BASE_URL=http://h\nTAOTOKEN_MAX_TOKENS=many\n",
        "f:2:1: TAOTOKEN_MAX_TOKENS: ");
    row("a slip", "[taotoken]\nbase_url='http://h'\napikey='sk-in-a-slip'\n", "f:3:1: taotoken.apikey: ");
    row("no base URL", "[provider]\nname='x'\n", "f:1:2: provider: base_url");
    row("an object for a text", "[provider]\nbase_url={a=1}\n", "f:2:1: provider.base_url: ");
    row("a text for an object", "model = 'm'\nmodel_providers = 'x'\n", "f:2:1: model_providers: ");
    row("an unknown provider of Codex", "model='m'\nmodel_provider='x'\n[model_providers.y]\nbase_url='http://h'\n",
        "f:2:1: model_provider: ");
    row("a broken line", "TAOTOKEN_BASE_URL=http://h\nsk-pasted-key\n", "f:2:1: NAME=value");
}

void TestImporters::wrongValuesAreToldWithTheirPlaceAndLeftOut()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const ImportPreview preview = import(text, "f");
    QCOMPARE(preview.error, QString());
    QVERIFY2(preview.warnings.join(u'\n').contains(message), qPrintable(preview.warnings.join(u'\n')));
    QVERIFY(!said(preview).contains(u"sk-"));
    QCOMPARE(preview.values.size(), std::size_t{0});
}

void TestImporters::unreadableFilesAreErrorsWithTheirPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QByteArray& text, const char* message) {
        QTest::newRow(name) << text << QString::fromLatin1(message);
    };
    row("empty", "", "f:1:1: the file is empty");
    row("blank", "\xEF\xBB\xBF \r\n\t", "f:1:1: the file is empty");
    row("UTF-16", QByteArray("\xFF\xFE{\0}\0", 6), "UTF-16");
    row("not UTF-8", "A=1\nTAOTOKEN_BASE_URL=\xE9", "f:2:19: ");
    row("cut JSON", "{\n\"base_url\": ", "f:2:");
    row("cut TOML", "[taotoken]\nbase_url = \"http", "f:2:");
    row("a list", "[1, 2]", "f:1:1: ");
    row("foreign JSON", R"({"editor.fontSize": 14})", "known are config.toml");
    row("foreign TOML", "[package]\nname = 'x'\n", "known are config.toml");
    row("foreign variables", "A=1\nB=2\n", "TAOTOKEN_BASE_URL");
    row("prose", "Dear reader,\nthis is no settings file.\n", "known are config.toml");
    row("our own", R"({"x": 1,
"taotoken.provider": {"baseUrl": "http://h"}})",
        "f:2:1: taotoken.provider: ");
    row("a sign-in", R"({"OPENAI_API_KEY": null, "tokens": {"access_token": "sk-sign-in"}})", "f:1:26: tokens: ");
    row("a quote without an end", "TAOTOKEN_BASE_URL=http://h\nTAOTOKEN_API_KEY='sk-open\n",
        "f:2:18: TAOTOKEN_API_KEY: ");
}

void TestImporters::unreadableFilesAreErrorsWithTheirPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const ImportPreview preview = import(text, "f");
    QVERIFY2(preview.error.contains(message), qPrintable(preview.error));
    QVERIFY(preview.error.startsWith(u"f:"));
    QVERIFY(preview.endpoints.empty() && preview.values.empty());
    QVERIFY(!said(preview).contains(u"sk-"));
    QCOMPARE(readImported(preview, QStringLiteral("/f"), keyEnvironment()).error, preview.error);
}

void TestImporters::noMessageHoldsASecret_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("sections") << QByteArray("[provider]\nbase_url='https://u:pw-SECRET1@h/?key=sk-SECRET2'\n"
                                            "api_key='sk-SECRET3'\nname='sk-SECRET3'\n[x]\ny='sk-SECRET3'\n");
    QTest::newRow("key of a wrong type") << QByteArray(R"({"base_url":"http://h","api_key":["sk-SECRET1"],"x":1})");
    QTest::newRow("flat") << QByteArray(R"({"base_url":"http://h","api_key":"sk-SECRET1","model":"sk-SECRET1","x":1})");
    QTest::newRow("broken URL") << QByteArray(R"({"base_url":"u:pw-SECRET1@h","x":1})");
    QTest::newRow("Claude Code") << QByteArray(
        R"({"env":{"ANTHROPIC_API_KEY":"sk-SECRET1","ANTHROPIC_AUTH_TOKEN":"sk-SECRET2","OTHER_KEY":"sk-SECRET3",)"
        R"("ANTHROPIC_CUSTOM_HEADERS":"X-Key: sk-SECRET4\nsk-SECRET5"}})");
    QTest::newRow("variables") << QByteArray("OPENAI_API_KEY=sk-SECRET1\nTAOTOKEN_API_KEY=sk-SECRET2\nX=sk-SECRET3\n");
    QTest::newRow("Codex") << QByteArray("model_provider='a'\n[model_providers.a]\nbase_url='http://h'\n"
                                         "experimental_bearer_token='sk-SECRET1'\n"
                                         "http_headers={Authorization='Bearer sk-SECRET2'}\n"
                                         "query_params={sig='SECRET3x'}\nenv_key='sk-SECRET4'\n");
    QTest::newRow("models map") << QByteArray(
        R"({"base_url":"http://h","models":{"a":["sk-SECRET1"]},)"
        R"("default_params":{"access_token":"sk-SECRET2","o":{"api_key":"sk-SECRET3"}}})");
}

void TestImporters::noMessageHoldsASecret()
{
    QFETCH(QByteArray, text);
    const ImportPreview preview = import(text);
    QCOMPARE(preview.error, QString());
    QVERIFY2(!said(preview).contains(u"SECRET"), qPrintable(said(preview)));
}

void TestImporters::variablesAreShownAndSecretsAreMasked()
{
    const auto shown = [](const QByteArray& key) {
        return import("{\"base_url\":\"https://u:p@h/x?k=v\",\"api_key\":\"" + key + "\"}").endpoints.front().values;
    };
    QCOMPARE(shown("${KEY}").back().shown, QStringLiteral("${KEY}"));
    QCOMPARE(shown("short").back().shown, QStringLiteral("***"));
    QCOMPARE(shown("x${KEY}").back().shown, QStringLiteral("***"));
    QCOMPARE(shown("short").front().shown, QStringLiteral("https://h/x?k=***"));
}

void TestImporters::messagesOfSettingsNameTheFileTheyCameFrom()
{
    const QString file = QStringLiteral("/folder/config.toml");
    const ImportPreview preview =
        importSettings("# mine\n[provider]\nbase_url = \"h:8000\"\n  api_key = \"${NOPE}\"\n", file);
    const SettingsResult result = readImported(preview, file, keyEnvironment());
    QVERIFY(result.settings);
    const EndpointSettings& endpoint = result.settings->endpoints.first();
    QCOMPARE(endpoint.place, QStringLiteral("/folder/config.toml:2:2: provider"));
    QCOMPARE(endpoint.problems.size(), 2);
    QVERIFY2(endpoint.problems[0].startsWith(u"/folder/config.toml:3:1: provider.base_url: "),
             qPrintable(endpoint.problems[0]));
    QCOMPARE(endpoint.problems[1],
             QStringLiteral("/folder/config.toml:4:3: provider.api_key: environment variable NOPE is not set"));
}

void TestImporters::cutFilesNeverBreak_data()
{
    theContentTellsTheShapeWhateverTheName_data();
}

void TestImporters::cutFilesNeverBreak()
{
    QFETCH(QByteArray, file);
    for (qsizetype size = 0; size <= file.size(); ++size) {
        const ImportPreview preview = import(file.left(size), QTest::currentDataTag());
        QVERIFY(!preview.error.isEmpty() || !preview.endpoints.empty() || !preview.values.empty());
        QVERIFY(!said(preview).contains(u"not-a-key"));
        const SettingsResult result = readImported(preview, QStringLiteral("/f"), keyEnvironment());
        QVERIFY(result.settings || !result.error.isEmpty());
    }
}

QTEST_GUILESS_MAIN(TestImporters)
#include "tst_importers.moc"
