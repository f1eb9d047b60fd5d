// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QNetworkAccessManager>
#include <QSslConfiguration>

namespace tokenpace {

/// Qt's own manager, used well: no cache, cookies, redirects or transfer time-out of its own, HTTP/1.1 unless asked
/// otherwise, and two remedies for bodies over 16 KiB, which it writes in slices. They go on a fresh connection; and
/// the socket's TCP_NODELAY is set, which it leaves off, so that Nagle's algorithm does not hold the last slice back
/// for the 40 ms of a delayed acknowledgement. For one request at a time; any one thread.
class StockManager final : public QNetworkAccessManager {
    Q_OBJECT
public:
    /// The largest body that it writes at once.
    static constexpr qint64 sliceBytes = qint64{16} * 1024;

    StockManager(QSslConfiguration tls, bool http2, QObject* parent = nullptr);

protected:
    QNetworkReply* createRequest(Operation operation, const QNetworkRequest& request, QIODevice* body) override;

private:
    QSslConfiguration m_tls;
    bool m_http2 = false;
    bool m_used = false; ///< there may be a connection
};

} // namespace tokenpace
