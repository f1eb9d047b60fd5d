// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/resolver.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <QHostAddress>
#include <QUrl>

#include <netdb.h>
#include <netinet/in.h>

namespace tokenpace {

using namespace std::chrono_literals;

namespace {

constexpr Stamp keptFor = 1min; // as long as Qt keeps them; getaddrinfo() does not tell how long they hold

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

/// IPv6 and IPv4 in turn, beginning with what the system prefers (RFC 8305).
void interleave(std::vector<SocketAddress>& addresses)
{
    if (addresses.empty()) {
        return;
    }
    const auto first = addresses.front().storage.ss_family;
    std::vector<SocketAddress> of[2];
    for (const SocketAddress& address : addresses) {
        of[address.storage.ss_family == first ? 0 : 1].push_back(address);
    }
    addresses.clear();
    for (std::size_t i = 0; i < std::max(of[0].size(), of[1].size()); ++i) {
        for (const auto& family : of) {
            if (i < family.size()) {
                addresses.push_back(family[i]);
            }
        }
    }
}

Resolver::Answer lookedUp(const QString& host)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const QByteArray ascii = QUrl::toAce(host);
    const QByteArray name = ascii.isEmpty() ? host.toUtf8() : ascii; // such as one with an underscore
    const int error = ::getaddrinfo(name.constData(), nullptr, &hints, &found);
    const std::unique_ptr<addrinfo, FreeAddresses> list(found);
    Resolver::Answer answer;
    for (const addrinfo* one = list.get(); one; one = one->ai_next) {
        if (one->ai_family != AF_INET && one->ai_family != AF_INET6) {
            continue;
        }
        SocketAddress address;
        address.size = static_cast<socklen_t>(one->ai_addrlen);
        std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
        answer.addresses.push_back(address);
    }
    interleave(answer.addresses);
    if (answer.addresses.empty()) {
        answer.problem = QStringLiteral("Host %1 not found").arg(host);
        if (error != 0 && error != EAI_NONAME) {
            answer.problem += QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(::gai_strerror(error)));
        }
    }
    return answer;
}

std::optional<SocketAddress> literal(const QString& host)
{
    QHostAddress parsed;
    if (!parsed.setAddress(host)) {
        return std::nullopt;
    }
    SocketAddress address;
    if (parsed.protocol() == QAbstractSocket::IPv6Protocol) {
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        const Q_IPV6ADDR bytes = parsed.toIPv6Address();
        std::memcpy(&six.sin6_addr, &bytes, sizeof bytes);
        six.sin6_scope_id = parsed.scopeId().toUInt();
        address.size = sizeof six;
        std::memcpy(&address.storage, &six, sizeof six);
    } else {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_addr.s_addr = htonl(parsed.toIPv4Address());
        address.size = sizeof four;
        std::memcpy(&address.storage, &four, sizeof four);
    }
    return address;
}

} // namespace

void SocketAddress::setPort(std::uint16_t port)
{
    const std::uint16_t inOrder = htons(port);
    const std::size_t at =
        storage.ss_family == AF_INET6 ? offsetof(sockaddr_in6, sin6_port) : offsetof(sockaddr_in, sin_port);
    std::memcpy(reinterpret_cast<char*>(&storage) + at, &inOrder, sizeof inOrder);
}

Resolver::Resolver(QObject* parent)
    : QObject(parent)
    , m_aside(this, Aside::End::LetGo)
{
}

std::optional<Resolver::Answer> Resolver::known(const QString& host) const
{
    if (const auto address = literal(host)) {
        return Answer{{*address}, {}};
    }
    const auto found = m_known.constFind(host);
    if (found == m_known.constEnd() || steadyNow() - found->at > keptFor) {
        return std::nullopt;
    }
    return found->answer;
}

void Resolver::lookUp(const QString& host, QObject* receiver, Handler handler)
{
    QList<Waiting>& waiting = m_waiting[host];
    waiting.append({receiver, std::move(handler)});
    if (waiting.size() > 1) {
        return;
    }
    m_aside.run(
        [host] {
            return lookedUp(host);
        },
        [this, host, round = m_round](Answer answer) {
            take(host, round, answer);
        });
}

void Resolver::take(const QString& host, int round, const Answer& answer)
{
    if (round == m_round && !answer.addresses.empty()) {
        m_known[host] = {answer, steadyNow()};
    }
    const QList<Waiting> waiting = m_waiting.take(host);
    for (const Waiting& one : waiting) {
        if (one.receiver) {
            one.handler(answer);
        }
    }
}

void Resolver::forget(const QString& host)
{
    m_known.remove(host);
    ++m_round;
}

void Resolver::forgetAll()
{
    m_known.clear();
    ++m_round;
}

} // namespace tokenpace
