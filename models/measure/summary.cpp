// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "measure/summary.h"

#include <algorithm>

#include "measure/metrics.h"

namespace tokenpace {

namespace {

constexpr int httpTooManyRequests = 429;
constexpr int httpUnavailable = 503;
constexpr int httpOverloaded = 529; // Anthropic's word for 503

/// Why a request that ended ok is left out, as a flag.
Flag reasonNotCounted(const Timeline& timeline)
{
    if (timeline.attempts > 1) {
        return Flag::Retried;
    }
    for (const Flag flag :
         {Flag::Resent, Flag::ClockJump, Flag::ClientBusy, Flag::OtherModel, Flag::Buffered, Flag::CoarseStamp}) {
        if (timeline.flags.has(flag)) {
            return flag;
        }
    }
    return Flag::Cached;
}

bool isTooBusy(const Timeline& timeline)
{
    if (!timeline.error || !timeline.error->httpStatus) {
        return false;
    }
    const int status = *timeline.error->httpStatus;
    return status == httpTooManyRequests || status == httpUnavailable || status == httpOverloaded;
}

/// A number that is unknown misses its limit, unless there was nothing to measure it on.
bool within(std::optional<double> value, std::optional<double> limit, bool fewTokens)
{
    if (!limit) {
        return true;
    }
    return value ? *value <= *limit : fewTokens;
}

bool isGood(const Timeline& timeline, const GoodputLimits& limits)
{
    if (timeline.status != Status::Ok) {
        return false;
    }
    const bool fewTokens = outputTokens(timeline).value_or(0) < 2;
    return within(ttftMs(timeline), limits.ttftMs, fewTokens) && within(tpotMs(timeline), limits.tpotMs, fewTokens)
        && within(e2eMs(timeline), limits.e2eMs, fewTokens);
}

void addIf(std::vector<double>& samples, std::optional<double> value)
{
    if (value) {
        samples.push_back(*value);
    }
}

} // namespace

SummaryKey summaryKey(const Timeline& timeline)
{
    return {timeline.endpoint, timeline.model, timeline.promptTokensTarget};
}

SummaryRow summarise(const SummaryKey& key, std::span<const TimelinePtr> requests, const GoodputLimits& limits)
{
    SummaryRow row;
    row.key = key;
    std::vector<double> ttft;
    std::vector<double> tpot;
    std::vector<double> itl;
    std::vector<double> e2e;
    std::vector<double> throughput;
    std::optional<Stamp> firstZero;
    std::optional<Stamp> lastOutput;
    std::int64_t outputs = 0;
    std::int64_t prompts = 0;
    int good = 0;

    for (const TimelinePtr& request : requests) {
        const Timeline& timeline = *request;
        if (timeline.flags.has(Flag::WarmUp)) {
            continue;
        }
        if (timeline.flags.has(Flag::Excluded)) { // as if never sent, but said
            ++row.notCountedBy[Flag::Excluded];
            continue;
        }
        if (timeline.error) {
            ++row.errors[timeline.error->kind];
        }
        const bool sent =
            timeline.status != Status::Cancelled && !(timeline.error && timeline.error->kind == ErrorKind::NotSent);
        if (!sent) {
            continue;
        }
        ++row.sent;
        row.ok += timeline.status == Status::Ok ? 1 : 0;
        row.timeouts += timeline.status == Status::Timeout ? 1 : 0;
        row.tooBusy += isTooBusy(timeline) ? 1 : 0;
        good += isGood(timeline, limits) ? 1 : 0;
        outputs += outputTokens(timeline).value_or(0);
        prompts += timeline.usage.promptTokens.value_or(0);
        if (timeline.zero && (!firstZero || *timeline.zero < *firstZero)) {
            firstZero = timeline.zero;
        }
        const auto last = timeline.arrivals.empty() ? timeline.marks.lastByte : timeline.arrivals.back();
        if (last && (!lastOutput || *last > *lastOutput)) {
            lastOutput = last;
        }
        if (timeline.status == Status::Ok && !ttftCounts(timeline) && (!counts(timeline) || ttftMs(timeline))) {
            ++row.notCounted;
            ++row.notCountedBy[reasonNotCounted(timeline)];
        }
        if (ttftCounts(timeline)) {
            addIf(ttft, ttftMs(timeline));
        }
        if (tpotCounts(timeline)) {
            addIf(tpot, tpotMs(timeline));
            const auto gaps = itlMs(timeline);
            itl.insert(itl.end(), gaps.begin(), gaps.end());
        }
        if (counts(timeline)) {
            addIf(e2e, e2eMs(timeline));
            addIf(throughput, throughputTps(timeline));
        }
    }

    row.ttft = describe(std::move(ttft));
    row.tpot = describe(std::move(tpot));
    row.itl = describe(std::move(itl));
    row.e2e = describe(std::move(e2e));
    row.throughput = describe(std::move(throughput));
    if (row.sent > 0) {
        row.goodputShare = static_cast<double>(good) / row.sent;
    }
    if (firstZero && lastOutput && *lastOutput > *firstZero) {
        constexpr double msPerS = 1000;
        const double seconds = toMs(*lastOutput - *firstZero) / msPerS;
        row.outputTps = static_cast<double>(outputs) / seconds;
        row.requestsPerS = row.ok / seconds;
        row.totalTps = static_cast<double>(prompts + outputs) / seconds;
        row.goodputPerS = good / seconds;
    }
    return row;
}

std::vector<SummaryRow> summariseAll(std::span<const TimelinePtr> requests, const GoodputLimits& limits)
{
    using Place = std::pair<std::size_t, std::optional<std::int64_t>>; // of the model, then of the length in it
    std::map<std::pair<std::string, std::string>, std::size_t> models;
    std::map<Place, std::vector<TimelinePtr>> groups;
    for (const TimelinePtr& request : requests) {
        if (request->flags.has(Flag::WarmUp)) {
            continue;
        }
        const SummaryKey key = summaryKey(*request);
        const auto model = models.try_emplace({key.endpoint, key.model}, models.size()).first;
        groups[{model->second, key.promptTokensTarget}].push_back(request);
    }
    std::vector<SummaryRow> rows;
    rows.reserve(groups.size());
    for (const auto& [place, members] : groups) {
        rows.push_back(summarise(summaryKey(*members.front()), members, limits));
    }
    return rows;
}

} // namespace tokenpace
