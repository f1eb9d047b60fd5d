// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <QNetworkReply>
#include <QObject>
#include <QString>
#include <QTimer>

#include "net/attempt.h"
#include "net/clientrequest.h"
#include "net/manager.h"
#include "wire/replyreader.h"

namespace tokenpace {

using WallClock = std::chrono::system_clock;

/// One manager with one request in flight, so that its signals can belong to no other. Sends the request, stamps what
/// comes back and feeds it to the reader; keeps the limits; sends again where that is wanted. Knows its manager only
/// as QNetworkAccessManager. Lives on the network thread, owned by the worker.
class Lane final : public QObject {
    Q_OBJECT
public:
    /// Takes requests for the origin of `url` along `route`. Mailbox and pool must outlive the lane.
    Lane(const QUrl& url, Route route, ClientMailbox& mailbox, ConnectionPool& pool);
    ~Lane() override;

    [[nodiscard]] bool serves(const QUrl& url, const Route& route) const;
    [[nodiscard]] bool idle() const { return m_state == State::Idle; }
    [[nodiscard]] Stamp idleSince() const { return m_idleSince; }
    [[nodiscard]] bool carries(const QString& run, int seq) const;

    /// `asked` and `askedWall` are the clocks when the client was asked to send it.
    void start(ClientRequest request, Stamp asked, WallClock::time_point askedWall);
    void cancel();
    /// The thread was late: flags the request whose reply streams.
    void noteBusy();

signals:
    /// The request is over and the lane is idle again.
    void ended(std::shared_ptr<tokenpace::Timeline> timeline);

private:
    enum class State { Idle, Running, Waiting };
    void beginAttempt(Stamp asked);
    void freshRecord(Stamp asked);
    void refuse(const QString& why);
    void onConnecting();
    void onEncrypted();
    void onRequestSent();
    void onUploadProgress(qint64 sent, qint64 total);
    void onMetaData();
    void onReadyRead();
    void onFinished();
    void onTimer();

    void setZero(Stamp at);
    void readAvailable(Stamp now);
    void tellOutputs();
    void failTransport(QNetworkReply::NetworkError code, Stamp now);
    [[nodiscard]] std::optional<Deadline> deadline() const;
    void arm();
    void endAttempt();
    void fillPhases();
    void waitForRetry(std::chrono::milliseconds wait);
    void dropReply();
    void complete();

    const QUrl m_origin;
    const Route m_route;
    ClientMailbox& m_mailbox;
    ConnectionPool& m_pool;
    Manager m_manager; ///< made when first needed, and anew after a reply was dropped

    State m_state = State::Idle;
    Stamp m_idleSince{};
    ClientRequest m_request; ///< its timeline is what each attempt starts from
    QString m_run;
    Stamp m_asked{};
    WallClock::time_point m_askedWall;
    int m_attempts = 0;
    std::vector<Attempt> m_attemptLog;
    Stamp m_waitBegan{};
    Stamp m_waitUntil{};

    AttemptProgress m_progress;
    std::size_t m_told = 0; ///< outputs of this attempt that the mailbox knows of
    std::shared_ptr<Timeline> m_timeline;
    std::optional<wire::ReplyReader> m_reader; // reads into *m_timeline
    QNetworkReply* m_reply = nullptr; // owned by m_manager
    QTimer m_timer;
    Stamp m_armedFor{};
};

} // namespace tokenpace
