// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "measure/metrics.h"
#include "wire/replyreader.h"

using namespace tokenpace;
using namespace tokenpace::wire;

namespace {

const std::string textA = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
const std::string finishStop = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string done = "data: [DONE]\n\n";

/// A reader with its timeline on a fake clock in ms.
struct Bench {
    Timeline timeline;
    ReplyReader reader{Protocol::OpenAiChat, timeline};

    explicit Bench(ReplyHead head = {200, "OK", "text/event-stream", "", "", {}})
    {
        timeline.zero = Stamp{0};
        timeline.keepsText = true;
        reader.head(head, fromMs(1));
    }
    void feed(double ms, const std::string& bytes) { reader.feed(bytes, fromMs(ms)); }
    [[nodiscard]] std::string message() const { return timeline.error ? timeline.error->message : std::string{}; }
    [[nodiscard]] ErrorKind kind() const { return timeline.error.value().kind; }
};

ReplyHead typed(const std::string& contentType, int status = 200, const std::string& reason = "OK")
{
    return {status, reason, contentType, "", "", {}};
}

} // namespace

class ReplyReaderTest final : public QObject {
    Q_OBJECT

private slots:
    void aFinishReasonWaitsTwoSecondsFromTheLastDataEvent();
    void commentsDoNotRestartTheWait();
    void doneWaitsAQuarterSecondForTheEnd();
    void aResetAfterTheFinishReasonIsStillOk();
    void aResetBeforeAnyEndingIsTruncatedByTransport();
    void textAfterDoneIsNoOutputButUsageCounts();
    void aTimeoutKeepsWhatWasMeasured();
    void halfAWholeReplyThatStopsIsATimeout();
    void aWholeReplyOnAnOpenSocketIsAnAnswer();
    void aCancelAmidAnErrorPageIsCancelled();
    void streamsAreReadUnderAnyContentType_data();
    void streamsAreReadUnderAnyContentType();
    void aWholeReplyHasNoTtft();
    void aWholeReplyIsReadInPieces();
    void jsonWithoutAnAnswerIsAnError_data();
    void jsonWithoutAnAnswerIsAnError();
    void pagesWithStatus200AreParseErrors();
    void httpErrorsSayWhatTheServerSaid_data();
    void httpErrorsSayWhatTheServerSaid();
    void aHugeErrorPageIsNotReadToItsEnd();
    void redirectsNameThePlaceAndAreNotFollowed();
    void informationalAnswersAreTransportErrors();
    void compressedStreamsAreRefused();
    void anEmptyBodyIsTruncated();
    void inBandErrorsEndTheStream_data();
    void inBandErrorsEndTheStream();
    void anInvalidByteDamagesItsOwnEventOnly();
    void anEventOfMegabytesIsOneOutput();
};

void ReplyReaderTest::aFinishReasonWaitsTwoSecondsFromTheLastDataEvent()
{
    Bench bench;
    bench.feed(100, textA);
    QVERIFY(!bench.reader.deadline());
    bench.feed(200, finishStop);
    QCOMPARE(*bench.reader.deadline(), fromMs(2200));
    bench.feed(900, textA);
    QCOMPARE(*bench.reader.deadline(), fromMs(2900));
    bench.reader.expire(fromMs(2899));
    QVERIFY(!bench.reader.done());
    bench.reader.expire(fromMs(2900));
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.timeline.status, Status::Ok);
    QCOMPARE(e2eMs(bench.timeline).value(), 900.0);
}

void ReplyReaderTest::commentsDoNotRestartTheWait()
{
    Bench bench;
    bench.feed(100, finishStop);
    bench.feed(1000, ": ping\n\n");
    QCOMPARE(*bench.reader.deadline(), fromMs(2100));
    QCOMPARE(bench.timeline.marks.lastByte.value(), fromMs(1000));
}

void ReplyReaderTest::doneWaitsAQuarterSecondForTheEnd()
{
    Bench bench;
    bench.feed(100, textA + done);
    QCOMPARE(*bench.reader.deadline(), fromMs(350));
    bench.reader.endOfBody(fromMs(110));
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.timeline.status, Status::Ok);
    QCOMPARE(totalMs(bench.timeline).value(), 100.0);
    QCOMPARE(bench.timeline.marks.end.value(), fromMs(110));
}

