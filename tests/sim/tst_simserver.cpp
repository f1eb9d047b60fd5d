// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QtTest>

#include "sim/simhttp.h"
#include "sim/simserver.h"
#include "simclient.h"

using namespace tokenpace;
using namespace tokenpace::sim;
using test::chatOf;
using test::SimAnswer;
using test::SimClient;
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

std::string words(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += " w" + std::to_string(i);
    }
    return text;
}

} // namespace

class tst_simserver : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aStreamHasRoleTokensFinishUsageAndDone();
    void withoutIncludeUsageThereIsNone();
    void anAnswerEndsByItselfWhenNoLimitDoes();
    void aWholeReplyHoldsTheSameAnswer();
    void bothNamesOfTheLimitWork();
    void severalTokensMayShareAnEvent();
    void aRepeatedStartIsCachedAndAnotherIsNot();
    void aPromptOverTheContextIsRefused();
    void badRequestsAreRefusedInOpenAiShape_data();
    void badRequestsAreRefusedInOpenAiShape();
    void otherPathsAndMethods_data();
    void otherPathsAndMethods();
    void modelsAreListed();
    void connectionsStayOpenForTheNextRequest();
    void requestsSentAheadAreAnsweredInOrder();
    void chunkedBodiesAndContinueAreRead();
    void oldClientsGetABodyUntilClose();
    void whatIsNoHttpIsRefusedAndClosed();
    void theSameSeedGivesTheSameAnswer();
    void aPortInUseIsAnError();

private:
    std::unique_ptr<SimServer> m_server;
};

void tst_simserver::init()
{
    m_server = std::make_unique<SimServer>(quickOptions());
    QVERIFY2(m_server->start(), m_server->error().c_str());
    QCOMPARE(m_server->baseUrl(), "http://127.0.0.1:" + std::to_string(m_server->port()) + "/v1");
}

void tst_simserver::cleanup()
{
    m_server.reset();
}

void tst_simserver::aStreamHasRoleTokensFinishUsageAndDone()
{
    SimClient client(m_server->port());
    const SimAnswer answer = client.ask(chatOf("quick", "Hello, you there.", 7));
    QVERIFY(answer.end == SimAnswer::End::Complete);
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.headers.find("content-type: text/event-stream") != std::string::npos);
    QCOMPARE(answer.events.size(), std::size_t{1 + 7 + 1 + 1 + 1});

    const Json role = answer.events.front().json();
    QCOMPARE(role["object"], Json("chat.completion.chunk"));
    QCOMPARE(role["model"], Json("quick"));
    QCOMPARE(role["choices"][0]["delta"], Json({{"role", "assistant"}, {"content", ""}}));
    QVERIFY(role["choices"][0]["finish_reason"].is_null());
    QVERIFY(role["usage"].is_null());
    QCOMPARE(answer.contents().size(), std::size_t{7});
    QCOMPARE(simTokenCount(answer.text()), 7);
    QCOMPARE(answer.finishReason(), std::string("length"));

    const Json last = answer.events[answer.events.size() - 2].json();
    QVERIFY(last["choices"].is_array() && last["choices"].empty());
    // start, role, header's end; Hello , you there . ; message's end; start, role, header's end of the answer
    QCOMPARE(last["usage"],
             Json({{"prompt_tokens", 12},
                   {"completion_tokens", 7},
                   {"total_tokens", 19},
                   {"prompt_tokens_details", {{"cached_tokens", 0}}}}));
    QCOMPARE(answer.events.back().data, std::string("[DONE]"));

    std::int64_t before = 0;
    for (const test::SimEvent& event : answer.events) {
        if (event.data != "[DONE]") {
            const auto sent = event.json()["sent_ns"].get<std::int64_t>();
            QVERIFY(sent >= before);
            QVERIFY(sent <= event.arrivedNs);
            QCOMPARE(event.json()["id"], role["id"]);
            before = sent;
        }
    }
}

void tst_simserver::withoutIncludeUsageThereIsNone()
{
    SimClient client(m_server->port());
    Json chat = chatOf("quick", "Hello", 3);
    chat.erase("stream_options");
    const SimAnswer answer = client.ask(chat);
    QCOMPARE(answer.events.size(), std::size_t{1 + 3 + 1 + 1});
    QVERIFY(!answer.events.front().json().contains("usage"));
    QVERIFY(answer.usage().is_null());
}

