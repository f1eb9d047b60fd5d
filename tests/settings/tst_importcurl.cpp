// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/importers.h"
#include "settings/settingstest.h"
#include "settings/shellwords.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

QByteArray taken(const ImportPreview& preview)
{
    return QByteArray::fromStdString(importedDocument(preview).root.at("tokenpace").dump());
}

QString said(const ImportPreview& preview)
{
    QStringList all = preview.notTaken + preview.warnings;
    all << preview.error;
    for (const ImportedEndpoint& endpoint : preview.endpoints) {
        for (const ImportedValue& value : endpoint.values) {
            all << value.shown << value.source.key;
        }
    }
    return all.join(u'\n');
}

} // namespace

class TestImportCurl : public QObject {
    Q_OBJECT

private slots:
    void wordsAreThoseOfTheShell_data();
    void wordsAreThoseOfTheShell();
    void wordsKnowTheirPlace();
    void commandsBecomeEndpoints_data();
    void commandsBecomeEndpoints();
    void whatIsNotTakenIsTold_data();
    void whatIsNotTakenIsTold();
    void badCommandsAreErrors_data();
    void badCommandsAreErrors();
    void noMessageHoldsASecret();
    void cutCommandsNeverBreak();
};

void TestImportCurl::wordsAreThoseOfTheShell_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const char* text, const QStringList& words) {
        QTest::newRow(name) << QByteArray(text) << words;
    };
    row("blanks", "  a \t b  ", {QStringLiteral("a"), QStringLiteral("b")});
    row("quotes inside a word", "a'b c'\"d e\"f", {QStringLiteral("ab cd ef")});
    row("single quotes keep all", R"('a\b"$X')", {QStringLiteral(R"(a\b"$X)")});
    row("a literal variable", "'${X}'", {QStringLiteral("$${X}")});
    row("a variable", "$X \"a$Y/\" ${Z}9", {QStringLiteral("${X}"), QStringLiteral("a${Y}/"), QStringLiteral("${Z}9")});
    row("an escaped variable", R"("\${X}" \$X \${X})",
        {QStringLiteral("$${X}"), QStringLiteral("$X"), QStringLiteral("$${X}")});
    row("a lone dollar", "a$ \"$\" $5", {QStringLiteral("a$"), QStringLiteral("$"), QStringLiteral("$5")});
    row("escapes in double quotes", R"("a\"b\\c\d\`")", {QStringLiteral(R"(a"b\c\d`)")});
    row("escapes outside", R"(a\ b \'c)", {QStringLiteral("a b"), QStringLiteral("'c")});
    row("ANSI quotes", R"($'a\nb\'c\u00e9\x41\\')", {QStringLiteral("a\nb'c\u00E9A\\")});
    row("empty", "'' \"\"", {QString(), QString()});
    row("continued lines", "a \\\n  b\\\r\nc", {QStringLiteral("a"), QStringLiteral("bc")});
    row("lines in quotes", "'a\nb'", {QStringLiteral("a\nb")});
    row("pipe", "a b|c", {QStringLiteral("a"), QStringLiteral("b")});
    row("redirection", "a >b", {QStringLiteral("a")});
    row("line end", "a\nb", {QStringLiteral("a")});
    row("comment", "a # b", {QStringLiteral("a")});
    row("hash inside", "a#b", {QStringLiteral("a#b")});
}

void TestImportCurl::wordsAreThoseOfTheShell()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, words);
    const ShellWords result = parseShellWords(text.toStdString(), 0);
    QVERIFY(!result.error);
    QStringList found;
    for (const ShellWord& word : result.words) {
        QVERIFY(!word.substituted);
        found << QString::fromStdString(word.text);
    }
    QCOMPARE(found, words);
}

void TestImportCurl::wordsKnowTheirPlace()
{
    const ShellWords result = parseShellWords("a 'é' \\\n  \"$(x)\"", 0);
    QCOMPARE(result.words.size(), std::size_t{3});
    QCOMPARE(result.words[1].place, (TextPlace{1, 3}));
    QCOMPARE(result.words[2].place, (TextPlace{2, 3}));
    QVERIFY(result.words[2].substituted);
}

