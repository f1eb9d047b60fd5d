// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "measure/metrics.h"

#include <algorithm>
#include <cctype>

#include "measure/statistics.h"

namespace tokenpace {

namespace {

constexpr double stallFloorMs = 250;
constexpr double stallFactor = 10;
constexpr std::size_t burstMinimumEvents = 20;
constexpr double bufferedShare = 0.9;
constexpr double burstGapMs = 2;
constexpr double burstShareOfTtft = 0.01;
constexpr std::int64_t cachedMinimumTokens = 32;

/// Output events per read: events of one read share its stamp.
std::vector<std::pair<Stamp, std::size_t>> readsWithOutput(const Timeline& timeline)
{
    std::vector<std::pair<Stamp, std::size_t>> reads;
    for (const Stamp at : timeline.arrivals) {
        if (reads.empty() || reads.back().first != at) {
            reads.emplace_back(at, 0);
        }
        ++reads.back().second;
    }
    return reads;
}

bool isBuffered(const Timeline& timeline, const std::vector<std::pair<Stamp, std::size_t>>& reads)
{
    const std::size_t events = timeline.arrivals.size();
    if (events < 2) {
        return false;
    }
    const double enough = bufferedShare * static_cast<double>(events);
    const auto largest = std::max_element(reads.begin(), reads.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
    });
    if (static_cast<double>(largest->second) >= enough) {
        return true;
    }
    const auto ttft = ttftMs(timeline);
    if (events < burstMinimumEvents || !ttft) {
        return false;
    }
    std::size_t begin = 0;
    std::size_t inBurst = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (i > 0 && toMs(reads[i].first - reads[i - 1].first) >= burstGapMs) {
            begin = i;
            inBurst = 0;
        }
        inBurst += reads[i].second;
        if (static_cast<double>(inBurst) >= enough
            && toMs(reads[i].first - reads[begin].first) < burstShareOfTtft * *ttft) {
            return true;
        }
    }
    return false;
}

std::optional<double> between(std::optional<Stamp> from, std::optional<Stamp> to)
{
    if (!from || !to) {
        return std::nullopt;
    }
    return toMs(*to - *from);
}

bool isWhole(const Timeline& timeline)
{
    return timeline.streamed && !*timeline.streamed;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c >= '0' && c <= '9';
    });
}

int number(std::string_view digits)
{
    int value = 0;
    for (const char c : digits) {
        value = value * 10 + (c - '0');
    }
    return value;
}

