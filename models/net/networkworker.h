// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "net/client.h"
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
    /// Cancels all and ends the thread's event loop.
    void shutDown();

signals:
    void requestEnded(std::shared_ptr<const tokenpace::Timeline> timeline);

private:
    Lane& laneFor(const ClientRequest& request);
    void onEnded(const std::shared_ptr<Timeline>& timeline);
    void dropIdle(std::chrono::milliseconds longerThan);

    ClientMailbox& m_mailbox;
    Client::FinishedHandler m_onFinished;
    std::vector<std::unique_ptr<Lane>> m_lanes;
    QTimer* m_sweep = nullptr; // child
};

} // namespace tokenpace
