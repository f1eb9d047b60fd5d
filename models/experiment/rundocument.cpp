// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/rundocument.h"

#include <algorithm>
#include <cmath>

#include <QSysInfo>
#include <QThread>

#include <nlohmann/json.hpp>

#include "log/record.h"
#include "measure/metrics.h"

namespace tokenpace {

namespace {

using nlohmann::ordered_json;

ordered_json rounded(std::optional<double> value)
{
    constexpr double resolution = 1000;
    return value ? ordered_json(std::round(*value * resolution) / resolution) : ordered_json();
}

ordered_json distributionJson(const Distribution& figures)
{
    const auto interval = [&]() -> ordered_json {
        if (!figures.p50Interval) {
            return {};
        }
        return ordered_json::array({rounded(figures.p50Interval->first), rounded(figures.p50Interval->second)});
    };
    return {{"n", figures.n},
            {"min", rounded(figures.min)},
            {"p50", rounded(figures.p50)},
            {"p90", rounded(figures.p90)},
            {"p95", rounded(figures.p95)},
            {"p99", rounded(figures.p99)},
            {"max", rounded(figures.max)},
            {"mean", rounded(figures.mean)},
            {"p50_ci", interval()}};
}

std::string isoTime(const QDateTime& at)
{
    return at.toUTC().toString(Qt::ISODateWithMs).toStdString();
}

ordered_json environmentJson()
{
    return {{"os", QSysInfo::prettyProductName().toStdString()},
            {"cpu",
             (QSysInfo::currentCpuArchitecture() + QStringLiteral(", %1 threads").arg(QThread::idealThreadCount()))
                 .toStdString()},
            {"qt", qVersion()},
            {"version", TOKENPACE_VERSION}};
}

ordered_json orNull(const std::optional<std::int64_t>& value)
{
    return value ? ordered_json(*value) : ordered_json();
}

/// Numbers of files are free of locale; unknown values are empty.
QByteArray csvNumber(std::optional<double> value)
{
    constexpr int decimals = 3;
    return value ? QByteArray::number(*value, 'f', decimals) : QByteArray();
}

QByteArray csvNumber(const std::optional<std::int64_t>& value)
{
    return value ? QByteArray::number(static_cast<qlonglong>(*value)) : QByteArray();
}

QByteArray csvBytes(std::string_view text)
{
    return csvText(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

QByteArray csvLine(const QByteArrayList& cells)
{
    return cells.join(',') + "\r\n";
}

} // namespace

ordered_json runJson(const RunInfo& info)
{
    const std::string settings = info.settingsJson.toStdString();
    ordered_json settingsDocument = ordered_json::parse(settings.empty() ? "null" : settings, nullptr, false);
    return {{"id", info.id.toStdString()},
            {"experiment", experimentName(info.spec.experiment).toStdString()},
            {"seed", info.spec.seed},
            {"started_at", isoTime(info.startedAt)},
            {"ended_at", info.endedAt.isValid() ? ordered_json(isoTime(info.endedAt)) : ordered_json()},
            {"planned", info.planned},
            {"done", info.done},
            {"settings_hash", info.settingsHash.toStdString()},
            {"settings", settingsDocument.is_discarded() ? ordered_json() : settingsDocument},
            {"view", "tokenpace"},
            {"simulated", isSimulated(info.spec)},
            {"stamp_error_us", nullptr},
            {"environment", environmentJson()}};
}

bool isSimulated(const RunSpec& spec)
{
    return std::any_of(spec.targets.begin(), spec.targets.end(), [](const Target& target) {
        return target.endpoint.simulated;
    });
}

ordered_json summaryJson(const std::vector<SummaryRow>& rows)
{
    ordered_json list = ordered_json::array();
    for (const SummaryRow& row : rows) {
        ordered_json errors = ordered_json::object();
        for (const auto& [kind, count] : row.errors) {
            errors[std::string(name(kind))] = count;
        }
        list.push_back({{"endpoint", row.key.endpoint},
                        {"model", row.key.model},
                        {"level", {{"prompt_tokens_target", orNull(row.key.promptTokensTarget)}}},
                        {"sent", row.sent},
                        {"ok", row.ok},
                        {"not_counted", row.notCounted},
                        {"timeouts", row.timeouts},
                        {"errors", std::move(errors)},
                        {"ttft_ms", distributionJson(row.ttft)},
                        {"tpot_ms", distributionJson(row.tpot)},
                        {"itl_ms", distributionJson(row.itl)},
                        {"e2e_ms", distributionJson(row.e2e)},
                        {"throughput_tps", distributionJson(row.throughput)},
                        {"system",
                         {{"output_tps", rounded(row.outputTps)},
                          {"requests_per_s", rounded(row.requestsPerS)},
                          {"total_tps", rounded(row.totalTps)}}},
                        {"goodput", {{"share", rounded(row.goodputShare)}, {"per_s", rounded(row.goodputPerS)}}}});
    }
    return list;
}

ordered_json runDocument(const RunInfo& info, std::span<const TimelinePtr> records, const GoodputLimits& limits)
{
    std::vector<TimelinePtr> ordered(records.begin(), records.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const TimelinePtr& a, const TimelinePtr& b) {
        return a->seq < b->seq;
    });
    ordered_json list = ordered_json::array();
    for (const TimelinePtr& record : ordered) {
        list.push_back(recordJson(*record));
    }
    ordered_json document;
    document["tokenpace"] = TOKENPACE_VERSION;
    document["run"] = runJson(info);
    document["records"] = std::move(list);
    document["summary"] = summaryJson(summariseAll(ordered, limits));
    document["fits"] = ordered_json::array();
    document["comparisons"] = ordered_json::array();
    document["findings"] = ordered_json::array();
    return document;
}

QByteArray csvText(const QString& text)
{
    QString cell = text;
    if (!cell.isEmpty() && QStringLiteral("=+-@").contains(cell.front())) {
        cell.prepend(QLatin1Char('\''));
    }
    const bool quoted = cell.contains(QLatin1Char('"')) || cell.contains(QLatin1Char(','))
        || cell.contains(QLatin1Char('\n')) || cell.contains(QLatin1Char('\r'));
    if (quoted) {
        cell.replace(QLatin1Char('"'), QStringLiteral("\"\""));
        cell = QLatin1Char('"') + cell + QLatin1Char('"');
    }
    return cell.toUtf8();
}

QByteArray summaryCsv(const std::vector<SummaryRow>& rows)
{
    QByteArray csv = csvLine({"endpoint",
                              "model",
                              "prompt_tokens_target",
                              "sent",
                              "ok",
                              "not_counted",
                              "timeouts",
                              "n",
                              "ttft_p50_ms",
                              "ttft_p50_low_ms",
                              "ttft_p50_high_ms",
                              "ttft_p90_ms",
                              "ttft_p95_ms",
                              "ttft_p99_ms",
                              "tpot_p50_ms",
                              "tpot_p90_ms",
                              "tpot_p95_ms",
                              "tpot_p99_ms",
                              "itl_p50_ms",
                              "itl_p99_ms",
                              "e2e_p50_ms",
                              "e2e_p95_ms",
                              "throughput_p50_tps",
                              "output_tps",
                              "goodput_share"});
    for (const SummaryRow& row : rows) {
        const auto& interval = row.ttft.p50Interval;
        csv += csvLine({csvBytes(row.key.endpoint),
                        csvBytes(row.key.model),
                        csvNumber(row.key.promptTokensTarget),
                        QByteArray::number(row.sent),
                        QByteArray::number(row.ok),
                        QByteArray::number(row.notCounted),
                        QByteArray::number(row.timeouts),
                        QByteArray::number(static_cast<qulonglong>(row.ttft.n)),
                        csvNumber(row.ttft.p50),
                        csvNumber(interval ? std::optional(interval->first) : std::nullopt),
                        csvNumber(interval ? std::optional(interval->second) : std::nullopt),
                        csvNumber(row.ttft.p90),
                        csvNumber(row.ttft.p95),
                        csvNumber(row.ttft.p99),
                        csvNumber(row.tpot.p50),
                        csvNumber(row.tpot.p90),
                        csvNumber(row.tpot.p95),
                        csvNumber(row.tpot.p99),
                        csvNumber(row.itl.p50),
                        csvNumber(row.itl.p99),
                        csvNumber(row.e2e.p50),
                        csvNumber(row.e2e.p95),
                        csvNumber(row.throughput.p50),
                        csvNumber(row.outputTps),
                        csvNumber(row.goodputShare)});
    }
    return csv;
}

QByteArray recordsCsv(std::span<const TimelinePtr> records)
{
    QByteArray csv = csvLine({"run",
                              "seq",
                              "started_at",
                              "endpoint",
                              "model",
                              "status",
                              "error",
                              "finish_reason",
                              "prompt_tokens_target",
                              "prompt_tokens",
                              "cached_tokens",
                              "tokens",
                              "token_source",
                              "chunks",
                              "ttft_ms",
                              "ttft_answer_ms",
                              "tpot_ms",
                              "e2e_ms",
                              "total_ms",
                              "throughput_tps",
                              "flags"});
    for (const TimelinePtr& record : records) {
        const Timeline& timeline = *record;
        std::string flags;
        for (const auto word : names(timeline.flags)) {
            flags += flags.empty() ? std::string(word) : " " + std::string(word);
        }
        const auto source = tokenSource(timeline);
        csv += csvLine({csvBytes(timeline.run),
                        QByteArray::number(timeline.seq),
                        timeline.startedAtMs != 0 ? QByteArray::fromStdString(
                            isoTime(QDateTime::fromMSecsSinceEpoch(timeline.startedAtMs, Qt::UTC)))
                                                  : QByteArray(),
                        csvBytes(timeline.endpoint),
                        csvBytes(timeline.model),
                        csvBytes(name(timeline.status)),
                        csvBytes(timeline.error ? timeline.error->message : std::string{}),
                        csvBytes(timeline.finishReason.value_or("")),
                        csvNumber(timeline.promptTokensTarget),
                        csvNumber(timeline.usage.promptTokens),
                        csvNumber(timeline.usage.cachedTokens),
                        csvNumber(outputTokens(timeline)),
                        source ? csvBytes(name(*source)) : QByteArray(),
                        QByteArray::number(chunkCount(timeline)),
                        csvNumber(ttftMs(timeline)),
                        csvNumber(ttftAnswerMs(timeline)),
                        csvNumber(tpotMs(timeline)),
                        csvNumber(e2eMs(timeline)),
                        csvNumber(totalMs(timeline)),
                        csvNumber(throughputTps(timeline)),
                        csvBytes(flags)});
    }
    return csv;
}

} // namespace tokenpace
