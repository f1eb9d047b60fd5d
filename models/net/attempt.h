// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <optional>

#include <QString>

#include "net/clientrequest.h"

namespace tokenpace {

/// What a lane saw of one attempt besides what its timeline holds, and what follows from that: pure functions.
struct AttemptProgress {
    Stamp posted{}; ///< given to the manager
    std::optional<Stamp> connecting; ///< a connection of its own began
    std::optional<Stamp> secured; ///< TLS was ready
    std::optional<Stamp> writing; ///< the connection was ready, but took only a part of the request
    std::optional<Stamp> sent; ///< last requestSent
    int sentCount = 0;
    bool resentUnseen = false; ///< sent again on a connection whose beginning no signal told
    bool uploaded = false; ///< the whole body was handed over
    bool sliced = false; ///< the body was written in slices: `sent` is the first one's
    int httpStatus = 0; ///< 0: no reply yet
    bool passing = false; ///< a failure to connect that another attempt may not meet
};

/// The next moment when something must be done about a reply that brings nothing new.
struct Deadline {
    Stamp at{};
    std::optional<Phase> phase; ///< which limit passes then; none: the reader's own wait
};

/// The nearest of the limits that hold now, and the reader's wait.
[[nodiscard]] std::optional<Deadline> nextDeadline(const TimeLimits& limits, const AttemptProgress& progress,
                                                   const Timeline& timeline, bool hasEnding,
                                                   std::optional<Stamp> readerWait);

/// The error of a request that passed its limit; `place` is host and port.
[[nodiscard]] RequestError timeOutError(Phase phase, const TimeLimits& limits, const QString& place);

/// The phases as the manager's signals tell them. Connect is the sum of look-up, connecting and TLS, which they cannot
/// split.
[[nodiscard]] PhaseDurations phasesFrom(const AttemptProgress& progress, Stamp asked, std::optional<Stamp> zero);

/// How long to wait before it is sent again, after `attempts` attempts; none: it is over. Only failures to connect,
/// 429 and 503 are tried again. `chance` is a random number from 0 to 1 that spreads the waits.
[[nodiscard]] std::optional<std::chrono::milliseconds>
retryWait(const Timeline& timeline, const AttemptProgress& progress, int attempts, int maxRetries, double chance);

} // namespace tokenpace
