// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "support/scriptedserver.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace tokenpace::test {

using namespace std::chrono_literals;

namespace {

std::chrono::nanoseconds now()
{
    return std::chrono::steady_clock::now().time_since_epoch();
}

bool sameName(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string statusLine(int status)
{
    return "HTTP/1.1 " + std::to_string(status) + (status == 200 ? " OK" : " Scripted") + "\r\n";
}

std::string headerLines(const Headers& headers)
{
    std::string lines;
    for (const auto& [name, value] : headers) {
        lines += name + ": " + value + "\r\n";
    }
    return lines;
}

std::string choice(std::string_view delta, std::string_view finishReason)
{
    return R"({"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":)"
        + std::string(delta) + R"(,"finish_reason":)" + std::string(finishReason) + "}]}";
}

bool writeAll(int socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// A socket bound to a free port of 127.0.0.1.
std::pair<int, std::uint16_t> boundSocket()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    void* const raw = &address;
    if (socket < 0 || ::bind(socket, static_cast<sockaddr*>(raw), size) != 0
        || ::getsockname(socket, static_cast<sockaddr*>(raw), &size) != 0) {
        throw std::runtime_error("no port to listen on");
    }
    return {socket, ntohs(address.sin_port)};
}

} // namespace

Step send(std::string bytes, std::chrono::milliseconds delay)
{
    return {Step::Kind::Send, delay, std::move(bytes)};
}

Step closeConnection(std::chrono::milliseconds delay)
{
    return {Step::Kind::Close, delay, {}};
}

Step resetConnection(std::chrono::milliseconds delay)
{
    return {Step::Kind::Reset, delay, {}};
}

Step stall()
{
    return {Step::Kind::Stall, {}, {}};
}

std::string streamHead(int status, const Headers& headers, std::string_view contentType)
{
    return statusLine(status) + "Content-Type: " + std::string(contentType) + "\r\nTransfer-Encoding: chunked\r\n"
        + headerLines(headers) + "\r\n";
}

std::string chunk(std::string_view bytes)
{
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    return size.data() + std::string(bytes) + "\r\n";
}

std::string lastChunk()
{
    return "0\r\n\r\n";
}

std::string wholeReply(int status, std::string_view body, const Headers& headers, std::string_view contentType)
{
    return statusLine(status) + "Content-Type: " + std::string(contentType) + "\r\nContent-Length: "
        + std::to_string(body.size()) + "\r\n" + headerLines(headers) + "\r\n" + std::string(body);
}

std::string event(std::string_view data)
{
    return "data: " + std::string(data) + "\n\n";
}

std::string textEvent(std::string_view text)
{
    return event(choice("{\"content\":\"" + std::string(text) + "\"}", "null"));
}

std::string finishEvent(std::string_view reason)
{
    return event(choice("{}", "\"" + std::string(reason) + "\""));
}

std::string usageEvent(int promptTokens, int completionTokens)
{
    return event(R"({"id":"c1","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":)"
                 + std::to_string(promptTokens) + ",\"completion_tokens\":" + std::to_string(completionTokens)
                 + ",\"total_tokens\":" + std::to_string(promptTokens + completionTokens) + "}}");
}

std::string doneEvent()
{
    return event("[DONE]");
}

Script chatScript(int tokens, std::chrono::milliseconds first, std::chrono::milliseconds gap)
{
    Script script{send(streamHead())};
    for (int i = 0; i < tokens; ++i) {
        script.push_back(send(chunk(textEvent("w" + std::to_string(i) + " ")), i == 0 ? first : gap));
    }
    script.push_back(send(chunk(finishEvent() + usageEvent(5, tokens) + doneEvent()) + lastChunk()));
    return script;
}

std::string ReceivedRequest::header(std::string_view name) const
{
    const auto found = std::find_if(headers.begin(), headers.end(), [name](const auto& header) {
        return sameName(header.first, name);
    });
    return found == headers.end() ? std::string() : found->second;
}

bool ReceivedRequest::hasHeader(std::string_view name) const
{
    return std::any_of(headers.begin(), headers.end(), [name](const auto& header) {
        return sameName(header.first, name);
    });
}

ScriptedServer::ScriptedServer(Handler handler, Options options)
    : m_handler(std::move(handler))
    , m_options(options)
{
    std::tie(m_listener, m_port) = boundSocket();
    if (::listen(m_listener, SOMAXCONN) != 0 || ::pipe(m_stopPipe) != 0) {
        throw std::runtime_error("cannot listen");
    }
    m_acceptor = std::thread([this] {
        acceptConnections();
    });
}

ScriptedServer::ScriptedServer(Handler handler)
    : ScriptedServer(std::move(handler), Options{})
{
}

ScriptedServer::ScriptedServer(std::vector<Script> scripts)
    : ScriptedServer([scripts = std::move(scripts)](const ReceivedRequest&, int index) {
        return scripts[std::min(static_cast<std::size_t>(index), scripts.size() - 1)];
    })
{
}

ScriptedServer::~ScriptedServer()
{
    const char stop = 's';
    [[maybe_unused]] const ssize_t written = ::write(m_stopPipe[1], &stop, 1); // never read: it wakes every poll
    m_acceptor.join(); // no connections are added from here on
    for (std::thread& connection : m_connections) {
        connection.join();
    }
    ::close(m_listener);
    ::close(m_stopPipe[0]);
    ::close(m_stopPipe[1]);
}

std::string ScriptedServer::url(std::string_view path) const
{
    return "http://127.0.0.1:" + std::to_string(m_port) + std::string(path);
}

std::vector<ReceivedRequest> ScriptedServer::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

int ScriptedServer::requestCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_requests.size());
}

