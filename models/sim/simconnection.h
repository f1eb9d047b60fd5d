// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace tokenpace::sim {

/// One accepted socket. The event loop reads from it and closes it; whoever answers a request writes to it straight
/// away, from its own thread. What the socket does not take at once waits here until the loop finds it writable.
class SimConnection {
public:
    /// What follows the bytes of a send().
    enum class After {
        More, ///< more of the same reply
        Done, ///< the reply is over, another request may come
        Close, ///< the reply is over, and so is the connection
        Reset, ///< the peer gets a reset, whatever was sent before
    };

    /// Takes the socket, which must not block; it is in `epoll` under `id` already.
    SimConnection(int fd, int epoll, std::uint64_t id);
    ~SimConnection();
    SimConnection(const SimConnection&) = delete;
    SimConnection& operator=(const SimConnection&) = delete;

    [[nodiscard]] std::uint64_t id() const { return m_id; }

    /// Any thread. False when the peer is gone.
    bool send(std::string_view bytes, After after = After::More);
    /// Any thread: closed, by either side.
    [[nodiscard]] bool gone() const;

    /// The event loop's thread only, all that follows.
    void beginReply();
    [[nodiscard]] bool replying() const;
    /// All of the reply has left, and After::Close or After::Reset is to be carried out.
    [[nodiscard]] bool wantsClose() const;
    /// The peer is still there, and it may read the reply to its end first.
    [[nodiscard]] bool closesOrderly() const;
    void flush();
    /// Bytes read, 0 at the end, -1 with errno.
    [[nodiscard]] long receive(char* data, std::size_t size);
    /// No more is sent; what the peer still says can be read off.
    void shutdownSending();
    void close();

private:
    void watchWritable(bool on);

    const std::uint64_t m_id;
    const int m_epoll;
    mutable std::mutex m_mutex; ///< protects everything below
    int m_fd;
    std::string m_pending; ///< not yet taken by the socket, from m_pendingFrom on
    std::size_t m_pendingFrom = 0;
    bool m_failed = false;
    bool m_watching = false; ///< the loop is asked to report when the socket is writable
    bool m_replying = false;
    After m_after = After::More;
};

} // namespace tokenpace::sim
