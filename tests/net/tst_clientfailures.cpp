// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QObject>

#include "net/clientfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestClientFailures : public QObject {
    Q_OBJECT
private slots:
    void aRefusedConnectionSaysWhereAndWhatToDo();
    void anUnknownHostIsNamed();
    void aRedirectIsNotFollowedAndTheKeyStaysHere_data();
    void aRedirectIsNotFollowedAndTheKeyStaysHere();
    void aRedirectWithoutAPlaceIsAnError();
    void earlyHintsAreNoAnswer();
    void aHundredContinueIsSkipped();
    void aCloseWithoutTheLastChunkIsTruncated();
    void aBreakInTheMiddleIsTruncatedAndKeepsWhatCame_data();
    void aBreakInTheMiddleIsTruncatedAndKeepsWhatCame();
    void aResetAfterTheFinishIsOkay();
    void aCompressedReplyIsRefused();
    void aPageInPlaceOfAStreamIsAnError();
    void anErrorPageIsPutIntoWords();
    void anEndlessErrorPageIsCutOff();
    void anErrorBodyThatHangsIsStillThatError();
    void aHiddenResendIsFlaggedAndMovesZero();
    void aServerThatClosesIdleConnectionsIsMetOnFreshOnes();
    void aServerThatAlwaysClosesFailsWithWords();
    void aConnectionClosedWhileIdleIsReplaced();
    void somethingElseThanHttpFailsWithWords();
    void aHeaderThatWouldInjectAnotherIsNeverSent_data();
    void aHeaderThatWouldInjectAnotherIsNeverSent();
    void anUnusableRouteIsNotSent_data();
    void anUnusableRouteIsNotSent();
    void theSystemsProxyIsNotUsedUnlessAsked();
    void aNamedProxyIsUsedAndFlagged();
    void aProxyThatRefusesIsNamedWithoutItsPassword();
    void messagesHoldNoSecret();
};

void TestClientFailures::aRefusedConnectionSaysWhereAndWhatToDo()
{
    const auto port = std::to_string(ScriptedServer::closedPort());
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo("http://127.0.0.1:" + port + "/v1"));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Connect));
    QVERIFY(has(timeline->error->message, "refused by 127.0.0.1:" + port));
    QVERIFY(!timeline->zero);
    QVERIFY(!timeline->error->httpStatus);
    QVERIFY(!timeline->streamed);
    QVERIFY(timeline->phases.queued);
    QVERIFY(!timeline->phases.connect);
}

void TestClientFailures::anUnknownHostIsNamed()
{
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo("http://no-such-host.invalid/v1"));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QVERIFY(has(timeline->error->message, "no-such-host.invalid"));
    QCOMPARE(timeline->error->phase, std::optional(Phase::Dns));
}

void TestClientFailures::aRedirectIsNotFollowedAndTheKeyStaysHere_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {301, 302, 303, 307, 308}) {
        QTest::addRow("%d", status) << status;
    }
}

void TestClientFailures::aRedirectIsNotFollowedAndTheKeyStaysHere()
{
    QFETCH(const int, status);
    ScriptedServer second({chatScript(1)});
    const std::string location = second.url("/final");
    ScriptedServer first({Script{send(wholeReply(status, {}, {{"Location", location + "?token=abc"}}))}});
    ClientFixture fixture;
    ClientRequest request = requestTo(first.url());
    request.maxRetries = 3;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(status));
    QVERIFY(has(timeline->error->message, "server redirects to " + location + "; set this base URL"));
    QVERIFY(!has(timeline->error->message, "abc"));
    QCOMPARE(first.requestCount(), 1);
    QCOMPARE(second.requestCount(), 0);
    QCOMPARE(second.connectionCount(), 0);
}