int ScriptedServer::connectionCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_connections.size());
}

int ScriptedServer::peakInFlight() const
{
    const std::lock_guard lock(m_mutex);
    return m_peakInFlight;
}

bool ScriptedServer::waitForRequests(int count, std::chrono::milliseconds limit) const
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, limit, [&] {
        return static_cast<int>(m_requests.size()) >= count;
    });
}

bool ScriptedServer::waitUntilOver(std::chrono::milliseconds limit) const
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, limit, [&] {
        return m_inFlight == 0;
    });
}

std::uint16_t ScriptedServer::closedPort()
{
    const auto [socket, port] = boundSocket();
    ::close(socket);
    return port;
}

void ScriptedServer::acceptConnections()
{
    for (;;) {
        std::array<pollfd, 2> waits{pollfd{m_listener, POLLIN, 0}, pollfd{m_stopPipe[0], POLLIN, 0}};
        if (::poll(waits.data(), waits.size(), -1) < 0) {
            continue;
        }
        if (waits[1].revents != 0) {
            return;
        }
        const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) {
            continue;
        }
        const auto acceptedAt = now();
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const timeval patience{2, 0}; // a client that stops reading must not keep the destructor waiting
        ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        const std::lock_guard lock(m_mutex);
        const int connection = static_cast<int>(m_connections.size());
        m_connections.emplace_back([this, socket, connection, acceptedAt] {
            serve(socket, connection, acceptedAt);
        });
        m_changed.notify_all();
    }
}

void ScriptedServer::serve(int socket, int connection, std::chrono::nanoseconds acceptedAt)
{
    std::string buffer;
    bool open = pause(-1, m_options.readDelay, false);
    if (open && !m_options.reads) {
        open = pause(-1, {}, true);
    }
    for (int indexOnConnection = 0; open; ++indexOnConnection) {
        ReceivedRequest request;
        request.connection = connection;
        request.indexOnConnection = indexOnConnection;
        request.acceptedAt = acceptedAt;
        if (!readRequest(socket, buffer, request)) {
            break;
        }
        std::size_t index = 0;
        {
            const std::lock_guard lock(m_mutex);
            index = m_requests.size();
            m_requests.push_back(request);
            m_peakInFlight = std::max(m_peakInFlight, ++m_inFlight);
            m_changed.notify_all();
        }
        open = play(socket, m_handler(request, static_cast<int>(index)), index);
        if (!open) {
            ::close(std::exchange(socket, -1)); // before anybody is told that it is over
        }
        markOver(index);
    }
    if (socket >= 0) {
        ::close(socket);
    }
}

