// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "support/replies.h"
#include "wire/dialects.h"

using namespace tokenpace;
using namespace tokenpace::wire;
using tokenpace::test::namedEvent;

namespace {

const std::string start = namedEvent("message_start",
                                     R"({"type":"message_start","message":{"id":"m1","model":"claude",)"
                                     R"("usage":{"input_tokens":9,"output_tokens":2}}})");
const std::string ending =
    namedEvent("message_delta",
               R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}})")
    + namedEvent("message_stop", R"({"type":"message_stop"})");

std::string delta(const std::string& json, int index = 0)
{
    return namedEvent("content_block_delta",
                      R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + json
                          + "}");
}

std::string block(const std::string& json, int index = 0)
{
    return namedEvent("content_block_start",
                      R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)"
                          + json + "}");
}

std::string blockStop(int index = 0)
{
    return namedEvent("content_block_stop", R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}");
}

Timeline read(const std::string& bytes, const std::string& type = "text/event-stream")
{
    return test::readReply(Protocol::AnthropicMessages, bytes, type);
}

} // namespace

class AnthropicMessagesTest final : public QObject {
    Q_OBJECT

private slots:
    void theBodyAlwaysHasALimit();
    void systemMessagesStandApart();
    void thePromptIsTheSumOfReadAndCreatedCache();
    void laterCountsReplaceEarlierOnes();
    void theCountOfTheStartIsNoCount();
    void aToolBlockIsOutputFromItsFirstArguments();
    void argumentsGivenAtOnceAreKeptWithoutATime();
    void parallelToolsAreKeptApart();
    void textOfABlockStartIsKeptWithoutATime();
    void theTypeInTheDataIsEnough();
    void aReplyWithoutMessageStopIsTruncated();
    void aStopReasonEndsNothingAfterTwoSeconds();
    void errorsInTheStreamAreErrors_data();
    void errorsInTheStreamAreErrors();
    void aWholeMessageIsReadWithoutTimes();
    void serverTimesAreKept();
};

void AnthropicMessagesTest::theBodyAlwaysHasALimit()
{
    ChatRequest request;
    request.model = "claude";
    request.messages = {{"user", "hi"}};
    request.limitField = "none";
    QCOMPARE(anthropicMessagesBody(request),
             std::string(R"({"model":"claude","max_tokens":1024,"messages":[{"role":"user","content":"hi"}],)"
                         R"("stream":true})"));
    request.params.maxTokens = 5;
    request.params.temperature = 0.2;
    request.params.seed = 3;
    request.params.stream = false;
    request.extraBody = R"({"thinking":{"type":"disabled"}})";
    QCOMPARE(anthropicMessagesBody(request),
             std::string(R"({"model":"claude","max_tokens":5,"messages":[{"role":"user","content":"hi"}],)"
                         R"("temperature":0.2,"stream":false,"thinking":{"type":"disabled"}})"));
}

void AnthropicMessagesTest::systemMessagesStandApart()
{
    ChatRequest request;
    request.messages = {{"system", "be brief"}, {"system", "be kind"}, {"user", "hi"}};
    const std::string body = anthropicMessagesBody(request);
    QVERIFY(body.find(R"("system":"be brief\n\nbe kind")") != std::string::npos);
    QVERIFY(body.find(R"("role":"system")") == std::string::npos);
}

void AnthropicMessagesTest::thePromptIsTheSumOfReadAndCreatedCache()
{
    const Timeline timeline =
        read(namedEvent("message_start",
                        R"({"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":40,)"
                        R"("cache_creation_input_tokens":500,"output_tokens":1}}})")
             + delta(R"({"type":"text_delta","text":"a"})") + ending);
    QCOMPARE(timeline.usage.promptTokens, std::optional<std::int64_t>(543));
    QCOMPARE(timeline.usage.cachedTokens, std::optional<std::int64_t>(40));
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(7));
}

