// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include <nlohmann/json.hpp>

#include "log/record.h"
#include "measure/metrics.h"
#include "support/timelines.h"

using namespace tokenpace;
using nlohmann::ordered_json;

namespace {

Timeline fullTimeline()
{
    Timeline timeline = test::timelineWith({100.5, 120.25, 140.125}, 3);
    timeline.run = "r1";
    timeline.seq = 7;
    timeline.startedAtMs = 1767225600123;
    timeline.servedModel = "model-a-2025";
    timeline.finishReason = "stop";
    timeline.usage.promptTokens = 1000;
    timeline.usage.cachedTokens = 64;
    timeline.promptTokensTarget = 1000;
    timeline.events = 6;
    timeline.phases = {fromMs(0.25), {}, fromMs(1.5), {}, {}};
    timeline.reused = false;
    timeline.marks.asked = fromMs(998);
    timeline.marks.headers = fromMs(1050);
    timeline.marks.terminal = fromMs(1150);
    timeline.marks.lastByte = fromMs(1151);
    timeline.marks.end = fromMs(1152);
    timeline.channels = "rtt";
    timeline.headers = {{"x-request-id", "abc"}};
    timeline.flags = {Flag::WarmUp};
    timeline.attempts = 2;
    timeline.attemptLog = {{Status::Error, 429, 2000}};
    timeline.manager = "stock";
    timeline.params.maxTokens = 128;
    timeline.params.temperature = 0.2;
    timeline.serverTimes = R"({"timings":{"prompt_ms":12.5}})";
    return timeline;
}

} // namespace

class RecordTest final : public QObject {
    Q_OBJECT

private slots:
    void fieldsStandInTheirOrder();
    void unknownValuesAreNull();
    void timesHaveAMicrosecondOfResolution();
    void textsAreWrittenOnlyWhenAskedFor();
    void aLineReadsBackAsItWas();
    void unknownFieldsAreKept();
    void lineSeparatorsInsideTextAreEscaped();
    void foreignLinesLoadWithWhatTheyHave();
    void garbageIsRefusedWithAReason_data();
    void garbageIsRefusedWithAReason();
    void aNaiveTimeIsReadAsUtc();
};

void RecordTest::fieldsStandInTheirOrder()
{
    const ordered_json record = recordJson(fullTimeline());
    std::string keys;
    for (const auto& [key, value] : record.items()) {
        keys += key + " ";
    }
    QCOMPARE(keys,
             std::string("v run seq model endpoint protocol served_model system_fingerprint request_id started_at "
                         "status error finish_reason prompt_tokens cached_tokens reasoning_tokens "
                         "prompt_tokens_target tokens token_source chunks bad_events streamed events phases "
                         "reused marks ttft_ms ttft_answer_ms tpot_ms e2e_ms total_ms throughput_tps "
                         "arrivals_ms channels server headers flags attempts attempt_log manager stamp params "));
    QCOMPARE(record["started_at"].get<std::string>(), std::string("2026-01-01T00:00:00.123Z"));
    QCOMPARE(record["marks"]["asked_ms"].get<double>(), -2.0);
    QCOMPARE(record["total_ms"].get<double>(), 150.0);
    QCOMPARE(record["flags"].dump(), std::string(R"(["warm-up"])"));
    QCOMPARE(record["attempt_log"].dump(), std::string(R"([{"status":"error","http_status":429,"wait_ms":2000.0}])"));
    QCOMPARE(record["params"].dump(),
             std::string(R"({"max_tokens":128,"temperature":0.2,"stream":true,"concurrency":1})"));
    QCOMPARE(record["server"].dump(), std::string(R"({"timings":{"prompt_ms":12.5}})"));
}

void RecordTest::unknownValuesAreNull()
{
    Timeline timeline;
    timeline.status = Status::Error;
    timeline.error = RequestError{ErrorKind::Transport, {}, "refused", {}, {}, Phase::Connect};
    const ordered_json record = recordJson(timeline);
    for (const char* key : {"ttft_ms", "tpot_ms", "e2e_ms", "total_ms", "throughput_tps", "tokens", "token_source",
                            "streamed", "reused", "served_model", "server", "prompt_tokens", "started_at"}) {
        QVERIFY2(record.at(key).is_null(), key);
    }
    QCOMPARE(record["error"].dump(),
             std::string(R"({"kind":"transport","http_status":null,"message":"refused","param":null,)"
                         R"("retry_after_ms":null,"phase":"connect"})"));
    QCOMPARE(record["arrivals_ms"].dump(), std::string("[]"));
    QCOMPARE(record["chunks"].get<int>(), 0);
}

void RecordTest::timesHaveAMicrosecondOfResolution()
{
    Timeline timeline = test::timelineWith({0.0014, 0.0016});
    const ordered_json record = recordJson(timeline);
    QCOMPARE(record["arrivals_ms"].dump(), std::string("[0.001,0.002]"));
}

