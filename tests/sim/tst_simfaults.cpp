// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QtTest>

#include "sim/simfault.h"
#include "sim/simmailbox.h"
#include "sim/simserver.h"
#include "simclient.h"

using namespace tokenpace::sim;
using tokenpace::test::chatOf;
using tokenpace::test::SimAnswer;
using tokenpace::test::SimClient;
using Json = nlohmann::json;
using End = SimAnswer::End;

class tst_simfaults : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void namesSayHowAModelMisbehaves();
    void aStatusIsGivenAsNamed_data();
    void aStatusIsGivenAsNamed();
    void tooManyRequestsSayWhenToRetry();
    void aStallStreamsAndThenKeepsSilent();
    void aStallFreesItsPlaceInTheBatch();
    void aCutEndsInsideAChunk();
    void aResetIsAReset();
    void anErrorComesInTheStream();
    void aPageComesInsteadOfAStream();
    void bufferedEventsComeAllAtOnce();
    void anEmptyReplyIsEmpty();
    void wholeRepliesGoWrongToo();
    void aListedModelKeepsItsOwnPace();
    void theyAreNotOfferedUnlessListed();

private:
    [[nodiscard]] SimAnswer ask(const std::string& model, int maxTokens = 12, bool stream = true) const;

    std::unique_ptr<SimServer> m_server;
};

void tst_simfaults::initTestCase()
{
    SimOptions options;
    SimModel model;
    model.name = "quick";
    model.prefillFixedMs = 3;
    model.decodeFloorMs = 2;
    model.maxBatch = 1;
    options.models.push_back(model);
    model.name = "error-cut";
    model.prefillFixedMs = 150;
    model.jitterSigma = 0;
    options.models.push_back(model);
    m_server = std::make_unique<SimServer>(options);
    QVERIFY2(m_server->start(), m_server->error().c_str());
}

SimAnswer tst_simfaults::ask(const std::string& model, int maxTokens, bool stream) const
{
    SimClient client(m_server->port());
    return client.ask(chatOf(model, "Hello", maxTokens, stream));
}

void tst_simfaults::namesSayHowAModelMisbehaves()
{
    using Kind = SimFault::Kind;
    QVERIFY(faultOf("error-stall").kind == Kind::Stall);
    QVERIFY(faultOf("error-503").kind == Kind::Status);
    QCOMPARE(faultOf("error-503").status, 503);
    for (const char* name : {"", "quick", "error-", "error-100", "error-199", "error-600", "error-42", "error-4290",
                             "error-4x9", "error--20", "error-+20", "Error-500", "my-error-500", "error-stalled"}) {
        QVERIFY2(faultOf(name).kind == Kind::None, name);
    }
}

void tst_simfaults::aStatusIsGivenAsNamed_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 401, 403, 404, 408, 418, 429, 500, 502, 503, 504, 599}) {
        QTest::addRow("%d", status) << status;
    }
}

void tst_simfaults::aStatusIsGivenAsNamed()
{
    QFETCH(int, status);
    for (const bool stream : {true, false}) {
        const SimAnswer answer = ask("error-" + std::to_string(status), 5, stream);
        QVERIFY(answer.end == End::Complete);
        QCOMPARE(answer.status, status);
        QVERIFY(!answer.json()["error"]["message"].get<std::string>().empty());
        QVERIFY(answer.json()["error"]["type"].is_string());
    }
}

void tst_simfaults::tooManyRequestsSayWhenToRetry()
{
    QVERIFY(ask("error-429").headers.find("\r\nretry-after: 1\r\n") != std::string::npos);
    QVERIFY(ask("error-500").headers.find("retry-after") == std::string::npos);
}

void tst_simfaults::aStallStreamsAndThenKeepsSilent()
{
    SimClient client(m_server->port());
    client.post(chatOf("error-stall", "Hello", 12));
    const SimAnswer begun = client.read(1 + tokensBeforeFault);
    QCOMPARE(begun.contents().size(), std::size_t{tokensBeforeFault});
    client.setPatienceMs(300);
    const SimAnswer silence = client.read();
    QVERIFY(silence.end == End::Silent);
    QVERIFY(silence.headers.empty());
}