void AnthropicMessagesTest::laterCountsReplaceEarlierOnes()
{
    const Timeline timeline =
        read(start + delta(R"({"type":"text_delta","text":"a"})")
             + namedEvent("message_delta",
                          R"({"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},)"
                          R"("usage":{"input_tokens":12,"cache_read_input_tokens":null,"output_tokens":15}})")
             + namedEvent("message_stop", R"({"type":"message_stop"})"));
    QCOMPARE(timeline.usage.promptTokens, std::optional<std::int64_t>(12));
    QVERIFY(!timeline.usage.cachedTokens);
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(15));
    QCOMPARE(timeline.finishReason, std::optional<std::string>("max_tokens"));
    QCOMPARE(timeline.servedModel, std::optional<std::string>("claude"));
    QCOMPARE(timeline.requestId, std::optional<std::string>("m1"));
}

void AnthropicMessagesTest::theCountOfTheStartIsNoCount()
{
    const Timeline timeline =
        read(start + delta(R"({"type":"text_delta","text":"a"})") + delta(R"({"type":"text_delta","text":"b"})")
             + namedEvent("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})")
             + namedEvent("message_stop", R"({"type":"message_stop"})"));
    QVERIFY(!timeline.usage.completionTokens);
    QCOMPARE(timeline.arrivals.size(), std::size_t(2));
    QVERIFY(!timeline.firstUsageTokens);
}

void AnthropicMessagesTest::aToolBlockIsOutputFromItsFirstArguments()
{
    const Timeline timeline =
        read(start + block(R"({"type":"tool_use","id":"t1","name":"get_w","input":{}})")
             + delta(R"({"type":"input_json_delta","partial_json":""})")
             + delta(R"({"type":"input_json_delta","partial_json":"{\"c\":"})")
             + delta(R"({"type":"input_json_delta","partial_json":"1}"})") + blockStop() + ending);
    QCOMPARE(timeline.channels, std::string("cc"));
    QCOMPARE(timeline.tools.size(), std::size_t(1));
    QCOMPARE(timeline.tools[0].name, std::string("get_w"));
    QCOMPARE(timeline.tools[0].arguments, std::string(R"({"c":1})"));
    QCOMPARE(timeline.status, Status::Ok);
}

void AnthropicMessagesTest::argumentsGivenAtOnceAreKeptWithoutATime()
{
    const Timeline timeline =
        read(start + block(R"({"type":"tool_use","name":"get_w","input":{"z":1,"a":[2]}})") + blockStop() + ending);
    QVERIFY(timeline.arrivals.empty());
    QCOMPARE(timeline.tools.at(0).arguments, std::string(R"({"z":1,"a":[2]})"));
}

void AnthropicMessagesTest::parallelToolsAreKeptApart()
{
    const Timeline timeline =
        read(start + block(R"({"type":"tool_use","name":"a","input":{}})", 1)
             + block(R"({"type":"tool_use","name":"b","input":{}})", 2)
             + delta(R"({"type":"input_json_delta","partial_json":"2"})", 2)
             + delta(R"({"type":"input_json_delta","partial_json":"1"})", 1) + blockStop(1) + blockStop(2) + ending);
    QCOMPARE(timeline.tools.size(), std::size_t(2));
    QCOMPARE(timeline.tools[0].name + timeline.tools[0].arguments, std::string("a1"));
    QCOMPARE(timeline.tools[1].name + timeline.tools[1].arguments, std::string("b2"));
}

void AnthropicMessagesTest::textOfABlockStartIsKeptWithoutATime()
{
    const Timeline timeline =
        read(start + block(R"({"type":"text","text":"He"})") + delta(R"({"type":"text_delta","text":"llo"})") + ending);
    QCOMPARE(timeline.text, std::string("Hello"));
    QCOMPARE(timeline.channels, std::string("t"));
}