void ReplyReaderTest::aResetAfterTheFinishReasonIsStillOk()
{
    Bench bench;
    bench.feed(100, textA + finishStop);
    bench.reader.endOfBody(fromMs(200), BodyEnd::Broken, "reset");
    QCOMPARE(bench.timeline.status, Status::Ok);
    QVERIFY(!bench.timeline.error);
}

void ReplyReaderTest::aResetBeforeAnyEndingIsTruncatedByTransport()
{
    Bench bench;
    bench.feed(100, textA);
    bench.reader.endOfBody(fromMs(200), BodyEnd::Broken, "the connection was reset");
    QCOMPARE(bench.timeline.status, Status::Truncated);
    QCOMPARE(bench.kind(), ErrorKind::Transport);
    QCOMPARE(bench.message(), std::string("the connection was reset"));
    QCOMPARE(bench.timeline.error->httpStatus.value(), 200);

    Bench clean;
    clean.feed(100, textA);
    clean.reader.endOfBody(fromMs(200));
    QCOMPARE(clean.timeline.status, Status::Truncated);
    QCOMPARE(clean.kind(), ErrorKind::Truncated);
}

void ReplyReaderTest::textAfterDoneIsNoOutputButUsageCounts()
{
    Bench bench;
    bench.feed(100, textA + done);
    bench.feed(150, textA + "data: {\"choices\":[],\"usage\":{\"completion_tokens\":2}}\n\n");
    bench.reader.endOfBody(fromMs(160));
    QCOMPARE(bench.timeline.text, std::string("a"));
    QCOMPARE(bench.timeline.usage.completionTokens.value(), 2);
    QCOMPARE(bench.timeline.afterDone, 2);
    QCOMPARE(e2eMs(bench.timeline).value(), 100.0);
}

void ReplyReaderTest::aTimeoutKeepsWhatWasMeasured()
{
    Bench bench;
    bench.feed(100, textA);
    bench.feed(200, textA);
    RequestError error;
    error.kind = ErrorKind::Timeout;
    error.phase = Phase::Idle;
    bench.reader.abandon(Status::Timeout, error, fromMs(1200));
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.timeline.status, Status::Timeout);
    QCOMPARE(bench.timeline.error->phase.value(), Phase::Idle);
    QCOMPARE(ttftMs(bench.timeline).value(), 100.0);
    QCOMPARE(tpotMs(bench.timeline).value(), 100.0);

    Bench ended;
    ended.feed(100, textA + finishStop);
    ended.reader.abandon(Status::Timeout, error, fromMs(1200));
    QCOMPARE(ended.timeline.status, Status::Ok);
}

void ReplyReaderTest::halfAWholeReplyThatStopsIsATimeout()
{
    Bench bench(typed("application/json"));
    bench.feed(100, R"({"choices":[{"message":{"content":"half)");
    RequestError error;
    error.kind = ErrorKind::Timeout;
    error.phase = Phase::Idle;
    bench.reader.abandon(Status::Timeout, error, fromMs(1100));
    QCOMPARE(bench.timeline.status, Status::Timeout);
    QCOMPARE(bench.kind(), ErrorKind::Timeout);
    QCOMPARE(bench.timeline.error->phase.value(), Phase::Idle);
}

void ReplyReaderTest::aWholeReplyOnAnOpenSocketIsAnAnswer()
{
    Bench bench(typed("application/json"));
    bench.feed(100, R"({"choices":[{"message":{"content":"whole"}}]})");
    bench.reader.abandon(Status::Timeout, {}, fromMs(1100));
    QCOMPARE(bench.timeline.status, Status::Ok);
    QVERIFY(!bench.timeline.error);
    QCOMPARE(bench.timeline.text, std::string("whole"));
}

void ReplyReaderTest::aCancelAmidAnErrorPageIsCancelled()
{
    Bench cancelled(typed("text/html", 429, "Too Many Requests"));
    cancelled.feed(10, "<p>slow");
    RequestError error;
    error.kind = ErrorKind::Cancelled;
    cancelled.reader.abandon(Status::Cancelled, error, fromMs(20));
    QCOMPARE(cancelled.timeline.status, Status::Cancelled);
    QCOMPARE(cancelled.timeline.error->httpStatus.value(), 429);

    Bench stopped(typed("text/html", 500, "R"));
    stopped.feed(10, "<p>broken");
    stopped.reader.abandon(Status::Timeout, {}, fromMs(20));
    QCOMPARE(stopped.timeline.status, Status::Error);
    QCOMPARE(stopped.message(), std::string("HTTP 500 R: broken"));
}

