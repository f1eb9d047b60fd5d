// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "support/replies.h"

using namespace tokenpace;

class RefusedParameterTest final : public QObject {
    Q_OBJECT

private slots:
    void theMessageOffersTheSetting_data();
    void theMessageOffersTheSetting();
    void otherErrorsOfferNothing_data();
    void otherErrorsOfferNothing();
};

void RefusedParameterTest::theMessageOffersTheSetting_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("param");
    QTest::addColumn<std::string>("offer");
    const auto row = [](const char* name, int status, const char* body, const char* param, const char* offer) {
        QTest::newRow(name) << status << std::string(body) << std::string(param) << std::string(offer);
    };
    row("another name of the limit", 400,
        R"({"error":{"message":"Unsupported parameter: use max_completion_tokens","param":"max_tokens",)"
        R"("code":"unsupported_parameter"}})",
        "max_tokens", "set limitField to max_completion_tokens");
    row("the other way round", 400,
        R"({"error":{"message":"Unknown field max_completion_tokens, did you mean max_tokens?"}})", "",
        "set limitField to max_tokens");
    row("no other name given", 422,
        R"({"detail":[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted"}]})",
        "max_tokens", "set limitField to max_completion_tokens, or to none");
    row("the limit of Responses", 400,
        R"({"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_output_tokens' instead.",)"
        R"("param":"max_tokens"}})",
        "max_tokens", "set limitField to max_output_tokens");
    row("temperature", 400,
        R"j({"error":{"message":"temperature: only the default (1)","param":"temperature","code":"unsupported_value"}})j",
        "temperature", "take request.temperature out");
    row("temperature, in words alone", 400, R"({"error":"temperature is not supported with this model"})", "",
        "take request.temperature out");
    row("stream_options, wrapped twice", 422,
        R"({"object":"error","message":{"detail":[{"type":"extra_forbidden",)"
        R"("loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]}})",
        "stream_options.include_usage", "set streamOptions to false");
    row("stream_options, in words alone", 400, R"({"message":"Unrecognized request argument: stream_options"})", "",
        "set streamOptions to false");
    row("top_p", 400, R"({"error":{"message":"Unsupported parameter","param":"top_p"}})", "top_p",
        "take request.topP out");
    row("seed", 400, R"({"error":{"message":"Unsupported parameter","param":"seed"}})", "seed",
        "take request.seed out");
    row("one of the user's own", 400,
        R"({"error":{"message":"Unknown parameter: 'chat_template_kwargs'.",)"
        R"("param":"chat_template_kwargs","code":"unknown_parameter"}})",
        "chat_template_kwargs", "take chat_template_kwargs out of extraBody");
}

void RefusedParameterTest::theMessageOffersTheSetting()
{
    QFETCH(int, status);
    QFETCH(std::string, body);
    QFETCH(std::string, param);
    QFETCH(std::string, offer);
    const Timeline timeline = test::readReply(Protocol::OpenAiChat, body, "application/json", status);
    QCOMPARE(timeline.error.value().kind, ErrorKind::Http);
    QCOMPARE(timeline.error->param.value_or(""), param);
    QVERIFY2(timeline.error->message.find("; " + offer) != std::string::npos, timeline.error->message.c_str());
}

void RefusedParameterTest::otherErrorsOfferNothing_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<std::string>("body");
    QTest::newRow("another status") << 401 << std::string(R"({"error":{"message":"Unsupported key","param":"seed"}})");
    QTest::newRow("too large a value")
        << 400 << std::string(R"({"error":{"message":"max_tokens is too large: 9","param":"max_tokens"}})");
    QTest::newRow("a prompt that is too long")
        << 400 << std::string(R"({"error":{"message":"maximum context length is 4096 tokens","param":"messages"}})");
    QTest::newRow("a wrong model") << 400
                                   << std::string(R"({"error":{"message":"Unknown model gpt-9","param":"model"}})");
}

void RefusedParameterTest::otherErrorsOfferNothing()
{
    QFETCH(int, status);
    QFETCH(std::string, body);
    const Timeline timeline = test::readReply(Protocol::OpenAiChat, body, "application/json", status);
    QCOMPARE(timeline.error.value().message.find(';'), std::string::npos);
}

QTEST_GUILESS_MAIN(RefusedParameterTest)
#include "tst_refusedparameter.moc"
