// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simloop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/simchat.h"

namespace tokenpace::sim {
namespace {

constexpr std::uint64_t listenerId = 0;
constexpr std::uint64_t mailboxId = 1;
constexpr std::int64_t drainNs = 1'000'000'000;
// What a peer may send ahead while its reply is under way.
constexpr std::size_t maxSentAhead = std::size_t{1} << 20;

void watch(int epoll, int fd, std::uint64_t id, std::uint32_t events)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = id;
    (void)epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

} // namespace

struct SimLoop::Peer {
    std::shared_ptr<SimConnection> connection;
    SimHttpReader reader;
    std::shared_ptr<void> answer;
    std::int64_t acceptedNs = 0;
    std::int64_t firstByteNs = 0;
    std::int64_t readNs = 0;
    std::int64_t drainUntilNs = 0; ///< nothing more is sent; what comes is thrown away until then
    int requests = 0;
};

SimLoop::SimLoop(SimMailbox& mailbox, Handler handler)
    : m_mailbox(mailbox)
    , m_handler(std::move(handler))
{
}

SimLoop::~SimLoop()
{
    close();
}

std::string SimLoop::open(std::uint16_t port)
{
    close();
    m_quit = false;
    m_epoll = epoll_create1(EPOLL_CLOEXEC);
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    m_spare = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int on = 1;
    (void)setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (m_epoll < 0 || m_listener < 0 || bind(m_listener, plain, length) != 0 || listen(m_listener, 1024) != 0
        || getsockname(m_listener, plain, &length) != 0) {
        const std::string why = "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + std::strerror(errno);
        close();
        return why;
    }
    m_port = ntohs(address.sin_port);
    watch(m_epoll, m_listener, listenerId, EPOLLIN);
    watch(m_epoll, m_mailbox.fd(), mailboxId, EPOLLIN);
    return {};
}

void SimLoop::close()
{
    m_peers.clear();
    m_draining.clear();
    for (int* fd : {&m_listener, &m_epoll, &m_spare}) {
        if (*fd >= 0) {
            ::close(std::exchange(*fd, -1));
        }
    }
}

void SimLoop::quit()
{
    m_quit = true;
    m_mailbox.wake();
}

void SimLoop::run()
{
    std::array<epoll_event, 256> events{};
    while (!m_quit) {
        const int count = epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), waitMs());
        for (int i = 0; i < count; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            if (event.data.u64 == listenerId) {
                accept();
            } else if (event.data.u64 == mailboxId) {
                readLetters();
            } else if (const auto peer = m_peers.find(event.data.u64); peer != m_peers.end()) {
                if ((event.events & EPOLLOUT) != 0) {
                    peer->second->connection->flush();
                }
                if (carryOn(*peer->second) && (event.events & ~EPOLLOUT) != 0) {
                    read(*peer->second);
                }
            }
        }
        dropDrained();
    }
}

void SimLoop::accept()
{
    for (;;) {
        const int fd = accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE) {
                refuseOne();
            }
            return;
        }
        const int on = 1;
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        auto peer = std::make_unique<Peer>();
        peer->acceptedNs = steadyNs();
        peer->connection = std::make_shared<SimConnection>(fd, m_epoll, m_nextId);
        watch(m_epoll, fd, m_nextId, EPOLLIN | EPOLLRDHUP);
        m_peers.emplace(m_nextId++, std::move(peer));
    }
}

void SimLoop::refuseOne()
{
    // Left in the queue it would wake the loop without end.
    ::close(std::exchange(m_spare, -1));
    const int fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) {
        ::close(fd);
    }
    m_spare = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void SimLoop::read(Peer& peer)
{
    std::array<char, 65536> buffer; // NOLINT: filled by the read
    const long n = peer.connection->receive(buffer.data(), buffer.size());
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        drop(peer.connection->id());
        return;
    }
    if (peer.drainUntilNs != 0) {
        return;
    }
    peer.readNs = steadyNs();
    if (!peer.reader.started()) {
        peer.firstByteNs = peer.readNs;
    }
    peer.reader.append({buffer.data(), static_cast<std::size_t>(n)});
    if (!peer.connection->replying()) {
        peer.answer.reset();
        parse(peer);
    } else if (peer.reader.buffered() > maxSentAhead) {
        drop(peer.connection->id());
    }
}

void SimLoop::parse(Peer& peer)
{
    while (peer.drainUntilNs == 0 && !peer.connection->replying()) {
        const SimHttpReader::State state = peer.reader.parse();
        if (state == SimHttpReader::State::Failed) {
            refuse(peer);
            return;
        }
        if (peer.reader.takeContinue()) {
            (void)peer.connection->send("HTTP/1.1 100 Continue\r\n\r\n");
        }
        if (state == SimHttpReader::State::Incomplete) {
            return;
        }
        SimHttpRequest request = peer.reader.take();
        request.acceptedNs = peer.acceptedNs;
        request.firstByteNs = peer.firstByteNs;
        request.bodyReceivedNs = peer.readNs;
        request.nthOnConnection = ++peer.requests;
        peer.firstByteNs = peer.readNs;
        peer.connection->beginReply();
        peer.answer = m_handler(peer.connection, request);
        if (!carryOn(peer)) {
            return;
        }
    }
}

void SimLoop::refuse(Peer& peer)
{
    const SimError error{peer.reader.failureStatus(),
                         "The request could not be read: " + peer.reader.failureText(),
                         "invalid_request_error",
                         {},
                         {}};
    peer.connection->beginReply();
    (void)peer.connection->send(
        httpReply({.status = error.status, .body = errorBody(error), .extraHeaders = {}, .keepAlive = false}),
        SimConnection::After::Close);
    carryOn(peer);
}

void SimLoop::readLetters()
{
    for (const SimMailbox::Letter& letter : m_mailbox.take()) {
        const auto found = m_peers.find(letter.connection);
        if (found == m_peers.end()) {
            continue;
        }
        Peer& peer = *found->second;
        if (carryOn(peer) && peer.drainUntilNs == 0 && !peer.connection->replying()) {
            if (peer.answer == letter.keep) {
                peer.answer.reset();
            }
            parse(peer);
        }
    }
}

bool SimLoop::carryOn(Peer& peer)
{
    if (peer.drainUntilNs != 0 || !peer.connection->wantsClose()) {
        return true;
    }
    peer.answer.reset();
    if (peer.connection->closesOrderly()) {
        // Closing now, with bytes of the peer unread, would send a reset that can overtake the reply.
        peer.connection->shutdownSending();
        peer.drainUntilNs = steadyNs() + drainNs;
        m_draining.emplace_back(peer.drainUntilNs, peer.connection->id());
        return true;
    }
    drop(peer.connection->id());
    return false;
}

void SimLoop::drop(std::uint64_t id)
{
    const auto peer = m_peers.find(id);
    if (peer != m_peers.end()) {
        peer->second->connection->close();
        m_peers.erase(peer);
    }
}

void SimLoop::dropDrained()
{
    while (!m_draining.empty() && m_draining.front().first <= steadyNs()) {
        drop(m_draining.front().second);
        m_draining.pop_front();
    }
}

int SimLoop::waitMs() const
{
    if (m_draining.empty()) {
        return -1;
    }
    return static_cast<int>(std::max<std::int64_t>(m_draining.front().first - steadyNs(), 0) / 1'000'000 + 1);
}

} // namespace tokenpace::sim
