// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <QObject>
#include <QTimer>

#include "measure/timeline.h"

namespace tokenpace {

/// How late the event loop of the GUI thread answers: a thread of its own posts a stamped event every 50 ms, and the
/// lateness is what passes until it is handled. Lives on the GUI thread.
class LagProbe final : public QObject {
    Q_OBJECT
public:
    explicit LagProbe(QObject* parent = nullptr);
    ~LagProbe() override;

    /// Median of the last ten seconds, in ms; none before the first measurement.
    [[nodiscard]] std::optional<double> medianMs() const;
    /// The worst of the last ten seconds, in ms.
    [[nodiscard]] std::optional<double> worstMs() const;

signals:
    void measured(); ///< after the first measurement, then once a second

private:
    void beat();
    void onBeat(Stamp sent);

    std::deque<double> m_lagsMs; // the last ten seconds
    QTimer m_tell;
    std::mutex m_mutex; // protects m_quit and m_pending
    std::condition_variable m_wake;
    bool m_quit = false;
    bool m_pending = false; // a beat waits in the queue: no second one, or a stuck loop would be flooded
    std::thread m_thread; // last: joined in the destructor
};

} // namespace tokenpace
