// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "support/replies.h"
#include "wire/dialects.h"

using namespace tokenpace;
using namespace tokenpace::wire;

namespace {

std::string rsp(const std::string& type, const std::string& rest = "")
{
    return test::namedEvent(type, R"({"type":")" + type + "\"" + (rest.empty() ? "" : "," + rest) + "}");
}

std::string text(const std::string& piece)
{
    return rsp("response.output_text.delta", R"("output_index":0,"content_index":0,"delta":")" + piece + "\"");
}

const std::string completed =
    rsp("response.completed",
        R"("response":{"id":"r1","model":"m","status":"completed","usage":{"input_tokens":30,)"
        R"("input_tokens_details":{"cached_tokens":16},"output_tokens":9,)"
        R"("output_tokens_details":{"reasoning_tokens":4},"total_tokens":39}})");

Timeline read(const std::string& bytes, const std::string& type = "text/event-stream")
{
    return test::readReply(Protocol::OpenAiResponses, bytes, type);
}

} // namespace

class OpenAiResponsesTest final : public QObject {
    Q_OBJECT

private slots:
    void theBodyUsesTheDialectsNames();
    void theLimitFieldCanBeNamedOrLeftOut();
    void piecesOfAllChannelsAreOutputs_data();
    void piecesOfAllChannelsAreOutputs();
    void itemsAndPartsAreNoOutputs();
    void usageAndNamesComeFromTheResponse();
    void toolCallsAreNamedByTheirItem();
    void callsWithoutAnIndexAreKeptApartByTheirItem();
    void aPartThatCameInPiecesIsNotReadTwice();
    void aPartThatCameAtOnceIsKeptWithoutATime();
    void incompleteIsOkWithItsReason();
    void failuresAreErrors_data();
    void failuresAreErrors();
    void aStreamWithoutItsEndIsTruncated();
    void aWholeResponseIsReadWithoutTimes();
    void aWholeFailedResponseIsAnError();
    void timingsOfTheServerAreKept_data();
    void timingsOfTheServerAreKept();
};

void OpenAiResponsesTest::theBodyUsesTheDialectsNames()
{
    ChatRequest request;
    request.model = "m";
    request.messages = {{"system", "be brief"}, {"user", "hi"}};
    request.params.maxTokens = 5;
    request.params.temperature = 0.2;
    request.params.seed = 3;
    QCOMPARE(openAiResponsesBody(request),
             std::string(R"({"model":"m","instructions":"be brief","input":[{"role":"user","content":"hi"}],)"
                         R"("max_output_tokens":5,"temperature":0.2,"stream":true})"));
}

void OpenAiResponsesTest::theLimitFieldCanBeNamedOrLeftOut()
{
    ChatRequest request;
    request.params.maxTokens = 5;
    request.limitField = "max_tokens";
    QVERIFY(openAiResponsesBody(request).find(R"("max_tokens":5)") != std::string::npos);
    request.limitField = "none";
    QVERIFY(openAiResponsesBody(request).find("tokens") == std::string::npos);
}

void OpenAiResponsesTest::piecesOfAllChannelsAreOutputs_data()
{
    QTest::addColumn<std::string>("type");
    QTest::addColumn<std::string>("channel");
    QTest::newRow("text") << std::string("response.output_text.delta") << std::string("t");
    QTest::newRow("refusal") << std::string("response.refusal.delta") << std::string("f");
    QTest::newRow("reasoning") << std::string("response.reasoning_text.delta") << std::string("r");
    QTest::newRow("summary") << std::string("response.reasoning_summary_text.delta") << std::string("r");
    QTest::newRow("function") << std::string("response.function_call_arguments.delta") << std::string("c");
    QTest::newRow("mcp") << std::string("response.mcp_call_arguments.delta") << std::string("c");
    QTest::newRow("custom tool") << std::string("response.custom_tool_call_input.delta") << std::string("c");
    QTest::newRow("unknown") << std::string("response.brand_new.delta") << std::string();
}

