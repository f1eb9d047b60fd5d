// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>

namespace tokenpace::sim {

/// Sleeps until a moment of the steady clock, to some tens of microseconds: a timerfd has no timer slack, unlike
/// condition variables and poll's own time limit. Sleeps on one thread; cancel() from any.
class StepTimer {
public:
    StepTimer();
    ~StepTimer();
    StepTimer(const StepTimer&) = delete;
    StepTimer& operator=(const StepTimer&) = delete;

    /// False when cancelled, at once or while asleep. A moment that is past returns true at once.
    [[nodiscard]] bool sleepUntil(std::int64_t ns);
    /// Ends the sleep under way and all that follow, until reset().
    void cancel();
    void reset();

private:
    int m_timer;
    int m_cancelled; ///< an eventfd, readable once cancelled
};

} // namespace tokenpace::sim