void TestImportCurl::commandsBecomeEndpoints_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("OpenAI", R"(curl https://api.openai.com/v1/chat/completions \
  -H "Content-Type: application/json" \
  -H "Authorization: Bearer $OPENAI_API_KEY" \
  -d '{
    "model": "m",
    "messages": [{"role": "user", "content": "It'\''s $5"}],
    "stream": true, "max_tokens": 64, "temperature": 0.2, "stream_options": {"include_usage": true}
  }')",
        R"({"provider":{"apiKey":"${OPENAI_API_KEY}","baseUrl":"https://api.openai.com/v1/chat/completions","model":"m",)"
        R"("streamOptions":true},"request":{"stream":true,"maxTokens":64,"temperature":0.2}})");
    row("Anthropic", R"($ curl -N -X POST --url 'https://gateway.example/api/v1/messages' --header 'x-api-key: ${KEY}' \
 --header "anthropic-version: 2023-06-01" --json '{"model":"m","max_tokens":9}')",
        R"({"provider":{"apiKey":"$${KEY}","baseUrl":"https://gateway.example/api/v1/messages","model":"m"},)"
        R"("request":{"maxTokens":9}})");
    row("Anthropic behind another path", "curl https://h/proxy -H 'x-api-key: k' -d '{\"model\":\"m\"}'",
        R"({"provider":{"apiKey":"k","baseUrl":"https://h/proxy","protocol":"anthropic-messages","path":"/proxy",)"
        R"("model":"m"}})");
    row("Responses", R"(curl h:8000/v1/responses --data-raw $'{"model":"m","max_output_tokens":5,"input":"x\\ny"}')",
        R"({"provider":{"baseUrl":"http://h:8000/v1/responses","model":"m"},"request":{"maxTokens":5}})");
    row("Ollama",
        R"(curl http://localhost:11434/api/chat -d '{"model":"m","options":{"num_predict":8,"top_k":3,"seed":1}}')",
        R"({"provider":{"baseUrl":"http://localhost:11434/api/chat","model":"m","extraBody":{"options":{"top_k":3}}},)"
        R"("request":{"maxTokens":8,"seed":1}})");
    row("Azure",
        "curl 'https://h/openai/deployments/d/chat/completions?api-version=2025-04-01' -H 'api-key: k' -d '{}'",
        R"({"provider":{"apiKey":"k",)"
        R"("baseUrl":"https://h/openai/deployments/d/chat/completions?api-version=2025-04-01"}})");
    row("another limit field and further fields",
        R"(curl http://h/v1/chat/completions -d '{"max_completion_tokens":7,"reasoning_effort":"low","top_p":1}')",
        R"({"provider":{"baseUrl":"http://h/v1/chat/completions","limitField":"max_completion_tokens",)"
        R"("extraBody":{"reasoning_effort":"low"}},"request":{"maxTokens":7,"topP":1}})");
    row("list of models", "curl -sS http://h/v1/models -HAuthorization:\\ Bearer\\ k",
        R"({"provider":{"apiKey":"k","baseUrl":"http://h/v1/models"}})");
    row("connection",
        "curl -skN --http2 --cacert ca.pem -x proxy:3128 -m 1.5 --connect-timeout 2 --retry 3 -A me http://h",
        R"({"provider":{"insecure":true,"http2":true,"caFile":"ca.pem","proxy":"http://proxy:3128",)"
        R"("extraHeaders":{"User-Agent":"me"},"baseUrl":"http://h"},)"
        R"("request":{"totalTimeoutMs":1500,"connectTimeoutMs":2000},"concurrency":{"maxRetries":3}})");
    row("user and password", "curl -u user:word http://h",
        R"({"provider":{"extraHeaders":{"Authorization":"Basic dXNlcjp3b3Jk"},"baseUrl":"http://h"}})");
    row("comments in front", "#!/bin/sh\n# ask\n\ncurl http://h | jq .\n", R"({"provider":{"baseUrl":"http://h"}})");
    row("a variable in the body", R"(curl http://h/v1/chat/completions -d "{\"model\":\"$MODEL\"}")",
        R"({"provider":{"baseUrl":"http://h/v1/chat/completions","model":"${MODEL}"}})");
}

void TestImportCurl::commandsBecomeEndpoints()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const ImportPreview preview = importSettings(text, QStringLiteral("f"));
    QCOMPARE(preview.error, QString());
    QCOMPARE(preview.warnings, QStringList());
    QCOMPARE(taken(preview), expected);
    QByteArray crlf = text;
    QCOMPARE(taken(importSettings(crlf.replace("\n", "\r\n"), QStringLiteral("f"))), expected);
}

void TestImportCurl::whatIsNotTakenIsTold_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* text, const char* message) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(message);
    };
    row("messages", "curl http://h \\\n -d '{\"messages\":[]}'", "f:2:2: --data messages: ");
    row("a file as the body", "curl http://h -d @body.json", "f:1:15: --data: ");
    row("no JSON", "curl http://h -d 'a=1'", "f:1:15: --data: the body is no JSON");
    row("an unknown option", "curl http://h --secret-option=sk-x", "f:1:15: --secret-option: ");
    row("an unknown letter", "curl http://h -Zsk-x", "f:1:15: -Z: ");
    row("a cookie", "curl http://h -b a=sk-x", "f:1:15: --cookie: ");
    row("a second URL", "curl http://h http://i", "f:1:15: URL: ");
    row("a command inside", "curl http://h -H \"Authorization: Bearer $(cat sk-x)\"", "f:1:15: --header: ");
    row("a default inside", "curl http://h -H \"Authorization: Bearer ${K:-sk-x}\"", "f:1:15: --header: ");
    row("a header without a colon", "curl http://h -H sk-x", "f:1:15: --header: ");
    row("a missing value", "curl http://h -H", "f:1:15: --header: its value is missing");
    row("no seconds", "curl http://h -m soon", "f:1:15: --max-time: ");
}

void TestImportCurl::whatIsNotTakenIsTold()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const ImportPreview preview = importSettings(text, QStringLiteral("f"));
    QCOMPARE(preview.error, QString());
    QVERIFY2(said(preview).contains(message), qPrintable(said(preview)));
    QVERIFY(!said(preview).contains(u"sk-x"));
    QCOMPARE(preview.endpoints.size(), std::size_t{1});
}

