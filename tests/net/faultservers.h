// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include <QHash>
#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tokenpace::test {

/// Answers each connection with bytes that `reply` gives, and closes it. On a thread of its own.
class ByteServer {
public:
    explicit ByteServer(std::function<std::string()> reply, int family = AF_INET)
        : m_reply(std::move(reply))
        , m_listener(::socket(family, SOCK_STREAM, 0))
    {
        union {
            sockaddr any;
            sockaddr_in four;
            sockaddr_in6 six;
        } address{};
        address.any.sa_family = static_cast<sa_family_t>(family);
        socklen_t size = sizeof address.four;
        if (family == AF_INET6) {
            const int on = 1;
            ::setsockopt(m_listener, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
            address.six.sin6_addr = in6addr_loopback;
            size = sizeof address.six;
        } else {
            address.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        }
        listening = ::bind(m_listener, &address.any, size) == 0 && ::listen(m_listener, SOMAXCONN) == 0;
        ::getsockname(m_listener, &address.any, &size);
        port = ntohs(family == AF_INET6 ? address.six.sin6_port : address.four.sin_port);
        m_thread = std::thread([this] {
            serve();
        });
    }
    ~ByteServer()
    {
        m_stop = true;
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
    }
    ByteServer(const ByteServer&) = delete;
    ByteServer& operator=(const ByteServer&) = delete;

    bool listening = false;
    std::uint16_t port = 0;

private:
    void serve()
    {
        while (!m_stop) {
            const int socket = ::accept(m_listener, nullptr, nullptr);
            if (socket < 0) {
                continue;
            }
            const timeval limit{1, 0}; // a client that went away without a word
            ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            char buffer[4096];
            if (::recv(socket, buffer, sizeof buffer, 0) > 0) {
                const std::string bytes = m_reply();
                ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            }
            ::close(socket);
        }
    }

    std::function<std::string()> m_reply;
    int m_listener = -1;
    std::atomic<bool> m_stop = false;
    std::thread m_thread;
};

/// A proxy that opens tunnels to one port of this machine, or refuses with its own answer.
class TunnelProxy final : public QObject {
public:
    explicit TunnelProxy(quint16 target, const QByteArray& refusal = {})
        : m_target(target)
        , m_refusal(refusal)
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket* const client = m_server.nextPendingConnection();
            connect(client, &QTcpSocket::readyRead, this, [this, client] {
                take(client);
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }

    [[nodiscard]] QUrl url() const
    {
        return QUrl(QStringLiteral("http://me:pw@127.0.0.1:%1").arg(m_server.serverPort()));
    }

    QByteArray asked;

private:
    void take(QTcpSocket* client)
    {
        if (QTcpSocket* const far = m_far.value(client)) {
            far->write(client->readAll());
            return;
        }
        asked += client->readAll();
        if (!asked.endsWith("\r\n\r\n")) {
            return;
        }
        if (!m_refusal.isEmpty()) {
            client->write(m_refusal);
            return;
        }
        auto* const far = new QTcpSocket(client);
        m_far[client] = far;
        connect(far, &QTcpSocket::connected, client, [client] {
            client->write("HTTP/1.1 200 Connection established\r\n\r\n");
        });
        connect(far, &QTcpSocket::readyRead, client, [client, far] {
            client->write(far->readAll());
        });
        far->connectToHost(QHostAddress::LocalHost, m_target);
    }

    QTcpServer m_server;
    quint16 m_target;
    QByteArray m_refusal;
    QHash<QTcpSocket*, QTcpSocket*> m_far;
};

} // namespace tokenpace::test
