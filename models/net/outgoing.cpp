// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/outgoing.h"

#include <algorithm>
#include <array>

#include <QByteArrayView>

namespace tokenpace {

namespace {

bool isTokenCharacter(char c)
{
    constexpr QByteArrayView punctuation("!#$%&'*+-.^_`|~");
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || punctuation.contains(c);
}

bool isValueCharacter(char c)
{
    return (c >= ' ' && c <= '~') || c == '\t';
}

QString problemOf(const QByteArray& name, const QByteArray& value)
{
    if (name.isEmpty() || !std::all_of(name.begin(), name.end(), isTokenCharacter)) {
        return QStringLiteral("a header's name has a character that no name may have");
    }
    constexpr std::array<QByteArrayView, 2> framing{"content-length", "transfer-encoding"};
    if (std::find(framing.begin(), framing.end(), QByteArrayView(name.toLower())) != framing.end()) {
        return QStringLiteral("the header %1 is set by the client itself").arg(QString::fromLatin1(name));
    }
    const auto bad = std::find_if_not(value.begin(), value.end(), isValueCharacter);
    if (bad == value.end()) {
        return {};
    }
    constexpr int digits = 2;
    constexpr int hexadecimal = 16;
    return QStringLiteral("byte %1 of the header %2 is 0x%3, which no header may hold")
        .arg(bad - value.begin() + 1)
        .arg(QString::fromLatin1(name))
        .arg(static_cast<uint>(static_cast<unsigned char>(*bad)), digits, hexadecimal, QLatin1Char('0'));
}

} // namespace

QUrl originOf(const QUrl& url)
{
    constexpr int httpPort = 80;
    constexpr int httpsPort = 443;
    QUrl origin;
    origin.setScheme(url.scheme());
    origin.setHost(url.host());
    origin.setPort(url.port(url.scheme() == u"https" ? httpsPort : httpPort));
    return origin;
}

QString problemOf(const ClientRequest& request)
{
    const QString scheme = request.url.scheme();
    if (!request.url.isValid() || request.url.host().isEmpty() || (scheme != u"http" && scheme != u"https")) {
        return QStringLiteral("the base URL must be like http://host:port/v1 or https://host/v1");
    }
    for (const auto& [name, value] : request.headers) {
        const QString problem = problemOf(name, value);
        if (!problem.isEmpty()) {
            return problem;
        }
    }
    return {};
}

QNetworkRequest outgoingRequest(const ClientRequest& request)
{
    QNetworkRequest outgoing(request.url);
    outgoing.setRawHeader("Content-Type", "application/json");
    outgoing.setRawHeader("Accept", "*/*");
    outgoing.setRawHeader("Accept-Language", "*"); // Qt would tell the user's locale
    outgoing.setRawHeader("User-Agent", "tokenpace/" TOKENPACE_VERSION);
    for (const auto& [name, value] : request.headers) {
        outgoing.setRawHeader(name, value);
    }
    // A compressed stream is held back until a block is full, and says nothing of when a token came.
    outgoing.setRawHeader("Accept-Encoding", "identity");
    return outgoing;
}

QString redirectTarget(const QUrl& url, const QByteArray& location)
{
    if (location.isEmpty()) {
        return {};
    }
    const QUrl target = url.resolved(QUrl(QString::fromUtf8(location)));
    return target.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
}

bool clockJumped(std::chrono::nanoseconds wall, std::chrono::nanoseconds steady)
{
    constexpr std::chrono::seconds tolerance(1);
    return std::chrono::abs(wall - steady) > tolerance;
}

} // namespace tokenpace
