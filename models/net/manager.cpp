// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/manager.h"

#include <cstdint>

#include <QFile>
#include <QIODevice>
#include <QNetworkProxy>
#include <QSslCertificate>

#include "net/connectionpool.h"
#include "net/measuringmanager.h"
#include "net/stockmanager.h"

namespace tokenpace {

namespace {

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

/// Of a file named by the user; none sets `problem`.
QList<QSslCertificate> authoritiesFrom(const QString& caFile, QString& problem)
{
    QFile file(caFile);
    const QList<QSslCertificate> authorities =
        file.open(QIODevice::ReadOnly) ? QSslCertificate::fromDevice(&file) : QList<QSslCertificate>();
    if (authorities.isEmpty()) {
        problem = QStringLiteral("no certificate could be read from caFile %1").arg(caFile);
    }
    return authorities;
}

QSslConfiguration tlsFor(const Route& route, QString& problem)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (!route.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = authoritiesFrom(route.caFile, problem);
        // adding one switches the loading of the system's on demand off
        tls.setCaCertificates(QSslConfiguration::systemCaCertificates() + authorities);
    }
    if (route.insecure) {
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    }
    return tls;
}

/// The measuring manager speaks no HTTP/2, and goes through no proxy but those of HTTP.
bool canMeasure(const Route& route, const QNetworkProxy& proxy)
{
    return !route.http2
        && (proxy.type() == QNetworkProxy::NoProxy || proxy.type() == QNetworkProxy::DefaultProxy
            || proxy.type() == QNetworkProxy::HttpProxy);
}

Manager measuringManager(const Route& route, const QUrl& url, ConnectionPool& pool)
{
    Manager made;
    made.name = "measuring";
    const TlsTrust trust{route.caFile, route.insecure};
    if (url.scheme() == u"https") {
        if (!route.caFile.isEmpty()) {
            authoritiesFrom(route.caFile, made.problem);
        }
        pool.tls().prepare(trust);
    }
    if (made.problem.isEmpty()) {
        made.access = std::make_unique<MeasuringManager>(pool, trust);
    }
    return made;
}

Manager stockManager(const Route& route, const QUrl& url)
{
    Manager made;
    made.name = "stock";
    made.coarseAbove = StockManager::sliceBytes;
    if (url.scheme() == u"https") {
        made.tls = tlsFor(route, made.problem);
    }
    if (made.problem.isEmpty()) {
        made.access = std::make_unique<StockManager>(made.tls, route.http2);
    }
    return made;
}

} // namespace

Manager makeManager(const Route& route, const QUrl& url, ConnectionPool* pool)
{
    QString problem;
    const QNetworkProxy proxy = proxyFor(route, url, problem);
    const bool measures = route.manager == Route::ManagerKind::Measuring && pool && canMeasure(route, proxy);
    Manager made = measures ? measuringManager(route, url, *pool) : stockManager(route, url);
    if (!problem.isEmpty()) {
        made.problem = problem;
        made.access.reset();
    }
    if (!made.access) {
        return made;
    }
    made.access->setProxy(proxy);
    if (proxy.type() != QNetworkProxy::NoProxy && proxy.type() != QNetworkProxy::DefaultProxy) {
        made.proxy = QStringLiteral("%1:%2").arg(proxy.hostName()).arg(proxy.port());
    }
    return made;
}

} // namespace tokenpace
