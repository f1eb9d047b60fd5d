// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "stampserver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QStringList>

namespace tokenpace::bench {

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanoseconds(Clock::time_point at)
{
    return at.time_since_epoch().count();
}

struct Connection {
    std::string read;
    std::int64_t receivedNs = 0;
    int left = 0; ///< tokens
    std::chrono::microseconds gap{};
    bool first = true;
};

struct Due {
    Clock::time_point at;
    int socket = -1;
    bool operator>(const Due& other) const { return at > other.at; }
};

class Server {
public:
    explicit Server(int listener)
        : m_listener(listener)
        , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
    {
        add(listener);
    }

    [[noreturn]] void run()
    {
        for (;;) {
            std::array<epoll_event, 64> events;
            timespec wait{1, 0};
            if (!m_due.empty()) {
                const auto left = std::max<std::int64_t>(0, nanoseconds(m_due.top().at) - nanoseconds(Clock::now()));
                wait = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
            }
            const int count = ::epoll_pwait2(m_epoll, events.data(), static_cast<int>(events.size()), &wait, nullptr);
            for (int i = 0; i < count; ++i) {
                const int socket = events[static_cast<std::size_t>(i)].data.fd;
                if (socket == m_listener) {
                    accept();
                } else {
                    receive(socket);
                }
            }
            while (!m_due.empty() && m_due.top().at <= Clock::now()) {
                const Due due = m_due.top();
                m_due.pop();
                sendNext(due);
            }
        }
    }

private:
    void add(int socket)
    {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = socket;
        ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, socket, &event);
    }

    void accept()
    {
        const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_connections[socket] = {};
        add(socket);
    }

    void receive(int socket)
    {
        std::array<char, 65536> buffer;
        const auto size = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (size <= 0) {
            ::close(socket);
            m_connections.erase(socket);
            return;
        }
        Connection& connection = m_connections[socket];
        connection.read.append(buffer.data(), static_cast<std::size_t>(size));
        const auto head = connection.read.find("\r\n\r\n");
        const auto length = connection.read.find("Content-Length: ");
        if (head == std::string::npos || length == std::string::npos) {
            return;
        }
        const auto body = static_cast<std::size_t>(std::atoll(connection.read.c_str() + length + 16));
        if (connection.read.size() < head + 4 + body) {
            return;
        }
        connection.receivedNs = nanoseconds(Clock::now());
        int tokens = 0;
        long gapUs = 0;
        int burst = 0;
        std::sscanf(connection.read.c_str(), "POST /%d/%ld/%d", &tokens, &gapUs, &burst);
        connection.read.clear();
        connection.left = tokens;
        connection.gap = std::chrono::microseconds(gapUs);
        connection.first = true;
        auto at = Clock::now() + connection.gap;
        if (burst != 0) {
            const auto ticks = at.time_since_epoch() / connection.gap;
            at = Clock::time_point(std::chrono::duration_cast<Clock::duration>((ticks + 1) * connection.gap));
        }
        m_due.push({at, socket});
    }

    void sendNext(const Due& due)
    {
        const auto found = m_connections.find(due.socket);
        if (found == m_connections.end() || found->second.left == 0) {
            return;
        }
        Connection& connection = found->second;
        std::string head;
        std::string event = "data: {";
        if (connection.first) {
            head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
            event += "\"received\":" + std::to_string(connection.receivedNs) + ",";
            connection.first = false;
        }
        const bool last = --connection.left == 0;
        event += "\"sent\":" + std::to_string(nanoseconds(Clock::now())) + "}\n\n";
        std::array<char, 16> size;
        std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
        const std::string bytes = head + size.data() + event + "\r\n" + (last ? "0\r\n\r\n" : "");
        ::send(due.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (!last) {
            m_due.push({due.at + connection.gap, due.socket});
        }
    }

    int m_listener;
    int m_epoll;
    std::map<int, Connection> m_connections;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
};

} // namespace

int serveStamps()
{
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::prctl(PR_SET_TIMERSLACK, 1);
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    union {
        sockaddr any;
        sockaddr_in four;
    } address{};
    address.four.sin_family = AF_INET;
    address.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address.four;
    if (::bind(listener, &address.any, size) != 0 || ::listen(listener, SOMAXCONN) != 0
        || ::getsockname(listener, &address.any, &size) != 0) {
        return 1;
    }
    std::printf("%d\n", ntohs(address.four.sin_port));
    std::fflush(stdout);
    Server(listener).run();
}

StampServer::StampServer()
{
    constexpr int startTimeoutMs = 10'000;
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--serve")});
    while (m_process.state() != QProcess::NotRunning && !m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(startTimeoutMs)) {
            return;
        }
    }
    m_port = m_process.readLine().trimmed().toInt();
}

StampServer::~StampServer()
{
    m_process.terminate();
    m_process.waitForFinished();
}

} // namespace tokenpace::bench
