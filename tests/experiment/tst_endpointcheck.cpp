// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "checkfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestEndpointCheck final : public QObject {
    Q_OBJECT
private slots:
    void aGoodEndpointPassesEachStepInOrder();
    void eachFailureSaysWhatToChangeAndTheRestIsSkipped_data();
    void eachFailureSaysWhatToChangeAndTheRestIsSkipped();
    void whatForbidsNothingIsNoted_data();
    void whatForbidsNothingIsNoted();
    void noSecretIsInAnyMessage();
};

void TestEndpointCheck::aGoodEndpointPassesEachStepInOrder()
{
    // Streams so long that two of them overlap on a busy machine too.
    const ScriptedServer server(withAnswer([](const ReceivedRequest& request) {
        return isStreamed(request) ? chatScript(4, 10ms, 150ms) : wholeAnswer();
    }));
    const auto check = checked(endpointAt(server));
    QVERIFY(check);
    QVERIFY2(check->ok(), qPrintable(allWords(*check)));
    QStringList ids;
    for (const CheckStep& step : check->steps()) {
        ids << step.id;
        QVERIFY(!step.name.isEmpty());
        QVERIFY(!step.message.isEmpty());
        QVERIFY(step.ms >= 0);
    }
    QCOMPARE(ids.join(u' '),
             QStringLiteral("url proxy dns tcp tls key models request stream parallel usage streaming served-model"));
    QCOMPARE(check->models(), (QStringList{QStringLiteral("m"), QStringLiteral("other")}));
    QCOMPARE(check->url(), QString::fromStdString(server.url()));
    QCOMPARE(stepOf(*check, "tls").state, CheckState::NotNeeded);
    QCOMPARE(stepOf(*check, "parallel").state, CheckState::Passed);
    QCOMPARE(server.requestCount(), 5); // the list, whole, streamed, and two at once
    QVERIFY(server.requests()[1].body.find("\"stream\":true") == std::string::npos);
    QVERIFY(isStreamed(server.requests()[2]));
}

void TestEndpointCheck::eachFailureSaysWhatToChangeAndTheRestIsSkipped_data()
{
    QTest::addColumn<Handler>("handler");
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<QString>("inMessage");
    QTest::addColumn<QString>("inFix");
    QTest::addColumn<QString>("change");
    const auto row = [](const char* name, Handler handler, const char* step, const char* message, const char* fix,
                        const char* change = "") {
        QTest::newRow(name) << std::move(handler) << QByteArray(step) << QString::fromUtf8(message)
                            << QString::fromUtf8(fix) << QString::fromUtf8(change);
    };
    row(
        "401 at the list",
        [](const ReceivedRequest&, int) {
            return reply(401, errorBody("bad key"));
        },
        "key", "HTTP 401: bad key – the key is not accepted", "${MY_KEY}");
    row("401 at the request", failing(401, errorBody("bad key")), "request", "the key is not accepted", "${MY_KEY}");
    row("403", failing(403, errorBody("no")), "request", "may not do this", "\"model\"");
    row("404", failing(404, errorBody("Not Found")), "request", "nothing is at http://127.0.0.1", "\"baseUrl\"");
    row("404 of the model", failing(404, errorBody("The model `m` does not exist")), "request", "no such model",
        "\"model\"");
    row("400 of the model", failing(400, errorBody("Invalid model name passed in model=m")), "request", "no such model",
        "\"model\"");
    row("429", failing(429, errorBody("slow down"), {{"Retry-After", "7"}}), "request", "too many requests",
        "Wait 7 s");
    row("500", failing(500, errorBody("boom")), "request", "HTTP 500", "log");
    row("503", failing(503, errorBody("loading model")), "request", "loading", "Wait");
    row("a redirect", failing(308, "", {{"Location", "https://elsewhere.example/v1"}}), "request", "elsewhere.example",
        "\"baseUrl\"");
    row("empty choices", failing(200, R"({"id":"x","object":"chat.completion","choices":[]})"), "request",
        "empty \"choices\"", "gateway's log");
    row("a web page", withAnswer([](const ReceivedRequest&) {
            return reply(200, "<!doctype html><html><head><title>Chat</title></head></html>", {}, "text/html");
        }),
        "request", "web page", "\"baseUrl\"");
    row("Anthropic's answer", failing(200, R"({"id":"x","type":"message","content":[{"type":"text","text":"a"}]})"),
        "request", "another protocol", "\"protocol\"", "protocol=anthropic-messages");
    row("only Responses", failing(400, errorBody("This model is only supported in v1/responses.")), "request",
        "another protocol", "\"protocol\"", "protocol=openai-responses");
    row("an OAuth key", failing(401, errorBody("OAuth authentication is currently not supported.")), "request",
        "OAuth token", "API key");
    row("a refused limit",
        failing(400,
                R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use )"
                R"('max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}})"),
        "request", "max_tokens", "\"limitField\"", "limitField=max_completion_tokens");
    row(
        "closed without an answer",
        [](const ReceivedRequest&, int) {
            return Script{closeConnection()};
        },
        "key", "the connection broke", "log");
    row("no stream", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request) ? reply(400, errorBody("stream is not supported here")) : wholeAnswer();
        }),
        "stream", "stream", "\"request.stream\"", "request.stream=false");
    row("a stream without output", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request)
                ? Script{send(streamHead() + chunk(test::event(R"({"choices":[]})") + doneEvent()) + lastChunk())}
                : wholeAnswer();
        }),
        "stream", "without any output", "gateway's log");
    row("an error inside the stream", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request)
                ? Script{send(streamHead() + chunk(test::event(errorBody("out of memory"))) + lastChunk())}
                : wholeAnswer();
        }),
        "stream", "out of memory", "log");
}

