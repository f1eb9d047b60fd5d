// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include <nlohmann/json.hpp>

#include "wire/dialects.h"
#include "wire/replyreader.h"

using namespace tokenpace;
using namespace tokenpace::wire;

namespace {

Timeline read(const std::string& events)
{
    Timeline timeline;
    timeline.zero = Stamp{0};
    timeline.keepsText = true;
    ReplyReader reader(Protocol::OpenAiChat, timeline);
    reader.head({200, "OK", "text/event-stream", "", "", {}}, Stamp{1});
    reader.feed(events, Stamp{2});
    reader.endOfBody(Stamp{3});
    return timeline;
}

std::string delta(const std::string& json, const std::string& more = "")
{
    return "data: {\"choices\":[{\"index\":0,\"delta\":" + json + "}]" + more + "}\n\n";
}

} // namespace

class OpenAiChatTest final : public QObject {
    Q_OBJECT

private slots:
    void unsetParametersAreAbsentFromTheBody();
    void setParametersAreWrittenInShortestForm();
    void theLimitFieldCanBeNamedOrLeftOut();
    void extraBodyIsMergedAndMayTakeFieldsOut();
    void typedPartsAreTextAndReasoning();
    void twoSpellingsOfReasoningCountOnce();
    void parallelToolCallsAreKeptApart();
    void toolNamesThatAreRepeatedCountOnce();
    void onlyTheFirstChoiceIsRead();
    void wrongTypesAreAsGoodAsAbsent_data();
    void wrongTypesAreAsGoodAsAbsent();
    void usageIsTakenFromAllItsPlaces_data();
    void usageIsTakenFromAllItsPlaces();
    void nullCountsLeaveTheLastKnownOnes();
    void theReplyNamesModelFingerprintAndId();
    void serverTimesAreKeptAsSent();
    void usageBesideTheFirstOutputIsRemembered();
};

void OpenAiChatTest::unsetParametersAreAbsentFromTheBody()
{
    ChatRequest request;
    request.model = "org/model:7b";
    request.messages = {{"user", "北京🌍"}};
    QCOMPARE(openAiChatBody(request),
             std::string(R"({"model":"org/model:7b","messages":[{"role":"user","content":"北京🌍"}],)"
                         R"("stream":true,"stream_options":{"include_usage":true}})"));
    request.includeUsage = false;
    QVERIFY(openAiChatBody(request).find("stream_options") == std::string::npos);
    request.includeUsage = true;
    request.params.stream = false;
    QVERIFY(openAiChatBody(request).find("stream_options") == std::string::npos);
    QVERIFY(openAiChatBody(request).find("\"stream\":false") != std::string::npos);
}

void OpenAiChatTest::setParametersAreWrittenInShortestForm()
{
    ChatRequest request;
    request.params.maxTokens = 128;
    request.params.temperature = 0.2;
    request.params.topP = 0.95;
    request.params.seed = 7;
    const std::string body = openAiChatBody(request);
    QVERIFY(body.find(R"("max_tokens":128,"temperature":0.2,"top_p":0.95,"seed":7)") != std::string::npos);
}

void OpenAiChatTest::theLimitFieldCanBeNamedOrLeftOut()
{
    ChatRequest request;
    request.params.maxTokens = 5;
    request.limitField = "max_completion_tokens";
    QVERIFY(openAiChatBody(request).find("\"max_completion_tokens\":5") != std::string::npos);
    QVERIFY(openAiChatBody(request).find("\"max_tokens\"") == std::string::npos);
    request.limitField = "none";
    QVERIFY(openAiChatBody(request).find("tokens\":5") == std::string::npos);
}

void OpenAiChatTest::extraBodyIsMergedAndMayTakeFieldsOut()
{
    ChatRequest request;
    request.extraBody = R"({"cache_prompt":false,"stream_options":null})";
    const auto body = nlohmann::json::parse(openAiChatBody(request));
    QCOMPARE(body.at("cache_prompt").get<bool>(), false);
    QVERIFY(!body.contains("stream_options"));
}

void OpenAiChatTest::typedPartsAreTextAndReasoning()
{
    const Timeline timeline =
        read(delta(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]},{"type":"odd","x":1}]})")
             + delta(R"({"content":[{"type":"text","text":"42"}]})"));
    QCOMPARE(timeline.reasoning, std::string("Hm"));
    QCOMPARE(timeline.text, std::string("42"));
    QCOMPARE(timeline.channels, std::string("rt"));
}

void OpenAiChatTest::twoSpellingsOfReasoningCountOnce()
{
    const Timeline timeline = read(delta(R"({"reasoning":"Hm","reasoning_content":"Hm"})")
                                   + delta(R"({"reasoning_details":[{"type":"reasoning.text","text":"."}]})"));
    QCOMPARE(timeline.reasoning, std::string("Hm."));
    QCOMPARE(timeline.arrivals.size(), std::size_t{2});
}

void OpenAiChatTest::parallelToolCallsAreKeptApart()
{
    const Timeline timeline = read(delta(R"({"tool_calls":[{"index":0,"function":{"name":"a","arguments":""}},)"
                                         R"({"index":1,"function":{"name":"b","arguments":"{"}}]})")
                                   + delta(R"({"tool_calls":[{"index":1,"function":{"arguments":"}"}}]})")
                                   + delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"[]"}}]})"));
    QCOMPARE(timeline.tools.size(), std::size_t{2});
    QCOMPARE(timeline.tools[0].name + timeline.tools[0].arguments, std::string("a[]"));
    QCOMPARE(timeline.tools[1].name + timeline.tools[1].arguments, std::string("b{}"));
    QCOMPARE(timeline.channels, std::string("ccc"));
}

