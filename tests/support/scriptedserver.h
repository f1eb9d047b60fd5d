// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace tokenpace::test {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// One thing that a server does with a request, `delay` after the one before it.
struct Step {
    enum class Kind {
        Send, ///< writes `bytes` at once
        Close, ///< orderly end of the connection
        Reset, ///< RST
        Stall, ///< nothing more, with the socket open, until the client leaves
    };
    Kind kind = Kind::Send;
    std::chrono::milliseconds delay{0};
    std::string bytes;
};

/// What is played for one request. After the last step the connection waits for the next request.
using Script = std::vector<Step>;

[[nodiscard]] Step send(std::string bytes, std::chrono::milliseconds delay = {});
[[nodiscard]] Step closeConnection(std::chrono::milliseconds delay = {});
[[nodiscard]] Step resetConnection(std::chrono::milliseconds delay = {});
[[nodiscard]] Step stall();

/// Head of a chunked reply; the headers come after Content-Type and Transfer-Encoding.
[[nodiscard]] std::string streamHead(int status = 200, const Headers& headers = {},
                                     std::string_view contentType = "text/event-stream");
[[nodiscard]] std::string chunk(std::string_view bytes);
[[nodiscard]] std::string lastChunk();
/// A whole reply with a Content-Length.
[[nodiscard]] std::string wholeReply(int status, std::string_view body, const Headers& headers = {},
                                     std::string_view contentType = "application/json");

/// Events of an OpenAI chat stream, not yet in a chunk.
[[nodiscard]] std::string event(std::string_view data);
[[nodiscard]] std::string textEvent(std::string_view text);
[[nodiscard]] std::string finishEvent(std::string_view reason = "stop");
[[nodiscard]] std::string usageEvent(int promptTokens, int completionTokens);
[[nodiscard]] std::string doneEvent();

/// A whole good stream: the head, `tokens` texts `gap` apart (the first after `first`), finish, usage, [DONE], end.
[[nodiscard]] Script chatScript(int tokens, std::chrono::milliseconds first = {}, std::chrono::milliseconds gap = {});

/// A request as it came in. Stamps are of the steady clock.
struct ReceivedRequest {
    int connection = 0; ///< number of its connection, in order of acceptance, from 0
    int indexOnConnection = 0;
    std::string method;
    std::string target;
    Headers headers;
    std::string body;
    std::chrono::nanoseconds acceptedAt{}; ///< its connection
    std::chrono::nanoseconds receivedAt{}; ///< the last byte of the body was read
    std::vector<std::chrono::nanoseconds> sentAt; ///< just before each Send step
    bool over = false; ///< the script was played to its end, or the client left

    /// Value of the first header of that name, without regard to case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
    [[nodiscard]] bool hasHeader(std::string_view name) const;
};

/// An HTTP/1.1 server on 127.0.0.1 that plays scripts, for tests: raw sockets on threads of its own, so that its stamps
/// owe nothing to an event loop. It listens, on a port that the system chose, before the constructor returns. Each
/// connection has its own thread, so requests are served in parallel. All functions may be called from any thread.
class ScriptedServer {
public:
    struct Options {
        std::chrono::milliseconds readDelay{0}; ///< between accepting a connection and reading from it
        bool reads = true; ///< false: connections are accepted, and nothing is ever read from them
    };
    /// Says what to play for a request; `index` counts the requests from 0. Called on a connection's thread.
    using Handler = std::function<Script(const ReceivedRequest& request, int index)>;

    explicit ScriptedServer(Handler handler, Options options);
    explicit ScriptedServer(Handler handler);
    /// Request n plays script n, and the last one repeats.
    explicit ScriptedServer(std::vector<Script> scripts);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url(std::string_view path = "/v1/chat/completions") const;

    [[nodiscard]] std::vector<ReceivedRequest> requests() const;
    [[nodiscard]] int requestCount() const;
    [[nodiscard]] int connectionCount() const;
    /// The most requests that were ever received and not yet over at the same time.
    [[nodiscard]] int peakInFlight() const;
    /// Blocks until that many requests were received; false when the time is up first.
    [[nodiscard]] bool waitForRequests(int count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
    /// Blocks until all that was received is over.
    [[nodiscard]] bool waitUntilOver(std::chrono::milliseconds limit = std::chrono::seconds(10)) const;

    /// A port of 127.0.0.1 where nothing listens.
    [[nodiscard]] static std::uint16_t closedPort();

private:
    void acceptConnections();
    void serve(int socket, int connection, std::chrono::nanoseconds acceptedAt);
    [[nodiscard]] bool readRequest(int socket, std::string& buffer, ReceivedRequest& request) const;
    [[nodiscard]] bool play(int socket, const Script& script, std::size_t index);
    /// Waits on the clock; false when the server stops, or when the client leaves, first.
    [[nodiscard]] bool pause(int socket, std::chrono::milliseconds delay, bool forEver) const;
    void markOver(std::size_t index);

    Handler m_handler;
    Options m_options;
    std::uint16_t m_port = 0;
    int m_listener = -1;
    int m_stopPipe[2] = {-1, -1}; // readable once the server stops; wakes every wait

    mutable std::mutex m_mutex; // protects what follows
    mutable std::condition_variable m_changed;
    std::vector<ReceivedRequest> m_requests;
    std::vector<std::thread> m_connections;
    int m_inFlight = 0;
    int m_peakInFlight = 0;

    std::thread m_acceptor;
};

} // namespace tokenpace::test
