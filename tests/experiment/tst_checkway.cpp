// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>

#include "checkfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestCheckWay final : public QObject {
    Q_OBJECT
private slots:
    void aUrlThatIsNoneIsSaidFirst();
    void aRefusedConnectionSaysThatNothingListens();
    void aHostThatDoesNotAnswerEndsWithTheConnectLimit();
    void aHostWithoutAnAddressIsNamed();
    void aProxyOfTheEnvironmentIsNamedAndNotUsed();
    void anUnusedProxyIsOfferedWhenNoWayLeadsOut();
    void aProxyThatIsSetIsConnectedTo();
    void aPathWithoutAVersionIsFoundAndOffered();
    void eachProtocolIsAskedAtItsOwnPlace_data();
    void eachProtocolIsAskedAtItsOwnPlace();
    void aKeyThatCannotBeSentEndsAtTheKey();
    void settingsThatForbidSendingAreTheFirstStep();
    void theOnlyModelListedIsAsked();
    void withoutAModelNoRequestIsSent();
    void onlyTheListIsAskedForWhenNoMoreIsWanted();
    void itIsCancelledByDeletingItInAnyStep_data();
    void itIsCancelledByDeletingItInAnyStep();
};

void TestCheckWay::aUrlThatIsNoneIsSaidFirst()
{
    const auto check = checked(endpointAt(QStringLiteral("localhost:8000")));
    QVERIFY(check);
    QCOMPARE(check->steps().first().state, CheckState::Failed);
    QVERIFY(check->steps().first().message.contains(QStringLiteral("http://localhost:8000")));
    QVERIFY(check->url().isEmpty());
    QVERIFY(!check->ok());
}

void TestCheckWay::aRefusedConnectionSaysThatNothingListens()
{
    const auto check = checked(endpointAt(QStringLiteral("http://127.0.0.1:%1").arg(ScriptedServer::closedPort())));
    QVERIFY(check);
    const CheckStep step = stepOf(*check, "tcp");
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.message.contains(QStringLiteral("nothing listens")), qPrintable(step.message));
    QVERIFY(step.fix.contains(QStringLiteral("Is the server running at this host and port?")));
}

void TestCheckWay::aHostThatDoesNotAnswerEndsWithTheConnectLimit()
{
    // A server that takes the connection and never speaks: for TLS that is no handshake.
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    EndpointSettings endpoint = endpointAt(QStringLiteral("https://127.0.0.1:%1").arg(silent.serverPort()));
    endpoint.request.connectTimeoutMs = 200;
    const auto check = checked(endpoint);
    QVERIFY(check);
    QCOMPARE(stepOf(*check, "tcp").state, CheckState::Passed);
    const CheckStep step = stepOf(*check, "tls");
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.message.contains(QStringLiteral("within 200 ms")), qPrintable(step.message));
    QVERIFY(step.ms >= 199);
    QCOMPARE(changeText(step), QStringLiteral("baseUrl=http://127.0.0.1:%1").arg(silent.serverPort()));
}

void TestCheckWay::aHostWithoutAnAddressIsNamed()
{
    EndpointSettings endpoint = endpointAt(QStringLiteral("http://no-such-host.invalid:8000"));
    endpoint.request.connectTimeoutMs = longWaitMs; // some name servers take their time to say no
    const auto check =
        checked(endpoint, QStringLiteral("m"),
                table({{QStringLiteral("http_proxy"), QStringLiteral("http://user:hidden-word@proxy.example:3128")}}));
    QVERIFY(check);
    const CheckStep step = stepOf(*check, "dns");
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.message.contains(QStringLiteral("no-such-host.invalid")), qPrintable(step.message));
    QCOMPARE(changeText(step), QStringLiteral("proxy=system"));
    QVERIFY(!allWords(*check).contains(QStringLiteral("hidden-word")));
}

void TestCheckWay::aProxyOfTheEnvironmentIsNamedAndNotUsed()
{
    const ScriptedServer server(goodServer);
    const auto check =
        checked(endpointAt(server), QStringLiteral("m"),
                table({{QStringLiteral("HTTP_PROXY"), QStringLiteral("http://user:hidden-word@127.0.0.1:1")}}));
    QVERIFY(check);
    QVERIFY2(check->ok(), qPrintable(allWords(*check)));
    const QString message = stepOf(*check, "proxy").message;
    QVERIFY2(message.contains(QStringLiteral("HTTP_PROXY names 127.0.0.1:1: not used")), qPrintable(message));
    QVERIFY(!allWords(*check).contains(QStringLiteral("hidden-word")));
}

