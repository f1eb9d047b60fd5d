// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "requestwords.h"

using namespace tokenpace;

class TestRequestWords final : public QObject {
    Q_OBJECT

private slots:
    void everyKindOfErrorHasWords_data();
    void everyKindOfErrorHasWords();
    void aStatusIsSaidOnce();
    void timesOfTheServerAreSaid_data();
    void timesOfTheServerAreSaid();
    void chunksAreNamedWhereTheyAreNoTokens_data();
    void chunksAreNamedWhereTheyAreNoTokens();
};

void TestRequestWords::everyKindOfErrorHasWords_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<Status>("status");
    QTest::addColumn<std::optional<Phase>>("phase");
    QTest::addColumn<std::optional<int>>("httpStatus");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("advice");
    const auto row = [](const char* name, ErrorKind kind, Status status, std::optional<Phase> phase,
                        std::optional<int> httpStatus, const char* words, const char* advice) {
        QTest::newRow(name) << kind << status << phase << httpStatus << QString::fromUtf8(words)
                            << QString::fromUtf8(advice);
    };
    row("not sent", ErrorKind::NotSent, Status::Error, Phase::Queued, {}, "Not sent: why", "Set what is missing");
    row("no host", ErrorKind::Transport, Status::Error, Phase::Dns, {}, "Failed: why", "baseUrl");
    row("certificate", ErrorKind::Transport, Status::Error, Phase::Tls, {}, "Failed: why", "caFile");
    row("key", ErrorKind::Http, Status::Error, {}, 401, "HTTP 401: why", "apiKey");
    row("path", ErrorKind::Http, Status::Error, {}, 404, "HTTP 404: why", "path");
    row("too many", ErrorKind::Http, Status::Error, {}, 429, "HTTP 429: why", "maxRetries");
    row("redirect", ErrorKind::Http, Status::Error, {}, 307, "HTTP 307: why", "baseUrl");
    row("in the stream", ErrorKind::Stream, Status::Error, {}, 200, "Failed: why", "inside the reply");
    row("a page", ErrorKind::Parse, Status::Error, {}, 200, "Failed: why", "protocol");
    row("late connection", ErrorKind::Timeout, Status::Timeout, Phase::Connect, {}, "Time-out while connecting",
        "connectTimeoutMs");
    row("late token", ErrorKind::Timeout, Status::Timeout, Phase::Ttft, {}, "no output in time", "ttftTimeoutMs");
    row("silence", ErrorKind::Timeout, Status::Timeout, Phase::Idle, {}, "fell silent", "idleTimeoutMs");
    row("too long", ErrorKind::Timeout, Status::Timeout, Phase::Total, {}, "took too long", "totalTimeoutMs");
    row("cut", ErrorKind::Truncated, Status::Truncated, {}, 200, "ended too early", "closed the stream");
}

void TestRequestWords::everyKindOfErrorHasWords()
{
    QFETCH(ErrorKind, kind);
    QFETCH(Status, status);
    QFETCH(std::optional<Phase>, phase);
    QFETCH(std::optional<int>, httpStatus);
    QFETCH(QString, words);
    QFETCH(QString, advice);
    Timeline timeline;
    timeline.status = status;
    RequestError error;
    error.kind = kind;
    error.phase = phase;
    error.httpStatus = httpStatus;
    error.message = "why";
    timeline.error = error;
    QVERIFY2(outcomeText(timeline).contains(words), qPrintable(outcomeText(timeline)));
    QVERIFY2(adviceFor(error).contains(advice), qPrintable(adviceFor(error)));
}

void TestRequestWords::aStatusIsSaidOnce()
{
    Timeline timeline;
    timeline.status = Status::Error;
    RequestError error;
    error.kind = ErrorKind::Http;
    error.httpStatus = 404;
    error.message = "HTTP 404 Not Found: no such model";
    timeline.error = error;
    QCOMPARE(outcomeText(timeline), QStringLiteral("HTTP 404 Not Found: no such model"));
}

void TestRequestWords::timesOfTheServerAreSaid_data()
{
    QTest::addColumn<std::string>("json");
    QTest::addColumn<QString>("words");
    QTest::newRow("none") << std::string() << QString();
    QTest::newRow("unknown") << std::string(R"({"x":1})") << QString();
    QTest::newRow("llama.cpp") << std::string(
        R"({"timings":{"prompt_n":74,"prompt_ms":182.4,"predicted_ms":1790,"predicted_per_token_ms":14}})")
                               << QStringLiteral("The server says: prompt 182 ms, output 1.79 s, 14.0 ms a token.");
    QTest::newRow("Ollama") << std::string(
        R"({"load_duration":5000000000,"prompt_eval_duration":2000000,"eval_duration":5000000})")
                            << QStringLiteral("The server says: load 5.00 s, prompt 2.00 ms, output 5.00 ms.");
    QTest::newRow("Groq") << std::string(R"({"usage":{"queue_time":0.25,"completion_time":0.1}})")
                          << QStringLiteral("The server says: queue 250 ms, output 100 ms.");
    QTest::newRow("no JSON") << std::string("{") << QString();
}

void TestRequestWords::timesOfTheServerAreSaid()
{
    QFETCH(std::string, json);
    QFETCH(QString, words);
    QCOMPARE(serverTimesText(json), words);
}

void TestRequestWords::chunksAreNamedWhereTheyAreNoTokens_data()
{
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<QString>("words");
    QTest::newRow("a token a chunk") << 128 << 128 << QString();
    QTest::newRow("an end that is no chunk") << 10 << 11 << QString();
    QTest::newRow("several tokens a chunk")
        << 4 << 10 << QStringLiteral("10 tokens in 4 chunks, 2.50 a chunk: the gaps are gaps between chunks.");
    QTest::newRow("several chunks a token")
        << 40 << 20 << QStringLiteral("20 tokens in 40 chunks, 0.500 a chunk: the gaps are gaps between chunks.");
    QTest::newRow("no output") << 0 << 10 << QString();
    QTest::newRow("no usage") << 10 << -1 << QString();
}

void TestRequestWords::chunksAreNamedWhereTheyAreNoTokens()
{
    QFETCH(int, chunks);
    QFETCH(int, tokens);
    QFETCH(QString, words);
    Timeline timeline;
    timeline.arrivals.assign(static_cast<std::size_t>(chunks), Stamp{1});
    timeline.channels.assign(static_cast<std::size_t>(chunks), 't');
    if (tokens >= 0) {
        timeline.usage.completionTokens = tokens;
    }
    QCOMPARE(chunksText(timeline), words);
}

QTEST_GUILESS_MAIN(TestRequestWords)
#include "tst_requestwords.moc"