void OpenAiChatTest::toolNamesThatAreRepeatedCountOnce()
{
    const std::string piece = R"({"tool_calls":[{"index":0,"function":{"name":"get","arguments":"x"}}]})";
    const Timeline timeline = read(delta(piece) + delta(piece));
    QCOMPARE(timeline.tools.at(0).name, std::string("get"));
    QCOMPARE(timeline.tools.at(0).arguments, std::string("xx"));
}

void OpenAiChatTest::onlyTheFirstChoiceIsRead()
{
    const Timeline timeline = read("data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\n\n"
                                   "data: {\"choices\":[{\"delta\":{\"content\":\"mine\"}}]}\n\n");
    QCOMPARE(timeline.text, std::string("mine"));
    QCOMPARE(timeline.arrivals.size(), std::size_t{1});
}

void OpenAiChatTest::wrongTypesAreAsGoodAsAbsent_data()
{
    QTest::addColumn<QByteArray>("event");
    for (const char* event :
         {R"({"choices":5})", R"({"choices":[5]})", R"({"choices":[{"delta":"x"}]})",
          R"({"choices":[{"delta":{"content":7}}]})", R"({"choices":[{"delta":{"tool_calls":[null]}}]})",
          R"({"choices":[{"delta":{"tool_calls":{"a":1}}}]})", R"({"usage":"many"})",
          R"({"usage":{"completion_tokens":"9"}})", R"({"usage":{"completion_tokens":-4}})", R"({"model":3})",
          R"({"choices":[{"finish_reason":4}]})", R"({"choices":[{"delta":{"content":[1,"a",null]}}]})"}) {
        QTest::newRow(event) << QByteArray(event);
    }
}

void OpenAiChatTest::wrongTypesAreAsGoodAsAbsent()
{
    QFETCH(const QByteArray, event);
    const Timeline timeline =
        read("data: " + event.toStdString() + "\n\n" + delta(R"({"content":"ok"})") + "data: [DONE]\n\n");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.text, std::string("ok"));
    QCOMPARE(timeline.badEvents, 0);
    QVERIFY(!timeline.usage.completionTokens);
}

void OpenAiChatTest::usageIsTakenFromAllItsPlaces_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::newRow("top") << QByteArray(R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}})");
    QTest::newRow("in the choice") << QByteArray(
        R"({"choices":[{"index":0,"delta":{},"usage":{"prompt_tokens":9,"completion_tokens":4}}]})");
    QTest::newRow("x_groq") << QByteArray(
        R"({"choices":[],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":4}}})");
    QTest::newRow("as floats") << QByteArray(R"({"usage":{"prompt_tokens":9.0,"completion_tokens":4.0}})");
}

void OpenAiChatTest::usageIsTakenFromAllItsPlaces()
{
    QFETCH(const QByteArray, event);
    const Timeline timeline = read("data: " + event.toStdString() + "\n\n");
    QCOMPARE(timeline.usage.promptTokens.value(), 9);
    QCOMPARE(timeline.usage.completionTokens.value(), 4);
}

void OpenAiChatTest::nullCountsLeaveTheLastKnownOnes()
{
    const Timeline timeline =
        read(R"(data: {"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2},)"
             R"("completion_tokens_details":{"reasoning_tokens":3}}})"
             "\n\n"
             R"(data: {"usage":{"prompt_tokens":null,"completion_tokens":5}})"
             "\n\n");
    QCOMPARE(timeline.usage.promptTokens.value(), 9);
    QCOMPARE(timeline.usage.completionTokens.value(), 5);
    QCOMPARE(timeline.usage.cachedTokens.value(), 2);
    QCOMPARE(timeline.usage.reasoningTokens.value(), 3);
}

void OpenAiChatTest::theReplyNamesModelFingerprintAndId()
{
    const Timeline timeline = read(delta("{}", R"(,"id":"c1","model":"m-2024-08-06","system_fingerprint":"fp")"));
    QCOMPARE(timeline.servedModel.value(), std::string("m-2024-08-06"));
    QCOMPARE(timeline.systemFingerprint.value(), std::string("fp"));
    QCOMPARE(timeline.requestId.value(), std::string("c1"));
}

void OpenAiChatTest::serverTimesAreKeptAsSent()
{
    const Timeline timeline = read(R"(data: {"choices":[],"usage":{"queue_time":0.5},"timings":{"prompt_ms":12.5}})"
                                   "\n\n");
    const auto times = nlohmann::json::parse(timeline.serverTimes);
    QCOMPARE(times.at("timings").at("prompt_ms").get<double>(), 12.5);
    QCOMPARE(times.at("usage").at("queue_time").get<double>(), 0.5);
}

void OpenAiChatTest::usageBesideTheFirstOutputIsRemembered()
{
    const Timeline timeline = read(delta(R"({"content":"a b c"})", R"(,"usage":{"completion_tokens":3})")
                                   + delta(R"({"content":"d"})", R"(,"usage":{"completion_tokens":4})"));
    QCOMPARE(timeline.firstUsageTokens.value(), 3);
    QCOMPARE(timeline.usage.completionTokens.value(), 4);
}

QTEST_GUILESS_MAIN(OpenAiChatTest)
#include "tst_openaichat.moc"
