// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <QObject>

#include "measure/timeline.h"

namespace tokenpace::bench {

/// Posts a stamped event to the thread that it lives on every 5 ms, from a thread of its own, and keeps how late each
/// was handled: the delay that a key press or a mouse move would have met.
class Heartbeat final : public QObject {
    Q_OBJECT
public:
    Heartbeat();
    ~Heartbeat() override;

    /// Forgets what was measured; beats that were posted before are dropped.
    void restart();
    [[nodiscard]] const std::vector<double>& latenessMs() const { return m_latenessMs; }

protected:
    bool event(QEvent* event) override;

private:
    std::vector<double> m_latenessMs;
    Stamp m_since{};
    std::atomic<bool> m_quit = false;
    std::thread m_thread; // last: it posts to this object
};

} // namespace tokenpace::bench
