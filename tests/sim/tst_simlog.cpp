// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "sim/simscheduler.h"
#include "sim/simserver.h"
#include "simclient.h"

using namespace tokenpace::sim;
using tokenpace::test::chatOf;
using tokenpace::test::SimClient;
using Json = nlohmann::json;

namespace {

SimModel quickModel(const std::string& name)
{
    SimModel model;
    model.name = name;
    model.prefillFixedMs = 5;
    model.prefillMsPerToken = 0.05;
    model.decodeFloorMs = 2;
    model.contextTokens = 1000;
    model.naturalTokens = 40;
    return model;
}

SimOptions quickOptions()
{
    SimOptions options;
    options.models = {quickModel("quick"), quickModel("pairs"), quickModel("other")};
    options.models[1].tokensPerChunk = 2;
    return options;
}

std::vector<Json> linesOf(const QString& path)
{
    QFile file(path);
    std::vector<Json> lines;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (!line.isEmpty()) {
                lines.push_back(Json::parse(line.toStdString(), nullptr, false));
            }
        }
    }
    return lines;
}

std::vector<Json> byRequest(std::vector<Json> lines)
{
    // A streamed request's line is written when its connection goes on to something else.
    std::sort(lines.begin(), lines.end(), [](const Json& a, const Json& b) {
        return a["req"] < b["req"];
    });
    return lines;
}

} // namespace

class tst_simlog : public QObject {
    Q_OBJECT

private slots:
    void tokensLeaveWhenThePhysicsSay();
    void theLogHasTheTrueTimes();
    void whoWentAwayIsAborted();
    void theLogIsAppendedTo();
    void aLogThatCannotBeOpenedIsAnError();

private:
    QTemporaryDir m_folder;
};

void tst_simlog::tokensLeaveWhenThePhysicsSay()
{
    SimOptions options = quickOptions();
    options.seed = 42;
    options.models[0].cacheBlocks = 0;
    options.logPath = m_folder.filePath(QStringLiteral("truth.jsonl")).toStdString();
    SimServer server(options);
    QVERIFY(server.start());
    {
        SimClient client(server.port());
        for (int i = 0; i < 3; ++i) {
            (void)client.ask(chatOf("quick", "Hello" + std::string(static_cast<std::size_t>(3 * i), '.'), 20));
        }
    }
    server.stop();
    const std::vector<Json> lines = byRequest(linesOf(m_folder.filePath(QStringLiteral("truth.jsonl"))));
    QCOMPARE(lines.size(), std::size_t{3});

    SimScheduler expected(options.models[0], options.seed);
    for (const Json& line : lines) {
        SimJob job;
        job.prompt.assign(line["prompt_tokens"].get<std::size_t>(), 0);
        job.receivedNs = line["body_received_ns"].get<std::int64_t>();
        expected.submit(job);
        const auto sent = line["send_ns"].get<std::vector<std::int64_t>>();
        const auto late = line["late_ns"].get<std::vector<std::int64_t>>();
        QCOMPARE(sent.size(), std::size_t{20});
        QCOMPARE(late.size(), std::size_t{20});
        for (std::size_t i = 0; i < sent.size(); ++i) {
            (void)expected.admit();
            const SimStep step = expected.next();
            QCOMPARE(sent[i] - late[i], step.endNs);
            QVERIFY(late[i] >= 0);
            expected.settle(sent[i]);
        }
        expected.remove(job);
    }
}

void tst_simlog::theLogHasTheTrueTimes()
{
    SimOptions options = quickOptions();
    options.logPath = m_folder.filePath(QStringLiteral("times.jsonl")).toStdString();
    SimServer server(options);
    QVERIFY(server.start());
    std::vector<std::int64_t> sent;
    {
        SimClient client(server.port());
        client.get("/health");
        (void)client.read();
        for (const Json& json : client.ask(chatOf("pairs", "Hello", 5)).contents()) {
            sent.push_back(json["sent_ns"].get<std::int64_t>());
        }
        (void)client.ask(chatOf("nobody", "Hello", 5));
    }
    server.stop();
    const std::vector<Json> sorted = byRequest(linesOf(m_folder.filePath(QStringLiteral("times.jsonl"))));
    QCOMPARE(sorted.size(), std::size_t{2});
    const Json& line = sorted[0];
    QCOMPARE(line["send_ns"], Json(sent));
    QCOMPARE(line["tokens"], Json(5));
    QCOMPARE(line["tokens_per_chunk"], Json(2));
    QCOMPARE(line["nth_on_connection"], Json(2));
    QCOMPARE(line["stream"], Json(true));
    QCOMPARE(line["aborted"], Json(false));
    const auto at = [&](const char* key) {
        return line[key].get<std::int64_t>();
    };
    QVERIFY(at("accepted_ns") < at("first_byte_ns"));
    QVERIFY(at("first_byte_ns") <= at("body_received_ns"));
    QVERIFY(at("body_received_ns") < at("role_ns"));
    QVERIFY(at("role_ns") < sent.front());
    QVERIFY(sent.back() < at("done_ns"));

    QCOMPARE(sorted[1]["status"], Json(404));
    QVERIFY(sorted[1]["role_ns"].is_null());
    QVERIFY(sorted[1]["send_ns"].empty());
}

void tst_simlog::aLogThatCannotBeOpenedIsAnError()
{
    SimOptions options = quickOptions();
    options.logPath = m_folder.filePath(QStringLiteral("none/truth.jsonl")).toStdString();
    SimServer server(options);
    QVERIFY(!server.start());
    QVERIFY(server.error().find("none/truth.jsonl") != std::string::npos);
}

void tst_simlog::whoWentAwayIsAborted()
{
    SimOptions options = quickOptions();
    options.models[0].naturalTokens = 900;
    options.models[0].decodeFloorMs = 20;
    const QString path = m_folder.filePath(QStringLiteral("aborted.jsonl"));
    options.logPath = path.toStdString();
    SimServer server(options);
    QVERIFY(server.start());
    {
        SimClient client(server.port());
        client.post(chatOf("quick", "Hello", 900));
        QCOMPARE(client.read(3).events.size(), std::size_t{3});
    }
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(path).size(), std::size_t{1}, 20000);
    const Json line = linesOf(path).front();
    QCOMPARE(line["aborted"], Json(true));
    QVERIFY(line["done_ns"].is_null());
    QVERIFY(line["send_ns"].size() >= 2);
    QVERIFY(line["tokens"].get<int>() < 900);
}

void tst_simlog::theLogIsAppendedTo()
{
    SimOptions options = quickOptions();
    const QString path = m_folder.filePath(QStringLiteral("twice.jsonl"));
    options.logPath = path.toStdString();
    SimServer server(options);
    for (std::size_t run = 1; run <= 2; ++run) {
        QVERIFY(server.start());
        (void)SimClient(server.port()).ask(chatOf("quick", "Hello", 2));
        server.stop();
        QCOMPARE(linesOf(path).size(), run);
    }
}

QTEST_GUILESS_MAIN(tst_simlog)
#include "tst_simlog.moc"
