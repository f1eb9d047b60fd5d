// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <map>
#include <memory>

#include "net/clientfixture.h"
#include "support/casecompare.h"
#include "support/streamcases.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

constexpr qsizetype inFlight = 8;

/// How the bytes of a case are put into chunks of HTTP.
enum class Chunking { Plain, Odd, SingleBytes };
const std::map<Chunking, std::string> chunkings{
    {Chunking::Plain, "plain"}, {Chunking::Odd, "odd"}, {Chunking::SingleBytes, "bytes"}};

std::string chunked(const std::string& bytes, Chunking chunking)
{
    switch (chunking) {
    case Chunking::Plain:
        break;
    case Chunking::Odd: {
        // upper-case sizes with leading zeros, extensions with and without a value
        const QByteArray size = QByteArray::number(static_cast<qulonglong>(bytes.size()), 16).toUpper();
        return "00" + size.toStdString() + ";x=1;y\r\n" + bytes + "\r\n";
    }
    case Chunking::SingleBytes: {
        std::string all;
        for (const char byte : bytes) {
            all += "1\r\n" + std::string(1, byte) + "\r\n";
        }
        return all;
    }
    }
    return chunk(bytes);
}

Script scriptOf(const StreamCase& streamCase, Chunking chunking)
{
    const bool lines = streamCase.protocol == "ollama";
    Script script{send(streamHead(200, {}, lines ? "application/x-ndjson" : "text/event-stream"))};
    double at = 0;
    for (const StreamCase::Step& step : streamCase.steps) {
        script.push_back(
            send(chunked(step.bytes, chunking), std::chrono::milliseconds(static_cast<int>(step.atMs - at))));
        at = step.atMs;
    }
    if (streamCase.stalls) {
        script.push_back(stall());
    } else {
        script.push_back(send(chunking == Chunking::Odd ? "0;last\r\nX-Trailer: 1\r\n\r\n" : lastChunk()));
    }
    return script;
}

/// Empty when the client's time is that of the step that the server sent then; else what is wrong. The server's stamps
/// are what is compared with, as time zero of a busy client comes a little late.
QString lateness(const std::optional<double>& actualMs, const nlohmann::json& expectedMs, const StreamCase& streamCase,
                 const Timeline& timeline, const std::vector<Stamp>& sentAt)
{
    if (expectedMs.is_null() || !actualMs) {
        return expectedMs.is_null() && !actualMs ? QString() : QStringLiteral("one of both is not there");
    }
    const auto step = std::ranges::find(streamCase.steps, expectedMs.get<double>(), &StreamCase::Step::atMs);
    const auto index = static_cast<std::size_t>(step - streamCase.steps.begin()) + 1; // after the head
    if (index >= sentAt.size()) {
        return QStringLiteral("nothing was sent at %1 ms").arg(expectedMs.get<double>());
    }
    const double late = *actualMs - toMs(sentAt[index] - *timeline.zero);
    constexpr double rounding = 0.001; // a number in milliseconds went through doubles
    return late >= -rounding && late <= toMs(lateAllowed) ? QString() : QStringLiteral("%1 ms late").arg(late);
}

} // namespace

class StreamsOverSocketsTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aStreamIsReadRightOverASocket_data();
    void aStreamIsReadRightOverASocket();

private:
    [[nodiscard]] Script scriptFor(const ReceivedRequest& request) const;

    struct Exchange {
        std::shared_ptr<const Timeline> timeline;
        std::vector<Stamp> sentAt; ///< by the server: the head, then each step
    };
    const std::vector<StreamCase> m_cases = streamCases();
    std::map<std::string, Exchange> m_read; ///< by path
};

Script StreamsOverSocketsTest::scriptFor(const ReceivedRequest& request) const
{
    for (const StreamCase& streamCase : m_cases) {
        for (const auto& [chunking, word] : chunkings) {
            if (request.target == "/" + streamCase.id + "/" + word) {
                return scriptOf(streamCase, chunking);
            }
        }
    }
    return {send(wholeReply(404, "{}"))};
}

// Several at once, as they would be slow one after the other; not all, which would keep the client busy.
void StreamsOverSocketsTest::initTestCase()
{
    ScriptedServer server([this](const ReceivedRequest& request, int) {
        return scriptFor(request);
    });
    ClientFixture fixture;
    std::vector<std::string> paths;
    for (const StreamCase& streamCase : m_cases) {
        for (const auto& [chunking, word] : chunkings) {
            paths.push_back("/" + streamCase.id + "/" + word);
            ClientRequest request = requestTo(server.url(paths.back()), static_cast<int>(paths.size()) - 1);
            request.timeline.protocol = protocolOf(streamCase.protocol);
            request.limits.idle = 1000ms;
            fixture.client.send(std::move(request));
            QVERIFY(fixture.waitForEnded(static_cast<qsizetype>(paths.size()) - inFlight));
        }
    }
    QVERIFY(fixture.waitForEnded(static_cast<qsizetype>(paths.size())));
    for (qsizetype i = 0; i < static_cast<qsizetype>(paths.size()); ++i) {
        const auto timeline = fixture.timeline(i);
        m_read[paths.at(static_cast<std::size_t>(timeline->seq))].timeline = timeline;
    }
    for (const ReceivedRequest& received : server.requests()) {
        m_read[received.target].sentAt = received.sentAt;
    }
}

void StreamsOverSocketsTest::aStreamIsReadRightOverASocket_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        for (const auto& [chunking, word] : chunkings) {
            const std::string path = "/" + m_cases[i].id + "/" + word;
            QTest::newRow(path.c_str()) << path << static_cast<int>(i);
        }
    }
}

void StreamsOverSocketsTest::aStreamIsReadRightOverASocket()
{
    QFETCH(const std::string, path);
    QFETCH(const int, index);
    const StreamCase& streamCase = m_cases[static_cast<std::size_t>(index)];
    const nlohmann::json& expected = streamCase.expected;
    const Timeline& timeline = *m_read.at(path).timeline;
    const auto latenessOf = [&](const std::optional<double>& actualMs, const char* name) {
        return lateness(actualMs, expected.at(name), streamCase, timeline, m_read.at(path).sentAt);
    };
    compareContent(timeline, expected);
    QCOMPARE(latenessOf(ttftMs(timeline), "ttft"), QString());
    QCOMPARE(latenessOf(ttftAnswerMs(timeline), "ttft_answer"), QString());
    QCOMPARE(latenessOf(e2eMs(timeline), "last"), QString());
    if (expected.at("tpot").is_null() && !timeline.flags.has(Flag::Coalesced)) {
        QVERIFY(!tpotMs(timeline));
    }
    if (timeline.error && timeline.status == Status::Timeout) {
        QCOMPARE(timeline.error->phase, std::optional(Phase::Idle));
    }
}

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return runWithBothManagers<StreamsOverSocketsTest>(argc, argv);
}
#include "tst_streamsoversockets.moc"
