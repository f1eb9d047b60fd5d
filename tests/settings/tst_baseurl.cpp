// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/baseurl.h"

using namespace tokenpace;

Q_DECLARE_METATYPE(tokenpace::Protocol)

class TestBaseUrl : public QObject {
    Q_OBJECT

private slots:
    void theEndpointIsAddedToTheBase_data();
    void theEndpointIsAddedToTheBase();
    void theOtherPathIsNamedWhereV1WasAdded_data();
    void theOtherPathIsNamedWhereV1WasAdded();
    void whatIsNoBaseUrlIsRefusedWithAdvice_data();
    void whatIsNoBaseUrlIsRefusedWithAdvice();
    void problemsHoldNoPassword_data();
    void problemsHoldNoPassword();
    void theOverrideReplacesThePath_data();
    void theOverrideReplacesThePath();
    void theModelsListStandsBesideTheEndpoint_data();
    void theModelsListStandsBesideTheEndpoint();
    void autoGoesByThePathsEndOrTheHost_data();
    void autoGoesByThePathsEndOrTheHost();
    void hostLabelsKeepThePortThatWasGiven_data();
    void hostLabelsKeepThePortThatWasGiven();
    void displayedUrlsHoldNoSecret_data();
    void displayedUrlsHoldNoSecret();
    void secretNamesAreTold();
};

void TestBaseUrl::theEndpointIsAddedToTheBase_data()
{
    QTest::addColumn<Protocol>("protocol");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    const auto row = [](Protocol protocol, const char* typed, const char* expected) {
        const std::string title = std::string(name(protocol)) + ' ' + typed;
        QTest::newRow(title.c_str()) << protocol << QString::fromUtf8(typed) << QString::fromUtf8(expected);
    };
    const auto chat = [&](const char* typed, const char* expected) {
        row(Protocol::OpenAiChat, typed, expected);
    };
    chat("https://h/v1", "https://h/v1/chat/completions");
    chat("https://h/v1/", "https://h/v1/chat/completions");
    chat("https://h/v1//", "https://h/v1/chat/completions");
    chat(" https://h/v1 \n", "https://h/v1/chat/completions");
    chat("\xC2\xA0https://h/v1\t\r\n", "https://h/v1/chat/completions");
    chat("https://h", "https://h/v1/chat/completions");
    chat("https://h/", "https://h/v1/chat/completions");
    chat("https://h/api/v1", "https://h/api/v1/chat/completions");
    chat("https://h/api", "https://h/api/v1/chat/completions");
    chat("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions");
    chat("https://h/v1/chat/completions", "https://h/v1/chat/completions");
    chat("https://h/openai?api-version=2025-04-01", "https://h/openai/v1/chat/completions?api-version=2025-04-01");
    chat("http://[::1]:11434", "http://[::1]:11434/v1/chat/completions");
    chat("https://user:pw@h/v1", "https://user:pw@h/v1/chat/completions");
    chat("HTTPS://H/v1", "https://h/v1/chat/completions");
    chat("https://h/V1", "https://h/V1/chat/completions");
    chat("https://h//v1", "https://h/v1/chat/completions");
    chat("https://h/v1/chat/completions/", "https://h/v1/chat/completions");
    chat("https://h/chat/completions", "https://h/chat/completions");
    chat("https://h/x/chat/completions?api-version=1#top", "https://h/x/chat/completions?api-version=1");
    chat("https://h/v1#top", "https://h/v1/chat/completions");
    chat("https://h/v1?", "https://h/v1/chat/completions");
    chat("https://h?k=v", "https://h/v1/chat/completions?k=v");
    chat("https://h/v1?u=https://x/y&z=%2F", "https://h/v1/chat/completions?u=https://x/y&z=%2F");
    chat("https://h/api/paas/v4", "https://h/api/paas/v4/chat/completions");
    chat("https://h/v1p1beta1", "https://h/v1p1beta1/chat/completions");
    chat("https://h/v1.0", "https://h/v1.0/chat/completions");
    chat("https://h/v2ray", "https://h/v2ray/v1/chat/completions");
    chat("https://h/version1", "https://h/version1/v1/chat/completions");
    chat("https://h/a%20b%2Fc/v1", "https://h/a%20b%2Fc/v1/chat/completions");
    chat("https://h/v1/models", "https://h/v1/chat/completions");
    chat("https://h/v1/responses", "https://h/v1/chat/completions");
    chat("https://h/models", "https://h/models/v1/chat/completions");
    chat("http://localhost:8000", "http://localhost:8000/v1/chat/completions");
    chat("https://例え.jp/v1", "https://xn--r8jz45g.jp/v1/chat/completions");

    const auto anthropic = [&](const char* typed) {
        row(Protocol::AnthropicMessages, typed, "https://h/v1/messages");
    };
    anthropic("https://h");
    anthropic("https://h/v1");
    anthropic("https://h/v1/");
    anthropic("https://h/v1/messages");
    row(Protocol::AnthropicMessages, "https://h/api", "https://h/api/v1/messages");

    row(Protocol::OpenAiResponses, "https://h", "https://h/v1/responses");
    row(Protocol::OpenAiResponses, "https://h/v1/", "https://h/v1/responses");
    row(Protocol::OpenAiResponses, "https://h/v1/responses", "https://h/v1/responses");
    row(Protocol::OpenAiResponses, "https://h/v1/chat/completions", "https://h/v1/responses");

    const auto ollama = [&](const char* typed) {
        row(Protocol::OllamaChat, typed, "http://h:11434/api/chat");
    };
    ollama("http://h:11434");
    ollama("http://h:11434/");
    ollama("http://h:11434/api");
    ollama("http://h:11434/api/");
    ollama("http://h:11434/v1");
    ollama("http://h:11434/api/chat");
    ollama("http://h:11434/api/generate");
    ollama("http://h:11434/v1/chat/completions");
    row(Protocol::OllamaChat, "http://h/ollama", "http://h/ollama/api/chat");
}

