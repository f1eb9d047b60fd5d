// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "measure/metrics.h"
#include "support/replies.h"
#include "wire/dialects.h"

using namespace tokenpace;
using namespace tokenpace::wire;

namespace {

Timeline read(const std::string& bytes, const std::string& type = "application/x-ndjson", int status = 200)
{
    return test::readReply(Protocol::OllamaChat, bytes, type, status);
}

std::string line(const std::string& message, const std::string& rest = R"("done":false)")
{
    return R"({"model":"m:latest","message":)" + message + "," + rest + "}\n";
}

const std::string last = line(R"({"role":"assistant","content":""})",
                              R"("done":true,"done_reason":"stop","total_duration":9000000,"load_duration":1000000,)"
                              R"("prompt_eval_count":12,"prompt_eval_duration":2000000,"eval_count":2,)"
                              R"("eval_duration":5000000)");

} // namespace

class OllamaChatTest final : public QObject {
    Q_OBJECT

private slots:
    void theBodyPutsParametersIntoOptions();
    void aStreamIsReadWithItsCounts();
    void aMissingPromptCountIsUnknown();
    void argumentsKeepTheirOrder();
    void eachCallIsACallOfItsOwn();
    void aLongLoadIsCold();
    void serverTimesAreKeptAsSent();
    void anErrorLineIsAnError_data();
    void anErrorLineIsAnError();
    void damagedLinesAreCounted();
    void aStreamWithoutItsLastLineIsTruncated();
    void oneLineWithItsTextIsAWholeReply();
    void aReplyLaidOutForPeopleIsAWholeReply();
    void anEmptyAnswerIsAStream();
    void whatFollowsTheLastLineIsNoOutput();
    void pagesAreErrors();
    void eventsOfAGatewayAreRead();
    void aByteOrderMarkIsNoLine();
};

void OllamaChatTest::theBodyPutsParametersIntoOptions()
{
    ChatRequest request;
    request.model = "m";
    request.messages = {{"system", "be brief"}, {"user", "hi"}};
    QCOMPARE(ollamaChatBody(request),
             std::string(R"({"model":"m","messages":[{"role":"system","content":"be brief"},)"
                         R"({"role":"user","content":"hi"}],"stream":true})"));
    request.params.maxTokens = 5;
    request.params.temperature = 0.2;
    request.params.seed = 3;
    request.extraBody = R"({"think":false,"options":{"num_ctx":8192}})";
    QVERIFY(ollamaChatBody(request).find(
                R"("options":{"num_predict":5,"temperature":0.2,"seed":3,"num_ctx":8192},"think":false)")
            != std::string::npos);
    request.limitField = "none";
    QVERIFY(ollamaChatBody(request).find("num_predict") == std::string::npos);
}

void OllamaChatTest::aStreamIsReadWithItsCounts()
{
    const Timeline timeline = read(line(R"({"content":"","thinking":"Hm"})") + line(R"({"content":"A"})") + last);
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.streamed, std::optional(true));
    QCOMPARE(timeline.channels, std::string("rt"));
    QCOMPARE(timeline.text, std::string("A"));
    QCOMPARE(timeline.usage.promptTokens, std::optional<std::int64_t>(12));
    QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(2));
    QCOMPARE(timeline.finishReason, std::optional<std::string>("stop"));
    QCOMPARE(timeline.servedModel, std::optional<std::string>("m:latest"));
    QVERIFY(sameModel("m", *timeline.servedModel));
    QCOMPARE(timeline.events, 3);
}

void OllamaChatTest::aMissingPromptCountIsUnknown()
{
    const Timeline timeline = read(line(R"({"content":"A"})") + "{\"done\":true,\"eval_count\":1}\n");
    QVERIFY(!timeline.usage.promptTokens);
    QVERIFY(!timeline.finishReason);
    QCOMPARE(timeline.status, Status::Ok);
}

void OllamaChatTest::argumentsKeepTheirOrder()
{
    const Timeline timeline =
        read(line(R"({"tool_calls":[{"function":{"name":"f","arguments":{"z":1,"a":{"y":2,"b":3}}}}]})") + last);
    QCOMPARE(timeline.channels, std::string("c"));
    QCOMPARE(timeline.tools.at(0).arguments, std::string(R"({"z":1,"a":{"y":2,"b":3}})"));
}

void OllamaChatTest::eachCallIsACallOfItsOwn()
{
    const Timeline timeline = read(
        line(R"({"tool_calls":[{"function":{"name":"f","arguments":{}}},{"function":{"name":"f","arguments":{}}}]})")
        + line(R"({"tool_calls":[{"function":{"name":"g","arguments":{}}}]})") + last);
    QCOMPARE(timeline.tools.size(), std::size_t(3));
    QCOMPARE(timeline.channels, std::string("cc"));
}

void OllamaChatTest::aLongLoadIsCold()
{
    QVERIFY(!read(line(R"({"content":"A"})") + last).flags.has(Flag::Cold));
    const Timeline cold =
        read(line(R"({"content":"A"})") + "{\"done\":true,\"load_duration\":5000000000,\"eval_count\":1}\n");
    QVERIFY(cold.flags.has(Flag::Cold));
    QVERIFY(cold.serverTimes.find("\"load_ms\":5000") != std::string::npos);
}