void TestCheckWay::anUnusedProxyIsOfferedWhenNoWayLeadsOut()
{
    const QHash<QString, QString> variables{{QStringLiteral("https_proxy"), QStringLiteral("proxy.example:3128")}};
    const QUrl url(QStringLiteral("https://api.example/v1"));
    const auto named = environmentProxy(url, table(variables));
    QVERIFY(named);
    QCOMPARE(named->place, QStringLiteral("proxy.example:3128"));
    QVERIFY(!named->excluded);
    QVERIFY(!environmentProxy(QUrl(QStringLiteral("http://api.example/v1")), table(variables)));
    for (const char* list : {"*", "localhost, .example", "api.example:443", "example"}) {
        QHash<QString, QString> excluding = variables;
        excluding[QStringLiteral("NO_PROXY")] = QString::fromUtf8(list);
        QVERIFY2(environmentProxy(url, table(excluding))->excluded, list);
    }
}

void TestCheckWay::aProxyThatIsSetIsConnectedTo()
{
    EndpointSettings endpoint = endpointAt(QStringLiteral("http://api.example/v1"));
    endpoint.proxy = QStringLiteral("http://127.0.0.1:%1").arg(ScriptedServer::closedPort());
    const auto refused = checked(endpoint);
    QVERIFY(refused);
    QVERIFY(stepOf(*refused, "proxy").message.contains(QStringLiteral("through the proxy 127.0.0.1")));
    QCOMPARE(stepOf(*refused, "tcp").state, CheckState::Failed);
    QVERIFY(stepOf(*refused, "tcp").fix.contains(QStringLiteral("\"proxy\"")));
    endpoint.proxy = QStringLiteral("ftp://127.0.0.1:1");
    const auto wrong = checked(endpoint);
    QVERIFY(wrong);
    QCOMPARE(stepOf(*wrong, "proxy").state, CheckState::Failed);
}

void TestCheckWay::aPathWithoutAVersionIsFoundAndOffered()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        if (request.target == "/models") {
            return reply(200, twoModels);
        }
        return request.target == "/chat/completions" ? goodServer(request) : reply(404, R"({"detail":"Not Found"})");
    });
    EndpointSettings endpoint = endpointAt(QString::fromStdString(server.url("")));
    const auto check = checked(endpoint);
    QVERIFY(check);
    QCOMPARE(check->models().size(), 2);
    QCOMPARE(stepOf(*check, "key").state, CheckState::Noted);
    const CheckStep step = stepOf(*check, "request");
    QCOMPARE(step.state, CheckState::Failed);
    QCOMPARE(changeText(step), QStringLiteral("path=/chat/completions"));
    endpoint.path = step.change->value;
    const auto mended = checked(endpoint);
    QVERIFY(mended);
    QVERIFY2(mended->ok(), qPrintable(allWords(*mended)));
    QCOMPARE(stepOf(*mended, "key").state, CheckState::Passed);
}

void TestCheckWay::eachProtocolIsAskedAtItsOwnPlace_data()
{
    QTest::addColumn<QString>("protocol");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("listPath");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("whole");
    QTest::addColumn<QByteArray>("stream");
    const QByteArray data = R"({"data":[{"id":"m"}]})";
    QTest::newRow("Anthropic") << QStringLiteral("anthropic-messages") << data << QByteArray("/v1/models")
                               << QByteArray("/v1/messages")
                               << QByteArray(
                                      R"({"type":"message","model":"m","content":[{"type":"text","text":"a"}],)"
                                      R"("stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}})")
                               << QByteArray(
                                      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
                                      "\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"
                                      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    QTest::newRow("Ollama") << QStringLiteral("ollama-chat") << QByteArray(R"({"models":[{"name":"m"}]})")
                            << QByteArray("/api/tags") << QByteArray("/api/chat")
                            << QByteArray(R"({"model":"m","message":{"role":"assistant","content":"a"},"done":true,)"
                                          R"("done_reason":"stop","eval_count":1,"prompt_eval_count":5})")
                            << QByteArray(
                                   "{\"model\":\"m\",\"message\":{\"content\":\"a\"},\"done\":false}\n"
                                   "{\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true,\"eval_count\":1}\n");
    QTest::newRow("Responses")
        << QStringLiteral("openai-responses") << data << QByteArray("/v1/models") << QByteArray("/v1/responses")
        << QByteArray(
               R"({"object":"response","model":"m","status":"completed","output":[{"type":"message",)"
               R"("content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":5,"output_tokens":1}})")
        << QByteArray("event: response.output_text.delta\n"
                      "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n"
                      "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":"
                      "{\"model\":\"m\",\"status\":\"completed\"}}\n\n");
}

