// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "measure/statistics.h"
#include "measure/timeline.h"

namespace tokenpace {

/// Limits that a request must meet to count as good; an unset one is not asked for.
struct GoodputLimits {
    std::optional<double> ttftMs;
    std::optional<double> tpotMs;
    std::optional<double> e2eMs;
};

/// What a group of requests has in common: endpoint x model x level, the level being what the experiment varies.
struct SummaryKey {
    std::string endpoint;
    std::string model;
    std::optional<std::int64_t> promptTokensTarget;

    friend auto operator<=>(const SummaryKey&, const SummaryKey&) = default;
};
[[nodiscard]] SummaryKey summaryKey(const Timeline& timeline);

/// One row of the summary. Warm-ups are in none of its numbers.
struct SummaryRow {
    SummaryKey key;
    int sent = 0;
    int ok = 0;
    int notCounted = 0; ///< ended ok, yet left out of the aggregates, or out of TTFT
    std::map<Flag, int> notCountedBy; ///< why, by the flag; those left out by hand too, which are in no other number
    int timeouts = 0;
    int tooBusy = 0; ///< 429, 503 and 529, for the wider time-out rate of the tutorials
    std::map<ErrorKind, int> errors;
    Distribution ttft;
    Distribution tpot;
    Distribution itl;
    Distribution e2e;
    Distribution throughput;
    std::optional<double> outputTps; ///< output tokens of all measured requests / (last output - first zero)
    std::optional<double> requestsPerS;
    std::optional<double> totalTps; ///< prompt + output tokens per second
    std::optional<double> goodputShare;
    std::optional<double> goodputPerS;
};

using TimelinePtr = std::shared_ptr<const Timeline>;

/// Summarises requests of one key.
[[nodiscard]] SummaryRow summarise(const SummaryKey& key, std::span<const TimelinePtr> requests,
                                   const GoodputLimits& limits);

/// Groups by key and summarises each group: models in order of first appearance, lengths ascending within each.
[[nodiscard]] std::vector<SummaryRow> summariseAll(std::span<const TimelinePtr> requests, const GoodputLimits& limits);

} // namespace tokenpace
