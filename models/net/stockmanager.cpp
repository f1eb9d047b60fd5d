// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/stockmanager.h"

#include <cstdint>
#include <utility>

#include <QFile>
#include <QIODevice>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslCertificate>

#include "net/manager.h"
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

/// The proxy that a URL names; what cannot be one sets `problem`.
QNetworkProxy proxyFrom(const QUrl& url, QString& problem)
{
    constexpr int httpPort = 8080;
    constexpr int socksPort = 1080;
    const QString scheme = url.scheme();
    const bool socks = scheme == u"socks5" || scheme == u"socks5h" || scheme == u"socks";
    if ((!socks && scheme != u"http") || url.host().isEmpty()) {
        problem = QStringLiteral("the proxy must be http://host:port or socks5://host:port");
        return QNetworkProxy(QNetworkProxy::NoProxy);
    }
    return QNetworkProxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                         static_cast<std::uint16_t>(url.port(socks ? socksPort : httpPort)),
                         url.userName(QUrl::FullyDecoded), url.password(QUrl::FullyDecoded));
}

QNetworkProxy proxyFor(const Route& route, const QUrl& url, QString& problem)
{
    switch (route.proxyMode) {
    case Route::ProxyMode::None:
        break;
    case Route::ProxyMode::System: {
        const auto proxies = QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url));
        return proxies.isEmpty() ? QNetworkProxy(QNetworkProxy::NoProxy) : proxies.first();
    }
    case Route::ProxyMode::Url:
        return proxyFrom(route.proxy, problem);
    }
    return QNetworkProxy(QNetworkProxy::NoProxy);
}

QSslConfiguration tlsFor(const Route& route, QString& problem)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (!route.caFile.isEmpty()) {
        QFile file(route.caFile);
        const QList<QSslCertificate> authorities =
            file.open(QIODevice::ReadOnly) ? QSslCertificate::fromDevice(&file) : QList<QSslCertificate>();
        if (authorities.isEmpty()) {
            problem = QStringLiteral("no certificate could be read from caFile %1").arg(route.caFile);
        }
        // adding one switches the loading of the system's on demand off
        tls.setCaCertificates(QSslConfiguration::systemCaCertificates() + authorities);
    }
    if (route.insecure) {
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    }
    return tls;
}

} // namespace

Manager makeManager(const Route& route, const QUrl& url)
{
    Manager made;
    made.name = "stock";
    made.coarseAbove = StockManager::sliceBytes;
    if (url.scheme() == u"https") {
        made.tls = tlsFor(route, made.problem);
    }
    const QNetworkProxy proxy = proxyFor(route, url, made.problem);
    if (!made.problem.isEmpty()) {
        return made;
    }
    made.access = std::make_unique<StockManager>(made.tls, route.http2);
    made.access->setProxy(proxy);
    if (proxy.type() != QNetworkProxy::NoProxy && proxy.type() != QNetworkProxy::DefaultProxy) {
        made.proxy = QStringLiteral("%1:%2").arg(proxy.hostName()).arg(proxy.port());
    }
    return made;
}

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
