// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tokenpace::sim {

/// The steady clock (CLOCK_MONOTONIC) in ns, as in every `sent_ns`.
[[nodiscard]] std::int64_t steadyNs();

/// How engine threads reach the event loop: letters, and an eventfd that wakes it. post() from any thread, the rest
/// from the loop's.
class SimMailbox {
public:
    /// A reply on this connection is over; `keep`, if any, is released by the loop's thread.
    struct Letter {
        std::uint64_t connection = 0;
        std::shared_ptr<void> keep;
    };

    SimMailbox();
    ~SimMailbox();
    SimMailbox(const SimMailbox&) = delete;
    SimMailbox& operator=(const SimMailbox&) = delete;

    void post(Letter letter);
    /// Wakes the loop without a letter.
    void wake();

    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] std::vector<Letter> take();

private:
    int m_fd = -1;
    std::mutex m_mutex; ///< protects m_letters
    std::vector<Letter> m_letters;
};

} // namespace tokenpace::sim