void ReplyReaderTest::streamsAreReadUnderAnyContentType_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("begin");
    for (const char* type : {"text/event-stream;charset=UTF-8", "Text/Event-Stream", "", "application/json",
                             "text/plain", "application/octet-stream"}) {
        QTest::addRow("%s", type) << QByteArray(type) << QByteArray();
        QTest::addRow("%s, comment first", type) << QByteArray(type) << QByteArray(": hello\n\n");
        QTest::addRow("%s, BOM and blank first", type) << QByteArray(type) << QByteArray("\xEF\xBB\xBF\r\n");
    }
}

void ReplyReaderTest::streamsAreReadUnderAnyContentType()
{
    QFETCH(const QByteArray, type);
    QFETCH(const QByteArray, begin);
    const std::string bytes = begin.toStdString() + textA + finishStop + done;
    Bench whole(typed(type.toStdString()));
    whole.feed(100, bytes);
    whole.reader.endOfBody(fromMs(101));
    QCOMPARE(whole.timeline.status, Status::Ok);
    QCOMPARE(whole.timeline.text, std::string("a"));
    Bench pieces(typed(type.toStdString()));
    for (const char byte : bytes) {
        pieces.feed(100, std::string(1, byte));
    }
    pieces.reader.endOfBody(fromMs(101));
    QCOMPARE(pieces.timeline.status, Status::Ok);
    QCOMPARE(pieces.timeline.text, std::string("a"));
    QVERIFY(pieces.timeline.streamed.value());
}

void ReplyReaderTest::aWholeReplyHasNoTtft()
{
    Bench bench(typed("application/json; charset=utf-8"));
    bench.feed(900,
               R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",)"
               R"("content":"SOME TEXT"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})");
    bench.reader.endOfBody(fromMs(900));
    QCOMPARE(bench.timeline.status, Status::Ok);
    QCOMPARE(bench.timeline.streamed.value(), false);
    QCOMPARE(bench.timeline.text, std::string("SOME TEXT"));
    QCOMPARE(bench.timeline.finishReason.value(), std::string("stop"));
    QCOMPARE(outputTokens(bench.timeline).value(), 2);
    QVERIFY(!ttftMs(bench.timeline) && !tpotMs(bench.timeline));
    QVERIFY(bench.timeline.arrivals.empty());
    QCOMPARE(totalMs(bench.timeline).value(), 900.0);
    QCOMPARE(e2eMs(bench.timeline).value(), 900.0);
}

void ReplyReaderTest::aWholeReplyIsReadInPieces()
{
    Bench bench(typed("text/event-stream"));
    bench.feed(100, "{\"choices\":\n [{\"message\":");
    bench.feed(200, "{\"content\":\"T\"}}]}\n");
    bench.reader.endOfBody(fromMs(200));
    QCOMPARE(bench.timeline.status, Status::Ok);
    QCOMPARE(bench.timeline.text, std::string("T"));
    QCOMPARE(bench.timeline.streamed.value(), false);
}

void ReplyReaderTest::jsonWithoutAnAnswerIsAnError_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("part");
    const auto stream = static_cast<int>(ErrorKind::Stream);
    const auto parse = static_cast<int>(ErrorKind::Parse);
    QTest::newRow("error object") << QByteArray(R"({"error":{"message":"quota"}})") << stream << QByteArray("quota");
    QTest::newRow("error text") << QByteArray(R"({"error":"quota"})") << stream << QByteArray("quota");
    QTest::newRow("detail") << QByteArray(R"({"detail":"no"})") << stream << QByteArray("no");
    QTest::newRow("something else") << QByteArray(R"({"hello":1})") << parse << QByteArray("{\"hello\":1}");
    QTest::newRow("a list") << QByteArray("[1,2]") << parse << QByteArray("other JSON");
    QTest::newRow("cut") << QByteArray(R"({"choices":[)") << parse << QByteArray("broken JSON");
}

void ReplyReaderTest::jsonWithoutAnAnswerIsAnError()
{
    QFETCH(const QByteArray, body);
    QFETCH(const int, kind);
    QFETCH(const QByteArray, part);
    Bench bench(typed("application/json"));
    bench.feed(100, body.toStdString());
    bench.reader.endOfBody(fromMs(101));
    QCOMPARE(bench.timeline.status, Status::Error);
    QCOMPARE(static_cast<int>(bench.kind()), kind);
    QVERIFY2(bench.message().find(part.toStdString()) != std::string::npos, bench.message().c_str());
    QVERIFY(!outputTokens(bench.timeline));
}

