// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "sim/simconnection.h"
#include "sim/simhttp.h"
#include "sim/simmailbox.h"

namespace tokenpace::sim {

/// The event loop of the simulated endpoint: accepts on 127.0.0.1, reads requests, hands each to the handler, and
/// closes sockets. It never sends tokens. open() and close() from the owner's thread while run() is not under way;
/// run() in a thread of its own; quit() from any.
class SimLoop {
public:
    /// Answers the request, now or later, through the connection. What it returns is kept until the reply is over or
    /// the connection is gone. A connection has one request at a time; the next one waits for the reply's end.
    using Handler = std::function<std::shared_ptr<void>(const std::shared_ptr<SimConnection>&, const SimHttpRequest&)>;

    SimLoop(SimMailbox& mailbox, Handler handler);
    ~SimLoop();
    SimLoop(const SimLoop&) = delete;
    SimLoop& operator=(const SimLoop&) = delete;

    /// Empty, or why it can't listen.
    [[nodiscard]] std::string open(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    void run();
    void quit();
    void close();

private:
    struct Peer;

    void accept();
    void refuseOne();
    void read(Peer& peer);
    void parse(Peer& peer);
    void refuse(Peer& peer);
    void readLetters();
    /// False when it was closed.
    bool carryOn(Peer& peer);
    void drop(std::uint64_t id);
    void dropDrained();
    [[nodiscard]] int waitMs() const;

    SimMailbox& m_mailbox;
    Handler m_handler;
    int m_epoll = -1;
    int m_listener = -1;
    int m_spare = -1; ///< given up for a moment to turn a connection away when descriptors run out
    std::uint16_t m_port = 0;
    std::uint64_t m_nextId = 2; ///< 0 and 1 are the listener's and the mailbox's
    std::unordered_map<std::uint64_t, std::unique_ptr<Peer>> m_peers;
    std::deque<std::pair<std::int64_t, std::uint64_t>> m_draining; ///< (until, id): closed on our side, oldest first
    std::atomic<bool> m_quit{false};
};

} // namespace tokenpace::sim