void TestImportCurl::badCommandsAreErrors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("no URL") << QByteArray("# x\ncurl -s -H 'a: sk-x'") << QStringLiteral("f:2:1: curl: ");
    QTest::newRow("a URL that is made") << QByteArray("curl $(cat sk-x)") << QStringLiteral("f:1:1: curl: ");
    QTest::newRow("single quote") << QByteArray("curl http://h\\\n -H 'a: sk-x") << QStringLiteral("f:2:5: ");
    QTest::newRow("double quote") << QByteArray("curl http://h -H \"a: sk-x") << QStringLiteral("f:1:18: ");
}

void TestImportCurl::badCommandsAreErrors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const ImportPreview preview = importSettings(text, QStringLiteral("f"));
    QVERIFY2(preview.error.startsWith(message), qPrintable(preview.error));
    QVERIFY(!said(preview).contains(u"sk-x"));
    QVERIFY(preview.endpoints.empty());
}

void TestImportCurl::noMessageHoldsASecret()
{
    const ImportPreview preview = importSettings(
        R"(curl 'https://u:SECRET1pw@h/v1/chat/completions?sig=SECRET2' -H 'Authorization: Bearer SECRET3xx' \
 -H 'X-Key: SECRET4xx' -u me:SECRET5xx -x http://me:SECRET6xx@proxy:1 --oauth2-bearer SECRET7xx \
 -d '{"metadata":{"api_key":"SECRET8xx"},"access_token":"SECRET9xx","model":"m"}' -b SECRET10xx)",
        QStringLiteral("f"));
    QCOMPARE(preview.error, QString());
    QVERIFY2(!said(preview).contains(u"SECRET"), qPrintable(said(preview)));
}

void TestImportCurl::cutCommandsNeverBreak()
{
    const QByteArray text =
        "curl -sN \"https://h/v1/chat/completions\" \\\n -H \"Authorization: Bearer $K\" -H $'X: \\u00e9' "
        "-d '{\"model\":\"m\",\"a\":\"${X}\"}' -m `x` $(y (z))";
    for (qsizetype size = 5; size <= text.size(); ++size) {
        const ImportPreview preview = importSettings(text.left(size), QStringLiteral("f"));
        QVERIFY(!preview.error.isEmpty() || preview.endpoints.size() == 1);
    }
}

QTEST_GUILESS_MAIN(TestImportCurl)
#include "tst_importcurl.moc"