void TestBaseUrl::theEndpointIsAddedToTheBase()
{
    QFETCH(Protocol, protocol);
    QFETCH(QString, typed);
    const RequestUrl result = requestUrl(typed, protocol);
    QCOMPARE(result.problem, QString());
    QTEST(result.url.toString(QUrl::FullyEncoded), "expected");
}

void TestBaseUrl::theOtherPathIsNamedWhereV1WasAdded_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("alternative");
    QTest::newRow("api") << QStringLiteral("https://h/api") << QStringLiteral("/api/chat/completions");
    QTest::newRow("bare") << QStringLiteral("https://h") << QStringLiteral("/chat/completions");
    QTest::newRow("v1") << QStringLiteral("https://h/v1") << QString();
    QTest::newRow("whole") << QStringLiteral("https://h/api/chat/completions") << QString();
}

void TestBaseUrl::theOtherPathIsNamedWhereV1WasAdded()
{
    QFETCH(QString, typed);
    QTEST(requestUrl(typed, Protocol::OpenAiChat).alternativePath, "alternative");
}

void TestBaseUrl::whatIsNoBaseUrlIsRefusedWithAdvice_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("advice");
    const auto row = [](const char* typed, const char* advice) {
        QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(advice);
    };
    row("h:8000/v1", "scheme is missing: write http://h:8000/v1");
    row("localhost:8000", "write http://localhost:8000");
    row("localhost", "write http://localhost");
    row("127.0.0.1:8000/v1", "write http://127.0.0.1:8000/v1");
    row("192.168.1.7", "write http://192.168.1.7");
    row("[::1]:11434", "write http://[::1]:11434");
    row("api.example.com/v1", "write https://api.example.com/v1");
    row("api.example.com:8443", "write https://api.example.com:8443");
    row("//h.example/v1", "write https://h.example/v1");
    row("/v1", "scheme is missing");
    row(":8000/v1", "write http://localhost:8000/v1");
    row("8000", "write http://localhost:8000");
    row("http:h/v1", "write http://h/v1");
    row("http:/h/v1", "write http://h/v1");
    row("https//h.example", "write https://h.example");
    row("http://:8000/v1", "host is missing: write http://localhost:8000/v1");
    row("https://", "host is missing");
    row("https:///v1", "host is missing");
    row("ftp://h/v1", "ftp is not supported");
    row("file:///etc/passwd", "file is not supported");
    row("htp://h", "htp is not supported");
    row("", "empty");
    row(" \n", "empty");
    row("https://h/v 1", "U+0020");
    row("https://h\n/v1", "U+000A");
    row("https://h\xE2\x80\x8B/v1", "U+200B");
    row("\"https://h/v1\"", "quotes");
    row("\xE2\x80\x9Chttps://h/v1\xE2\x80\x9D", "quotes");
    row("https://h:99999/v1", "not a URL");
    row("https://h:0/v1", "not a port");
    row("https://h:abc/v1", "not a URL");
    row("https://[::1/v1", "not a URL");
}