void TestClientFailures::aRedirectWithoutAPlaceIsAnError()
{
    ScriptedServer server({Script{send(wholeReply(302, {}))}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(302));
}

void TestClientFailures::earlyHintsAreNoAnswer()
{
    Script script = chatScript(1, 100ms);
    script.insert(script.begin(), send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"));
    ScriptedServer server({script});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, measures() ? Status::Ok : Status::Error);
    if (!measures()) {
        QVERIFY(has(timeline->error->message, "proxy sent 103"));
        QCOMPARE(timeline->error->httpStatus, std::optional(103));
    }
}

void TestClientFailures::aHundredContinueIsSkipped()
{
    Script script = chatScript(1, 50ms);
    script.insert(script.begin(), send("HTTP/1.1 100 Continue\r\n\r\n"));
    ScriptedServer server({script});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
}

void TestClientFailures::aCloseWithoutTheLastChunkIsTruncated()
{
    ScriptedServer server({Script{send(streamHead()), send(chunk(textEvent("a"))), closeConnection(50ms)}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Truncated);
    // Qt mostly takes it for a good end, and sometimes for a broken one: the stream itself says that it is not whole
    QVERIFY(timeline->error->kind == ErrorKind::Truncated || timeline->error->kind == ErrorKind::Transport);
    QCOMPARE(timeline->error->httpStatus, std::optional(200));
    QCOMPARE(timeline->text, std::string("a"));
}

void TestClientFailures::aBreakInTheMiddleIsTruncatedAndKeepsWhatCame_data()
{
    QTest::addColumn<bool>("reset");
    QTest::newRow("closed inside a chunk") << false;
    QTest::newRow("reset") << true;
}

void TestClientFailures::aBreakInTheMiddleIsTruncatedAndKeepsWhatCame()
{
    QFETCH(const bool, reset);
    Script script{send(streamHead()), send(chunk(textEvent("a")), 20ms), send(chunk(textEvent("b")), 20ms)};
    if (reset) {
        script.push_back(resetConnection(200ms));
    } else {
        script.push_back(send("40\r\ndata: {"));
        script.push_back(closeConnection(50ms));
    }
    ScriptedServer server({script});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Truncated);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QVERIFY(has(timeline->error->message, "127.0.0.1:" + std::to_string(server.port())));
    QCOMPARE(timeline->error->httpStatus, std::optional(200));
    QCOMPARE(timeline->text, std::string("ab"));
    QCOMPARE(timeline->arrivals.size(), std::size_t(2));
    QVERIFY(!timeline->flags.has(Flag::Resent));
}

void TestClientFailures::aResetAfterTheFinishIsOkay()
{
    ScriptedServer server(
        {Script{send(streamHead()), send(chunk(textEvent("a") + finishEvent())), resetConnection(100ms)}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(!timeline->error);
}

void TestClientFailures::aCompressedReplyIsRefused()
{
    ScriptedServer server({Script{send(streamHead(200, {{"Content-Encoding", "gzip"}})),
                                  send(chunk(std::string("\x1F\x8B\x08\x00", 4))), stall()}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Parse);
    QVERIFY(timeline->flags.has(Flag::Compressed));
    QVERIFY(has(timeline->error->message, "compressed"));
    QVERIFY(timeline->arrivals.empty());
    QVERIFY(server.waitUntilOver()); // it is not read to its end
}

void TestClientFailures::aPageInPlaceOfAStreamIsAnError()
{
    ScriptedServer server({Script{send(wholeReply(200, "<!DOCTYPE html><title>Sign in</title>", {}, "text/html"))}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Parse);
    QCOMPARE(timeline->error->httpStatus, std::optional(200));
    QVERIFY(has(timeline->error->message, "text/html"));
}

void TestClientFailures::anErrorPageIsPutIntoWords()
{
    ScriptedServer server({Script{
        send(wholeReply(502, "<html><head><title>502 Bad Gateway</title></head><body/></html>\n", {}, "text/html"))}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QVERIFY(has(timeline->error->message, "502 Bad Gateway"));
    QVERIFY(!has(timeline->error->message, "<"));
    QVERIFY(!ttftMs(*timeline));
    QCOMPARE(fixture.run(requestTo(server.url(), 1))->reused, std::optional(true));
}

void TestClientFailures::anEndlessErrorPageIsCutOff()
{
    ScriptedServer server(
        {Script{send(streamHead(500, {}, "text/html")), send(chunk(std::string(200'000, 'x'))), stall()}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(500));
    QVERIFY(timeline->error->message.size() < 1000);
    QVERIFY(server.waitUntilOver());
}

void TestClientFailures::anErrorBodyThatHangsIsStillThatError()
{
    ScriptedServer server({Script{send(streamHead(429, {}, "application/json")),
                                  send(chunk(R"({"error":{"message":"slow down"}})")), stall()}});
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.limits.idle = 150ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(429));
    QVERIFY(has(timeline->error->message, "slow down"));
}

void TestClientFailures::aHiddenResendIsFlaggedAndMovesZero()
{
    // one good reply; then, on the same connection, read and close; then a new connection is answered
    ScriptedServer server({chatScript(1), Script{closeConnection(200ms)}, chatScript(2, 50ms, 20ms)});
    ClientFixture fixture;
    const auto first = fixture.run(requestTo(server.url(), 0));
    QVERIFY(first);
    const auto timeline = fixture.run(requestTo(server.url(), 1));
    QVERIFY(timeline);
    const auto requests = server.requests();
    if (measures()) { // never sends again by itself
        QCOMPARE(timeline->error->kind, ErrorKind::Transport);
        QCOMPARE(requests.size(), std::size_t(2));
        return;
    }
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(requests.size(), std::size_t(3));
    QVERIFY(timeline->flags.has(Flag::Resent));
    QVERIFY(!timeline->flags.has(Flag::Retried));
    QCOMPARE(timeline->attempts, 1);
    QCOMPARE(timeline->reused, std::optional(false));
    QVERIFY(*timeline->zero >= requests[1].receivedAt + 200ms);
    QVERIFY(isWithin(timeline->arrivals.front(), requests[2].sentAt.at(1)));
    QVERIFY(!counts(*timeline));
    QVERIFY(fixture.drainUntil([&] {
        return fixture.count<RequestFinished>() == 2;
    }));
    QCOMPARE(fixture.count<RequestStarted>(), 3); // the second one started twice
}

void TestClientFailures::aServerThatClosesIdleConnectionsIsMetOnFreshOnes()
{
    // The first reply is followed by a close without a word. Then connections stay open: one that was kept would be
    // used again, were it not for what the first close taught.
    ScriptedServer server({[] {
                               Script script = chatScript(1);
                               script.push_back(closeConnection());
                               return script;
                           }(),
                           chatScript(1)});
    ClientFixture fixture;
    QVERIFY(fixture.run(requestTo(server.url(), 0)));
    QVERIFY(server.waitUntilOver());
    for (int seq = 1; seq < 4; ++seq) {
        const auto timeline = fixture.run(requestTo(server.url(), seq));
        QVERIFY(timeline);
        QCOMPARE(timeline->status, Status::Ok);
        // the measuring manager sees each close before it uses a connection, so it need not learn from it
        QCOMPARE(timeline->reused, std::optional(measures() && seq > 1));
        QVERIFY(!timeline->flags.has(Flag::Resent));
    }
    QCOMPARE(server.connectionCount(), measures() ? 2 : 4);
    QCOMPARE(server.requestCount(), 4);
}

void TestClientFailures::aServerThatAlwaysClosesFailsWithWords()
{
    ScriptedServer server({Script{closeConnection(50ms)}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QVERIFY(has(timeline->error->message, "closed the connection without an answer"));
    QVERIFY(!timeline->error->httpStatus);
    QCOMPARE(server.requestCount() > 1, !measures());
    QCOMPARE(timeline->flags.has(Flag::Resent), !measures());
}

void TestClientFailures::aConnectionClosedWhileIdleIsReplaced()
{
    Script script = chatScript(1);
    script.push_back(closeConnection(20ms));
    ScriptedServer server({script, chatScript(1)});
    ClientFixture fixture;
    QVERIFY(fixture.run(requestTo(server.url(), 0)));
    QVERIFY(server.waitUntilOver());
    const auto timeline = fixture.run(requestTo(server.url(), 1));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->text, std::string("w0 "));
    QCOMPARE(server.connectionCount(), 2);
    // `reused` may say either: Qt tells of the new connection only when it saw the old one close beforehand
    QVERIFY(timeline->reused.has_value());
}

void TestClientFailures::somethingElseThanHttpFailsWithWords()
{
    ScriptedServer server({Script{send("SSH-2.0-OpenSSH_9.2\r\n"), closeConnection(50ms)}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QVERIFY(has(timeline->error->message, "127.0.0.1:" + std::to_string(server.port())));
}

void TestClientFailures::aHeaderThatWouldInjectAnotherIsNeverSent_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("line feed") << QByteArray("Authorization") << QByteArray("Bearer SECRET\nX-Injected: 1");
    QTest::newRow("CR LF") << QByteArray("Authorization") << QByteArray("Bearer SECRET\r\nX-Injected: 1");
    QTest::newRow("null") << QByteArray("X-A") << QByteArray("SECRET\0", 7);
    QTest::newRow("not ASCII") << QByteArray("X-A") << QByteArray("SECRET\xE2\x80\x94");
    QTest::newRow("in the name") << QByteArray("X-A: 1\r\nX-B") << QByteArray("SECRET");
    QTest::newRow("no name") << QByteArray() << QByteArray("SECRET");
    QTest::newRow("framing") << QByteArray("Content-Length") << QByteArray("5");
}

void TestClientFailures::aHeaderThatWouldInjectAnotherIsNeverSent()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, value);
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.headers = {{name, value}};
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::NotSent);
    QVERIFY(!timeline->error->message.empty());
    QVERIFY(!has(timeline->error->message, "SECRET"));
    QCOMPARE(timeline->attempts, 0);
    const auto next = fixture.run(requestTo(server.url(), 1));
    QVERIFY(next);
    QCOMPARE(next->status, Status::Ok);
    QCOMPARE(server.requestCount(), 1); // only that one
}

void TestClientFailures::anUnusableRouteIsNotSent_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("caFile");
    QTest::addColumn<QString>("proxy");
    QTest::newRow("scheme") << QStringLiteral("ftp://h/v1") << QString() << QString();
    QTest::newRow("no host") << QStringLiteral("http:///v1") << QString() << QString();
    QTest::newRow("authorities") << QStringLiteral("https://127.0.0.1:1/") << QStringLiteral("/nowhere/ca.pem")
                                 << QString();
    QTest::newRow("proxy") << QStringLiteral("http://127.0.0.1:1/") << QString() << QStringLiteral("ftp://u:pw@h:1");
}

void TestClientFailures::anUnusableRouteIsNotSent()
{
    QFETCH(const QString, url);
    QFETCH(const QString, caFile);
    QFETCH(const QString, proxy);
    ClientFixture fixture;
    ClientRequest request = requestTo(url.toStdString());
    request.route.caFile = caFile;
    if (!proxy.isEmpty()) {
        request.route.proxyMode = Route::ProxyMode::Url;
        request.route.proxy = QUrl(proxy);
    }
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::NotSent);
    QVERIFY(!timeline->error->message.empty());
    QVERIFY(!has(timeline->error->message, "pw"));
}

void TestClientFailures::theSystemsProxyIsNotUsedUnlessAsked()
{
    // the variable is set before this program's first request: see main below
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(!timeline->flags.has(Flag::ViaProxy));
    QCOMPARE(server.requests().at(0).target, std::string("/v1/chat/completions"));
}

void TestClientFailures::aNamedProxyIsUsedAndFlagged()
{
    ScriptedServer proxy({chatScript(1)});
    ClientFixture fixture;
    ClientRequest request = requestTo("http://llm.invalid/v1/chat/completions");
    request.route.proxyMode = Route::ProxyMode::Url;
    request.route.proxy = QUrl(QString::fromStdString(proxy.url("")));
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(timeline->flags.has(Flag::ViaProxy));
    QCOMPARE(proxy.requests().at(0).target, std::string("http://llm.invalid/v1/chat/completions"));
}

void TestClientFailures::aProxyThatRefusesIsNamedWithoutItsPassword()
{
    const auto port = std::to_string(ScriptedServer::closedPort());
    ClientFixture fixture;
    ClientRequest request = requestTo("http://llm.invalid/v1/chat/completions");
    request.route.proxyMode = Route::ProxyMode::Url;
    request.route.proxy = QUrl(QString::fromStdString("http://me:pw9@127.0.0.1:" + port));
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QVERIFY2(has(timeline->error->message, "proxy 127.0.0.1:" + port), timeline->error->message.c_str());
    QVERIFY(!has(timeline->error->message, "pw9"));
    QVERIFY(timeline->flags.has(Flag::ViaProxy));
}

void TestClientFailures::messagesHoldNoSecret()
{
    const auto port = std::to_string(ScriptedServer::closedPort());
    ScriptedServer closing({Script{closeConnection()}});
    ClientFixture fixture;
    for (const std::string& place : {"127.0.0.1:" + port, "127.0.0.1:" + std::to_string(closing.port())}) {
        const auto timeline = fixture.run(requestTo("http://u:pw9@" + place + "/v1?key=sk-T-SECRET123"));
        QVERIFY(timeline);
        QCOMPARE(timeline->status, Status::Error);
        QVERIFY(!has(timeline->error->message, "SECRET123"));
        QVERIFY(!has(timeline->error->message, "pw9"));
    }
}

int main(int argc, char** argv)
{
    qputenv("http_proxy", "http://127.0.0.1:9");
    qputenv("no_proxy", "");
    const QCoreApplication application(argc, argv);
    return runWithBothManagers<TestClientFailures>(argc, argv);
}

#include "tst_clientfailures.moc"
