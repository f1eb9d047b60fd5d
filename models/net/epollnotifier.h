// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QObject>
#include <QSocketNotifier>
#include <QtGlobal>

namespace tokenpace {

/// Told when its socket can be read or written, or has failed (then both, as far as it waits for them).
class SocketWatcher {
public:
    virtual ~SocketWatcher() = default;
    virtual void socketReady(bool readable, bool writable) = 0;
};

/// Watches many sockets for the event loop of its thread. On Linux by one epoll descriptor behind one QSocketNotifier:
/// Qt's loops look at every notifier on every turn, and with one per socket a token would cost more with each stream.
/// Elsewhere by notifiers of their own. Level-triggered.
class EpollNotifier final : public QObject {
public:
    explicit EpollNotifier(QObject* parent = nullptr);
    ~EpollNotifier() override;

    /// Starts or changes what is waited for; neither: only failures are told. The watcher must remove its socket before
    /// it goes, and before it closes the socket.
    void watch(int socket, SocketWatcher* watcher, bool read, bool write);
    void remove(int socket);

private:
    struct Entry {
        SocketWatcher* watcher = nullptr; // not owned; null: the socket is not watched
        std::uint32_t generation = 0; ///< tells an event of an earlier socket of that number
        bool added = false;
        std::unique_ptr<QSocketNotifier> reader; // off Linux
        std::unique_ptr<QSocketNotifier> writer;
    };
    void dispatch();

    std::vector<Entry> m_entries; ///< by descriptor
    int m_epoll = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace tokenpace