void tst_simserver::anAnswerEndsByItselfWhenNoLimitDoes()
{
    SimClient client(m_server->port());
    Json chat = chatOf("quick", "Hello", 1);
    chat.erase("max_tokens");
    const SimAnswer answer = client.ask(chat);
    QCOMPARE(answer.contents().size(), std::size_t{40});
    QCOMPARE(answer.finishReason(), std::string("stop"));
    QCOMPARE(answer.text().back(), '.');
    QCOMPARE(client.ask(chatOf("quick", "Hello", 39)).finishReason(), std::string("length"));
    QCOMPARE(client.ask(chatOf("quick", "Hello", 500)).finishReason(), std::string("stop"));
}

void tst_simserver::aWholeReplyHoldsTheSameAnswer()
{
    SimClient client(m_server->port());
    const SimAnswer streamed = client.ask(chatOf("quick", "Hello", 9));
    const SimAnswer whole = client.ask(chatOf("quick", "Hello", 9, false));
    QVERIFY(whole.end == SimAnswer::End::Complete);
    QCOMPARE(whole.status, 200);
    QVERIFY(whole.headers.find("content-type: application/json") != std::string::npos);
    const Json json = whole.json();
    QCOMPARE(json["object"], Json("chat.completion"));
    QCOMPARE(json["choices"][0]["message"]["role"], Json("assistant"));
    QCOMPARE(json["choices"][0]["message"]["content"], Json(streamed.text()));
    QCOMPARE(json["choices"][0]["finish_reason"], Json("length"));
    QCOMPARE(json["usage"]["completion_tokens"], Json(9));
    QVERIFY(json["sent_ns"].is_number_integer());
}

void tst_simserver::bothNamesOfTheLimitWork()
{
    SimClient client(m_server->port());
    Json chat = chatOf("quick", "Hello", 9);
    chat["max_completion_tokens"] = 4;
    QCOMPARE(client.ask(chat).contents().size(), std::size_t{4});
    chat.erase("max_tokens");
    QCOMPARE(client.ask(chat).contents().size(), std::size_t{4});
}

void tst_simserver::severalTokensMayShareAnEvent()
{
    SimClient client(m_server->port());
    const SimAnswer answer = client.ask(chatOf("pairs", "Hello", 8));
    std::vector<int> tokens;
    for (const Json& json : answer.contents()) {
        tokens.push_back(simTokenCount(json["choices"][0]["delta"]["content"].get<std::string>()));
    }
    QCOMPARE(tokens, (std::vector<int>{1, 2, 2, 2, 1}));
    QCOMPARE(answer.usage()["completion_tokens"], Json(8));
}

void tst_simserver::aRepeatedStartIsCachedAndAnotherIsNot()
{
    SimClient client(m_server->port());
    const auto cached = [&](const std::string& model, const std::string& prompt) {
        return client.ask(chatOf(model, prompt, 2)).usage()["prompt_tokens_details"]["cached_tokens"].get<int>();
    };
    const std::string prompt = words(100);
    QCOMPARE(cached("quick", prompt), 0);
    QCOMPARE(cached("quick", prompt), 96); // of 107, in blocks of 16
    QCOMPARE(cached("quick", prompt + words(50)), 96);
    QCOMPARE(cached("quick", "nonce " + prompt), 0);
    QCOMPARE(cached("other", prompt), 0);
}

void tst_simserver::aPromptOverTheContextIsRefused()
{
    SimClient client(m_server->port());
    const SimAnswer fits = client.ask(chatOf("quick", words(990), 3));
    QCOMPARE(fits.status, 200);
    QCOMPARE(fits.usage()["prompt_tokens"], Json(997));
    for (const Json& chat : {chatOf("quick", words(990), 4), chatOf("quick", words(2000), 1)}) {
        const SimAnswer answer = client.ask(chat);
        QCOMPARE(answer.status, 400);
        QCOMPARE(answer.json()["error"]["code"], Json("context_length_exceeded"));
        QCOMPARE(answer.json()["error"]["type"], Json("invalid_request_error"));
        QVERIFY(answer.json()["error"]["message"].get<std::string>().find("1000 tokens") != std::string::npos);
    }
}