void OpenAiResponsesTest::piecesOfAllChannelsAreOutputs()
{
    QFETCH(std::string, type);
    QFETCH(std::string, channel);
    const Timeline timeline = read(rsp(type, R"("delta":"x")") + rsp(type, R"("delta":"")") + completed);
    QCOMPARE(timeline.channels, channel);
    QCOMPARE(timeline.badEvents, 0);
    QCOMPARE(timeline.status, Status::Ok);
}

void OpenAiResponsesTest::itemsAndPartsAreNoOutputs()
{
    const Timeline timeline =
        read(rsp("response.created", R"("response":{"id":"r1","status":"in_progress","usage":null,"error":null})")
             + rsp("response.output_item.added", R"("output_index":0,"item":{"type":"message","content":[]})")
             + rsp("response.content_part.added", R"("part":{"type":"output_text","text":""})") + text("a")
             + rsp("response.content_part.done", R"("part":{"type":"output_text","text":"a"})")
             + rsp("response.output_item.done", R"("item":{"type":"message","content":[{"text":"a"}]})") + completed);
    QCOMPARE(timeline.channels, std::string("t"));
    QCOMPARE(timeline.text, std::string("a"));
    QCOMPARE(timeline.finishReason, std::optional<std::string>("stop"));
}

void OpenAiResponsesTest::usageAndNamesComeFromTheResponse()
{
    const Timeline timeline = read(text("a") + completed);
    QCOMPARE(timeline.usage.promptTokens, std::optional<std::int64_t>(30));
    QCOMPARE(timeline.usage.cachedTokens, std::optional<std::int64_t>(16));
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(9));
    QCOMPARE(timeline.usage.reasoningTokens, std::optional<std::int64_t>(4));
    QCOMPARE(timeline.servedModel, std::optional<std::string>("m"));
    QCOMPARE(timeline.requestId, std::optional<std::string>("r1"));
}

void OpenAiResponsesTest::toolCallsAreNamedByTheirItem()
{
    const Timeline timeline = read(
        rsp("response.output_item.added",
            R"("output_index":1,"item":{"id":"i1","type":"function_call","name":"f","arguments":""})")
        + rsp("response.function_call_arguments.delta", R"("output_index":1,"item_id":"i1","delta":"{\"a\":")")
        + rsp("response.function_call_arguments.delta", R"("output_index":1,"item_id":"i1","delta":"1}")")
        + rsp("response.function_call_arguments.done", R"("output_index":1,"item_id":"i1","arguments":"{\"a\":1}")")
        + completed);
    QCOMPARE(timeline.channels, std::string("cc"));
    QCOMPARE(timeline.tools.size(), std::size_t(1));
    QCOMPARE(timeline.tools[0].name + timeline.tools[0].arguments, std::string(R"(f{"a":1})"));
}

void OpenAiResponsesTest::callsWithoutAnIndexAreKeptApartByTheirItem()
{
    const Timeline timeline =
        read(rsp("response.output_item.added", R"("item":{"id":"i1","type":"function_call","name":"f"})")
             + rsp("response.output_item.added", R"("item":{"id":"i2","type":"function_call","name":"g"})")
             + rsp("response.function_call_arguments.delta", R"("item_id":"i2","delta":"2")")
             + rsp("response.function_call_arguments.delta", R"("item_id":"i1","delta":"1")") + completed);
    QCOMPARE(timeline.tools.size(), std::size_t(2));
    QCOMPARE(timeline.tools[0].name + timeline.tools[0].arguments, std::string("f1"));
    QCOMPARE(timeline.tools[1].name + timeline.tools[1].arguments, std::string("g2"));
}

void OpenAiResponsesTest::aPartThatCameInPiecesIsNotReadTwice()
{
    const Timeline timeline =
        read(text("He") + text("y")
             + rsp("response.output_text.done", R"("output_index":0,"content_index":0,"text":"Hey")") + completed);
    QCOMPARE(timeline.text, std::string("Hey"));
    QCOMPARE(timeline.channels, std::string("tt"));
}

void OpenAiResponsesTest::aPartThatCameAtOnceIsKeptWithoutATime()
{
    const Timeline timeline = read(rsp("response.output_text.done", R"("text":"Hey")") + completed);
    QCOMPARE(timeline.text, std::string("Hey"));
    QVERIFY(timeline.arrivals.empty());
    QCOMPARE(timeline.status, Status::Ok);
}

void OpenAiResponsesTest::incompleteIsOkWithItsReason()
{
    const Timeline timeline =
        read(text("a")
             + rsp("response.incomplete",
                   R"("response":{"incomplete_details":{"reason":"content_filter"},"usage":{"output_tokens":1}})"));
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.finishReason, std::optional<std::string>("content_filter"));
}

