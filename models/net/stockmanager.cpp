// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/stockmanager.h"

#include <cstdint>
#include <utility>

#include <QIODevice>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>

#include "net/sockets.h"

namespace tokenpace {

namespace {

std::uint16_t connectedPort(const QNetworkAccessManager& manager, const QUrl& url)
{
    constexpr int httpPort = 80;
    constexpr int httpsPort = 443;
    const QNetworkProxy proxy = manager.proxy();
    if (proxy.type() == QNetworkProxy::HttpProxy || proxy.type() == QNetworkProxy::Socks5Proxy) {
        return proxy.port();
    }
    return static_cast<std::uint16_t>(url.port(url.scheme() == u"https" ? httpsPort : httpPort));
}

} // namespace

StockManager::StockManager(QSslConfiguration tls, bool http2, QObject* parent)
    : QNetworkAccessManager(parent)
    , m_tls(std::move(tls))
    , m_http2(http2)
{
    setTransferTimeout(0); // the limits are timers of the caller's, which know what they limit
}

QNetworkReply* StockManager::createRequest(Operation operation, const QNetworkRequest& request, QIODevice* body)
{
    QNetworkRequest prepared(request);
    prepared.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    prepared.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    prepared.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    prepared.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    prepared.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    prepared.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    prepared.setAttribute(QNetworkRequest::Http2AllowedAttribute, m_http2);
    prepared.setSslConfiguration(m_tls);

    const bool sliced = body && body->size() > sliceBytes;
    const bool reuses = m_used && !sliced && !m_serverCloses;
    if (m_used && !reuses) {
        clearConnectionCache();
    }
    m_used = true;
    QNetworkReply* const reply = QNetworkAccessManager::createRequest(operation, prepared, body);
    if (reuses) {
        connect(reply, &QNetworkReply::socketStartedConnecting, this, [this] {
            m_serverCloses = true;
        });
        connect(reply, &QNetworkReply::requestSent, this, [this, before = false]() mutable {
            m_serverCloses = m_serverCloses || std::exchange(before, true);
        });
    }
    if (sliced) {
        // the first slice is written, so the socket is there; the next one waits for this thread's event loop
        const std::uint16_t port = connectedPort(*this, request.url());
        connect(reply, &QNetworkReply::requestSent, this, [port] {
            sendWithoutDelay(port);
        });
    }
    return reply;
}

} // namespace tokenpace
