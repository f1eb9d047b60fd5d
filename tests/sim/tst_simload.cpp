// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <QtTest>

#include "sim/simserver.h"
#include "simclient.h"

using namespace tokenpace::sim;
using tokenpace::test::chatOf;
using tokenpace::test::SimAnswer;
using tokenpace::test::SimClient;
using Json = nlohmann::json;
using End = SimAnswer::End;

namespace {

// Each event carries the model's name: a long one makes large events.
const std::string wordyName(4000, 'm');

SimModel modelOf(const std::string& name, int maxBatch, double decodeMs, int naturalTokens)
{
    SimModel model;
    model.name = name;
    model.prefillFixedMs = 2;
    model.prefillMsPerToken = 0;
    model.decodeFloorMs = decodeMs;
    model.decodeMsPerSequence = 0;
    model.maxBatch = maxBatch;
    model.naturalTokens = naturalTokens;
    model.contextTokens = 1000000;
    return model;
}

std::int64_t sentNs(const Json& json)
{
    return json["sent_ns"].get<std::int64_t>();
}

/// One request each from as many threads and connections.
std::vector<SimAnswer> askAtOnce(const SimServer& server, const std::string& model, std::size_t count, int tokens)
{
    std::vector<SimAnswer> answers(count);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            SimClient client(server.port());
            answers[i] = client.ask(chatOf(model, "Hello " + std::to_string(i), tokens));
        });
    }
    std::for_each(threads.begin(), threads.end(), [](std::thread& thread) {
        thread.join();
    });
    return answers;
}

} // namespace

class tst_simload : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void manyParallelStreamsComplete();
    void theBatchIsSharedByAtMostItsSize();
    void manyConnectionsStayOpen();
    void aSlowReaderHoldsUpNobodyAndLosesNothing();
    void whoGoesAwayFreesThePlace();
    void whoGoesAwayWhileWaitingIsSkipped();
    void stoppingEndsStreamsInFlightAndStartingWorksAgain();
    void destroyingDoesNotWaitForALongPrefill();

private:
    std::unique_ptr<SimServer> m_server;
};

void tst_simload::initTestCase()
{
    SimOptions options;
    options.models = {modelOf("wide", 64, 5, 1000), modelOf("two", 2, 5, 1000), modelOf("one", 1, 10, 900000),
                      modelOf(wordyName, 4, 0, 1600), modelOf("slow", 4, 5, 100)};
    options.models[4].prefillFixedMs = 600000;
    m_server = std::make_unique<SimServer>(options);
    QVERIFY2(m_server->start(), m_server->error().c_str());
}

void tst_simload::manyParallelStreamsComplete()
{
    for (const SimAnswer& answer : askAtOnce(*m_server, "wide", 64, 20)) {
        QVERIFY(answer.end == End::Complete);
        QCOMPARE(answer.contents().size(), std::size_t{20});
        QCOMPARE(answer.usage()["completion_tokens"], Json(20));
        for (const auto& event : answer.events) {
            QVERIFY(event.data == "[DONE]" || sentNs(event.json()) <= event.arrivedNs);
        }
    }
}

void tst_simload::theBatchIsSharedByAtMostItsSize()
{
    struct Edge {
        std::int64_t ns;
        int change;
    };
    std::vector<Edge> edges;
    for (const SimAnswer& answer : askAtOnce(*m_server, "two", 7, 10)) {
        QVERIFY(answer.end == End::Complete);
        // The role-only event is sent when a request enters the batch.
        edges.push_back({sentNs(answer.events.front().json()), 1});
        edges.push_back({sentNs(answer.contents().back()), -1});
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.ns < b.ns;
    });
    int running = 0;
    int most = 0;
    for (const Edge& edge : edges) {
        running += edge.change;
        most = std::max(most, running);
    }
    QCOMPARE(most, 2);
}

void tst_simload::manyConnectionsStayOpen()
{
    std::vector<std::unique_ptr<SimClient>> clients;
    for (int i = 0; i < 300; ++i) {
        clients.push_back(std::make_unique<SimClient>(m_server->port()));
    }
    for (int round = 0; round < 2; ++round) {
        for (const auto& client : clients) {
            client->get("/health");
        }
        for (const auto& client : clients) {
            QCOMPARE(client->read().status, 200);
        }
    }
}

void tst_simload::aSlowReaderHoldsUpNobodyAndLosesNothing()
{
    // Some 7 MB, more than the buffers of both sockets hold while nobody reads.
    SimClient slow(m_server->port());
    slow.post(chatOf(wordyName, "Hello", 1600));
    // In step with the slow one: when this is over, that one has been sent too.
    SimClient quick(m_server->port());
    QCOMPARE(quick.ask(chatOf(wordyName, "Hello", 1600)).events.size(), std::size_t{1 + 1600 + 1 + 1 + 1});
    const SimAnswer late = slow.read();
    QVERIFY(late.end == End::Complete);
    QCOMPARE(late.events.size(), std::size_t{1 + 1600 + 1 + 1 + 1});
    QCOMPARE(simTokenCount(late.text()), 1600);
    QCOMPARE(slow.ask(chatOf(wordyName, "Hello", 1)).contents().size(), std::size_t{1});
}

void tst_simload::whoGoesAwayFreesThePlace()
{
    SimClient first(m_server->port());
    first.post(chatOf("one", "Hello", 900000)); // hours
    QCOMPARE(first.read(3).events.size() >= 3, true);
    SimClient second(m_server->port());
    second.post(chatOf("one", "Hello", 3));
    first.close();
    const SimAnswer answer = second.read();
    QVERIFY(answer.end == End::Complete);
    QCOMPARE(answer.contents().size(), std::size_t{3});
}

void tst_simload::whoGoesAwayWhileWaitingIsSkipped()
{
    SimClient first(m_server->port());
    first.post(chatOf("one", "Hello", 900000));
    (void)first.read(3);
    {
        SimClient second(m_server->port());
        second.post(chatOf("one", "Hello", 900000));
    }
    SimClient third(m_server->port());
    third.post(chatOf("one", "Hello", 3));
    first.close();
    QCOMPARE(third.read().contents().size(), std::size_t{3});
}

void tst_simload::stoppingEndsStreamsInFlightAndStartingWorksAgain()
{
    SimOptions options;
    options.models = {modelOf("one", 16, 5, 900000)};
    SimServer server(options);
    for (int round = 0; round < 2; ++round) {
        QVERIFY2(server.start(), server.error().c_str());
        std::vector<std::unique_ptr<SimClient>> clients;
        for (int i = 0; i < 24; ++i) { // more than the batch holds
            clients.push_back(std::make_unique<SimClient>(server.port()));
            clients.back()->post(chatOf("one", "Hello", 900000));
        }
        (void)clients.front()->read(5);
        server.stop();
        for (const auto& client : clients) {
            const SimAnswer rest = client->read();
            QVERIFY(rest.end == End::Closed || rest.end == End::Reset);
        }
    }
    server.stop(); // once more does no harm
}

void tst_simload::destroyingDoesNotWaitForALongPrefill()
{
    SimClient client(m_server->port());
    client.post(chatOf("slow", "Hello", 5));
    QCOMPARE(client.read(1).events.size(), std::size_t{1}); // in the batch, ten minutes of prefill ahead
    const auto before = std::chrono::steady_clock::now();
    m_server.reset();
    QVERIFY(std::chrono::steady_clock::now() - before < std::chrono::seconds(20));
}

QTEST_GUILESS_MAIN(tst_simload)
#include "tst_simload.moc"
