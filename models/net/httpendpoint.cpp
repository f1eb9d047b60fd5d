// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/httpendpoint.h"

#include <QUrl>

namespace tokenpace {

QByteArray HttpEndpoint::place() const
{
    const QByteArray ascii = QUrl::toAce(host);
    const QByteArray name = ascii.isEmpty() ? host.toUtf8() : ascii;
    return (host.contains(u':') ? '[' + name + ']' : name) + ':' + QByteArray::number(port);
}

QNetworkReply::NetworkError HttpEndpoint::connectFailure(QNetworkReply::NetworkError code) const
{
    if (proxyHost.isEmpty()) {
        return code;
    }
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        return QNetworkReply::ProxyConnectionRefusedError;
    case QNetworkReply::HostNotFoundError:
        return QNetworkReply::ProxyNotFoundError;
    case QNetworkReply::TimeoutError:
        return QNetworkReply::ProxyTimeoutError;
    default:
        return code;
    }
}

} // namespace tokenpace
