// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "experiment/requestbuilder.h"

using namespace tokenpace;

namespace {

EndpointSettings endpoint(const QString& baseUrl, std::optional<Protocol> protocol = {})
{
    EndpointSettings settings;
    settings.name = QStringLiteral("e");
    settings.baseUrl = baseUrl;
    settings.apiKey = QStringLiteral("sk-T");
    settings.protocol = protocol;
    return settings;
}

wire::ChatRequest chat()
{
    wire::ChatRequest request;
    request.model = "m";
    request.messages = {{"user", "hi"}};
    request.params.maxTokens = 5;
    return request;
}

QString headersOf(const ClientRequest& request)
{
    QStringList lines;
    for (const auto& [name, value] : request.headers) {
        lines.append(QString::fromLatin1(name) + QStringLiteral(": ") + QString::fromLatin1(value));
    }
    return lines.join(QLatin1Char('|'));
}

} // namespace

class TestRequestBuilder final : public QObject {
    Q_OBJECT

private slots:
    void eachProtocolHasItsUrlHeadersAndBody_data();
    void eachProtocolHasItsUrlHeadersAndBody();
    void aHeaderOfTheUserReplacesOurs();
    void withoutAKeyNoneIsSent();
    void theLimitFieldOfTheEndpointIsUsed();
};

void TestRequestBuilder::eachProtocolHasItsUrlHeadersAndBody_data()
{
    QTest::addColumn<QString>("baseUrl");
    QTest::addColumn<std::optional<Protocol>>("protocol");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("headers");
    QTest::addColumn<QByteArray>("inBody");
    const auto row = [](const char* name, const char* base, std::optional<Protocol> protocol, const char* url,
                        const char* headers, const char* inBody) {
        QTest::newRow(name) << QString::fromLatin1(base) << protocol << QString::fromLatin1(url)
                            << QString::fromLatin1(headers) << QByteArray(inBody);
    };
    row("chat", "https://h/v1", {}, "https://h/v1/chat/completions", "Authorization: Bearer sk-T", "\"max_tokens\":5");
    row("responses", "https://h/v1", Protocol::OpenAiResponses, "https://h/v1/responses", "Authorization: Bearer sk-T",
        "\"max_output_tokens\":5");
    row("anthropic", "https://h", Protocol::AnthropicMessages, "https://h/v1/messages",
        "anthropic-version: 2023-06-01|x-api-key: sk-T", "\"max_tokens\":5");
    row("anthropic by its host", "https://api.anthropic.com", {}, "https://api.anthropic.com/v1/messages",
        "anthropic-version: 2023-06-01|x-api-key: sk-T", "\"max_tokens\":5");
    row("ollama by its path", "http://h:11434/api/chat", {}, "http://h:11434/api/chat", "Authorization: Bearer sk-T",
        "\"options\":{\"num_predict\":5}");
    row("azure", "https://x.openai.azure.com/openai?api-version=2025-04-01", {},
        "https://x.openai.azure.com/openai/v1/chat/completions?api-version=2025-04-01", "api-key: sk-T",
        "\"max_tokens\":5");
}

void TestRequestBuilder::eachProtocolHasItsUrlHeadersAndBody()
{
    QFETCH(QString, baseUrl);
    QFETCH(std::optional<Protocol>, protocol);
    QFETCH(QString, url);
    QFETCH(QString, headers);
    QFETCH(QByteArray, inBody);
    const BuiltRequest built = buildRequest(endpoint(baseUrl, protocol), chat());
    QVERIFY2(built.request, qPrintable(built.problem));
    QCOMPARE(built.request->url.toString(), url);
    QCOMPARE(headersOf(*built.request), headers);
    QVERIFY2(built.request->body.contains(inBody), built.request->body.constData());
    if (protocol) {
        QCOMPARE(built.request->timeline.protocol, *protocol);
    }
}

void TestRequestBuilder::aHeaderOfTheUserReplacesOurs()
{
    EndpointSettings settings = endpoint(QStringLiteral("https://h"), Protocol::AnthropicMessages);
    settings.extraHeaders = {{QStringLiteral("Anthropic-Version"), QStringLiteral("2099-01-01")}};
    const BuiltRequest built = buildRequest(settings, chat());
    QCOMPARE(headersOf(*built.request), QStringLiteral("x-api-key: sk-T|Anthropic-Version: 2099-01-01"));
}

void TestRequestBuilder::withoutAKeyNoneIsSent()
{
    EndpointSettings settings = endpoint(QStringLiteral("http://127.0.0.1:1/v1"));
    settings.apiKey.clear();
    QCOMPARE(headersOf(*buildRequest(settings, chat()).request), QString());
}

void TestRequestBuilder::theLimitFieldOfTheEndpointIsUsed()
{
    EndpointSettings settings = endpoint(QStringLiteral("https://h/v1"));
    settings.limitField = QStringLiteral("max_completion_tokens");
    settings.streamOptions = false;
    const QByteArray body = buildRequest(settings, chat()).request->body;
    QVERIFY(body.contains("\"max_completion_tokens\":5"));
    QVERIFY(!body.contains("stream_options"));
}

QTEST_GUILESS_MAIN(TestRequestBuilder)
#include "tst_requestbuilder.moc"