void ReplyReaderTest::pagesWithStatus200AreParseErrors()
{
    Bench bench(typed("text/html"));
    bench.feed(30, "<!DOCTYPE html><title>Sign in</title>");
    bench.reader.endOfBody(fromMs(31));
    QCOMPARE(bench.timeline.status, Status::Error);
    QCOMPARE(bench.kind(), ErrorKind::Parse);
    QCOMPARE(bench.message(), std::string("expected an event stream, got text/html (HTTP 200 OK): Sign in"));
    QVERIFY(!bench.timeline.streamed);

    Bench odd(typed("text/event-streaming"));
    odd.feed(30, "<html><body><p>Not <b>here</b></p></body></html>");
    odd.reader.endOfBody(fromMs(31));
    QCOMPARE(odd.message(), std::string("expected an event stream, got text/event-streaming (HTTP 200 OK): Not here"));
}

void ReplyReaderTest::httpErrorsSayWhatTheServerSaid_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("param");
    QTest::newRow("page") << 502 << QByteArray("<html><head><title>502 Bad Gateway</title></head><body/></html>\n")
                          << QByteArray("HTTP 502 R: 502 Bad Gateway") << QByteArray();
    QTest::newRow("empty") << 503 << QByteArray() << QByteArray("HTTP 503 R") << QByteArray();
    QTest::newRow("detail list") << 400 << QByteArray(R"({"detail":[{"loc":["body","x"],"msg":"Extra inputs"}]})")
                                 << QByteArray("HTTP 400 R: Extra inputs") << QByteArray("x");
    QTest::newRow("message") << 400 << QByteArray(R"({"message":"no"})") << QByteArray("HTTP 400 R: no")
                             << QByteArray();
    QTest::newRow("error text") << 400 << QByteArray(R"({"error":"plain string"})")
                                << QByteArray("HTTP 400 R: plain string") << QByteArray();
    QTest::newRow("param") << 400
                           << QByteArray(R"({"error":{"message":"use max_completion_tokens","param":"max_tokens"}})")
                           << QByteArray(
                                  "HTTP 400 R: use max_completion_tokens; set limitField to max_completion_tokens")
                           << QByteArray("max_tokens");
    QTest::newRow("message is an object")
        << 422
        << QByteArray(R"({"object":"error","message":{"detail":[{"type":"extra_forbidden",)"
                      R"("loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]}})")
        << QByteArray("HTTP 422 R: Extra inputs are not permitted; set streamOptions to false")
        << QByteArray("stream_options.include_usage");
    QTest::newRow("plain text") << 404 << QByteArray("page\n not  found\x01")
                                << QByteArray("HTTP 404 R: page not found") << QByteArray();
}

void ReplyReaderTest::httpErrorsSayWhatTheServerSaid()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, message);
    QFETCH(const QByteArray, param);
    Bench bench(typed("", status, "R"));
    bench.feed(30, body.toStdString());
    bench.reader.endOfBody(fromMs(31));
    QCOMPARE(bench.timeline.status, Status::Error);
    QCOMPARE(bench.kind(), ErrorKind::Http);
    QCOMPARE(bench.timeline.error->httpStatus.value(), status);
    QCOMPARE(bench.message(), message.toStdString());
    QCOMPARE(bench.timeline.error->param.value_or(""), param.toStdString());
    QVERIFY(!ttftMs(bench.timeline));
}

void ReplyReaderTest::aHugeErrorPageIsNotReadToItsEnd()
{
    Bench bench(typed("text/html", 500, "R"));
    const std::string page = "<p>" + std::string(10000, 'x');
    for (int i = 0; i < 100 && !bench.reader.done(); ++i) {
        bench.feed(i, page);
    }
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.timeline.status, Status::Error);
    QVERIFY(bench.message().size() < 400);
}

void ReplyReaderTest::redirectsNameThePlaceAndAreNotFollowed()
{
    Bench bench({301, "Moved", "", "", "http://127.0.0.1:9/final", {}});
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.kind(), ErrorKind::Http);
    QCOMPARE(bench.timeline.error->httpStatus.value(), 301);
    QVERIFY(bench.message().find("http://127.0.0.1:9/final; set this base URL") != std::string::npos);
    Bench nowhere({302, "Found", "", "", "", {}});
    QVERIFY(nowhere.message().find("names no place") != std::string::npos);
}

