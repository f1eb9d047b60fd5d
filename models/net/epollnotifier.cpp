// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/epollnotifier.h"

#include <array>

#ifdef Q_OS_LINUX
#include <sys/epoll.h>
#include <unistd.h>
#endif

namespace tokenpace {

#ifdef Q_OS_LINUX

EpollNotifier::EpollNotifier(QObject* parent)
    : QObject(parent)
    , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
    , m_notifier(std::make_unique<QSocketNotifier>(m_epoll, QSocketNotifier::Read))
{
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &EpollNotifier::dispatch);
}

EpollNotifier::~EpollNotifier()
{
    m_notifier.reset();
    ::close(m_epoll);
}

void EpollNotifier::watch(int socket, SocketWatcher* watcher, bool read, bool write)
{
    const auto index = static_cast<std::size_t>(socket);
    if (index >= m_entries.size()) {
        m_entries.resize(index + 1);
    }
    Entry& entry = m_entries[index];
    entry.watcher = watcher;
    epoll_event event{};
    event.events = (read ? EPOLLIN | EPOLLRDHUP : 0u) | (write ? EPOLLOUT : 0u);
    event.data.u64 = (std::uint64_t{entry.generation} << 32) | static_cast<std::uint32_t>(socket);
    ::epoll_ctl(m_epoll, entry.added ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    entry.added = true;
}

void EpollNotifier::remove(int socket)
{
    const auto index = static_cast<std::size_t>(socket);
    if (index < m_entries.size() && m_entries[index].added) {
        ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, socket, nullptr);
        m_entries[index].watcher = nullptr;
        m_entries[index].added = false;
        ++m_entries[index].generation;
    }
}

void EpollNotifier::dispatch()
{
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        const auto index = static_cast<std::size_t>(static_cast<std::uint32_t>(event.data.u64));
        const Entry& entry = m_entries[index];
        if (!entry.watcher || entry.generation != event.data.u64 >> 32) {
            continue; // an earlier watcher of this turn removed it
        }
        const bool failed = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
        entry.watcher->socketReady(failed || (event.events & (EPOLLIN | EPOLLRDHUP)) != 0,
                                   failed || (event.events & EPOLLOUT) != 0);
    }
}

#else

EpollNotifier::EpollNotifier(QObject* parent)
    : QObject(parent)
{
}

EpollNotifier::~EpollNotifier() = default;

void EpollNotifier::watch(int socket, SocketWatcher* watcher, bool read, bool write)
{
    const auto index = static_cast<std::size_t>(socket);
    if (index >= m_entries.size()) {
        m_entries.resize(index + 1);
    }
    Entry& entry = m_entries[index];
    entry.watcher = watcher;
    if (!entry.reader) {
        entry.reader = std::make_unique<QSocketNotifier>(socket, QSocketNotifier::Read);
        entry.writer = std::make_unique<QSocketNotifier>(socket, QSocketNotifier::Write);
        const auto tell = [this, index](bool readable) {
            if (SocketWatcher* const told = m_entries[index].watcher) {
                told->socketReady(readable, !readable);
            }
        };
        connect(entry.reader.get(), &QSocketNotifier::activated, this, [tell] {
            tell(true);
        });
        connect(entry.writer.get(), &QSocketNotifier::activated, this, [tell] {
            tell(false);
        });
    }
    entry.reader->setEnabled(read);
    entry.writer->setEnabled(write);
}

void EpollNotifier::remove(int socket)
{
    const auto index = static_cast<std::size_t>(socket);
    if (index >= m_entries.size() || !m_entries[index].reader) {
        return;
    }
    Entry& entry = m_entries[index];
    entry.watcher = nullptr;
    entry.reader->setEnabled(false);
    entry.writer->setEnabled(false);
    entry.reader.release()->deleteLater(); // it may be the one that called
    entry.writer.release()->deleteLater();
}

void EpollNotifier::dispatch() { }

#endif

} // namespace tokenpace
