// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "net/client.h"
#include "net/connectionpool.h"
#include "net/lane.h"

namespace tokenpace {

/// The client's hands: owns the lanes and gives each request to an idle one or to a new one, so nothing waits here.
/// Lives on the client's network thread, where all of its functions must be called, and is deleted as that ends.
class NetworkWorker final : public QObject {
    Q_OBJECT
public:
    NetworkWorker(ClientMailbox& mailbox, Client::FinishedHandler onFinished);
    ~NetworkWorker() override;

    void send(ClientRequest request, Stamp asked, WallClock::time_point askedWall);
    void cancel(const QString& run, int seq);
    void cancelAll();
    void closeIdleConnections();
    void setBusyAfter(std::chrono::milliseconds lateness) { m_busyAfter = lateness; }
    /// Cancels all and ends the thread's event loop.
    void shutDown();

signals:
    void requestEnded(std::shared_ptr<const tokenpace::Timeline> timeline);

private:
    Lane& laneFor(const ClientRequest& request);
    void onEnded(const std::shared_ptr<Timeline>& timeline);
    void watchLateness();
    void dropIdle(std::chrono::milliseconds longerThan);

    ClientMailbox& m_mailbox;
    Client::FinishedHandler m_onFinished;
    std::unique_ptr<ConnectionPool> m_pool; ///< of the measuring managers; made on the thread, outlives the lanes
    std::vector<std::unique_ptr<Lane>> m_lanes;
    QTimer* m_sweep = nullptr; // child
    QTimer* m_watch = nullptr; // child; runs while requests do
    Stamp m_watchDue{};
    std::chrono::milliseconds m_busyAfter{5}; ///< what is late by more than that blurs stamps, the kernel's too
};

} // namespace tokenpace