void TestCheckWay::eachProtocolIsAskedAtItsOwnPlace()
{
    QFETCH(QString, protocol);
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, listPath);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, whole);
    QFETCH(QByteArray, stream);
    const ScriptedServer server([&](const ReceivedRequest& request, int) {
        if (request.target == listPath.toStdString()) {
            return reply(200, list.toStdString());
        }
        if (request.target != path.toStdString()) {
            return reply(404, "{}");
        }
        const bool lines = protocol == QStringLiteral("ollama-chat");
        return isStreamed(request) || (lines && request.body.find("\"stream\":false") == std::string::npos)
            ? Script{send(streamHead(200, {}, lines ? "application/x-ndjson" : "text/event-stream")
                          + chunk(stream.toStdString()) + lastChunk())}
            : reply(200, whole.toStdString());
    });
    EndpointSettings endpoint = endpointAt(server);
    endpoint.protocol = protocolFromName(protocol.toStdString());
    const auto check = checked(endpoint);
    QVERIFY(check);
    QVERIFY2(check->ok(), qPrintable(allWords(*check)));
    QCOMPARE(stepOf(*check, "models").state, CheckState::Passed);
    QCOMPARE(stepOf(*check, "stream").state, CheckState::Passed);
    QCOMPARE(check->protocol(), *endpoint.protocol);
}

void TestCheckWay::aKeyThatCannotBeSentEndsAtTheKey()
{
    const ScriptedServer server(goodServer);
    EndpointSettings endpoint = endpointAt(server);
    endpoint.apiKey = QStringLiteral("sk-T-SECRET\nX-Other: 1");
    const auto check = checked(endpoint);
    QVERIFY(check);
    QCOMPARE(stepOf(*check, "tcp").state, CheckState::Passed);
    QCOMPARE(stepOf(*check, "key").state, CheckState::Failed);
    QVERIFY(stepOf(*check, "key").fix.contains(QStringLiteral("apiKey")));
    QCOMPARE(server.requestCount(), 0);
}

void TestCheckWay::settingsThatForbidSendingAreTheFirstStep()
{
    EndpointSettings endpoint = endpointAt(QStringLiteral("http://127.0.0.1:1/v1"));
    endpoint.problems << QStringLiteral("settings.json:3:5: MY_KEY is not set");
    const auto check = checked(endpoint);
    QVERIFY(check);
    QCOMPARE(check->steps().first().id, QStringLiteral("settings"));
    QVERIFY(check->steps().first().message.contains(QStringLiteral("MY_KEY is not set")));
    QCOMPARE(stepOf(*check, "tcp").state, CheckState::Skipped);
}

void TestCheckWay::theOnlyModelListedIsAsked()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return request.method == "GET" ? reply(200, R"({"data":[{"id":"m"}]})") : goodServer(request);
    });
    const auto check = checked(endpointAt(server), {});
    QVERIFY(check);
    QVERIFY2(check->ok(), qPrintable(allWords(*check)));
    QCOMPARE(check->model(), QStringLiteral("m"));
    QVERIFY(server.requests()[1].body.find("\"m\"") != std::string::npos);
}

void TestCheckWay::withoutAModelNoRequestIsSent()
{
    const ScriptedServer server(goodServer);
    const auto check = checked(endpointAt(server), {});
    QVERIFY(check);
    QCOMPARE(stepOf(*check, "models").state, CheckState::Passed);
    QCOMPARE(stepOf(*check, "request").state, CheckState::Failed);
    QVERIFY(check->model().isEmpty());
    QCOMPARE(server.requestCount(), 1);
}

void TestCheckWay::onlyTheListIsAskedForWhenNoMoreIsWanted()
{
    const ScriptedServer server(goodServer);
    EndpointCheck check(endpointAt(server), {});
    check.setEnvironment(table());
    QSignalSpy finished(&check, &EndpointCheck::finished);
    check.startModelsOnly();
    QVERIFY(finished.wait(longWaitMs));
    QVERIFY(check.ok());
    QCOMPARE(check.models().size(), 2);
    QCOMPARE(server.requestCount(), 1);
}

void TestCheckWay::itIsCancelledByDeletingItInAnyStep_data()
{
    QTest::addColumn<int>("steps");
    for (int steps = 1; steps <= 13; ++steps) {
        QTest::addRow("as step %d begins", steps) << steps;
    }
}

void TestCheckWay::itIsCancelledByDeletingItInAnyStep()
{
    QFETCH(int, steps);
    const ScriptedServer server(goodServer);
    auto* check = new EndpointCheck(endpointAt(server), QStringLiteral("m"));
    check->setEnvironment(table());
    int begun = 0;
    bool gone = false;
    QElapsedTimer took;
    connect(check, &EndpointCheck::stepStarted, this, [&] {
        if (++begun == steps) {
            took.start();
            delete check;
            gone = true;
        }
    });
    check->start();
    QTRY_VERIFY_WITH_TIMEOUT(gone, longWaitMs);
    QVERIFY(took.elapsed() < 2000);
    QCOMPARE(begun, steps);
    QVERIFY(server.waitUntilOver());
}

QTEST_GUILESS_MAIN(TestCheckWay)
#include "tst_checkway.moc"