void tst_simserver::badRequestsAreRefusedInOpenAiShape_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("param");
    QTest::addColumn<QByteArray>("code");
    const QByteArray none;
    const QByteArray messages = R"("messages":[{"role":"user","content":"Hi"}])";
    const auto with = [&](const QByteArray& more) {
        return R"({"model":"quick",)" + messages + more + "}";
    };
    QTest::newRow("broken JSON") << QByteArray(R"({"model":)") << 400 << none << none;
    QTest::newRow("empty") << QByteArray() << 400 << none << none;
    QTest::newRow("no object") << QByteArray("[]") << 400 << none << none;
    QTest::newRow("no model") << "{" + messages + "}" << 400 << QByteArray("model") << none;
    QTest::newRow("unknown model") << R"({"model":"quickly",)" + messages + "}" << 404 << QByteArray("model")
                                   << QByteArray("model_not_found");
    QTest::newRow("unknown error") << R"({"model":"error-99",)" + messages + "}" << 404 << QByteArray("model")
                                   << QByteArray("model_not_found");
    QTest::newRow("empty name") << R"({"model":"",)" + messages + "}" << 404 << QByteArray("model")
                                << QByteArray("model_not_found");
    QTest::newRow("no messages") << QByteArray(R"({"model":"quick"})") << 400 << QByteArray("messages")
                                 << QByteArray("missing_required_parameter");
    QTest::newRow("messages empty") << QByteArray(R"({"model":"quick","messages":[]})") << 400 << QByteArray("messages")
                                    << none;
    QTest::newRow("no role") << QByteArray(R"({"model":"quick","messages":[{"content":"Hi"}]})") << 400
                             << QByteArray("messages[0].role") << none;
    QTest::newRow("image") << QByteArray(
        R"({"model":"quick","messages":[{"role":"user","content":[{"type":"image"}]}]})")
                           << 400 << QByteArray("messages[0].content") << none;
    QTest::newRow("limit 0") << with(R"(,"max_tokens":0)") << 400 << QByteArray("max_tokens") << none;
    QTest::newRow("limit text") << with(R"(,"max_completion_tokens":"9")") << 400 << QByteArray("max_completion_tokens")
                                << none;
    QTest::newRow("stream text") << with(R"(,"stream":"yes")") << 400 << QByteArray("stream") << none;
    QTest::newRow("two choices") << with(R"(,"n":2)") << 400 << QByteArray("n") << none;
}

void tst_simserver::badRequestsAreRefusedInOpenAiShape()
{
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QByteArray, param);
    QFETCH(QByteArray, code);
    SimClient client(m_server->port());
    client.send("POST /v1/chat/completions HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n"
                + body.toStdString());
    const SimAnswer answer = client.read();
    QCOMPARE(answer.status, status);
    const Json error = answer.json()["error"];
    QVERIFY(!error["message"].get<std::string>().empty());
    QCOMPARE(error["type"], Json("invalid_request_error"));
    QCOMPARE(error["param"], param.isEmpty() ? Json(nullptr) : Json(param.toStdString()));
    QCOMPARE(error["code"], code.isEmpty() ? Json(nullptr) : Json(code.toStdString()));
    QCOMPARE(client.ask(chatOf("quick", "Hello", 1)).status, 200); // the connection goes on
}

void tst_simserver::otherPathsAndMethods_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("status");
    QTest::newRow("health") << QByteArray("GET") << QByteArray("/health") << 200;
    QTest::newRow("models with a query") << QByteArray("GET") << QByteArray("/v1/models?limit=2") << 200;
    QTest::newRow("one model") << QByteArray("GET") << QByteArray("/v1/models/quick") << 200;
    QTest::newRow("no such model") << QByteArray("GET") << QByteArray("/v1/models/none") << 404;
    QTest::newRow("head") << QByteArray("HEAD") << QByteArray("/v1/models") << 200;
    QTest::newRow("elsewhere") << QByteArray("GET") << QByteArray("/models") << 404;
    QTest::newRow("chat by GET") << QByteArray("GET") << QByteArray("/v1/chat/completions") << 405;
    QTest::newRow("models by DELETE") << QByteArray("DELETE") << QByteArray("/v1/models") << 405;
}

void tst_simserver::otherPathsAndMethods()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(int, status);
    SimClient client(m_server->port());
    const bool headOnly = method == "HEAD";
    client.get(path.toStdString(), method.toStdString());
    const SimAnswer answer = client.read(0, headOnly);
    QCOMPARE(answer.status, status);
    if (!headOnly) {
        QVERIFY(answer.json().is_object());
        QCOMPARE(answer.json().contains("error"), status != 200);
    }
    QCOMPARE(answer.headers.find("\r\nallow: ") != std::string::npos, status == 405);
    client.get("/health");
    QCOMPARE(client.read().status, 200);
}