void TestEndpointCheck::eachFailureSaysWhatToChangeAndTheRestIsSkipped()
{
    QFETCH(Handler, handler);
    QFETCH(QByteArray, step);
    QFETCH(QString, inMessage);
    QFETCH(QString, inFix);
    QFETCH(QString, change);
    const ScriptedServer server(handler);
    const auto check = checked(endpointAt(server));
    QVERIFY(check);
    QVERIFY(!check->ok());
    const CheckStep failed = stepOf(*check, step.constData());
    const QByteArray words = allWords(*check).toUtf8();
    QVERIFY2(failed.state == CheckState::Failed, words.constData());
    QVERIFY2(failed.message.contains(inMessage), words.constData());
    QVERIFY2(failed.fix.contains(inFix), words.constData());
    QCOMPARE(changeText(failed), change);
    bool after = false;
    for (const CheckStep& each : check->steps()) {
        if (after) {
            QCOMPARE(each.state, CheckState::Skipped);
            QVERIFY(each.message.contains(failed.name));
        }
        after = after || each.id == failed.id;
    }
    QCOMPARE(check->steps().size(), 13);
    QCOMPARE(check->trouble()->id, failed.id);
}

void TestEndpointCheck::whatForbidsNothingIsNoted_data()
{
    QTest::addColumn<Handler>("handler");
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<QString>("inMessage");
    QTest::addColumn<QString>("inFix");
    QTest::addColumn<QString>("change");
    const auto row = [](const char* name, Handler handler, const char* step, const char* message, const char* fix,
                        const char* change = "") {
        QTest::newRow(name) << std::move(handler) << QByteArray(step) << QString::fromUtf8(message)
                            << QString::fromUtf8(fix) << QString::fromUtf8(change);
    };
    const auto withList = [](int status, const std::string& body) {
        return [=](const ReceivedRequest& request, int) {
            return request.method == "GET" ? reply(status, body) : goodServer(request);
        };
    };
    row("no list of models", withList(404, "{}"), "models", "lists no models (HTTP 404", "\"model\"");
    row("a list that the key may not see", withList(403, errorBody("missing scope")), "key", "missing scope", "");
    row("an empty list", withList(200, R"({"data":[]})"), "models", "is empty", "\"model\"");
    row("a model that is not listed", withList(200, R"({"data":[{"id":"m-large"},{"id":"zzz"}]})"), "models",
        "m is not among them", "m-large", "model=m-large");
    row("streams only", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request) ? goodServer(request)
                                       : reply(400, errorBody("This model only support stream mode"));
        }),
        "request", "streamed requests only", "\"request.stream\"");
    row("no usage", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request)
                ? Script{send(streamHead() + chunk(textEvent("a") + textEvent("b") + finishEvent() + doneEvent())
                              + lastChunk())}
                : wholeAnswer();
        }),
        "usage", "only in whole answers", "usage");
    row("collected on the way", withAnswer([](const ReceivedRequest& request) {
            return isStreamed(request) ? Script{send(streamHead()
                                                     + chunk(textEvent("a") + textEvent("b") + textEvent("c")
                                                             + finishEvent() + usageEvent(5, 3) + doneEvent())
                                                     + lastChunk())}
                                       : wholeAnswer();
        }),
        "streaming", "all at once", "proxy_buffering");
    row("answered whole", withAnswer([](const ReceivedRequest&) {
            return wholeAnswer();
        }),
        "streaming", "came whole", "\"stream\"");
    row(
        "one at a time",
        [](const ReceivedRequest& request, int index) {
            return index < 3 ? goodServer(request) : chatScript(4, index == 3 ? 20ms : 600ms, 10ms);
        },
        "parallel", "one after the other", "maxParallel");
    row(
        "the second one is refused",
        [](const ReceivedRequest& request, int index) {
            return index < 4 ? goodServer(request) : reply(429, errorBody("one at a time, please"));
        },
        "parallel", "too many for it", "maxParallel");
    row("another model answers", withAnswer([](const ReceivedRequest& request) {
            const std::string text =
                R"({"id":"c","model":"other","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]})";
            return isStreamed(request)
                ? Script{send(streamHead() + chunk(test::event(text) + doneEvent()) + lastChunk())}
                : wholeAnswer("other");
        }),
        "served-model", "other answered, not m", "\"other\"", "model=other");
}

