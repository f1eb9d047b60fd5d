// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QObject>
#include <QTimer>

#include "net/clientrequest.h"
#include "requestsmodel.h"

namespace tokenpace {

/// Drains a mailbox into the models on one clock, about 30 times a second. Lives on the GUI thread; owns neither. May
/// be made and destroyed while other threads push, as long as the mailbox's first push comes after it was made.
class LiveFeed final : public QObject {
    Q_OBJECT
public:
    LiveFeed(ClientMailbox& mailbox, RequestsModel& requests, QObject* parent = nullptr);
    ~LiveFeed() override;

    /// Drains now, such as when a run has ended.
    void drain();
    [[nodiscard]] int recordsWritten() const { return m_written; } ///< finished, and no write failed
    [[nodiscard]] int recordsLost() const { return m_lost; } ///< finished, yet not in the log
    [[nodiscard]] QString lastLogError() const { return m_logError; }

signals:
    void drained(int updates);
    void logFailed(const QString& error); ///< once per batch with a failed write

private:
    struct Gate;
    void armClock();

    ClientMailbox& m_mailbox; // not owned
    RequestsModel& m_requests; // not owned
    QTimer m_clock;
    std::shared_ptr<Gate> m_gate; // shared with the mailbox's notification, which may outlive this
    int m_written = 0;
    int m_lost = 0;
    QString m_logError;
};

} // namespace tokenpace
