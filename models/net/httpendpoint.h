// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>

#include <QByteArray>
#include <QNetworkReply>
#include <QString>

#include "net/tlssession.h"

namespace tokenpace {

/// Where a connection leads, and how. Requests that share all of it may share connections.
struct HttpEndpoint {
    QString host;
    std::uint16_t port = 0;
    bool secure = false;
    TlsTrust trust;
    QString proxyHost; ///< empty: none
    std::uint16_t proxyPort = 0;
    QByteArray proxyAuthorization; ///< value of Proxy-Authorization, or empty

    /// Host and port as a CONNECT request names them.
    [[nodiscard]] QByteArray place() const;
    /// What a failure to connect means where a proxy is what is connected to.
    [[nodiscard]] QNetworkReply::NetworkError connectFailure(QNetworkReply::NetworkError code) const;

    friend bool operator==(const HttpEndpoint&, const HttpEndpoint&) = default;
};

} // namespace tokenpace
