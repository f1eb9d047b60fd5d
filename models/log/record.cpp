// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "log/record.h"

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QString>

#include "measure/metrics.h"

namespace tokenpace {

namespace {

using nlohmann::ordered_json;

constexpr int recordVersion = 1;

/// Times carry 1 us of resolution: 0.001 ms.
ordered_json ms(std::optional<double> value)
{
    return value ? ordered_json(std::round(*value * 1000) / 1000) : ordered_json();
}

ordered_json ms(std::optional<Stamp> duration)
{
    return duration ? ms(std::optional(toMs(*duration))) : ordered_json();
}

template <typename Value> ordered_json orNull(const std::optional<Value>& value)
{
    return value ? ordered_json(*value) : ordered_json();
}

template <typename Enum> ordered_json nameOrNull(const std::optional<Enum>& value)
{
    return value ? ordered_json(std::string(name(*value))) : ordered_json();
}

ordered_json embedded(const std::string& text)
{
    if (text.empty()) {
        return {};
    }
    ordered_json value = ordered_json::parse(text, nullptr, false);
    return value.is_discarded() ? ordered_json() : value;
}

std::string isoUtc(std::int64_t msSince1970)
{
    return QDateTime::fromMSecsSinceEpoch(msSince1970, Qt::UTC).toString(Qt::ISODateWithMs).toStdString();
}

ordered_json errorJson(const std::optional<RequestError>& error)
{
    if (!error) {
        return {};
    }
    return {{"kind", std::string(name(error->kind))},
            {"http_status", orNull(error->httpStatus)},
            {"message", error->message},
            {"param", orNull(error->param)},
            {"retry_after_ms", ms(error->retryAfterMs)},
            {"phase", nameOrNull(error->phase)}};
}

ordered_json marksJson(const Timeline& timeline)
{
    const Marks& marks = timeline.marks;
    const auto at = [&](std::optional<Stamp> mark) {
        return ms(sinceZeroMs(timeline, mark));
    };
    return {{"asked_ms", at(marks.asked)},
            {"intended_ms", at(marks.intended)},
            {"headers_ms", at(marks.headers)},
            {"first_byte_ms", at(marks.firstByte)},
            {"first_event_ms", at(marks.firstEvent)},
            {"first_choices_ms", at(marks.firstChoices)},
            {"first_text_ms", at(marks.firstText)},
            {"last_event_ms", at(marks.lastEvent)},
            {"finish_ms", at(marks.finish)},
            {"usage_ms", at(marks.usage)},
            {"end_ms", at(marks.end)}};
}

ordered_json paramsJson(const SentParams& params)
{
    ordered_json object = ordered_json::object();
    const auto add = [&](const char* key, const auto& value) {
        if (value) {
            object[key] = *value;
        }
    };
    add("max_tokens", params.maxTokens);
    add("temperature", params.temperature);
    add("top_p", params.topP);
    add("seed", params.seed);
    object["stream"] = params.stream;
    object["concurrency"] = params.concurrency;
    return object;
}

void addTexts(const Timeline& timeline, ordered_json& record)
{
    record["text"] = timeline.text;
    record["reasoning"] = timeline.reasoning;
    record["refusal"] = timeline.refusal;
    record["tools"] = ordered_json::array();
    for (const ToolCall& call : timeline.tools) {
        record["tools"].push_back({{"name", call.name}, {"arguments", call.arguments}});
    }
}

/// Reads typed members of a line; a wrong type is the same as absent. Remembers which keys it was asked for.
class Line {
public:
    explicit Line(const ordered_json& object)
        : m_object(object)
    {
    }

