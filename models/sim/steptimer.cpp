// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/steptimer.h"

#include <array>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace tokenpace::sim {

StepTimer::StepTimer()
    : m_timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))
    , m_cancelled(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
}

StepTimer::~StepTimer()
{
    close(m_timer);
    close(m_cancelled);
}

bool StepTimer::sleepUntil(std::int64_t ns)
{
    constexpr std::int64_t second = 1'000'000'000;
    itimerspec when{};
    when.it_value.tv_sec = ns / second;
    when.it_value.tv_nsec = ns % second;
    (void)timerfd_settime(m_timer, TFD_TIMER_ABSTIME, &when, nullptr);
    std::array<pollfd, 2> waits{{{m_timer, POLLIN, 0}, {m_cancelled, POLLIN, 0}}};
    do {
        waits[0].revents = 0;
        waits[1].revents = 0;
        (void)poll(waits.data(), waits.size(), -1);
    } while (waits[0].revents == 0 && waits[1].revents == 0);
    return waits[1].revents == 0;
}

void StepTimer::cancel()
{
    (void)eventfd_write(m_cancelled, 1);
}

void StepTimer::reset()
{
    eventfd_t count = 0;
    (void)eventfd_read(m_cancelled, &count);
}

} // namespace tokenpace::sim