void tst_simfaults::aStallFreesItsPlaceInTheBatch()
{
    SimClient stalled(m_server->port());
    stalled.post(chatOf("error-stall", "Hello", 12));
    (void)stalled.read(1 + tokensBeforeFault);
    SimClient next(m_server->port());
    next.post(chatOf("error-stall", "Hello", 12));
    QCOMPARE(next.read(1 + tokensBeforeFault).contents().size(), std::size_t{tokensBeforeFault});
}

void tst_simfaults::aCutEndsInsideAChunk()
{
    const SimAnswer answer = ask("error-cut");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.end == End::Closed);
    QCOMPARE(answer.contents().size(), std::size_t{tokensBeforeFault});
    QCOMPARE(answer.finishReason(), std::string());
}

void tst_simfaults::aResetIsAReset()
{
    const SimAnswer answer = ask("error-reset");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.end == End::Reset);
    QVERIFY(answer.finishReason().empty());
}

void tst_simfaults::anErrorComesInTheStream()
{
    const SimAnswer answer = ask("error-inband");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.end == End::Complete);
    QCOMPARE(answer.events.size(), std::size_t{1 + tokensBeforeFault + 2});
    const Json error = answer.events[1 + tokensBeforeFault].json();
    QVERIFY(!error["error"]["message"].get<std::string>().empty());
    QVERIFY(error["sent_ns"].is_number_integer());
    QCOMPARE(answer.events.back().data, std::string("[DONE]"));
    QVERIFY(answer.finishReason().empty());
}

void tst_simfaults::aPageComesInsteadOfAStream()
{
    const SimAnswer answer = ask("error-html");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.headers.find("content-type: text/html") != std::string::npos);
    QVERIFY(answer.body.starts_with("<!DOCTYPE html>"));
}

void tst_simfaults::bufferedEventsComeAllAtOnce()
{
    const SimAnswer answer = ask("error-buffered");
    QVERIFY(answer.end == End::Complete);
    QCOMPARE(answer.contents().size(), std::size_t{12});
    QCOMPARE(answer.finishReason(), std::string("length"));
    QCOMPARE(answer.usage()["completion_tokens"], Json(12));
    const Json stamp = answer.events.front().json()["sent_ns"];
    for (const Json& json : answer.contents()) {
        QCOMPARE(json["sent_ns"], stamp);
    }
}

void tst_simfaults::anEmptyReplyIsEmpty()
{
    const SimAnswer answer = ask("error-empty");
    QVERIFY(answer.end == End::Complete);
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.body.empty());
}

void tst_simfaults::wholeRepliesGoWrongToo()
{
    const SimAnswer cut = ask("error-cut", 12, false);
    QVERIFY(cut.end == End::Closed);
    QVERIFY(!cut.body.empty());
    QVERIFY(ask("error-reset", 12, false).end == End::Reset);
    const SimAnswer inband = ask("error-inband", 12, false);
    QCOMPARE(inband.status, 200);
    QVERIFY(inband.json().contains("error"));
    QVERIFY(ask("error-buffered", 12, false).json().contains("choices"));
    SimClient client(m_server->port());
    client.setPatienceMs(300);
    QVERIFY(client.ask(chatOf("error-stall", "Hello", 1, false)).end == End::Silent);
}

void tst_simfaults::aListedModelKeepsItsOwnPace()
{
    const std::int64_t asked = steadyNs();
    const Json first = ask("error-cut").contents().front();
    QVERIFY(first["sent_ns"].get<std::int64_t>() - asked >= 150'000'000);
    QVERIFY(ask("error-inband").contents().size() == tokensBeforeFault);
}

void tst_simfaults::theyAreNotOfferedUnlessListed()
{
    SimClient client(m_server->port());
    client.get("/v1/models");
    const Json data = client.read().json()["data"];
    QCOMPARE(data.size(), std::size_t{2});
    QCOMPARE(data[1]["id"], Json("error-cut"));
}

QTEST_GUILESS_MAIN(tst_simfaults)
#include "tst_simfaults.moc"
