// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/connector.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "net/kernelclock.h"

namespace tokenpace {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds nextAfter = 250ms; // RFC 8305 recommends it

QNetworkReply::NetworkError codeOf(int error)
{
    switch (error) {
    case ECONNREFUSED:
        return QNetworkReply::ConnectionRefusedError;
    case ETIMEDOUT:
        return QNetworkReply::TimeoutError;
    default:
        return QNetworkReply::UnknownNetworkError;
    }
}

QString wordsOf(int error)
{
    switch (error) {
    case ECONNREFUSED:
        return QStringLiteral("Connection refused");
    case EMFILE:
    case ENFILE:
        return QStringLiteral("too many open connections for this system's limit of open files (ulimit -n)");
    default:
        return QString::fromStdString(std::generic_category().message(error));
    }
}

int openSocket(const SocketAddress& address)
{
    const int socket = ::socket(address.storage.ss_family, SOCK_STREAM, 0);
    if (socket < 0) {
        return -1;
    }
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    stampArrivals(socket);
    return socket;
}

} // namespace

/// One address being tried.
class Connector::Attempt final : public SocketWatcher {
public:
    Attempt(Connector& connector, int descriptor)
        : socket(descriptor)
        , m_connector(connector)
    {
    }
    ~Attempt() override
    {
        if (socket >= 0) {
            m_connector.m_notifier.remove(socket);
            ::close(socket);
        }
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    void socketReady(bool, bool) override
    {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
        m_connector.attemptEnded(this, error);
    }

    int socket = -1;

private:
    Connector& m_connector;
};

Connector::Connector(Resolver& resolver, EpollNotifier& notifier, QObject* parent)
    : QObject(parent)
    , m_resolver(resolver)
    , m_notifier(notifier)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Connector::tryNext);
}

Connector::~Connector()
{
    dropAttempts();
    if (m_socket >= 0) {
        ::close(m_socket);
    }
}

void Connector::start(const QString& host, std::uint16_t port)
{
    m_port = port;
    if (const auto known = m_resolver.known(host)) {
        begin(*known);
        return;
    }
    m_resolver.lookUp(host, this, [this](const Resolver::Answer& answer) {
        m_foundAt = steadyNow();
        begin(answer);
    });
}

void Connector::begin(const Resolver::Answer& answer)
{
    if (answer.addresses.empty()) {
        emit failed(QNetworkReply::HostNotFoundError, answer.problem);
        return;
    }
    m_addresses = answer.addresses;
    for (SocketAddress& address : m_addresses) {
        address.setPort(m_port);
    }
    tryNext();
}

void Connector::tryNext()
{
    while (m_next < m_addresses.size()) {
        const SocketAddress& address = m_addresses[m_next++];
        const int socket = openSocket(address);
        if (socket < 0) {
            m_lastError = errno;
            continue;
        }
        auto attempt = std::make_unique<Attempt>(*this, socket);
        int error = 0;
        if (::connect(socket, reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0) {
            error = errno;
        }
        if (error != 0 && error != EINPROGRESS && error != EINTR) {
            m_lastError = error;
            continue;
        }
        m_notifier.watch(socket, attempt.get(), false, true);
        m_attempts.push_back(std::move(attempt));
        if (m_next < m_addresses.size()) {
            m_timer.start(nextAfter);
        }
        return;
    }
    if (m_attempts.empty()) {
        emit failed(codeOf(m_lastError), wordsOf(m_lastError));
    }
}

void Connector::attemptEnded(Attempt* attempt, int error)
{
    m_notifier.remove(attempt->socket);
    if (error == 0) {
        m_socket = std::exchange(attempt->socket, -1);
        dropAttempts();
        emit connected();
        return;
    }
    m_lastError = error;
    const auto found = std::find_if(m_attempts.begin(), m_attempts.end(), [&](const auto& one) {
        return one.get() == attempt;
    });
    m_over.push_back(std::move(*found));
    m_attempts.erase(found);
    if (m_next < m_addresses.size() || m_attempts.empty()) {
        m_timer.stop();
        tryNext();
    }
}

void Connector::dropAttempts()
{
    m_timer.stop();
    for (auto& attempt : m_attempts) {
        m_over.push_back(std::move(attempt));
    }
    m_attempts.clear();
    for (const auto& attempt : m_over) {
        if (attempt->socket >= 0) {
            m_notifier.remove(attempt->socket);
            ::close(std::exchange(attempt->socket, -1));
        }
    }
}

int Connector::takeSocket()
{
    return std::exchange(m_socket, -1);
}

} // namespace tokenpace