bool isMonthAndDay(std::string_view digits)
{
    const int month = number(digits.substr(0, 2));
    const int day = number(digits.substr(2, 2));
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/// Length of a date at the end, its separator included: -2024-08-06, -20240806, @20240806 or -0613; 0 when there is
/// none.
std::size_t dateSuffixLength(std::string_view name)
{
    const auto isSeparator = [](char c) {
        return c == '-' || c == '@' || c == '_' || c == ':';
    };
    constexpr std::size_t isoLength = 10;
    if (name.size() > isoLength) {
        const auto iso = name.substr(name.size() - isoLength);
        if (iso[4] == '-' && iso[7] == '-' && allDigits(iso.substr(0, 4)) && allDigits(iso.substr(5, 2))
            && allDigits(iso.substr(8, 2)) && isSeparator(name[name.size() - isoLength - 1])) {
            return isoLength + 1;
        }
    }
    for (const std::size_t length : {std::size_t{8}, std::size_t{4}}) {
        if (name.size() > length + 1 && allDigits(name.substr(name.size() - length))
            && isSeparator(name[name.size() - length - 1]) && isMonthAndDay(name.substr(name.size() - 4))) {
            return length + 1;
        }
    }
    return 0;
}

std::string bareModelName(std::string_view name)
{
    if (const auto slash = name.rfind('/'); slash != std::string_view::npos) {
        name.remove_prefix(slash + 1);
    }
    std::string bare(name);
    std::transform(bare.begin(), bare.end(), bare.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    for (const std::string_view end : {".gguf", ":latest", "-latest"}) {
        if (bare.size() > end.size() && endsWith(bare, end)) {
            bare.resize(bare.size() - end.size());
        }
    }
    bare.resize(bare.size() - dateSuffixLength(bare));
    return bare;
}

} // namespace

std::optional<double> sinceZeroMs(const Timeline& timeline, std::optional<Stamp> mark)
{
    return between(timeline.zero, mark);
}

std::optional<double> ttftMs(const Timeline& timeline)
{
    if (isWhole(timeline)) {
        return std::nullopt;
    }
    if (timeline.arrivals.empty()) {
        return timeline.reported.ttftMs;
    }
    return sinceZeroMs(timeline, timeline.arrivals.front());
}

std::optional<double> ttftAnswerMs(const Timeline& timeline)
{
    if (isWhole(timeline)) {
        return std::nullopt;
    }
    if (!timeline.marks.firstText) {
        return timeline.reported.ttftAnswerMs;
    }
    return sinceZeroMs(timeline, timeline.marks.firstText);
}

std::optional<std::int64_t> outputTokens(const Timeline& timeline)
{
    if (timeline.usage.completionTokens) {
        return timeline.usage.completionTokens;
    }
    if (timeline.reportedTokens) {
        return timeline.reportedTokens;
    }
    if (timeline.streamed.value_or(false)) {
        return static_cast<std::int64_t>(timeline.arrivals.size());
    }
    return std::nullopt;
}

std::optional<TokenSource> tokenSource(const Timeline& timeline)
{
    if (timeline.usage.completionTokens) {
        return TokenSource::Usage;
    }
    if (timeline.reportedTokens) {
        return timeline.reportedTokenSource;
    }
    if (timeline.streamed.value_or(false)) {
        return TokenSource::Chunks;
    }
    return std::nullopt;
}

int chunkCount(const Timeline& timeline)
{
    if (timeline.arrivals.empty()) {
        return timeline.reportedChunks.value_or(0);
    }
    return static_cast<int>(timeline.arrivals.size());
}

std::optional<double> tpotMs(const Timeline& timeline)
{
    if (timeline.arrivals.empty()) {
        return timeline.reported.tpotMs;
    }
    const auto tokens = outputTokens(timeline);
    const Stamp window = timeline.arrivals.back() - timeline.arrivals.front();
    if (!tokens || *tokens < 2 || timeline.arrivals.size() < 2 || window <= Stamp::zero()
        || timeline.flags.has(Flag::Buffered)) {
        return std::nullopt;
    }
    return toMs(window) / static_cast<double>(*tokens - 1);
}

std::optional<double> e2eMs(const Timeline& timeline)
{
    if (isWhole(timeline)) {
        return totalMs(timeline);
    }
    if (timeline.arrivals.empty()) {
        return timeline.reported.e2eMs;
    }
    return sinceZeroMs(timeline, timeline.arrivals.back());
}

std::optional<double> totalMs(const Timeline& timeline)
{
    const auto& terminal = timeline.marks.terminal;
    const auto& lastByte = timeline.marks.lastByte;
    if (!terminal && !lastByte) {
        return timeline.reported.totalMs;
    }
    if (terminal && lastByte) {
        return sinceZeroMs(timeline, std::min(*terminal, *lastByte));
    }
    return sinceZeroMs(timeline, terminal ? terminal : lastByte);
}

std::vector<double> itlMs(const Timeline& timeline)
{
    std::vector<double> gaps;
    const auto& arrivals = timeline.arrivals;
    if (arrivals.size() > 1) {
        gaps.reserve(arrivals.size() - 1);
        for (std::size_t i = 1; i < arrivals.size(); ++i) {
            gaps.push_back(toMs(arrivals[i] - arrivals[i - 1]));
        }
    }
    return gaps;
}

std::optional<double> throughputTps(const Timeline& timeline)
{
    const auto tokens = outputTokens(timeline);
    const auto e2e = e2eMs(timeline);
    if (!tokens || *tokens < 1 || !e2e || *e2e <= 0) {
        return timeline.reported.throughputTps;
    }
    constexpr double msPerS = 1000;
    return static_cast<double>(*tokens) / (*e2e / msPerS);
}

std::optional<PromptLength> promptLength(const Timeline& timeline)
{
    if (timeline.usage.promptTokens) {
        return PromptLength{static_cast<double>(*timeline.usage.promptTokens), false};
    }
    if (timeline.promptTokensEstimate) {
        return PromptLength{static_cast<double>(*timeline.promptTokensEstimate), true};
    }
    if (timeline.promptTokensTarget) {
        return PromptLength{static_cast<double>(*timeline.promptTokensTarget), true};
    }
    return std::nullopt;
}

double stallThresholdMs(const std::vector<double>& gapsMs)
{
    return std::max(stallFloorMs, stallFactor * percentile(gapsMs, 0.5).value_or(0));
}

void setDerivedFlags(Timeline& timeline)
{
    Flags& flags = timeline.flags;
    const auto reads = readsWithOutput(timeline);
    const std::size_t events = timeline.arrivals.size();
    const bool buffered = isBuffered(timeline, reads);
    flags.set(Flag::Buffered, buffered);
    flags.set(Flag::Bursty, events >= burstMinimumEvents && reads.size() * 4 <= events && !buffered);
    flags.set(Flag::Coalesced, reads.size() < events);

    const auto gaps = itlMs(timeline);
    const double threshold = stallThresholdMs(gaps);
    flags.set(Flag::Stall, std::any_of(gaps.begin(), gaps.end(), [&](double gap) {
                  return gap > threshold;
              }));

    const auto cached = timeline.usage.cachedTokens.value_or(0);
    const double share = 0.05 * static_cast<double>(timeline.usage.promptTokens.value_or(0));
    flags.set(Flag::Cached, cached >= cachedMinimumTokens && static_cast<double>(cached) >= share);
    flags.set(Flag::NoUsage, timeline.status == Status::Ok && !timeline.usage.completionTokens);
    flags.set(Flag::MultiTokenFirst, timeline.firstUsageTokens.value_or(0) > 1);
    flags.set(Flag::AfterDone, timeline.afterDone > 0);
    flags.set(Flag::Retried, timeline.attempts > 1);
}

bool sameModel(std::string_view asked, std::string_view served)
{
    return bareModelName(asked) == bareModelName(served);
}

bool counts(const Timeline& timeline)
{
    constexpr Flags excluding{Flag::WarmUp,     Flag::Resent,     Flag::ClockJump,
                              Flag::ClientBusy, Flag::OtherModel, Flag::Excluded};
    return timeline.status == Status::Ok && timeline.attempts == 1 && !timeline.flags.hasAny(excluding);
}

bool ttftCounts(const Timeline& timeline, bool cacheWanted)
{
    if (!counts(timeline) || !ttftMs(timeline)) {
        return false;
    }
    constexpr Flags excluding{Flag::Buffered, Flag::CoarseStamp};
    return !timeline.flags.hasAny(excluding) && (cacheWanted || !timeline.flags.has(Flag::Cached));
}

bool tpotCounts(const Timeline& timeline)
{
    return counts(timeline) && tpotMs(timeline).has_value();
}

} // namespace tokenpace