    const ordered_json* find(const char* key)
    {
        m_known.insert(key);
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    std::optional<double> number(const char* key)
    {
        const ordered_json* value = find(key);
        return value != nullptr && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
    }
    std::optional<std::int64_t> count(const char* key)
    {
        const auto value = number(key);
        return value ? std::optional(static_cast<std::int64_t>(std::llround(*value))) : std::nullopt;
    }
    std::optional<std::string> text(const char* key)
    {
        const ordered_json* value = find(key);
        return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
    }
    std::optional<bool> flag(const char* key)
    {
        const ordered_json* value = find(key);
        return value != nullptr && value->is_boolean() ? std::optional(value->get<bool>()) : std::nullopt;
    }
    /// A duration in ms.
    std::optional<Stamp> duration(const char* key)
    {
        const auto value = number(key);
        return value ? std::optional(fromMs(*value)) : std::nullopt;
    }
    [[nodiscard]] std::string unknown() const
    {
        ordered_json rest = ordered_json::object();
        for (const auto& [key, value] : m_object.items()) {
            if (m_known.count(key) == 0) {
                rest[key] = value;
            }
        }
        return rest.empty() ? std::string{} : rest.dump();
    }

private:
    const ordered_json& m_object;
    std::set<std::string> m_known;
};

const ordered_json emptyObject = ordered_json::object();

const ordered_json& objectOr(const ordered_json* value)
{
    return value != nullptr && value->is_object() ? *value : emptyObject;
}

/// `error` is ours, or a text of a foreign line.
std::optional<RequestError> readError(const ordered_json* value)
{
    if (value == nullptr) {
        return std::nullopt;
    }
    RequestError error;
    if (value->is_string()) {
        error.message = value->get<std::string>();
        return error.message.empty() ? std::nullopt : std::optional(error);
    }
    Line line(objectOr(value));
    error.kind = errorKindFromName(line.text("kind").value_or("")).value_or(ErrorKind::Transport);
    if (const auto status = line.count("http_status")) {
        error.httpStatus = static_cast<int>(*status);
    }
    error.message = line.text("message").value_or("");
    error.param = line.text("param");
    error.retryAfterMs = line.number("retry_after_ms");
    error.phase = phaseFromName(line.text("phase").value_or(""));
    return error;
}

void readMarks(const ordered_json& object, Stamp zero, Marks& marks)
{
    Line line(object);
    const auto at = [&](const char* key) -> std::optional<Stamp> {
        const auto since = line.duration(key);
        return since ? std::optional(zero + *since) : std::nullopt;
    };
    marks.asked = at("asked_ms");
    marks.intended = at("intended_ms");
    marks.headers = at("headers_ms");
    marks.firstByte = at("first_byte_ms");
    marks.firstEvent = at("first_event_ms");
    marks.firstChoices = at("first_choices_ms");
    marks.firstText = at("first_text_ms");
    marks.lastEvent = at("last_event_ms");
    marks.finish = at("finish_ms");
    marks.usage = at("usage_ms");
    marks.end = at("end_ms");
}

void readLists(Line& line, Timeline& timeline)
{
    if (const ordered_json* arrivals = line.find("arrivals_ms"); arrivals != nullptr && arrivals->is_array()) {
        for (const auto& at : *arrivals) {
            if (at.is_number()) {
                timeline.arrivals.push_back(*timeline.zero + fromMs(at.get<double>()));
            }
        }
    }
    timeline.channels = line.text("channels").value_or("");
    timeline.channels.resize(timeline.arrivals.size(), static_cast<char>(Channel::Text));
    if (const ordered_json* flags = line.find("flags"); flags != nullptr && flags->is_array()) {
        for (const auto& word : *flags) {
            if (const auto flag = flagFromName(word.is_string() ? word.get<std::string>() : "")) {
                timeline.flags.set(*flag);
            }
        }
    }
    const ordered_json* headers = line.find("headers");
    for (const auto& [key, value] : objectOr(headers).items()) {
        timeline.headers.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    if (const ordered_json* attempts = line.find("attempt_log"); attempts != nullptr && attempts->is_array()) {
        for (const auto& entry : *attempts) {
            Line attempt(objectOr(&entry));
            Attempt read;
            read.status = statusFromName(attempt.text("status").value_or("")).value_or(Status::Error);
            if (const auto status = attempt.count("http_status")) {
                read.httpStatus = static_cast<int>(*status);
            }
            read.waitMs = attempt.number("wait_ms").value_or(0);
            timeline.attemptLog.push_back(read);
        }
    }
    if (const ordered_json* tools = line.find("tools"); tools != nullptr && tools->is_array()) {
        for (const auto& entry : *tools) {
            Line tool(objectOr(&entry));
            timeline.tools.push_back({tool.text("name").value_or(""), tool.text("arguments").value_or("")});
        }
    }
}

void readIdentity(Line& line, Timeline& timeline)
{
    timeline.run = line.text("run").value_or("");
    timeline.seq = static_cast<int>(line.count("seq").value_or(0));
    timeline.model = line.text("model").value_or("");
    timeline.endpoint = line.text("endpoint").value_or("");
    timeline.protocol = protocolFromName(line.text("protocol").value_or("")).value_or(Protocol::OpenAiChat);
    timeline.servedModel = line.text("served_model");
    timeline.systemFingerprint = line.text("system_fingerprint");
    timeline.requestId = line.text("request_id");
    if (const auto startedAt = line.text("started_at")) {
        // A time without a zone is read as UTC.
        QDateTime at = QDateTime::fromString(QString::fromStdString(*startedAt), Qt::ISODateWithMs);
        if (at.isValid()) {
            if (at.timeSpec() == Qt::LocalTime) {
                at.setTimeSpec(Qt::UTC);
            }
            timeline.startedAtMs = at.toMSecsSinceEpoch();
        }
    }
    timeline.error = readError(line.find("error"));
    timeline.status =
        statusFromName(line.text("status").value_or("")).value_or(timeline.error ? Status::Error : Status::Ok);
    timeline.finishReason = line.text("finish_reason");
}

void readCounts(Line& line, Timeline& timeline)
{
    timeline.usage.promptTokens = line.count("prompt_tokens");
    timeline.usage.cachedTokens = line.count("cached_tokens");
    timeline.usage.reasoningTokens = line.count("reasoning_tokens");
    timeline.promptTokensTarget = line.count("prompt_tokens_target");
    const auto completion = line.count("completion_tokens");
    const auto tokens = line.count("tokens");
    const auto total = line.count("total_tokens");
    timeline.reportedTokenSource = tokenSourceFromName(line.text("token_source").value_or(""));
    timeline.reportedTokens = tokens ? tokens : completion;
    if (!timeline.reportedTokens && total && timeline.usage.promptTokens) {
        timeline.reportedTokens = *total - *timeline.usage.promptTokens;
    }
    if (timeline.reportedTokenSource == TokenSource::Usage) {
        timeline.usage.completionTokens = timeline.reportedTokens;
    }
    if (const auto chunks = line.count("chunks")) {
        timeline.reportedChunks = static_cast<int>(*chunks);
    }
    timeline.badEvents = static_cast<int>(line.count("bad_events").value_or(0));
    timeline.events = static_cast<int>(line.count("events").value_or(0));
    timeline.streamed = line.flag("streamed");
}

void readTimes(Line& line, Timeline& timeline)
{
    Line phases(objectOr(line.find("phases")));
    timeline.phases = {phases.duration("queued_ms"), phases.duration("dns_ms"), phases.duration("connect_ms"),
                       phases.duration("tls_ms"), phases.duration("send_ms")};
    timeline.reused = line.flag("reused");
    const auto asked = Line(objectOr(line.find("marks"))).duration("asked_ms");
    timeline.zero = Stamp(std::chrono::milliseconds(timeline.startedAtMs)) - asked.value_or(Stamp{0});
    readMarks(objectOr(line.find("marks")), *timeline.zero, timeline.marks);
    timeline.reported = {line.number("ttft_ms"), line.number("ttft_answer_ms"), line.number("tpot_ms"),
                         line.number("e2e_ms"),  line.number("total_ms"),       line.number("throughput_tps")};
    if (timeline.reported.totalMs) {
        timeline.marks.lastByte = *timeline.zero + fromMs(*timeline.reported.totalMs);
    }
}

void readSender(Line& line, Timeline& timeline)
{
    if (const ordered_json* server = line.find("server"); server != nullptr && server->is_object()) {
        timeline.serverTimes = server->dump();
    }
    timeline.attempts = static_cast<int>(line.count("attempts").value_or(1));
    timeline.manager = line.text("manager").value_or("");
    timeline.kernelStamps = line.text("stamp") == "kernel";
    Line params(objectOr(line.find("params")));
    if (const auto maxTokens = params.count("max_tokens")) {
        timeline.params.maxTokens = static_cast<int>(*maxTokens);
    }
    timeline.params.temperature = params.number("temperature");
    timeline.params.topP = params.number("top_p");
    timeline.params.seed = params.count("seed");
    timeline.params.stream = params.flag("stream").value_or(true);
    timeline.params.concurrency = static_cast<int>(params.count("concurrency").value_or(1));
    timeline.keepsText = line.find("text") != nullptr;
    timeline.text = line.text("text").value_or("");
    timeline.reasoning = line.text("reasoning").value_or("");
    timeline.refusal = line.text("refusal").value_or("");
}

} // namespace

ordered_json recordJson(const Timeline& timeline)
{
    ordered_json record;
    record["v"] = recordVersion;
    record["run"] = timeline.run;
    record["seq"] = timeline.seq;
    record["model"] = timeline.model;
    record["endpoint"] = timeline.endpoint;
    record["protocol"] = std::string(name(timeline.protocol));
    record["served_model"] = orNull(timeline.servedModel);
    record["system_fingerprint"] = orNull(timeline.systemFingerprint);
    record["request_id"] = orNull(timeline.requestId);
    record["started_at"] = timeline.startedAtMs != 0 ? ordered_json(isoUtc(timeline.startedAtMs)) : ordered_json();
    record["status"] = std::string(name(timeline.status));
    record["error"] = errorJson(timeline.error);
    record["finish_reason"] = orNull(timeline.finishReason);
    record["prompt_tokens"] = orNull(timeline.usage.promptTokens);
    record["cached_tokens"] = orNull(timeline.usage.cachedTokens);
    record["reasoning_tokens"] = orNull(timeline.usage.reasoningTokens);
    record["prompt_tokens_target"] = orNull(timeline.promptTokensTarget);
    record["tokens"] = orNull(outputTokens(timeline));
    record["token_source"] = nameOrNull(tokenSource(timeline));
    record["chunks"] = chunkCount(timeline);
    record["bad_events"] = timeline.badEvents;
    record["streamed"] = orNull(timeline.streamed);
    record["events"] = timeline.events;
    record["phases"] = {{"queued_ms", ms(timeline.phases.queued)},
                        {"dns_ms", ms(timeline.phases.dns)},
                        {"connect_ms", ms(timeline.phases.connect)},
                        {"tls_ms", ms(timeline.phases.tls)},
                        {"send_ms", ms(timeline.phases.send)}};
    record["reused"] = orNull(timeline.reused);
    record["marks"] = marksJson(timeline);
    record["ttft_ms"] = ms(ttftMs(timeline));
    record["ttft_answer_ms"] = ms(ttftAnswerMs(timeline));
    record["tpot_ms"] = ms(tpotMs(timeline));
    record["e2e_ms"] = ms(e2eMs(timeline));
    record["total_ms"] = ms(totalMs(timeline));
    record["throughput_tps"] = ms(throughputTps(timeline));
    record["arrivals_ms"] = ordered_json::array();
    for (const Stamp at : timeline.arrivals) {
        record["arrivals_ms"].push_back(ms(sinceZeroMs(timeline, at)));
    }
    record["channels"] = timeline.channels;
    record["server"] = embedded(timeline.serverTimes);
    record["headers"] = ordered_json::object();
    for (const auto& [key, value] : timeline.headers) {
        record["headers"][key] = value;
    }
    record["flags"] = ordered_json::array();
    for (const auto word : names(timeline.flags)) {
        record["flags"].push_back(std::string(word));
    }
    record["attempts"] = timeline.attempts;
    record["attempt_log"] = ordered_json::array();
    for (const Attempt& attempt : timeline.attemptLog) {
        record["attempt_log"].push_back({{"status", std::string(name(attempt.status))},
                                         {"http_status", orNull(attempt.httpStatus)},
                                         {"wait_ms", ms(std::optional(attempt.waitMs))}});
    }
    record["manager"] = timeline.manager;
    record["stamp"] = timeline.kernelStamps ? "kernel" : "user";
    record["params"] = paramsJson(timeline.params);
    if (timeline.keepsText) {
        addTexts(timeline, record);
    }
    const ordered_json unknown = embedded(timeline.unknownFields);
    for (const auto& [key, value] : unknown.items()) {
        record[key] = value;
    }
    return record;
}

std::string recordLine(const ordered_json& record)
{
    const std::string text = record.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    std::string line;
    line.reserve(text.size());
    const std::string_view bytes = text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::string_view rest = bytes.substr(i);
        if (rest.substr(0, 3) == "\xE2\x80\xA8" || rest.substr(0, 3) == "\xE2\x80\xA9") {
            line += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
            i += 2;
        } else if (rest.substr(0, 2) == "\xC2\x85") {
            line += "\\u0085";
            ++i;
        } else {
            line.push_back(bytes[i]);
        }
    }
    return line;
}

ParsedRecord parseRecordLine(std::string_view text)
{
    const ordered_json object = ordered_json::parse(text, nullptr, false);
    if (!object.is_object()) {
        return {std::nullopt, object.is_discarded() ? "not JSON" : "not a JSON object"};
    }
    Line line(object);
    Timeline timeline;
    line.find("v");
    readIdentity(line, timeline);
    readCounts(line, timeline);
    readTimes(line, timeline);
    readLists(line, timeline);
    readSender(line, timeline);
    timeline.unknownFields = line.unknown();
    const bool knowsSomething = !timeline.model.empty() || timeline.error || timeline.reportedTokens
        || timeline.reported.ttftMs || timeline.reported.tpotMs || timeline.reported.e2eMs || timeline.reported.totalMs
        || timeline.reported.throughputTps || !timeline.arrivals.empty();
    if (!knowsSomething) {
        return {std::nullopt, "holds none of a record's fields"};
    }
    return {std::move(timeline), {}};
}

} // namespace tokenpace
