// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include <QObject>
#include <QThread>

#include "net/clientrequest.h"

namespace tokenpace {

class NetworkWorker;

/// Sends requests and has them measured on a network thread of its own. Lives on the thread that made it (the GUI
/// thread); owns the network thread and joins it in its destructor, cancelling what still runs. Lanes of one request
/// each are made as needed: it is the caller that limits how many requests run at once, so nothing waits hidden in
/// here.
class Client final : public QObject {
    Q_OBJECT
public:
    /// Takes each finished timeline, on the network thread; must return at once (hand it to another thread) and see to
    /// it that RequestFinished reaches the mailbox later.
    using FinishedHandler = std::function<void(std::shared_ptr<Timeline>)>;

    /// `mailbox` gets RequestStarted and OutputsArrived; it must outlive the client.
    Client(ClientMailbox& mailbox, FinishedHandler onFinished, QObject* parent = nullptr);
    ~Client() override;

    /// Sends it as soon as the network thread turns; time asked is now.
    void send(ClientRequest request);
    /// Cancels what is in flight, waits for a retry included; each ends as cancelled, with what was measured.
    void cancel(const QString& run, int seq);
    void cancelAll();
    /// Closes idle connections, and forgets look-ups.
    void closeIdleConnections();
    /// How late the network thread may be before the requests that stream then are flagged `client-busy`; 5 ms at
    /// first.
    void setBusyAfter(std::chrono::milliseconds lateness);

signals:
    /// A request is over and its lane is free: the next may be sent. Comes before the log line is written.
    void requestEnded(std::shared_ptr<const tokenpace::Timeline> timeline);

private:
    struct QuitWaitDelete {
        void operator()(QThread* thread) const;
    };
    NetworkWorker* m_worker = nullptr; // lives on m_thread; deleted when that finishes
    std::unique_ptr<QThread, QuitWaitDelete> m_thread; // last: joins before the rest goes
};

} // namespace tokenpace
