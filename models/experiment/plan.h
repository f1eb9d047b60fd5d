// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/runspec.h"

namespace tokenpace {

/// One request of a plan. `target` indexes RunSpec::targets.
struct PlannedRequest {
    int seq = 0;
    int target = 0;
    std::optional<int> promptTokens; ///< the length asked for; none for a prompt given as text
    int repeat = 0;
    bool warmUp = false;
};

/// The experiment laid out before the first byte goes out: warm-ups first, then the measured requests, interleaved in
/// a seeded order (each round holds every target at every length once) or blocked by target and length.
struct Plan {
    std::vector<PlannedRequest> requests;
    std::int64_t promptTokens = 0; ///< in all, as planned
    int measured = 0;
};
[[nodiscard]] Plan makePlan(const RunSpec& spec);

/// About how long a request, and a whole plan, takes before anything is known of the models: from its prompt and
/// output tokens and a guess of their speed.
[[nodiscard]] std::chrono::milliseconds roughDuration(const RunSpec& spec, const PlannedRequest& request);
[[nodiscard]] std::chrono::milliseconds roughDuration(const RunSpec& spec, const Plan& plan);

} // namespace tokenpace
