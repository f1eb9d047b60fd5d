// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simconnection.h"

#include <cerrno>
#include <utility>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tokenpace::sim {

SimConnection::SimConnection(int fd, int epoll, std::uint64_t id)
    : m_id(id)
    , m_epoll(epoll)
    , m_fd(fd)
{
}

SimConnection::~SimConnection()
{
    close();
}

bool SimConnection::send(std::string_view bytes, After after)
{
    const std::lock_guard lock(m_mutex);
    if (m_fd < 0 || m_failed) {
        return false;
    }
    // Before the bytes leave: the peer's next request may be here before this call returns.
    if (after != After::More) {
        m_replying = false;
        m_after = after;
    }
    if (!m_pending.empty()) {
        m_pending.append(bytes);
        return true;
    }
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t n = ::send(m_fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            sent += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            m_pending.assign(bytes.substr(sent));
            m_pendingFrom = 0;
            watchWritable(true);
            return true;
        } else if (errno != EINTR) {
            m_failed = true;
            return false;
        }
    }
    return true;
}

bool SimConnection::gone() const
{
    const std::lock_guard lock(m_mutex);
    return m_fd < 0 || m_failed;
}

void SimConnection::beginReply()
{
    const std::lock_guard lock(m_mutex);
    m_replying = true;
}

bool SimConnection::replying() const
{
    const std::lock_guard lock(m_mutex);
    return m_replying;
}

bool SimConnection::wantsClose() const
{
    const std::lock_guard lock(m_mutex);
    return m_failed || m_after == After::Reset || (m_after == After::Close && m_pending.empty());
}

bool SimConnection::closesOrderly() const
{
    const std::lock_guard lock(m_mutex);
    return !m_failed && m_after == After::Close;
}

void SimConnection::flush()
{
    const std::lock_guard lock(m_mutex);
    if (m_fd < 0 || m_pending.empty()) {
        return;
    }
    const ssize_t n =
        ::send(m_fd, m_pending.data() + m_pendingFrom, m_pending.size() - m_pendingFrom, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n >= 0) {
        m_pendingFrom += static_cast<std::size_t>(n);
    } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        m_failed = true;
        m_pendingFrom = m_pending.size();
    }
    // What has left is cut off in large pieces: each cut moves all the rest.
    if (m_pendingFrom == m_pending.size() || m_pendingFrom > m_pending.size() / 2) {
        m_pending.erase(0, std::exchange(m_pendingFrom, 0));
    }
    if (m_pending.empty()) {
        watchWritable(false);
    }
}

long SimConnection::receive(char* data, std::size_t size)
{
    // The loop alone closes the socket, so that it may read without holding up whoever writes.
    int fd = -1;
    {
        const std::lock_guard lock(m_mutex);
        fd = m_fd;
    }
    return ::recv(fd, data, size, MSG_DONTWAIT);
}

void SimConnection::shutdownSending()
{
    const std::lock_guard lock(m_mutex);
    ::shutdown(m_fd, SHUT_WR);
}

void SimConnection::close()
{
    const std::lock_guard lock(m_mutex);
    if (m_fd < 0) {
        return;
    }
    if (m_after == After::Reset) {
        const linger now{1, 0};
        (void)setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(m_fd);
    m_fd = -1;
    m_pending.clear();
    m_pendingFrom = 0;
}

void SimConnection::watchWritable(bool on)
{
    if (m_watching == on) {
        return;
    }
    m_watching = on;
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | (on ? EPOLLOUT : 0U);
    event.data.u64 = m_id;
    (void)epoll_ctl(m_epoll, EPOLL_CTL_MOD, m_fd, &event);
}

} // namespace tokenpace::sim
