// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/plan.h"

#include <algorithm>
#include <random>

namespace tokenpace {

namespace {

// A guess before anything is known: a mid-sized model behind a gateway.
constexpr double guessFixedMs = 150;
constexpr double guessMsPerPromptToken = 0.15;
constexpr double guessMsPerOutputToken = 15;

/// What a warm-up asks for: the middle length, which calibrates the lengths on both sides of it.
std::optional<int> warmUpLength(const RunSpec& spec)
{
    if (spec.promptTokens.isEmpty()) {
        return std::nullopt;
    }
    QList<int> sorted = spec.promptTokens;
    std::sort(sorted.begin(), sorted.end());
    return sorted.at(sorted.size() / 2);
}

} // namespace

Plan makePlan(const RunSpec& spec)
{
    Plan plan;
    const auto targetCount = static_cast<int>(spec.targets.size());
    const auto add = [&](int target, std::optional<int> promptTokens, int repeat, bool warmUp) {
        PlannedRequest request;
        request.seq = static_cast<int>(plan.requests.size());
        request.target = target;
        request.promptTokens = promptTokens;
        request.repeat = repeat;
        request.warmUp = warmUp;
        plan.promptTokens += promptTokens.value_or(0);
        plan.measured += warmUp ? 0 : 1;
        plan.requests.push_back(request);
    };
    for (int i = 0; i < spec.warmup; ++i) {
        for (int target = 0; target < targetCount; ++target) {
            add(target, warmUpLength(spec), i, true);
        }
    }

    std::vector<std::pair<int, std::optional<int>>> cells;
    for (int target = 0; target < targetCount; ++target) {
        if (spec.promptTokens.isEmpty()) {
            cells.emplace_back(target, std::nullopt);
        }
        for (const int tokens : spec.promptTokens) {
            cells.emplace_back(target, tokens);
        }
    }
    if (!spec.interleaved) {
        for (const auto& [target, tokens] : cells) {
            for (int repeat = 0; repeat < spec.repeats; ++repeat) {
                add(target, tokens, repeat, false);
            }
        }
        return plan;
    }
    // Each round holds every cell once, in an order of its own, so that no drift of the server favours one of them.
    std::mt19937_64 random(spec.seed);
    for (int repeat = 0; repeat < spec.repeats; ++repeat) {
        auto round = cells;
        for (std::size_t i = round.size(); i > 1; --i) {
            std::swap(round[i - 1], round[random() % i]); // std::shuffle differs between standard libraries
        }
        for (const auto& [target, tokens] : round) {
            add(target, tokens, repeat, false);
        }
    }
    return plan;
}

std::chrono::milliseconds roughDuration(const RunSpec& spec, const PlannedRequest& request)
{
    const double promptTokens = request.promptTokens.value_or(static_cast<int>(spec.prompt.size() / 4));
    const double outputTokens = spec.maxTokens.value_or(256);
    return std::chrono::milliseconds(static_cast<qint64>(guessFixedMs + guessMsPerPromptToken * promptTokens
                                                         + guessMsPerOutputToken * outputTokens));
}

std::chrono::milliseconds roughDuration(const RunSpec& spec, const Plan& plan)
{
    std::chrono::milliseconds total{0};
    for (const PlannedRequest& request : plan.requests) {
        total += roughDuration(spec, request);
    }
    return total / std::max(1, spec.concurrency);
}

} // namespace tokenpace