bool ScriptedServer::readRequest(int socket, std::string& buffer, ReceivedRequest& request) const
{
    std::optional<std::size_t> bodyBegin;
    std::size_t length = 0;
    for (;;) {
        if (!bodyBegin) {
            const std::size_t headEnd = buffer.find("\r\n\r\n");
            if (headEnd != std::string::npos) {
                bodyBegin = headEnd + 4;
                const std::string_view head = std::string_view(buffer).substr(0, headEnd + 2);
                const std::size_t firstEnd = head.find("\r\n");
                const std::string_view first = head.substr(0, firstEnd);
                request.method = std::string(first.substr(0, first.find(' ')));
                const std::string_view rest = first.substr(std::min(first.size(), request.method.size() + 1));
                request.target = std::string(rest.substr(0, rest.find(' ')));
                for (std::size_t at = firstEnd + 2; at < head.size();) {
                    const std::size_t end = head.find("\r\n", at);
                    const std::string_view line = head.substr(at, end - at);
                    const std::size_t colon = line.find(':');
                    request.headers.emplace_back(line.substr(0, colon),
                                                 trimmed(line.substr(std::min(line.size(), colon + 1))));
                    at = end + 2;
                }
                const std::string value = request.header("content-length");
                length = value.empty() ? 0 : std::strtoul(value.c_str(), nullptr, 10);
            }
        }
        if (bodyBegin && buffer.size() >= *bodyBegin + length) {
            request.receivedAt = now();
            request.body = buffer.substr(*bodyBegin, length);
            buffer.erase(0, *bodyBegin + length);
            return true;
        }
        std::array<pollfd, 2> waits{pollfd{socket, POLLIN, 0}, pollfd{m_stopPipe[0], POLLIN, 0}};
        if (::poll(waits.data(), waits.size(), -1) < 0) {
            continue;
        }
        if (waits[1].revents != 0) {
            return false;
        }
        std::array<char, 65536> piece;
        const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
        if (got <= 0) {
            return false;
        }
        buffer.append(piece.data(), static_cast<std::size_t>(got));
    }
}

bool ScriptedServer::play(int socket, const Script& script, std::size_t index)
{
    for (const Step& step : script) {
        if (!pause(socket, step.delay, step.kind == Step::Kind::Stall)) {
            return false;
        }
        switch (step.kind) {
        case Step::Kind::Send: {
            {
                const std::lock_guard lock(m_mutex);
                m_requests[index].sentAt.push_back(now());
            }
            if (!writeAll(socket, step.bytes)) {
                return false;
            }
            break;
        }
        case Step::Kind::Reset: {
            const linger noLinger{1, 0};
            ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &noLinger, sizeof noLinger);
            return false;
        }
        case Step::Kind::Close:
        case Step::Kind::Stall:
            return false;
        }
    }
    return true;
}

bool ScriptedServer::pause(int socket, std::chrono::milliseconds delay, bool forEver) const
{
    const auto until = now() + delay;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now());
        if (!forEver && left <= 0ms) {
            return true;
        }
        // POLLRDHUP only: a client that sends its next request early stays unread until this script is over
        std::array<pollfd, 2> waits{pollfd{socket, POLLRDHUP, 0}, pollfd{m_stopPipe[0], POLLIN, 0}};
        const int ready = ::poll(waits.data(), waits.size(), forEver ? -1 : static_cast<int>(left.count()));
        if (ready > 0 && (waits[0].revents != 0 || waits[1].revents != 0)) {
            return false;
        }
    }
}

void ScriptedServer::markOver(std::size_t index)
{
    const std::lock_guard lock(m_mutex);
    m_requests[index].over = true;
    --m_inFlight;
    m_changed.notify_all();
}

} // namespace tokenpace::test