void RecordTest::textsAreWrittenOnlyWhenAskedFor()
{
    Timeline timeline = fullTimeline();
    timeline.text = "secret plan";
    timeline.tools = {{"get", "{}"}};
    QVERIFY(recordJson(timeline).dump().find("secret plan") == std::string::npos);
    QVERIFY(!recordJson(timeline).contains("tools"));
    timeline.keepsText = true;
    const ordered_json record = recordJson(timeline);
    QCOMPARE(record["text"].get<std::string>(), std::string("secret plan"));
    QCOMPARE(record["reasoning"].get<std::string>(), std::string());
    QCOMPARE(record["tools"].dump(), std::string(R"([{"name":"get","arguments":"{}"}])"));
}

void RecordTest::aLineReadsBackAsItWas()
{
    Timeline timeline = fullTimeline();
    timeline.keepsText = true;
    timeline.text = "北京";
    timeline.tools = {{"get", "{}"}};
    const std::string line = recordLine(recordJson(timeline));
    const ParsedRecord parsed = parseRecordLine(line);
    QVERIFY(parsed.timeline);
    QCOMPARE(recordLine(recordJson(*parsed.timeline)), line);
    QCOMPARE(ttftMs(*parsed.timeline).value(), 100.5);
    QCOMPARE(parsed.timeline->flags, timeline.flags);
}

void RecordTest::unknownFieldsAreKept()
{
    const std::string line = R"({"v":9,"model":"m","ttft_ms":1.5,"new_field":{"a":[1,2]},"z":"keep"})";
    const ParsedRecord parsed = parseRecordLine(line);
    QVERIFY(parsed.timeline);
    const ordered_json record = recordJson(*parsed.timeline);
    QCOMPARE(record["new_field"].dump(), std::string(R"({"a":[1,2]})"));
    QCOMPARE(record["z"].get<std::string>(), std::string("keep"));
}

void RecordTest::lineSeparatorsInsideTextAreEscaped()
{
    Timeline timeline = fullTimeline();
    timeline.keepsText = true;
    timeline.text = "a\xE2\x80\xA8"
                    "b\xE2\x80\xA9"
                    "c\xC2\x85"
                    "d\n\xFF";
    const std::string line = recordLine(recordJson(timeline));
    QVERIFY(line.find("a\\u2028b\\u2029c\\u0085d\\n") != std::string::npos);
    QVERIFY(line.find('\n') == std::string::npos);
    QVERIFY(parseRecordLine(line).timeline);
}

void RecordTest::foreignLinesLoadWithWhatTheyHave()
{
    const auto full = parseRecordLine(R"({"ttft_ms": 312.4, "tpot_ms": 21.7, "tokens": 256, "total_ms": 5850.1})");
    QVERIFY(full.timeline);
    QCOMPARE(ttftMs(*full.timeline).value(), 312.4);
    QCOMPARE(tpotMs(*full.timeline).value(), 21.7);
    QCOMPARE(outputTokens(*full.timeline).value(), 256);
    QCOMPARE(totalMs(*full.timeline).value(), 5850.1);
    QVERIFY(!e2eMs(*full.timeline));
    QCOMPARE(full.timeline->status, Status::Ok);

    const auto counts = parseRecordLine(R"({"model":"m","prompt_tokens":10,"total_tokens":14})");
    QCOMPARE(outputTokens(*counts.timeline).value(), 4);
    const auto completion = parseRecordLine(R"({"completion_tokens":9})");
    QCOMPARE(outputTokens(*completion.timeline).value(), 9);
    const auto failed = parseRecordLine(R"({"model":"m","error":"HTTP 500"})");
    QCOMPARE(failed.timeline->status, Status::Error);
    QCOMPARE(failed.timeline->error->message, std::string("HTTP 500"));
    QVERIFY(!ttftMs(*failed.timeline));
}

void RecordTest::garbageIsRefusedWithAReason_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("cut") << QByteArray(R"({"model":"m","ttft_ms":3)");
    QTest::newRow("NUL bytes") << QByteArray("\0\0\0", 3);
    QTest::newRow("a list") << QByteArray("[1]");
    QTest::newRow("an object of something else") << QByteArray(R"({"level":"info"})");
    QTest::newRow("empty object") << QByteArray("{}");
}

void RecordTest::garbageIsRefusedWithAReason()
{
    QFETCH(const QByteArray, line);
    const ParsedRecord parsed = parseRecordLine(line.toStdString());
    QVERIFY(!parsed.timeline);
    QVERIFY(!parsed.problem.empty());
}

void RecordTest::aNaiveTimeIsReadAsUtc()
{
    const auto naive = parseRecordLine(R"({"model":"m","started_at":"2026-03-08T02:30:00"})");
    QCOMPARE(naive.timeline->startedAtMs, 1772937000000);
    const auto zoned = parseRecordLine(R"({"model":"m","started_at":"2026-03-08T02:30:00.500+01:00"})");
    QCOMPARE(zoned.timeline->startedAtMs, 1772933400500);
    const auto spaced = parseRecordLine(R"({"model":"m","started_at":"2026-03-08 02:30:00"})");
    QCOMPARE(spaced.timeline->startedAtMs, 1772937000000);
}

QTEST_GUILESS_MAIN(RecordTest)
#include "tst_record.moc"
