// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tokenpace::sim {

/// A request as it came over one connection, with the server's stamps (CLOCK_MONOTONIC ns).
struct SimHttpRequest {
    std::string method;
    std::string path; ///< without the query
    std::string requestId; ///< X-Request-Id, or empty
    std::string body;
    bool http11 = true;
    bool keepAlive = true;
    std::int64_t acceptedNs = 0;
    std::int64_t firstByteNs = 0;
    std::int64_t bodyReceivedNs = 0;
    int nthOnConnection = 0; ///< from 1
};

/// Reads HTTP/1 requests off the bytes of one connection, one after the other; Content-Length and chunked bodies.
/// No I/O. One thread.
class SimHttpReader {
public:
    static constexpr std::uint32_t maxHeaderBytes = 64 * 1024;
    static constexpr std::uint64_t maxBodyBytes = std::uint64_t{64} * 1024 * 1024;

    enum class State {
        Incomplete, ///< more bytes are needed
        Complete, ///< take() has a request
        Failed, ///< failureStatus() and failureText() say why; nothing more can be read off this connection
    };

    SimHttpReader();
    ~SimHttpReader();

    void append(std::string_view bytes);
    [[nodiscard]] State parse();
    [[nodiscard]] SimHttpRequest take();
    /// Bytes of a request that is not complete have come.
    [[nodiscard]] bool started() const;
    /// True once after a header that asks for `100 Continue` before its body.
    [[nodiscard]] bool takeContinue();
    [[nodiscard]] std::size_t buffered() const;

    [[nodiscard]] int failureStatus() const;
    [[nodiscard]] std::string failureText() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// A whole reply. `extraHeaders` are lines that each end with CRLF. No body is sent for `headOnly`, 204 and 304.
struct SimHttpReply {
    int status = 200;
    std::string_view contentType = "application/json";
    std::string body;
    std::string extraHeaders;
    bool keepAlive = true;
    bool headOnly = false;
};
[[nodiscard]] std::string httpReply(const SimHttpReply& reply);

/// The head of an event stream: chunked, or until the connection's end for HTTP/1.0.
[[nodiscard]] std::string httpStreamHead(const std::string& extraHeaders, bool chunked, bool keepAlive);
/// One chunk of a chunked body.
[[nodiscard]] std::string httpChunk(std::string_view bytes);

} // namespace tokenpace::sim
