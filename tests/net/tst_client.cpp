// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QObject>

#include "net/clientfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

/// The measuring manager's phases begin a little after the lane gave it the request.
Stamp betweenPhases()
{
    return measures() ? lateAllowed : Stamp(0);
}

} // namespace

class TestClient : public QObject {
    Q_OBJECT
private slots:
    void aStreamIsStampedAsItArrives();
    void whatIsKnownBeforehandStaysInTheRecord();
    void phasesAndMarksComeBeforeAndAfterZero();
    void aSmallBodyReusesTheConnection();
    void aLargeBodyIsSentWithoutDelayAndHasALateZero();
    void closingIdleConnectionsLeavesNothingToReuse();
    void twentyRequestsAreAllInFlightAtOnce();
    void outputsComeInOrderAndBeforeTheEnd();
    void headersAreTheOnesThatMeasuringNeeds();
    void cookiesOfOneReplyAreNotSentWithTheNext();
    void allowedResponseHeadersAreKept();
    void aWholeReplyIsRead();
    void aReplyOfManyMegabytesIsRead();
    void aBodyLeftOpenAfterDoneIsDropped();
    void aBusyClientIsFlagged();
};

void TestClient::aStreamIsStampedAsItArrives()
{
    ScriptedServer server({chatScript(4, 60ms, 30ms)});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(!timeline->error);
    QCOMPARE(timeline->text, std::string("w0 w1 w2 w3 "));
    QCOMPARE(timeline->usage.completionTokens, std::optional<std::int64_t>(4));
    QCOMPARE(timeline->arrivals.size(), std::size_t(4));

    const ReceivedRequest received = server.requests().at(0);
    QVERIFY(timeline->zero);
    // the slot that stamps zero runs after the bytes left, and may do so after the server has them
    QVERIFY(*timeline->zero <= received.receivedAt + lateAllowed);
    QVERIFY(*timeline->zero >= *timeline->marks.asked);
    for (std::size_t i = 0; i < timeline->arrivals.size(); ++i) {
        QVERIFY(isWithin(timeline->arrivals[i], received.sentAt.at(i + 1)));
    }
    QVERIFY(isWithin(*timeline->marks.headers, received.sentAt.at(0)));
    QVERIFY(isWithin(*timeline->marks.end, received.sentAt.at(5)));
    QVERIFY(*ttftMs(*timeline) > 0);
    QCOMPARE(timeline->attempts, 1);
    QVERIFY(timeline->attemptLog.empty());
    QCOMPARE(timeline->manager, std::string(measures() ? "measuring" : "stock"));
#ifdef Q_OS_LINUX
    QCOMPARE(timeline->kernelStamps, measures());
#else
    QVERIFY(!timeline->kernelStamps);
#endif
}

void TestClient::whatIsKnownBeforehandStaysInTheRecord()
{
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url(), 7);
    request.timeline.promptTokensTarget = 300;
    request.timeline.flags.set(Flag::WarmUp);
    request.timeline.params.maxTokens = 12;
    const auto before =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->seq, 7);
    QCOMPARE(timeline->run, std::string("r1"));
    QCOMPARE(timeline->promptTokensTarget, std::optional<std::int64_t>(300));
    QVERIFY(timeline->flags.has(Flag::WarmUp));
    QVERIFY(!timeline->flags.has(Flag::ClockJump));
    QVERIFY(!timeline->flags.has(Flag::ViaProxy));
    QCOMPARE(timeline->params.maxTokens, std::optional<int>(12));
    QVERIFY(timeline->startedAtMs >= before.count());
    QVERIFY(timeline->startedAtMs < before.count() + 60'000);
}