void tst_simserver::modelsAreListed()
{
    SimClient client(m_server->port());
    client.get("/v1/models");
    const Json json = client.read().json();
    QCOMPARE(json["object"], Json("list"));
    QCOMPARE(json["data"].size(), std::size_t{3});
    QCOMPARE(json["data"][1]["id"], Json("pairs"));
    QCOMPARE(json["data"][1]["object"], Json("model"));
}

void tst_simserver::connectionsStayOpenForTheNextRequest()
{
    SimClient client(m_server->port());
    for (int i = 0; i < 5; ++i) {
        const SimAnswer answer = client.ask(chatOf("quick", "Hello", 2, i % 2 == 0));
        QVERIFY(answer.end == SimAnswer::End::Complete);
        QVERIFY(answer.headers.find("connection: close") == std::string::npos);
    }
    client.send("GET /health HTTP/1.1\r\nConnection: close\r\n\r\n");
    const SimAnswer last = client.read();
    QVERIFY(last.headers.find("connection: close") != std::string::npos);
    QVERIFY(client.read().end == SimAnswer::End::Closed);
}

void tst_simserver::requestsSentAheadAreAnsweredInOrder()
{
    SimClient client(m_server->port());
    client.post(chatOf("quick", "Hello", 5));
    client.get("/health");
    client.post(chatOf("quick", "Hello", 3));
    QCOMPARE(client.read().contents().size(), std::size_t{5});
    QCOMPARE(client.read().json()["status"], Json("ok"));
    QCOMPARE(client.read().contents().size(), std::size_t{3});
}

void tst_simserver::chunkedBodiesAndContinueAreRead()
{
    const std::string body = chatOf("quick", words(200), 2).dump();
    SimClient client(m_server->port());
    client.send("POST /v1/chat/completions HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (std::size_t at = 0; at < body.size(); at += 100) {
        client.send(httpChunk(body.substr(at, 100)));
    }
    client.send("0\r\n\r\n");
    const SimAnswer answer = client.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.usage()["prompt_tokens"], Json(207));
}

void tst_simserver::oldClientsGetABodyUntilClose()
{
    const std::string body = chatOf("quick", "Hello", 4).dump();
    SimClient client(m_server->port());
    client.send("POST /v1/chat/completions HTTP/1.0\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n"
                + body);
    const SimAnswer answer = client.read();
    QVERIFY(answer.end == SimAnswer::End::Complete);
    QVERIFY(answer.headers.find("transfer-encoding") == std::string::npos);
    QCOMPARE(answer.contents().size(), std::size_t{4});
    QCOMPARE(answer.events.back().data, std::string("[DONE]"));
}

void tst_simserver::whatIsNoHttpIsRefusedAndClosed()
{
    SimClient client(m_server->port());
    client.send("hello there\r\n\r\n");
    const SimAnswer answer = client.read();
    QCOMPARE(answer.status, 400);
    QVERIFY(answer.json().contains("error"));
    QVERIFY(client.read().end == SimAnswer::End::Closed);
}

void tst_simserver::theSameSeedGivesTheSameAnswer()
{
    SimOptions options = quickOptions();
    SimServer same(options);
    options.seed = 99;
    SimServer other(options);
    QVERIFY(same.start() && other.start());
    std::vector<std::string> texts;
    for (const SimServer* server : {m_server.get(), &same, &other}) {
        SimClient client(server->port());
        texts.push_back(client.ask(chatOf("quick", "Hello", 20)).text());
    }
    QCOMPARE(texts[0], texts[1]);
    QVERIFY(texts[0] != texts[2]);
}

void tst_simserver::aPortInUseIsAnError()
{
    SimOptions options = quickOptions();
    options.port = m_server->port();
    SimServer second(options);
    QVERIFY(!second.start());
    QVERIFY(second.error().find(std::to_string(options.port)) != std::string::npos);
    m_server->stop();
    QVERIFY2(second.start(), second.error().c_str());
    QCOMPARE(second.port(), options.port);
}

QTEST_GUILESS_MAIN(tst_simserver)
#include "tst_simserver.moc"