void TestEndpointCheck::whatForbidsNothingIsNoted()
{
    QFETCH(Handler, handler);
    QFETCH(QByteArray, step);
    QFETCH(QString, inMessage);
    QFETCH(QString, inFix);
    QFETCH(QString, change);
    const ScriptedServer server(handler);
    const auto check = checked(endpointAt(server));
    QVERIFY(check);
    const QByteArray words = allWords(*check).toUtf8();
    QVERIFY2(check->ok(), words.constData());
    const CheckStep noted = stepOf(*check, step.constData());
    QVERIFY2(noted.state == CheckState::Noted, words.constData());
    QVERIFY2(noted.message.contains(inMessage), words.constData());
    QVERIFY2(noted.fix.contains(inFix), words.constData());
    QCOMPARE(changeText(noted), change);
}

void TestEndpointCheck::noSecretIsInAnyMessage()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return request.method == "GET" ? reply(200, R"({"data":[{"id":"a )" + request.header("Authorization") + "\"}]}")
                                       : reply(401, errorBody("wrong key: " + request.header("Authorization")));
    });
    EndpointSettings endpoint =
        endpointAt(QStringLiteral("http://user:pass-word-9@127.0.0.1:%1/v1?token=query-value-9").arg(server.port()));
    const auto check = checked(endpoint);
    QVERIFY(check);
    const QString words = allWords(*check) + check->url() + check->models().join(u' ');
    QVERIFY(words.contains(QStringLiteral("[redacted]")));
    for (const QString& hidden : {checkSecret, QStringLiteral("pass-word-9"), QStringLiteral("query-value-9")}) {
        QVERIFY2(!words.contains(hidden), qPrintable(words));
    }
}

QTEST_GUILESS_MAIN(TestEndpointCheck)
#include "tst_endpointcheck.moc"
