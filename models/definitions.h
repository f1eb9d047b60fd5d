// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "measure/timeline.h"

namespace tokenpace {

/// The words for people: what each number means (which clock, which zero, which event ends it), what a flag says, and
/// why a number is missing. The definitions themselves live in models/measure; a change there changes the words here.
enum class Figure {
    PromptTokens,
    OutputTokens,
    Ttft,
    Tpot,
    Itl,
    E2e,
    Throughput, ///< of one request
    OutputTps, ///< of the system
    TimeoutRate,
    Goodput,
    Interval, ///< of a percentile
};
[[nodiscard]] QString definition(Figure figure);

[[nodiscard]] QString flagWord(Flag flag); ///< as in records
[[nodiscard]] QString flagDefinition(Flag flag);
[[nodiscard]] QString statusText(Status status);
[[nodiscard]] QString phaseText(Phase phase);
/// "3 time-outs", "1 HTTP error": how many requests ended so.
[[nodiscard]] QString errorCountText(ErrorKind kind, int count);

/// Why a request has no such number; empty when it has one.
[[nodiscard]] QString noTtftReason(const Timeline& timeline);
[[nodiscard]] QString noTpotReason(const Timeline& timeline);
[[nodiscard]] QString noE2eReason(const Timeline& timeline);

/// Are the tokens behind TPOT and tokens per second output events, for want of usage?
[[nodiscard]] bool tokensAreChunks(const Timeline& timeline);
[[nodiscard]] QString chunksNote();

} // namespace tokenpace
