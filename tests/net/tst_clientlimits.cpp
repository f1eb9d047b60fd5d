// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QObject>

#include "net/clientfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

/// Limits that a test never meets unless it sets one.
ClientRequest patient(const std::string& url, int seq = 0)
{
    ClientRequest request = requestTo(url, seq);
    request.limits = {0ms, 0ms, 0ms, 0ms};
    return request;
}

const std::string refusal = R"({"error":{"message":"slow down"}})";

Script busy(int status, const Headers& headers = {})
{
    return {send(wholeReply(status, refusal, headers))};
}

} // namespace

class TestClientLimits : public QObject {
    Q_OBJECT
private slots:
    void aConnectionThatNeverBecomesReadyTimesOut();
    void silenceBeforeTheFirstOutputTimesOut();
    void rolesAndCommentsAreNoOutput();
    void silenceInTheMiddleTimesOutAndKeepsWhatCame();
    void commentsCountAsBytes();
    void aStreamThatNeverEndsMeetsTheTotalLimit();
    void aBodyThatIsNotTakenTimesOutInSend();
    void aFinishedStreamThatHangsIsOkay();
    void aLimitOfZeroIsOff();
    void cancelBeforeTheConnectionIsReady();
    void cancelBeforeTheHeaders();
    void cancelInTheMiddleKeepsWhatCame();
    void cancelInTheWaitForARetry();
    void cancelAllEndsEveryRequest();
    void theEndOfTheClientEndsEveryRequest();
    void cancelOfAnUnknownRequestDoesNothing();
    void a429IsNotRetriedUnlessAsked();
    void a429IsRetriedAfterTheServersWait();
    void aDecimalWaitIsNotRoundedDown();
    void retriesEndAtTheirMaximum();
    void otherFailuresAreNotRetried_data();
    void otherFailuresAreNotRetried();
    void aRefusedConnectionIsRetried();
};

void TestClientLimits::aConnectionThatNeverBecomesReadyTimesOut()
{
    // TLS to a server that never says a word
    ScriptedServer server(
        [](const ReceivedRequest&, int) {
            return Script{};
        },
        {0ms, false});
    ClientFixture fixture;
    ClientRequest request = patient("https://127.0.0.1:" + std::to_string(server.port()) + "/v1/chat/completions");
    request.limits.connect = 150ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->kind, ErrorKind::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Connect));
    QVERIFY(!timeline->zero);
    QVERIFY(!timeline->error->httpStatus);
}

void TestClientLimits::silenceBeforeTheFirstOutputTimesOut()
{
    ScriptedServer server({Script{stall()}});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.ttft = 150ms;
    const Stamp begin = steadyNow();
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QVERIFY(steadyNow() - begin >= 150ms);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Ttft));
    QVERIFY(timeline->zero);
    QVERIFY(timeline->arrivals.empty());
    QVERIFY(server.waitUntilOver());
}

void TestClientLimits::rolesAndCommentsAreNoOutput()
{
    const std::string role = test::event(R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})");
    ScriptedServer server(
        {Script{send(streamHead()), send(chunk(role)), send(chunk(": still here\n\n"), 20ms), stall()}});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.ttft = 200ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Ttft));
    QCOMPARE(timeline->error->httpStatus, std::optional(200));
    QVERIFY(timeline->marks.firstEvent);
}

void TestClientLimits::silenceInTheMiddleTimesOutAndKeepsWhatCame()
{
    ScriptedServer server(
        {Script{send(streamHead()), send(chunk(textEvent("a")), 20ms), send(chunk(textEvent("b")), 20ms), stall()}});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.idle = 200ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->kind, ErrorKind::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Idle));
    QCOMPARE(timeline->error->httpStatus, std::optional(200));
    QCOMPARE(timeline->text, std::string("ab"));
    QCOMPARE(timeline->arrivals.size(), std::size_t(2));
    QVERIFY(server.waitUntilOver());
}

void TestClientLimits::commentsCountAsBytes()
{
    Script script{send(streamHead()), send(chunk(textEvent("a")))};
    for (int i = 0; i < 12; ++i) {
        script.push_back(send(chunk(": ping\n\n"), 100ms));
    }
    script.push_back(send(chunk(textEvent("b") + finishEvent() + doneEvent()) + lastChunk()));
    ScriptedServer server({script});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.idle = 900ms; // less than all the pings together
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->text, std::string("ab"));
}

void TestClientLimits::aStreamThatNeverEndsMeetsTheTotalLimit()
{
    Script script{send(streamHead())};
    for (int i = 0; i < 200; ++i) {
        script.push_back(send(chunk(textEvent("a")), 20ms));
    }
    ScriptedServer server({script});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.idle = 10s;
    request.limits.total = 300ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Total));
    QVERIFY(!timeline->arrivals.empty());
}