void TestBaseUrl::whatIsNoBaseUrlIsRefusedWithAdvice()
{
    QFETCH(QString, typed);
    QFETCH(QString, advice);
    const RequestUrl result = requestUrl(typed, Protocol::OpenAiChat);
    QVERIFY2(result.problem.contains(advice), qPrintable(result.problem));
    QVERIFY(!modelsUrl(typed, Protocol::OpenAiChat).problem.isEmpty());
}

void TestBaseUrl::problemsHoldNoPassword_data()
{
    QTest::addColumn<QString>("typed");
    for (const char* typed : {"user:hunter2@h:8000/v1", "https://user:hunter2@h:99999", "https://user:hunter2@",
                              "https://user:hunter2@h/a b", "h/v1?key=hunter2", "ftp://user:hunter2@h",
                              "//user:hunter2@h/v1?key=hunter2"}) {
        QTest::newRow(typed) << QString::fromLatin1(typed);
    }
}

void TestBaseUrl::problemsHoldNoPassword()
{
    QFETCH(QString, typed);
    const QString problem = requestUrl(typed, Protocol::OpenAiChat).problem;
    QVERIFY(!problem.isEmpty());
    QVERIFY2(!problem.contains(u"hunter2"), qPrintable(problem));
}

void TestBaseUrl::theOverrideReplacesThePath_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* path, const char* expected) {
        QTest::newRow(path) << QString::fromLatin1(path) << QString::fromLatin1(expected);
    };
    row("/my/path", "https://h/my/path?a=1");
    row("my/path", "https://h/my/path?a=1");
    row("/my/path?b=2", "https://h/my/path?b=2");
    row("/my/path/", "https://h/my/path/?a=1");
    row("/my/path#x", "https://h/my/path?a=1");
    row("  ", "https://h/v1/chat/completions?a=1");
}

void TestBaseUrl::theOverrideReplacesThePath()
{
    QFETCH(QString, path);
    const RequestUrl result = requestUrl(QStringLiteral("https://h/v1?a=1"), Protocol::OpenAiChat, path);
    QCOMPARE(result.problem, QString());
    QTEST(result.url.toString(), "expected");
    QVERIFY(!requestUrl(QStringLiteral("https://h"), Protocol::OpenAiChat, QStringLiteral("/a b")).problem.isEmpty());
}

void TestBaseUrl::theModelsListStandsBesideTheEndpoint_data()
{
    QTest::addColumn<Protocol>("protocol");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    const auto row = [](Protocol protocol, const char* typed, const char* expected) {
        const std::string title = std::string(name(protocol)) + ' ' + typed;
        QTest::newRow(title.c_str()) << protocol << QString::fromLatin1(typed) << QString::fromLatin1(expected);
    };
    row(Protocol::OpenAiChat, "https://h", "https://h/v1/models");
    row(Protocol::OpenAiChat, "https://h/v1/", "https://h/v1/models");
    row(Protocol::OpenAiChat, "https://h/api", "https://h/api/v1/models");
    row(Protocol::OpenAiChat, "https://h/v1/chat/completions", "https://h/v1/models");
    row(Protocol::OpenAiChat, "https://h/chat/completions", "https://h/models");
    row(Protocol::OpenAiChat, "https://h/v1/models", "https://h/v1/models");
    row(Protocol::OpenAiChat, "https://h/openai?api-version=1", "https://h/openai/v1/models?api-version=1");
    row(Protocol::OpenAiResponses, "https://h/v1/responses", "https://h/v1/models");
    row(Protocol::AnthropicMessages, "https://h", "https://h/v1/models");
    row(Protocol::AnthropicMessages, "https://h/v1/messages", "https://h/v1/models");
    row(Protocol::OllamaChat, "http://h:11434", "http://h:11434/api/tags");
    row(Protocol::OllamaChat, "http://h:11434/api/chat", "http://h:11434/api/tags");
    row(Protocol::OllamaChat, "http://h:11434/v1", "http://h:11434/api/tags");
}