void OpenAiResponsesTest::failuresAreErrors_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("message");
    QTest::newRow("failed") << rsp(
        "response.failed", R"("response":{"status":"failed","error":{"code":"server_error","message":"no luck"}})")
                            << std::string("no luck");
    QTest::newRow("failed without a word") << rsp("response.failed", R"("response":{"error":null})")
                                           << std::string("the server says that the response failed");
    QTest::newRow("cancelled") << rsp("response.cancelled", R"("response":{})")
                               << std::string("the server cancelled the response");
    QTest::newRow("an error event") << rsp("error", R"("code":"rate_limit","message":"slow down","param":null)")
                                    << std::string("slow down");
    QTest::newRow("an error event that wraps it")
        << rsp("error", R"("error":{"message":"slow down"})") << std::string("slow down");
}

void OpenAiResponsesTest::failuresAreErrors()
{
    QFETCH(std::string, bytes);
    QFETCH(std::string, message);
    const Timeline timeline = read(text("a") + bytes);
    QCOMPARE(timeline.status, Status::Error);
    QCOMPARE(timeline.error.value().kind, ErrorKind::Stream);
    QCOMPARE(timeline.error->message, message);
    QVERIFY(!timeline.finishReason);
    QCOMPARE(timeline.arrivals.size(), std::size_t(1));
}

void OpenAiResponsesTest::aStreamWithoutItsEndIsTruncated()
{
    QCOMPARE(read(text("a")).status, Status::Truncated);
}

void OpenAiResponsesTest::aWholeResponseIsReadWithoutTimes()
{
    const Timeline timeline =
        read(R"({"object":"response","status":"completed","output":[)"
             R"({"type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}]},)"
             R"({"type":"message","content":[{"type":"output_text","text":"T"}]},)"
             R"({"type":"function_call","name":"f","arguments":"{}"}],"usage":{"input_tokens":1,"output_tokens":2}})",
             "application/json");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.streamed, std::optional(false));
    QVERIFY(timeline.arrivals.empty());
    QCOMPARE(timeline.text, std::string("T"));
    QCOMPARE(timeline.reasoning, std::string("Hm"));
    QCOMPARE(timeline.tools.at(0).name, std::string("f"));
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(2));
}

void OpenAiResponsesTest::aWholeFailedResponseIsAnError()
{
    const Timeline timeline = read(
        R"({"object":"response","status":"failed","output":[],"error":{"message":"no luck"}})", "application/json");
    QCOMPARE(timeline.status, Status::Error);
    QCOMPARE(timeline.error.value().message, std::string("no luck"));
}

void OpenAiResponsesTest::timingsOfTheServerAreKept_data()
{
    QTest::addColumn<std::string>("ending");
    QTest::newRow("in the response") << rsp("response.completed",
                                            R"("response":{"timings":{"prompt_n":5,"prompt_ms":3.5}})");
    QTest::newRow("beside it") << rsp("response.completed",
                                      R"("response":{"id":"r1"},"timings":{"prompt_n":5,"prompt_ms":3.5})");
}

void OpenAiResponsesTest::timingsOfTheServerAreKept()
{
    QFETCH(std::string, ending);
    QCOMPARE(read(text("a") + ending).serverTimes, std::string(R"({"timings":{"prompt_n":5,"prompt_ms":3.5}})"));
}

QTEST_GUILESS_MAIN(OpenAiResponsesTest)
#include "tst_openairesponses.moc"
