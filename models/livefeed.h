// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>
#include <QTimer>

#include "net/clientrequest.h"
#include "requestsmodel.h"

namespace tokenpace {

/// Drains a mailbox into the models on one clock, about 30 times a second. Lives on the GUI thread; owns neither.
class LiveFeed final : public QObject {
    Q_OBJECT
public:
    LiveFeed(ClientMailbox& mailbox, RequestsModel& requests, QObject* parent = nullptr);
    ~LiveFeed() override;

    /// Drains now, such as when a run has ended.
    void drain();
    [[nodiscard]] int recordsWritten() const { return m_written; }
    [[nodiscard]] int recordsLost() const { return m_lost; }
    [[nodiscard]] QString lastLogError() const { return m_logError; }

signals:
    void drained(int updates);
    void logFailed(const QString& error);

private:
    ClientMailbox& m_mailbox; // not owned
    RequestsModel& m_requests; // not owned
    QTimer m_clock;
    int m_written = 0;
    int m_lost = 0;
    QString m_logError;
};

} // namespace tokenpace
