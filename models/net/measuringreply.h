// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <deque>

#include <QNetworkReply>
#include <QPointer>
#include <QTimer>

#include "net/httpconnection.h"
#include "net/stamps.h"

namespace tokenpace {

class ConnectionPool;

/// One exchange as QNetworkReply shows it: its signals come in the order of the table in MeasuringManager. Two promises
/// make its stamps exact: readyRead comes once for each stamp, and one read() never crosses a stamp. Lives on the
/// network thread; the manager owns it.
class MeasuringReply final : public QNetworkReply, public Stamped, private HttpReceiver {
public:
    /// A request in the words of HTTP.
    struct Outgoing {
        HttpEndpoint endpoint;
        QByteArray head;
        QByteArray body;
    };

    MeasuringReply(QNetworkAccessManager::Operation operation, const QNetworkRequest& request, QObject* parent);
    ~MeasuringReply() override;

    /// Sends it; a look-up, a connect or a signal comes no earlier than the loop turns.
    void send(ConnectionPool& pool, const Outgoing& outgoing, int transferTimeoutMs);
    /// It can't be sent: fails when the loop turns.
    void refuse(NetworkError code, const QString& words);

    void abort() override;
    void close() override;
    [[nodiscard]] qint64 bytesAvailable() const override;
    [[nodiscard]] bool canReadLine() const override;
    [[nodiscard]] bool isSequential() const override { return true; }
    void ignoreSslErrors() override { }

    [[nodiscard]] Stamp arrival() const override { return m_arrival.at; }
    [[nodiscard]] bool kernelStamp() const override { return m_arrival.kernel; }
    [[nodiscard]] PhaseDurations phases() const override;
    [[nodiscard]] std::optional<Stamp> sentAt() const override { return exchange().sent; }

protected:
    qint64 readData(char* data, qint64 size) override;
    qint64 readLineData(char* data, qint64 size) override;
    qint64 writeData(const char*, qint64) override { return -1; }

private:
    struct Segment {
        QByteArray bytes;
        qsizetype done = 0; ///< bytes that were read
        ArrivalStamp stamp;
    };

    void connectionStarted() override;
    void connectionSecured() override;
    void requestProgressed(qint64 sent) override;
    void requestWritten() override;
    void headReceived(const ResponseHead& head, const ArrivalStamp& stamp) override;
    void bodyReceived(const QByteArray& bytes, const ArrivalStamp& stamp) override;
    void responseEnded() override;
    void exchangeFailed(NetworkError code, const QString& words) override;

    void setHead(const ResponseHead& head);
    void fail(NetworkError code, const QString& words);
    void finish();
    void letGo();
    [[nodiscard]] const ExchangeStamps& exchange() const;
    [[nodiscard]] qint64 take(char* data, qint64 size);

    QPointer<HttpConnection> m_connection; // the pool's; null when it is not ours any more
    ExchangeStamps m_stamps; ///< once the connection is not ours any more
    qint64 m_bodySize = 0; ///< of the request
    bool m_over = false; ///< nothing more will be told
    qint64 m_received = 0;
    qint64 m_expected = -1; ///< the response's Content-Length
    std::deque<Segment> m_segments;
    qint64 m_available = 0;
    ArrivalStamp m_arrival;
    QTimer m_silence; ///< the manager's or the request's transfer time-out
};

} // namespace tokenpace