void TestClient::phasesAndMarksComeBeforeAndAfterZero()
{
    ScriptedServer server({chatScript(2, 20ms, 20ms)});
    ClientFixture fixture;
    const auto first = fixture.run(requestTo(server.url(), 0));
    const auto second = fixture.run(requestTo(server.url(), 1));
    QVERIFY(first && second);

    QCOMPARE(first->reused, std::optional(false));
    QVERIFY(first->phases.queued && *first->phases.queued >= Stamp(0));
    QVERIFY(first->phases.connect && *first->phases.connect > Stamp(0));
    QVERIFY(!first->phases.dns);
    QVERIFY(!first->phases.tls);
    // without TLS the stock manager does not tell when the connection was ready
    QCOMPARE(first->phases.send.has_value(), measures());
    const Stamp known = *first->phases.queued + *first->phases.connect + first->phases.send.value_or(Stamp(0));
    QVERIFY(known <= *first->zero - *first->marks.asked);
    QVERIFY(known + betweenPhases() >= *first->zero - *first->marks.asked);

    QCOMPARE(second->reused, std::optional(true));
    QVERIFY(!second->phases.connect);
    QVERIFY(second->phases.send && *second->phases.send > Stamp(0));
    QVERIFY(*second->phases.queued + *second->phases.send + betweenPhases() >= *second->zero - *second->marks.asked);

    for (const auto& timeline : {first, second}) {
        QVERIFY(*timeline->marks.asked < *timeline->zero);
        QVERIFY(*timeline->marks.headers >= *timeline->zero);
        QVERIFY(*timeline->marks.firstByte >= *timeline->marks.headers);
        QVERIFY(*timeline->marks.end >= *timeline->marks.lastByte);
    }
}

void TestClient::aSmallBodyReusesTheConnection()
{
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    for (int i = 0; i < 4; ++i) {
        const auto timeline = fixture.run(requestTo(server.url(), i));
        QVERIFY(timeline);
        QCOMPARE(timeline->status, Status::Ok);
        QCOMPARE(timeline->reused, std::optional(i > 0));
    }
    QCOMPARE(server.connectionCount(), 1);
    QCOMPARE(server.requests().at(3).indexOnConnection, 3);
}

void TestClient::aLargeBodyIsSentWithoutDelayAndHasALateZero()
{
    ScriptedServer server({chatScript(1, 30ms)});
    ClientFixture fixture;
    QVERIFY(fixture.run(requestTo(server.url(), 0)));
    const QList<qsizetype> sizes{16 * 1024, 16 * 1024 + 1, 60'000, 300'000, 2'000'000};
    for (const qsizetype size : sizes) {
        ClientRequest request = requestTo(server.url(), 1);
        request.body = QByteArray(size, 'x');
        const auto timeline = fixture.run(std::move(request));
        QVERIFY(timeline);
        QCOMPARE(timeline->status, Status::Ok);
        const ReceivedRequest received = server.requests().back();
        QCOMPARE(received.body.size(), std::size_t(size));
        const bool sliced = !measures() && size > 16 * 1024; // then it takes a fresh connection
        QCOMPARE(timeline->reused, std::optional(!sliced));
        QCOMPARE(received.indexOnConnection == 0, sliced);
        QVERIFY(!timeline->flags.has(Flag::CoarseStamp));
        // Zero is when the last byte was handed over, not the first 16 KiB: no earlier than the server could have had
        // the whole but for what was still on its way.
        QVERIFY(*timeline->zero + lateAllowed >= received.receivedAt);
        QVERIFY(*timeline->zero <= received.receivedAt + lateAllowed);
        QVERIFY(timeline->arrivals.front() > *timeline->zero);
        QCOMPARE(timeline->phases.send.has_value(), true);
    }
}

void TestClient::closingIdleConnectionsLeavesNothingToReuse()
{
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    QVERIFY(fixture.run(requestTo(server.url(), 0)));
    fixture.client.closeIdleConnections();
    const auto timeline = fixture.run(requestTo(server.url(), 1));
    QVERIFY(timeline);
    QCOMPARE(timeline->reused, std::optional(false));
    QCOMPARE(server.connectionCount(), 2);
}