void TestClientLimits::aBodyThatIsNotTakenTimesOutInSend()
{
    ScriptedServer server(
        [](const ReceivedRequest&, int) {
            return Script{};
        },
        {0ms, false});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.body = QByteArray(40'000'000, 'x');
    request.limits.ttft = 250ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Timeout);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Send));
    QVERIFY(!timeline->zero);
}

void TestClientLimits::aFinishedStreamThatHangsIsOkay()
{
    ScriptedServer server({Script{send(streamHead()), send(chunk(textEvent("a") + finishEvent())), stall()}});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.limits.idle = 100ms;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->finishReason, std::optional<std::string>("stop"));
}

void TestClientLimits::aLimitOfZeroIsOff()
{
    ScriptedServer server({chatScript(2, 300ms, 300ms)});
    ClientFixture fixture;
    const auto timeline = fixture.run(patient(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
}

void TestClientLimits::cancelBeforeTheConnectionIsReady()
{
    ScriptedServer server(
        [](const ReceivedRequest&, int) {
            return Script{};
        },
        {0ms, false});
    ClientFixture fixture;
    fixture.client.send(patient("https://127.0.0.1:" + std::to_string(server.port()) + "/", 5));
    QTRY_COMPARE(server.connectionCount(), 1);
    fixture.client.cancel(QStringLiteral("r1"), 5);
    QVERIFY(fixture.waitForEnded(1));
    const auto timeline = fixture.timeline(0);
    QCOMPARE(timeline->status, Status::Cancelled);
    QCOMPARE(timeline->error->kind, ErrorKind::Cancelled);
    QVERIFY(!timeline->zero);
}

void TestClientLimits::cancelBeforeTheHeaders()
{
    ScriptedServer server({Script{stall()}});
    ClientFixture fixture;
    fixture.client.send(patient(server.url(), 5));
    QVERIFY(fixture.drainUntil([&] {
        return fixture.count<RequestStarted>() == 1;
    }));
    fixture.client.cancel(QStringLiteral("r1"), 5);
    QVERIFY(fixture.waitForEnded(1));
    QCOMPARE(fixture.timeline(0)->status, Status::Cancelled);
    QVERIFY(fixture.timeline(0)->zero);
    QVERIFY(server.waitUntilOver()); // the server is told at once
}

void TestClientLimits::cancelInTheMiddleKeepsWhatCame()
{
    ScriptedServer server({Script{send(streamHead()), send(chunk(textEvent("a"))), stall()}, chatScript(1)});
    ClientFixture fixture;
    fixture.client.send(patient(server.url(), 5));
    QVERIFY(fixture.drainUntil([&] {
        return fixture.count<OutputsArrived>() == 1;
    }));
    fixture.client.cancel(QStringLiteral("r1"), 5);
    QVERIFY(fixture.waitForEnded(1));
    const auto timeline = fixture.timeline(0);
    QCOMPARE(timeline->status, Status::Cancelled);
    QCOMPARE(timeline->text, std::string("a"));
    QVERIFY(ttftMs(*timeline));
    QVERIFY(server.waitUntilOver());

    const auto next = fixture.run(patient(server.url(), 6)); // the lane is of use again
    QVERIFY(next);
    QCOMPARE(next->status, Status::Ok);
}

void TestClientLimits::cancelInTheWaitForARetry()
{
    ScriptedServer server({busy(429, {{"Retry-After", "30"}})});
    ClientFixture fixture;
    ClientRequest request = patient(server.url(), 5);
    request.maxRetries = 3;
    fixture.client.send(std::move(request));
    QVERIFY(server.waitForRequests(1));
    QVERIFY(server.waitUntilOver());
    fixture.client.cancel(QStringLiteral("r1"), 5);
    QVERIFY(fixture.waitForEnded(1));
    QCOMPARE(fixture.timeline(0)->status, Status::Cancelled);
    QCOMPARE(fixture.timeline(0)->attempts, 1);
    QCOMPARE(server.requestCount(), 1);
}

void TestClientLimits::cancelAllEndsEveryRequest()
{
    ScriptedServer server({Script{stall()}});
    ClientFixture fixture;
    for (int i = 0; i < 5; ++i) {
        fixture.client.send(patient(server.url(), i));
    }
    QVERIFY(server.waitForRequests(5));
    fixture.client.cancelAll();
    QVERIFY(fixture.waitForEnded(5));
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(fixture.timeline(i)->status, Status::Cancelled);
    }
}

void TestClientLimits::theEndOfTheClientEndsEveryRequest()
{
    ScriptedServer server({Script{send(streamHead()), send(chunk(textEvent("a"))), stall()}});
    ClientMailbox mailbox;
    std::vector<std::shared_ptr<Timeline>> finished; // by the network thread, read after it was joined
    {
        Client client(mailbox, [&](std::shared_ptr<Timeline> timeline) {
            finished.push_back(std::move(timeline));
        });
        client.send(patient(server.url(), 0));
        QVERIFY(server.waitForRequests(1));
        client.send(patient(server.url(), 1)); // may not even have been looked at
    }
    QCOMPARE(finished.size(), std::size_t(2));
    for (const auto& timeline : finished) {
        QCOMPARE(timeline->status, Status::Cancelled);
    }
}

void TestClientLimits::cancelOfAnUnknownRequestDoesNothing()
{
    ScriptedServer server({chatScript(2, 50ms, 50ms)});
    ClientFixture fixture;
    fixture.client.send(patient(server.url(), 5));
    fixture.client.cancel(QStringLiteral("r1"), 6);
    fixture.client.cancel(QStringLiteral("r2"), 5);
    QVERIFY(fixture.waitForEnded(1));
    QCOMPARE(fixture.timeline(0)->status, Status::Ok);
}

void TestClientLimits::a429IsNotRetriedUnlessAsked()
{
    ScriptedServer server({busy(429, {{"Retry-After", "1.5"}})});
    ClientFixture fixture;
    const auto timeline = fixture.run(patient(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(429));
    QCOMPARE(timeline->error->retryAfterMs, std::optional(1500.0));
    QVERIFY(timeline->error->message.find("slow down") != std::string::npos);
    QCOMPARE(timeline->attempts, 1);
    QCOMPARE(server.requestCount(), 1);
    const std::vector<std::pair<std::string, std::string>> headers{{"retry-after", "1.5"}};
    QVERIFY(timeline->headers == headers);
}

void TestClientLimits::a429IsRetriedAfterTheServersWait()
{
    ScriptedServer server({busy(429, {{"retry-after-ms", "300"}}), chatScript(2, 50ms, 20ms)});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.maxRetries = 2;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(!timeline->error);
    QCOMPARE(timeline->attempts, 2);
    QVERIFY(timeline->flags.has(Flag::Retried));
    QCOMPARE(timeline->attemptLog.size(), std::size_t(1));
    QCOMPARE(timeline->attemptLog.front().status, Status::Error);
    QCOMPARE(timeline->attemptLog.front().httpStatus, std::optional(429));
    QVERIFY(timeline->attemptLog.front().waitMs >= 300);

    const auto requests = server.requests();
    QCOMPARE(requests.size(), std::size_t(2));
    QVERIFY(requests[1].receivedAt - requests[0].sentAt.at(0) >= 300ms);
    // the numbers are those of the second attempt alone
    QVERIFY(*timeline->zero > requests[0].sentAt.at(0) + 300ms);
    QVERIFY(isWithin(timeline->arrivals.front(), requests[1].sentAt.at(1)));
    QCOMPARE(timeline->reused, std::optional(true));
    QVERIFY(*timeline->phases.queued < 200ms); // the wait is no queue
    QVERIFY(fixture.drainUntil([&] {
        return fixture.count<RequestFinished>() == 1;
    }));
    QCOMPARE(fixture.count<RequestStarted>(), 2);
}

void TestClientLimits::aDecimalWaitIsNotRoundedDown()
{
    ScriptedServer server({busy(503, {{"Retry-After", "0.4"}}), chatScript(1)});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.maxRetries = 1;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(timeline->attemptLog.at(0).waitMs >= 400);
    QVERIFY(server.requests()[1].receivedAt - server.requests()[0].sentAt.at(0) >= 400ms);
}

void TestClientLimits::retriesEndAtTheirMaximum()
{
    ScriptedServer server({busy(429, {{"Retry-After", "0"}})});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.maxRetries = 2;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->httpStatus, std::optional(429));
    QCOMPARE(timeline->attempts, 3);
    QCOMPARE(timeline->attemptLog.size(), std::size_t(2));
    QCOMPARE(server.requestCount(), 3);
}

void TestClientLimits::otherFailuresAreNotRetried_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("400") << 400;
    QTest::newRow("401") << 401;
    QTest::newRow("404") << 404;
    QTest::newRow("500") << 500;
    QTest::newRow("502") << 502;
}

void TestClientLimits::otherFailuresAreNotRetried()
{
    QFETCH(const int, status);
    ScriptedServer server({busy(status)});
    ClientFixture fixture;
    ClientRequest request = patient(server.url());
    request.maxRetries = 5;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Http);
    QCOMPARE(timeline->error->httpStatus, std::optional(status));
    QCOMPARE(server.requestCount(), 1);
}

void TestClientLimits::aRefusedConnectionIsRetried()
{
    ClientFixture fixture;
    ClientRequest request = patient("http://127.0.0.1:" + std::to_string(ScriptedServer::closedPort()) + "/v1");
    request.maxRetries = 1;
    const Stamp begin = steadyNow();
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QVERIFY(steadyNow() - begin >= 800ms); // 1 s less a fifth
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QCOMPARE(timeline->attempts, 2);
    QVERIFY(!timeline->attemptLog.at(0).httpStatus);
}

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return runWithBothManagers<TestClientLimits>(argc, argv);
}

#include "tst_clientlimits.moc"
