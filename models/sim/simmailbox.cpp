// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simmailbox.h"

#include <chrono>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

namespace tokenpace::sim {

std::int64_t steadyNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

SimMailbox::SimMailbox()
    : m_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
}

SimMailbox::~SimMailbox()
{
    close(m_fd);
}

void SimMailbox::post(Letter letter)
{
    {
        const std::lock_guard lock(m_mutex);
        m_letters.push_back(std::move(letter));
    }
    wake();
}

void SimMailbox::wake()
{
    // Fails only when the counter is full, and then the loop is awake anyway.
    (void)eventfd_write(m_fd, 1);
}

std::vector<SimMailbox::Letter> SimMailbox::take()
{
    eventfd_t count = 0;
    (void)eventfd_read(m_fd, &count);
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_letters, {});
}

} // namespace tokenpace::sim