void TestClient::twentyRequestsAreAllInFlightAtOnce()
{
    constexpr int parallel = 20;
    std::mutex mutex;
    std::condition_variable all;
    int inside = 0;
    // none is answered until all have come: a queue hidden in the client would never end
    ScriptedServer server([&](const ReceivedRequest&, int) {
        std::unique_lock lock(mutex);
        ++inside;
        all.notify_all();
        all.wait_for(lock, longWait, [&] {
            return inside == parallel;
        });
        return chatScript(3, 5ms, 5ms);
    });
    ClientFixture fixture;
    for (int i = 0; i < parallel; ++i) {
        fixture.client.send(requestTo(server.url(), i));
    }
    QVERIFY(fixture.waitForEnded(parallel));
    QCOMPARE(server.peakInFlight(), parallel);
    for (int i = 0; i < parallel; ++i) {
        QCOMPARE(fixture.timeline(i)->status, Status::Ok);
        QCOMPARE(fixture.timeline(i)->text, std::string("w0 w1 w2 "));
        QVERIFY(!fixture.timeline(i)->flags.has(Flag::Resent));
    }
}

void TestClient::outputsComeInOrderAndBeforeTheEnd()
{
    constexpr int tokens = 40;
    ScriptedServer server({chatScript(tokens, 5ms, 1ms)});
    ClientFixture fixture;
    fixture.client.send(requestTo(server.url(), 3));
    QVERIFY(fixture.drainUntil([&] {
        return fixture.count<RequestFinished>() == 1;
    }));
    QCOMPARE(fixture.count<RequestStarted>(), 1);
    QVERIFY(std::holds_alternative<RequestStarted>(fixture.updates.front()));
    QVERIFY(std::holds_alternative<RequestFinished>(fixture.updates.back()));
    const auto timeline = std::get<RequestFinished>(fixture.updates.back()).timeline;
    QCOMPARE(std::get<RequestStarted>(fixture.updates.front()).zero, *timeline->zero);

    std::vector<Stamp> arrivals;
    for (const ClientUpdate& update : fixture.updates) {
        if (const auto* const outputs = std::get_if<OutputsArrived>(&update)) {
            QCOMPARE(outputs->run, QStringLiteral("r1"));
            QCOMPARE(outputs->seq, 3);
            QCOMPARE(outputs->channel, Channel::Text);
            QVERIFY(arrivals.empty() || outputs->at > arrivals.back()); // one a read
            arrivals.insert(arrivals.end(), static_cast<std::size_t>(outputs->count), outputs->at);
        }
    }
    QVERIFY(arrivals == timeline->arrivals);
    QCOMPARE(arrivals.size(), std::size_t(tokens));
}

void TestClient::headersAreTheOnesThatMeasuringNeeds()
{
    ScriptedServer server({chatScript(1)});
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url("/v1/chat/completions?api-version=2"));
    request.headers.emplace_back("X-Extra", "a b");
    request.headers.emplace_back("Accept-Encoding", "gzip");
    QVERIFY(fixture.run(std::move(request)));
    const ReceivedRequest received = server.requests().at(0);
    QCOMPARE(received.method, std::string("POST"));
    QCOMPARE(received.target, std::string("/v1/chat/completions?api-version=2"));
    QCOMPARE(received.header("Accept-Encoding"), std::string("identity"));
    QCOMPARE(received.header("Content-Type"), std::string("application/json"));
    QCOMPARE(received.header("Authorization"), std::string("Bearer sk-T-SECRET123"));
    QCOMPARE(received.header("X-Extra"), std::string("a b"));
    QVERIFY(received.header("User-Agent").starts_with("tokenpace/"));
    QVERIFY(!received.hasHeader("Cookie"));
    QCOMPARE(received.body, requestTo(server.url()).body.toStdString());
}

void TestClient::cookiesOfOneReplyAreNotSentWithTheNext()
{
    Script withCookie = chatScript(1);
    withCookie.front() = send(streamHead(200, {{"Set-Cookie", "lb=node7; Path=/"}}));
    ScriptedServer server({withCookie});
    ClientFixture fixture;
    QVERIFY(fixture.run(requestTo(server.url(), 0)));
    const auto second = fixture.run(requestTo(server.url(), 1));
    QVERIFY(second);
    QCOMPARE(second->reused, std::optional(true));
    QVERIFY(!server.requests().at(1).hasHeader("Cookie"));
    for (const auto& [name, value] : second->headers) {
        QVERIFY(name != "set-cookie");
    }
}