void AnthropicMessagesTest::theTypeInTheDataIsEnough()
{
    const Timeline timeline =
        read(R"(data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}})"
             "\n\n"
             R"(data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}})"
             "\n\n"
             R"(data: {"type":"message_stop"})"
             "\n\n");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.text, std::string("a"));
    // and the other way round
    QCOMPARE(read(namedEvent("content_block_delta", R"({"delta":{"type":"text_delta","text":"a"}})")
                  + namedEvent("message_stop", "{}"))
                 .status,
             Status::Ok);
}

void AnthropicMessagesTest::aReplyWithoutMessageStopIsTruncated()
{
    const Timeline timeline =
        read(start + delta(R"({"type":"text_delta","text":"a"})")
             + namedEvent("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"));
    QCOMPARE(timeline.status, Status::Truncated);
    QCOMPARE(timeline.finishReason, std::optional<std::string>("end_turn"));
}

void AnthropicMessagesTest::aStopReasonEndsNothingAfterTwoSeconds()
{
    Timeline timeline;
    ReplyReader reader(Protocol::AnthropicMessages, timeline);
    reader.head({200, "OK", "text/event-stream", "", "", {}}, fromMs(1));
    reader.feed(namedEvent("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"),
                fromMs(2));
    QVERIFY(!reader.deadline());
    reader.feed(namedEvent("message_stop", R"({"type":"message_stop"})"), fromMs(3));
    QCOMPARE(reader.deadline(), std::optional(fromMs(253)));
}

void AnthropicMessagesTest::errorsInTheStreamAreErrors_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::newRow("named") << namedEvent(
        "error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
    QTest::newRow("without a name") << std::string(
        "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n");
    QTest::newRow("the name alone") << namedEvent("error", R"({"message":"Overloaded"})");
    QTest::newRow("instead of a stream") << std::string(
        R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
}

void AnthropicMessagesTest::errorsInTheStreamAreErrors()
{
    QFETCH(std::string, bytes);
    const bool stream = bytes.front() != '{';
    const Timeline timeline = read((stream ? start : std::string()) + bytes);
    QCOMPARE(timeline.status, Status::Error);
    QCOMPARE(timeline.error.value().kind, ErrorKind::Stream);
    QCOMPARE(timeline.error->message, std::string("Overloaded"));
    QCOMPARE(timeline.error->httpStatus, std::optional(200));
}

void AnthropicMessagesTest::aWholeMessageIsReadWithoutTimes()
{
    const Timeline timeline =
        read(R"({"type":"message","model":"claude","content":[{"type":"thinking","thinking":"Hm"},)"
             R"({"type":"text","text":"T"},{"type":"tool_use","name":"f","input":{"b":1,"a":2}}],)"
             R"("stop_reason":"end_turn","usage":{"input_tokens":4,"cache_read_input_tokens":1,"output_tokens":2}})",
             "application/json");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.streamed, std::optional(false));
    QVERIFY(timeline.arrivals.empty());
    QCOMPARE(timeline.text, std::string("T"));
    QCOMPARE(timeline.reasoning, std::string("Hm"));
    QCOMPARE(timeline.tools.at(0).arguments, std::string(R"({"b":1,"a":2})"));
    QCOMPARE(timeline.usage.promptTokens, std::optional<std::int64_t>(5));
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(2));
    QCOMPARE(timeline.finishReason, std::optional<std::string>("end_turn"));
}

void AnthropicMessagesTest::serverTimesAreKept()
{
    const Timeline timeline = read(start + delta(R"({"type":"text_delta","text":"a"})")
                                   + namedEvent("message_stop",
                                                R"({"type":"message_stop","amazon-bedrock-invocationMetrics":)"
                                                R"({"inputTokenCount":9,"firstByteLatency":210}})"));
    QCOMPARE(timeline.serverTimes,
             std::string(R"({"amazon-bedrock-invocationMetrics":{"inputTokenCount":9,"firstByteLatency":210}})"));
}

QTEST_GUILESS_MAIN(AnthropicMessagesTest)
#include "tst_anthropicmessages.moc"
