// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/transporterror.h"

#include <optional>

namespace tokenpace {

namespace {

struct Words {
    QString message;
    Phase phase = Phase::Connect;
};

QString detailed(const QString& detail)
{
    return detail.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(detail);
}

Words closedWords(const QString& place, bool written, bool repeated)
{
    if (!written) {
        return {QStringLiteral("%1 closed the connection before the request was sent; check scheme (http or https) and "
                               "port")
                    .arg(place),
                Phase::Connect};
    }
    return {QStringLiteral("%1 closed the connection without an answer%2; look into the server's log")
                .arg(place, repeated ? QStringLiteral(", though the request was sent again") : QString()),
            Phase::Ttft};
}

/// With a proxy the first host that is connected to is the proxy, and only some of its failures have a code of their
/// own.
std::optional<Words> proxiedWords(QNetworkReply::NetworkError code, const QString& place, const QString& proxy)
{
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        return Words{QStringLiteral("connection refused by the proxy %1, or by %2 behind it; check the proxy setting")
                         .arg(proxy, place),
                     Phase::Connect};
    case QNetworkReply::HostNotFoundError:
        return Words{
            QStringLiteral("the proxy %1, or %2 behind it, was not found; check the proxy setting").arg(proxy, place),
            Phase::Dns};
    case QNetworkReply::RemoteHostClosedError:
        return Words{QStringLiteral("the proxy %1 closed the connection without an answer").arg(proxy), Phase::Connect};
    default:
        return std::nullopt;
    }
}

Words wordsOf(QNetworkReply::NetworkError code, const QString& detail, const QString& place, const QString& host,
              const QString& proxy, bool written, bool repeated)
{
    const Phase late = written ? Phase::Ttft : Phase::Connect;
    if (!proxy.isEmpty()) {
        if (auto words = proxiedWords(code, place, proxy)) {
            words->phase = written ? Phase::Ttft : words->phase;
            return *words;
        }
    }
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        return {QStringLiteral("connection refused by %1; is the server running, and is the port right?").arg(place),
                Phase::Connect};
    case QNetworkReply::HostNotFoundError:
        return {QStringLiteral("host %1 not found; check its spelling and the name server").arg(host), Phase::Dns};
    case QNetworkReply::RemoteHostClosedError:
        return closedWords(place, written, repeated);
    case QNetworkReply::TimeoutError:
        return {QStringLiteral("no answer from %1: the system gave up connecting; check host, port and firewall")
                    .arg(place),
                late};
    case QNetworkReply::SslHandshakeFailedError:
        return {QStringLiteral("no secure connection to %1%2; an authority of your own belongs in caFile, and a server "
                               "without TLS needs http://")
                    .arg(place, detailed(detail)),
                Phase::Tls};
    case QNetworkReply::ProxyConnectionRefusedError:
        return {QStringLiteral("connection refused by the proxy %1; check the proxy setting").arg(proxy),
                Phase::Connect};
    case QNetworkReply::ProxyConnectionClosedError:
        return {QStringLiteral("the proxy %1 closed the connection").arg(proxy), late};
    case QNetworkReply::ProxyNotFoundError:
        return {QStringLiteral("the proxy %1 was not found; check the proxy setting").arg(proxy), Phase::Dns};
    case QNetworkReply::ProxyTimeoutError:
        return {QStringLiteral("no answer from the proxy %1").arg(proxy), late};
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return {QStringLiteral("the proxy %1 wants a user and a password").arg(proxy), Phase::Connect};
    case QNetworkReply::UnknownProxyError:
        return {QStringLiteral("the proxy %1 failed%2").arg(proxy, detailed(detail)), late};
    case QNetworkReply::ProtocolUnknownError:
        return {QStringLiteral("the base URL must begin with http:// or https://"), Phase::Queued};
    case QNetworkReply::ProtocolFailure:
        return {QStringLiteral("%1 does not speak HTTP as it should%2; check the port").arg(place, detailed(detail)),
                late};
    case QNetworkReply::NoError:
        return {QStringLiteral("%1 sent an empty reply").arg(place), late};
    default:
        return {QStringLiteral("no reply from %1%2").arg(place, detailed(detail)), late};
    }
}

} // namespace

QString placeOf(const QUrl& url)
{
    constexpr int httpPort = 80;
    constexpr int httpsPort = 443;
    const QString host = url.host(QUrl::FullyDecoded);
    const bool literal6 = host.contains(u':');
    return (literal6 ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2"))
        .arg(host)
        .arg(url.port(url.scheme() == u"https" ? httpsPort : httpPort));
}

RequestError transportError(QNetworkReply::NetworkError code, const QString& detail, const QUrl& url,
                            const QString& proxy, bool written, bool repeated)
{
    // Qt puts the whole URL into some of its texts, and a URL may hold a password or a key
    const bool quotesUrl = detail.contains(u"://") || (!url.query().isEmpty() && detail.contains(url.query()));
    const Words words = wordsOf(code, quotesUrl ? QString() : detail, placeOf(url), url.host(QUrl::FullyDecoded), proxy,
                                written, repeated);
    RequestError error;
    error.kind = ErrorKind::Transport;
    error.message = words.message.toStdString();
    error.phase = words.phase;
    return error;
}

bool isContentError(QNetworkReply::NetworkError code)
{
    return code >= QNetworkReply::ContentAccessDenied || code == QNetworkReply::ProxyAuthenticationRequiredError;
}

bool isPassing(QNetworkReply::NetworkError code)
{
    switch (code) {
    case QNetworkReply::SslHandshakeFailedError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        return false;
    default:
        return true;
    }
}

} // namespace tokenpace
