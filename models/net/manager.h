// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <string>

#include <QNetworkAccessManager>
#include <QSslConfiguration>
#include <QString>
#include <QUrl>

#include "net/clientrequest.h"

namespace tokenpace {

/// A network manager and what a record must say of it: all that the code which reads replies knows of who made them.
struct Manager {
    std::unique_ptr<QNetworkAccessManager> access; ///< null when there is a problem
    std::string name; ///< as records have it
    qint64 coarseAbove = 0; ///< a larger body on a reused connection has a coarse time zero; 0: none has
    QString proxy; ///< host and port of the proxy that it goes through, or empty
    QSslConfiguration tls; ///< what it trusts and checks; of use for https only
    QString problem; ///< why the route cannot be taken, in words, or empty
};

class ConnectionPool;

/// Makes the manager for one lane to the origin of `url`. Its thread is the caller's, and so is that of `pool`, which
/// must outlive it. The measuring manager needs a pool; without one, for HTTP/2 and through SOCKS the stock manager
/// serves.
[[nodiscard]] Manager makeManager(const Route& route, const QUrl& url, ConnectionPool* pool = nullptr);

} // namespace tokenpace
