// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/measuringmanager.h"

#include <algorithm>
#include <utility>

#include <QBuffer>
#include <QNetworkProxy>
#include <QNetworkRequest>
#include <QUrl>

#include "net/connectionpool.h"
#include "net/measuringreply.h"

namespace tokenpace {

namespace {

constexpr int httpPort = 80;
constexpr int httpsPort = 443;

QByteArray methodOf(QNetworkAccessManager::Operation operation, const QNetworkRequest& request)
{
    switch (operation) {
    case QNetworkAccessManager::HeadOperation:
        return "HEAD";
    case QNetworkAccessManager::GetOperation:
        return "GET";
    case QNetworkAccessManager::PutOperation:
        return "PUT";
    case QNetworkAccessManager::PostOperation:
        return "POST";
    case QNetworkAccessManager::DeleteOperation:
        return "DELETE";
    default:
        return request.attribute(QNetworkRequest::CustomVerbAttribute).toByteArray();
    }
}

/// The body, without a copy where it is in memory. False: it can't be read.
bool readBody(QIODevice* device, QByteArray& body)
{
    if (!device) {
        return true;
    }
    if (!device->isOpen() || !device->isReadable() || device->isSequential()) {
        return false;
    }
    auto* const buffer = qobject_cast<QBuffer*>(device);
    body = buffer && buffer->pos() == 0 ? buffer->data() : device->readAll();
    return true;
}

QByteArray authorizationOf(const QNetworkProxy& proxy)
{
    if (proxy.user().isEmpty()) {
        return {};
    }
    return "Basic " + (proxy.user() + u':' + proxy.password()).toUtf8().toBase64();
}

/// Host and, where it isn't the scheme's own, port.
QByteArray placeOf(const QUrl& url)
{
    QByteArray place = url.host(QUrl::FullyEncoded).toLatin1();
    if (place.contains(':')) {
        place = '[' + place + ']';
    }
    const int standard = url.scheme() == u"https" ? httpsPort : httpPort;
    return url.port(standard) == standard ? place : place + ':' + QByteArray::number(url.port());
}

bool breaksOut(const QByteArray& text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        return c == '\r' || c == '\n' || c == '\0';
    });
}

/// Request line and fields; empty when one of them would begin another.
QByteArray headOf(const QByteArray& method, const QNetworkRequest& request, const HttpEndpoint& endpoint,
                  qint64 bodySize, bool hasBody)
{
    const QUrl& url = request.url();
    const bool absolute = !endpoint.proxyHost.isEmpty() && !endpoint.secure;
    QByteArray target = url.path(QUrl::FullyEncoded).toLatin1();
    if (target.isEmpty()) {
        target = "/";
    }
    if (url.hasQuery()) {
        target += '?' + url.query(QUrl::FullyEncoded).toLatin1();
    }
    QByteArray head = method + ' ' + (absolute ? "http://" + placeOf(url) : QByteArray()) + target + " HTTP/1.1\r\n";
    const auto add = [&head](const QByteArray& name, const QByteArray& value) {
        head += name + ": " + value + "\r\n";
    };
    if (!request.hasRawHeader("Host")) {
        add("Host", placeOf(url));
    }
    if (absolute && !endpoint.proxyAuthorization.isEmpty()) {
        add("Proxy-Authorization", endpoint.proxyAuthorization);
    }
    bool choosesEncoding = false;
    const auto names = request.rawHeaderList();
    for (const QByteArray& name : names) {
        const QByteArray lower = name.toLower();
        const QByteArray value = request.rawHeader(name);
        if (breaksOut(name) || breaksOut(value)) {
            return {};
        }
        choosesEncoding = choosesEncoding || lower == "accept-encoding";
        if (lower != "content-length" && lower != "transfer-encoding") { // they are this function's
            add(name, value);
        }
    }
    if (!choosesEncoding) {
        add("Accept-Encoding", "identity"); // nothing is unpacked here
    }
    if (hasBody) {
        add("Content-Length", QByteArray::number(bodySize));
    }
    return head + "\r\n";
}

} // namespace

MeasuringManager::MeasuringManager(ConnectionPool& pool, TlsTrust trust, QObject* parent)
    : QNetworkAccessManager(parent)
    , m_pool(pool)
    , m_trust(std::move(trust))
{
}

QNetworkReply* MeasuringManager::createRequest(Operation operation, const QNetworkRequest& request, QIODevice* body)
{
    QNetworkRequest prepared(request);
    if (autoDeleteReplies() && !prepared.attribute(QNetworkRequest::AutoDeleteReplyOnFinishAttribute).isValid()) {
        prepared.setAttribute(QNetworkRequest::AutoDeleteReplyOnFinishAttribute, true);
    }
    auto* const reply = new MeasuringReply(operation, prepared, this);
    const QUrl& url = prepared.url();
    const bool secure = url.scheme() == u"https";
    if ((!secure && url.scheme() != u"http") || url.host().isEmpty()) {
        reply->refuse(QNetworkReply::ProtocolUnknownError, tr("Protocol \"%1\" is unknown").arg(url.scheme()));
        return reply;
    }
    MeasuringReply::Outgoing outgoing;
    outgoing.endpoint.host = url.host();
    outgoing.endpoint.port = static_cast<std::uint16_t>(url.port(secure ? httpsPort : httpPort));
    outgoing.endpoint.secure = secure;
    if (secure) {
        outgoing.endpoint.trust = m_trust;
    }
    const QNetworkProxy through = proxy();
    if (through.type() == QNetworkProxy::HttpProxy) {
        outgoing.endpoint.proxyHost = through.hostName();
        outgoing.endpoint.proxyPort = through.port();
        outgoing.endpoint.proxyAuthorization = authorizationOf(through);
    } else if (through.type() != QNetworkProxy::NoProxy && through.type() != QNetworkProxy::DefaultProxy) {
        reply->refuse(QNetworkReply::UnknownProxyError, tr("only HTTP proxies can be used"));
        return reply;
    }
    if (!readBody(body, outgoing.body)) {
        reply->refuse(QNetworkReply::ProtocolInvalidOperationError, tr("the body can't be read, or has no known size"));
        return reply;
    }
    const bool hasBody = body || operation == PostOperation || operation == PutOperation;
    outgoing.head = headOf(methodOf(operation, prepared), prepared, outgoing.endpoint, outgoing.body.size(), hasBody);
    if (outgoing.head.isEmpty()) {
        reply->refuse(QNetworkReply::ProtocolInvalidOperationError, tr("a header holds a line end"));
        return reply;
    }
    const int limitMs = prepared.transferTimeout() > 0 ? prepared.transferTimeout() : transferTimeout();
    reply->send(m_pool, outgoing, limitMs);
    return reply;
}

} // namespace tokenpace