void OllamaChatTest::serverTimesAreKeptAsSent()
{
    const Timeline timeline = read(line(R"({"content":"A"})") + last);
    QCOMPARE(timeline.serverTimes,
             std::string(R"({"total_duration":9000000,"load_duration":1000000,"prompt_eval_duration":2000000,)"
                         R"("eval_duration":5000000,"load_ms":1.0})"));
}

void OllamaChatTest::anErrorLineIsAnError_data()
{
    QTest::addColumn<std::string>("error");
    QTest::newRow("a text") << std::string(R"({"error":"model is gone"})");
    QTest::newRow("an object") << std::string(R"({"error":{"message":"model is gone"}})");
}

void OllamaChatTest::anErrorLineIsAnError()
{
    QFETCH(std::string, error);
    for (const std::string& begin : {std::string(), line(R"({"content":"A"})")}) {
        for (const char* end : {"", "\n"}) {
            const Timeline timeline = read(begin + error + end);
            QCOMPARE(timeline.status, Status::Error);
            QCOMPARE(timeline.error.value().kind, ErrorKind::Stream);
            QCOMPARE(timeline.error->message, std::string("model is gone"));
        }
    }
}

void OllamaChatTest::damagedLinesAreCounted()
{
    const Timeline timeline = read(line(R"({"content":"A"})") + "{\"message\":{\"con\n" + "[1]\n\n" + last);
    QCOMPARE(timeline.badEvents, 2);
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.text, std::string("A"));
}

void OllamaChatTest::aStreamWithoutItsLastLineIsTruncated()
{
    QCOMPARE(read(line(R"({"content":"A"})")).status, Status::Truncated);
    QCOMPARE(read("").status, Status::Truncated);
}

void OllamaChatTest::oneLineWithItsTextIsAWholeReply()
{
    for (const char* end : {"", "\n", "\r\n"}) {
        const Timeline timeline =
            read(R"({"message":{"content":"T"},"done":true,"done_reason":"length","eval_count":2})" + std::string(end),
                 "application/json");
        QCOMPARE(timeline.status, Status::Ok);
        QCOMPARE(timeline.streamed, std::optional(false));
        QCOMPARE(timeline.text, std::string("T"));
        QVERIFY(timeline.arrivals.empty());
        QCOMPARE(timeline.finishReason, std::optional<std::string>("length"));
        QCOMPARE(timeline.usage.completionTokens, std::optional<std::int64_t>(2));
        QCOMPARE(totalMs(timeline), std::optional(2.0));
    }
}

void OllamaChatTest::aReplyLaidOutForPeopleIsAWholeReply()
{
    const Timeline timeline =
        read("{\n  \"message\": {\n    \"content\": \"T\"\n  },\n  \"done\": true,\n  \"eval_count\": 2\n}\n");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.streamed, std::optional(false));
    QCOMPARE(timeline.text, std::string("T"));
    QCOMPARE(timeline.badEvents, 0);
}

void OllamaChatTest::anEmptyAnswerIsAStream()
{
    const Timeline timeline = read(last);
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.streamed, std::optional(true));
    QVERIFY(timeline.arrivals.empty());
}

void OllamaChatTest::whatFollowsTheLastLineIsNoOutput()
{
    const Timeline timeline = read(line(R"({"content":"A"})") + last + line(R"({"content":"B"})"));
    QCOMPARE(timeline.text, std::string("A"));
    QCOMPARE(timeline.afterDone, 1);
}

void OllamaChatTest::pagesAreErrors()
{
    const Timeline timeline = read("<!DOCTYPE html><title>Sign in</title>", "text/html");
    QCOMPARE(timeline.status, Status::Error);
    QCOMPARE(timeline.error.value().kind, ErrorKind::Parse);
    const Timeline missing = read(R"({"error":"model \"m\" not found"})", "application/json", 404);
    QCOMPARE(missing.error.value().kind, ErrorKind::Http);
    QCOMPARE(missing.error->message, std::string("HTTP 404: model \"m\" not found"));
}

void OllamaChatTest::eventsOfAGatewayAreRead()
{
    const std::string text = R"({"message":{"content":"A"},"done":false})";
    const Timeline timeline =
        read("data: " + text + "\n\ndata: {\"done\":true,\"eval_count\":1}\n\n", "text/event-stream");
    QCOMPARE(timeline.status, Status::Ok);
    QCOMPARE(timeline.text, std::string("A"));
}

void OllamaChatTest::aByteOrderMarkIsNoLine()
{
    const Timeline timeline = read("\xEF\xBB\xBF" + line(R"({"content":"A"})") + last);
    QCOMPARE(timeline.text, std::string("A"));
    QCOMPARE(timeline.badEvents, 0);
}

QTEST_GUILESS_MAIN(OllamaChatTest)
#include "tst_ollamachat.moc"
