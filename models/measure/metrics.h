// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timeline.h"

/// What each number means, once. All are pure functions of a timeline, in ms from time zero (the last byte of the
/// request has been handed to a ready connection) unless the name says otherwise; nothing means unknown, never 0.
/// An output event has non-empty text, reasoning, refusal or tool-call content.
namespace tokenpace {

/// Time to first token: first output event of any channel - time zero. None for a reply that came whole.
[[nodiscard]] std::optional<double> ttftMs(const Timeline& timeline);

/// Time to the answer: first text - time zero. Differs from TTFT for reasoning models.
[[nodiscard]] std::optional<double> ttftAnswerMs(const Timeline& timeline);

/// Output tokens: the last usage count; without usage the number of output events. None for a whole reply without
/// usage and where nothing was received.
[[nodiscard]] std::optional<std::int64_t> outputTokens(const Timeline& timeline);
[[nodiscard]] std::optional<TokenSource> tokenSource(const Timeline& timeline);

/// Output events seen; 0 for a reply that came whole and where nothing was received.
[[nodiscard]] int chunkCount(const Timeline& timeline);

/// Time per output token: (last output - first output) / (tokens - 1). None when tokens < 2, output events < 2, the
/// window is 0 or the reply was buffered on its way.
[[nodiscard]] std::optional<double> tpotMs(const Timeline& timeline);

/// End to end: last output - time zero; for a reply that came whole, totalMs.
[[nodiscard]] std::optional<double> e2eMs(const Timeline& timeline);

/// Last byte or terminal event, whichever is earlier, - time zero.
[[nodiscard]] std::optional<double> totalMs(const Timeline& timeline);

/// Gaps between output events. They are gaps between tokens only where chunks = tokens.
[[nodiscard]] std::vector<double> itlMs(const Timeline& timeline);

/// Output tokens / E2E in s, of this request alone.
[[nodiscard]] std::optional<double> throughputTps(const Timeline& timeline);

/// x of the TTFT chart: prompt tokens by usage, else the estimate.
struct PromptLength {
    double tokens = 0;
    bool estimated = false;
};
[[nodiscard]] std::optional<PromptLength> promptLength(const Timeline& timeline);

/// A mark from time zero.
[[nodiscard]] std::optional<double> sinceZeroMs(const Timeline& timeline, std::optional<Stamp> mark);

/// A gap is a stall above max(250 ms, 10 x that request's median gap).
[[nodiscard]] double stallThresholdMs(const std::vector<double>& gapsMs);

/// Sets the flags that follow from the timeline alone: buffered, bursty, coalesced, cached, no-usage, stall,
/// multi-token-first, after-done, retried. The others are set by whoever sees their cause. Thresholds:
/// buffered: >= 2 output events, >= 90 % of them in one read; or >= 20, >= 90 % of them in one burst (reads less than
/// 2 ms apart) that is shorter than 1 % of TTFT. bursty: >= 20 output events, reads with output <= a quarter of them,
/// not buffered. coalesced: two output events share a stamp. cached: cached tokens >= max(32, 5 % of the prompt).
void setDerivedFlags(Timeline& timeline);

/// Are two model names the same model? Compared without case, the path before the last `/`, `.gguf`, `:latest`,
/// `-latest` and a date suffix.
[[nodiscard]] bool sameModel(std::string_view asked, std::string_view served);

/// Does the request count in the aggregates? Only if it ended ok, needed one attempt, is no warm-up and carries none
/// of resent, clock-jump, client-busy, other-model.
[[nodiscard]] bool counts(const Timeline& timeline);

/// Its TTFT counts if it counts, was streamed, and is neither buffered, coarse-stamp nor (unless the experiment is
/// about the cache) cached.
[[nodiscard]] bool ttftCounts(const Timeline& timeline, bool cacheWanted = false);

/// Its TPOT counts if it counts and has one.
[[nodiscard]] bool tpotCounts(const Timeline& timeline);

} // namespace tokenpace
