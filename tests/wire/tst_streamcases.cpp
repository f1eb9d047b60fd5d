// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "measure/metrics.h"
#include "support/casecompare.h"
#include "support/streamcases.h"
#include "wire/replyreader.h"

using namespace tokenpace;
using tokenpace::test::compareContent;
using tokenpace::test::protocolOf;
using tokenpace::test::StreamCase;
using tokenpace::test::streamCases;
using Step = StreamCase::Step;

namespace {

constexpr double idleLimitMs = 1000;

/// Plays steps into a reader on a fake clock whose zero is time zero.
Timeline play(const std::string& word, const std::vector<Step>& steps, bool stalls)
{
    Timeline timeline;
    timeline.zero = Stamp{0};
    timeline.keepsText = true;
    const Protocol protocol = protocolOf(word);
    wire::ReplyReader reader(protocol, timeline);
    const char* type = protocol == Protocol::OllamaChat ? "application/x-ndjson" : "text/event-stream";
    reader.head({200, "OK", type, "", "", {}}, Stamp{0});
    Stamp now{0};
    for (const Step& step : steps) {
        now = fromMs(step.atMs);
        reader.expire(now);
        reader.feed(step.bytes, now);
    }
    if (!stalls) {
        reader.endOfBody(now);
    } else if (const auto until = reader.deadline()) {
        reader.expire(*until);
    } else {
        RequestError error;
        error.kind = ErrorKind::Timeout;
        error.phase = Phase::Idle;
        reader.abandon(Status::Timeout, error, now + fromMs(idleLimitMs));
    }
    setDerivedFlags(timeline);
    return timeline;
}

std::vector<Step> byteByByte(const StreamCase& streamCase)
{
    std::vector<Step> steps;
    for (const Step& step : streamCase.steps) {
        for (const char byte : step.bytes) {
            steps.push_back({step.atMs, std::string(1, byte)});
        }
    }
    return steps;
}

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

bool isNear(const std::optional<double>& actual, const nlohmann::json& expected)
{
    if (expected.is_null() || !actual) {
        return expected.is_null() && !actual;
    }
    return std::abs(*actual - expected.get<double>()) < 1e-6;
}

void compareTimes(const Timeline& timeline, const nlohmann::json& expected)
{
    QVERIFY(isNear(ttftMs(timeline), expected.at("ttft")));
    QVERIFY(isNear(ttftAnswerMs(timeline), expected.at("ttft_answer")));
    QVERIFY(isNear(e2eMs(timeline), expected.at("last")));
    QVERIFY(isNear(tpotMs(timeline), expected.at("tpot")));
    const auto gaps = itlMs(timeline);
    const auto& expectedGaps = expected.at("itl");
    QCOMPARE(gaps.size(), expectedGaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        QVERIFY(isNear(gaps[i], expectedGaps[i]));
    }
}

} // namespace

class StreamCasesTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void wholeReadsOnAFakeClock_data() { rows(); }
    void wholeReadsOnAFakeClock();
    void oneByteARead_data() { rows(); }
    void oneByteARead();
    void everythingInOneRead_data() { rows(); }
    void everythingInOneRead();
    void otherLineEnds_data() { rows(); }
    void otherLineEnds();
    void cutAfterEachByte_data() { rows(); }
    void cutAfterEachByte();

private:
    void rows();
    [[nodiscard]] const StreamCase& current() const;

    std::vector<StreamCase> m_cases = streamCases();
};

void StreamCasesTest::initTestCase()
{
    QCOMPARE(m_cases.size(), std::size_t(36));
}

void StreamCasesTest::rows()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        QTest::newRow(m_cases[i].id.c_str()) << static_cast<int>(i);
    }
}

const StreamCase& StreamCasesTest::current() const
{
    QFETCH(const int, index);
    return m_cases[static_cast<std::size_t>(index)];
}

void StreamCasesTest::wholeReadsOnAFakeClock()
{
    const StreamCase& streamCase = current();
    const Timeline timeline = play(streamCase.protocol, streamCase.steps, streamCase.stalls);
    compareContent(timeline, streamCase.expected);
    compareTimes(timeline, streamCase.expected);
}

void StreamCasesTest::oneByteARead()
{
    const StreamCase& streamCase = current();
    const Timeline timeline = play(streamCase.protocol, byteByByte(streamCase), streamCase.stalls);
    compareContent(timeline, streamCase.expected);
    compareTimes(timeline, streamCase.expected);
}

void StreamCasesTest::everythingInOneRead()
{
    const StreamCase& streamCase = current();
    const Timeline timeline =
        play(streamCase.protocol, {{streamCase.steps.back().atMs, streamCase.allBytes()}}, streamCase.stalls);
    compareContent(timeline, streamCase.expected);
    QVERIFY(!tpotMs(timeline));
    for (const double gap : itlMs(timeline)) {
        QCOMPARE(gap, 0.0);
    }
    QCOMPARE(timeline.flags.has(Flag::Buffered), chunkCount(timeline) >= 2);
}

void StreamCasesTest::otherLineEnds()
{
    const StreamCase& streamCase = current();
    if (streamCase.id.rfind("B13", 0) == 0 || streamCase.protocol == "ollama") {
        return; // the one is about line ends itself, lines of JSON have but one
    }
    for (const char* end : {"\r\n", "\r"}) {
        std::vector<Step> steps = streamCase.steps;
        for (Step& step : steps) {
            step.bytes = replaced(step.bytes, "\n", end);
        }
        const Timeline timeline = play(streamCase.protocol, steps, streamCase.stalls);
        compareContent(timeline, streamCase.expected);
        compareTimes(timeline, streamCase.expected);
    }
}

void StreamCasesTest::cutAfterEachByte()
{
    const StreamCase& streamCase = current();
    const std::string bytes = streamCase.allBytes();
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        const std::string begin = bytes.substr(0, cut);
        const Timeline timeline = play(streamCase.protocol, {{100, begin}}, false);
        if (timeline.status == Status::Ok) {
            const std::vector<const char*> endings{"[DONE]", "\"finish_reason\":\"", "\"message_stop\"}",
                                                   "\"output_tokens\":3}}}", "\"done\":true"};
            const bool ended = std::any_of(endings.begin(), endings.end(), [&begin](const char* ending) {
                return begin.find(ending) != std::string::npos;
            });
            QVERIFY2(ended, begin.c_str());
        }
    }
}

QTEST_GUILESS_MAIN(StreamCasesTest)
#include "tst_streamcases.moc"