void ReplyReaderTest::informationalAnswersAreTransportErrors()
{
    Bench bench({103, "Early Hints", "", "", "", {}});
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.timeline.status, Status::Error);
    QCOMPARE(bench.kind(), ErrorKind::Transport);
    QVERIFY(bench.message().find("103") != std::string::npos);
}

void ReplyReaderTest::compressedStreamsAreRefused()
{
    Bench bench({200, "OK", "text/event-stream", "GZIP", "", {}});
    QVERIFY(bench.reader.done());
    QCOMPARE(bench.kind(), ErrorKind::Parse);
    QVERIFY(bench.timeline.flags.has(Flag::Compressed));
    Bench plain({200, "OK", "text/event-stream", "identity", "", {}});
    QVERIFY(!plain.reader.done());
}

void ReplyReaderTest::anEmptyBodyIsTruncated()
{
    Bench bench;
    bench.reader.endOfBody(fromMs(10));
    QCOMPARE(bench.timeline.status, Status::Truncated);
    QVERIFY(!bench.timeline.streamed);
    QVERIFY(!outputTokens(bench.timeline));
}

void ReplyReaderTest::inBandErrorsEndTheStream_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("object") << QByteArray(R"(data: {"error":{"message":"m"}})") << QByteArray("m");
    QTest::newRow("text") << QByteArray(R"(data: {"error":"m"})") << QByteArray("m");
    QTest::newRow("type error") << QByteArray(R"(data: {"type":"error","message":"m"})") << QByteArray("m");
    QTest::newRow("object error") << QByteArray(R"(data: {"object":"error","message":"m","code":400})")
                                  << QByteArray("m");
    QTest::newRow("named event") << QByteArray("event: error\ndata: {\"message\":\"m\"}") << QByteArray("m");
    QTest::newRow("no SSE field") << QByteArray(R"(error: {"code":400,"message":"m"})") << QByteArray("m");
    QTest::newRow("bare JSON after an event")
        << QByteArray(R"({"error":{"code":400,"message":"m"}})") << QByteArray("m");
    QTest::newRow("without a message") << QByteArray(R"(data: {"error":{"code":7}})") << QByteArray(R"({"code":7})");
}

void ReplyReaderTest::inBandErrorsEndTheStream()
{
    QFETCH(const QByteArray, event);
    QFETCH(const QByteArray, message);
    Bench bench;
    bench.feed(50, textA);
    bench.feed(60, event.toStdString() + "\n\n");
    bench.feed(70, textA);
    bench.reader.endOfBody(fromMs(80));
    QCOMPARE(bench.timeline.status, Status::Error);
    QCOMPARE(bench.kind(), ErrorKind::Stream);
    QCOMPARE(bench.message(), message.toStdString());
    QCOMPARE(bench.timeline.text, std::string("a"));
    QCOMPARE(bench.timeline.error->httpStatus.value(), 200);
}

void ReplyReaderTest::anInvalidByteDamagesItsOwnEventOnly()
{
    Bench bench;
    bench.feed(50, "data: {\"choices\":[{\"delta\":{\"content\":\"\xE5\x8C\"}}]}\n\n" + textA + done);
    bench.reader.endOfBody(fromMs(60));
    QCOMPARE(bench.timeline.badEvents, 1);
    QCOMPARE(bench.timeline.text, std::string("a"));
    QCOMPARE(bench.timeline.status, Status::Ok);
}

void ReplyReaderTest::anEventOfMegabytesIsOneOutput()
{
    Bench bench;
    const std::string event =
        "data: {\"choices\":[{\"delta\":{\"content\":\"" + std::string(3'000'000, 'x') + "\"}}]}\n\n";
    constexpr std::size_t piece = 130'000;
    double ms = 0;
    for (std::size_t at = 0; at < event.size(); at += piece) {
        bench.feed(++ms, event.substr(at, piece));
    }
    bench.feed(100, done);
    bench.reader.endOfBody(fromMs(101));
    QCOMPARE(bench.timeline.status, Status::Ok);
    QCOMPARE(bench.timeline.text.size(), std::size_t{3'000'000});
    QCOMPARE(ttftMs(bench.timeline).value(), ms);
}

QTEST_GUILESS_MAIN(ReplyReaderTest)
#include "tst_replyreader.moc"