void TestBaseUrl::theModelsListStandsBesideTheEndpoint()
{
    QFETCH(Protocol, protocol);
    QFETCH(QString, typed);
    const RequestUrl result = modelsUrl(typed, protocol);
    QCOMPARE(result.problem, QString());
    QTEST(result.url.toString(), "expected");
}

void TestBaseUrl::autoGoesByThePathsEndOrTheHost_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("path");
    QTest::addColumn<Protocol>("protocol");
    const auto row = [](const char* typed, const char* path, Protocol protocol) {
        const std::string title = std::string(typed) + ' ' + path;
        QTest::newRow(title.c_str()) << QString::fromLatin1(typed) << QString::fromLatin1(path) << protocol;
    };
    row("https://h/v1", "", Protocol::OpenAiChat);
    row("https://h/v1/responses", "", Protocol::OpenAiResponses);
    row("https://h/v1/responses/?a=/messages", "", Protocol::OpenAiResponses);
    row("https://h/v1/messages", "", Protocol::AnthropicMessages);
    row("https://h/xmessages", "", Protocol::OpenAiChat);
    row("http://h:11434/api/chat", "", Protocol::OllamaChat);
    row("http://h:11434/chat", "", Protocol::OpenAiChat);
    row("https://api.anthropic.com", "", Protocol::AnthropicMessages);
    row("https://API.Anthropic.com/v1", "", Protocol::AnthropicMessages);
    row("https://api.anthropic.com/v1/chat/completions", "", Protocol::OpenAiChat);
    row("https://api.anthropic.com.example", "", Protocol::OpenAiChat);
    row("https://h/v1", "/x/messages", Protocol::AnthropicMessages);
    row("https://h/v1/messages", "/x/responses?a=1", Protocol::OpenAiResponses);
    row("not a url", "", Protocol::OpenAiChat);
}

void TestBaseUrl::autoGoesByThePathsEndOrTheHost()
{
    QFETCH(QString, typed);
    QFETCH(QString, path);
    QTEST(protocolFor(typed, path), "protocol");
}

void TestBaseUrl::hostLabelsKeepThePortThatWasGiven_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("label");
    const auto row = [](const char* url, const char* label) {
        QTest::newRow(url) << QString::fromUtf8(url) << QString::fromUtf8(label);
    };
    row("https://h.example/v1", "h.example");
    row("http://localhost:8000", "localhost:8000");
    row("https://h:443", "h:443");
    row("http://[::1]:11434", "[::1]:11434");
    row("http://[fe80::1]", "[fe80::1]");
    row("https://user:pw@h:1/v1", "h:1");
    row("", "");
}

void TestBaseUrl::hostLabelsKeepThePortThatWasGiven()
{
    QFETCH(QString, url);
    QTEST(hostLabel(QUrl(url)), "label");
}

void TestBaseUrl::displayedUrlsHoldNoSecret_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* url, const char* shown) {
        QTest::newRow(url) << QString::fromLatin1(url) << QString::fromLatin1(shown);
    };
    row("https://u:pw@h/v1?key=sk-SECRET123", "https://h/v1?key=***");
    row("https://u@h/v1", "https://h/v1");
    row("https://h/v1?a=1&b=2&flag", "https://h/v1?a=***&b=***&***");
    row("https://h/v1?api-version=2025-04-01&k=x", "https://h/v1?api-version=2025-04-01&k=***");
    row("https://h/v1?k=a%3Db=c", "https://h/v1?k=***");
    row("https://h/v1?", "https://h/v1");
    row("https://h/v1#SECRET", "https://h/v1");
    row("http://[::1]:1/v1", "http://[::1]:1/v1");
}

void TestBaseUrl::displayedUrlsHoldNoSecret()
{
    QFETCH(QString, url);
    QTEST(displayUrl(QUrl(url)), "shown");
}

void TestBaseUrl::secretNamesAreTold()
{
    for (const char* secret : {"key", "api_key", "apiKey", "X-API-Key", "access_token", "sig", "Authorization",
                               "client-secret", "password", "Cookie", "Ocp-Apim-Subscription-Key", "sessionToken"}) {
        QVERIFY2(isSecretName(QString::fromLatin1(secret)), secret);
    }
    for (const char* plain : {"max_tokens", "model", "version", "keyboard", "signal", "author", "monkey", "tokens"}) {
        QVERIFY2(!isSecretName(QString::fromLatin1(plain)), plain);
    }
}

QTEST_GUILESS_MAIN(TestBaseUrl)
#include "tst_baseurl.moc"