void TestClient::allowedResponseHeadersAreKept()
{
    Script script = chatScript(1);
    script.front() = send(streamHead(200,
                                     {{"X-Request-Id", "req-9"},
                                      {"X-RateLimit-Remaining-Tokens", "12"},
                                      {"OpenAI-Processing-Ms", "17"},
                                      {"Server-Timing", "total;dur=3"},
                                      {"X-Secret", "no"}}));
    ScriptedServer server({script});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->requestId, std::optional<std::string>("req-9"));
    const std::vector<std::pair<std::string, std::string>> expected{{"x-request-id", "req-9"},
                                                                    {"x-ratelimit-remaining-tokens", "12"},
                                                                    {"openai-processing-ms", "17"},
                                                                    {"server-timing", "total;dur=3"}};
    QVERIFY(timeline->headers == expected);
}

void TestClient::aWholeReplyIsRead()
{
    const std::string body = R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":)"
                             R"({"role":"assistant","content":"SOME TEXT"},"finish_reason":"stop"}],)"
                             R"("usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}})";
    ScriptedServer server({Script{send(wholeReply(200, body), 50ms)}});
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.timeline.params.stream = false;
    request.limits.ttft = 1ms; // does not hold for a whole reply
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->streamed, std::optional(false));
    QCOMPARE(timeline->text, std::string("SOME TEXT"));
    QVERIFY(!ttftMs(*timeline));
    QVERIFY(*totalMs(*timeline) > 0);
    QCOMPARE(fixture.run(requestTo(server.url(), 1))->reused, std::optional(true));
}

void TestClient::aReplyOfManyMegabytesIsRead()
{
    const std::string text(3'000'000, 'x');
    ScriptedServer server({Script{send(streamHead()), send(chunk(textEvent(text))),
                                  send(chunk(finishEvent() + doneEvent()) + lastChunk())}});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->arrivals.size(), std::size_t(1));
    QCOMPARE(timeline->text.size(), text.size());
}

void TestClient::aBodyLeftOpenAfterDoneIsDropped()
{
    // a server that says [DONE] and keeps the body open
    Script script{send(streamHead()), send(chunk(textEvent("a"))), send(chunk(finishEvent() + doneEvent())), stall()};
    ScriptedServer server({script, chatScript(1)});
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url(), 0));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QVERIFY(!timeline->marks.end);
    QVERIFY(server.waitUntilOver()); // the connection was dropped
    const auto next = fixture.run(requestTo(server.url(), 1));
    QVERIFY(next);
    QCOMPARE(next->status, Status::Ok);
    QCOMPARE(next->reused, std::optional(false));
}

/// Work that does not give the thread back.
static void keepBusyFor(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) { }
}

void TestClient::aBusyClientIsFlagged()
{
    // the end of a short request keeps the network thread busy while a long one streams
    ScriptedServer server([](const ReceivedRequest& request, int) {
        return request.target == "/long" ? chatScript(30, 5ms, 10ms) : chatScript(1, 50ms);
    });
    for (const std::chrono::milliseconds allowed : {std::chrono::milliseconds(5), std::chrono::milliseconds(1h)}) {
        ClientMailbox mailbox;
        Client client(mailbox, [](const std::shared_ptr<Timeline>& timeline) {
            if (timeline->seq == 1) {
                keepBusyFor(40ms);
            }
        });
        client.setBusyAfter(allowed);
        QSignalSpy ended(&client, &Client::requestEnded);
        client.send(requestTo(server.url("/long"), 0));
        client.send(requestTo(server.url("/short"), 1));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return ended.size() == 2;
            },
            static_cast<int>(longWait.count())));
        const auto timeline = ended.at(1).at(0).value<std::shared_ptr<const Timeline>>();
        QCOMPARE(timeline->seq, 0);
        QCOMPARE(timeline->flags.has(Flag::ClientBusy), allowed < 1h);
        QCOMPARE(counts(*timeline), allowed == 1h);
    }
}

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return runWithBothManagers<TestClient>(argc, argv);
}

#include "tst_client.moc"
