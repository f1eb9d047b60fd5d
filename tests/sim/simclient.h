// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tokenpace::test {

struct SimEvent {
    std::string data;
    std::int64_t arrivedNs = 0; ///< CLOCK_MONOTONIC, after the read that held its end
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(data, nullptr, false); }
};

struct SimAnswer {
    enum class End {
        Complete, ///< as Content-Length, the last chunk or the connection's close says
        Closed, ///< the connection ended too early
        Reset,
        Silent, ///< nothing came for the client's patience
    };
    int status = 0;
    std::string headers; ///< lower case
    std::string body; ///< without chunk borders
    std::vector<SimEvent> events;
    End end = End::Silent;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
    /// Events with content, parsed.
    [[nodiscard]] std::vector<nlohmann::json> contents() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] nlohmann::json usage() const; ///< of the last event that has one, or null
    [[nodiscard]] std::string finishReason() const;
};

/// A blocking HTTP client on one plain socket.
class SimClient {
public:
    explicit SimClient(std::uint16_t port);
    ~SimClient();
    SimClient(const SimClient&) = delete;
    SimClient& operator=(const SimClient&) = delete;

    void setPatienceMs(int ms);
    void send(const std::string& bytes);
    void post(const nlohmann::json& chat);
    void get(const std::string& path, const std::string& method = "GET");
    /// Reads until the end of one reply, or of `maxEvents` events if that is not 0.
    SimAnswer read(std::size_t maxEvents = 0, bool headOnly = false);
    SimAnswer ask(const nlohmann::json& chat);
    void close();

private:
    int m_fd;
    std::string m_rest; ///< read off, not of the last reply
};

[[nodiscard]] nlohmann::json chatOf(const std::string& model, const std::string& prompt, int maxTokens,
                                    bool stream = true);

} // namespace tokenpace::test
