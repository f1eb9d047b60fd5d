// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "simclient.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "sim/simmailbox.h"

namespace tokenpace::test {
namespace {

/// What has come of one reply so far.
struct Progress {
    std::string raw;
    SimAnswer answer;
    bool headRead = false;
    bool chunked = false;
    long length = -1;
    std::size_t eventsFrom = 0;

    /// True at the reply's end.
    bool take(std::int64_t ns, bool headOnly)
    {
        if (!headRead && !readHead()) {
            return false;
        }
        if (headOnly) {
            return true;
        }
        const bool over = chunked ? takeChunks() : takeLength();
        takeEvents(ns);
        return over;
    }

    bool readHead()
    {
        const std::size_t end = raw.find("\r\n\r\n");
        if (end == std::string::npos) {
            return false;
        }
        answer.headers = raw.substr(0, end + 2);
        std::transform(answer.headers.begin(), answer.headers.end(), answer.headers.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        raw.erase(0, end + 4);
        answer.status = std::atoi(answer.headers.c_str() + std::string("HTTP/1.1 ").size());
        if (answer.status == 100) {
            return readHead();
        }
        chunked = answer.headers.find("transfer-encoding: chunked") != std::string::npos;
        const std::string name = "\r\ncontent-length: ";
        if (const std::size_t at = answer.headers.find(name); at != std::string::npos) {
            length = std::atol(answer.headers.c_str() + at + name.size());
        }
        headRead = true;
        return true;
    }

    bool takeChunks()
    {
        for (;;) {
            const std::size_t line = raw.find("\r\n");
            if (line == std::string::npos) {
                return false;
            }
            const std::size_t size = std::stoul(raw.substr(0, line), nullptr, 16);
            if (raw.size() < line + size + 4) {
                return false;
            }
            answer.body.append(raw, line + 2, size);
            raw.erase(0, line + size + 4);
            if (size == 0) {
                return true;
            }
        }
    }

    bool takeLength()
    {
        const std::size_t wanted = length < 0 ? raw.size() : static_cast<std::size_t>(length) - answer.body.size();
        const std::size_t taken = std::min(wanted, raw.size());
        answer.body.append(raw, 0, taken);
        raw.erase(0, taken);
        return length >= 0 && answer.body.size() == static_cast<std::size_t>(length);
    }

    void takeEvents(std::int64_t ns)
    {
        for (;;) {
            const std::size_t end = answer.body.find("\n\n", eventsFrom);
            if (end == std::string::npos) {
                return;
            }
            const std::string event = answer.body.substr(eventsFrom, end - eventsFrom);
            if (event.starts_with("data: ")) {
                answer.events.push_back({event.substr(6), ns});
            }
            eventsFrom = end + 2;
        }
    }
};

} // namespace

std::vector<nlohmann::json> SimAnswer::contents() const
{
    std::vector<nlohmann::json> found;
    for (const SimEvent& event : events) {
        nlohmann::json json = event.json();
        if (json.is_object() && json.contains("choices") && !json["choices"].empty()
            && !json["choices"][0]["delta"].value("content", "").empty()) {
            found.push_back(std::move(json));
        }
    }
    return found;
}

std::string SimAnswer::text() const
{
    std::string joined;
    for (const nlohmann::json& json : contents()) {
        joined += json["choices"][0]["delta"]["content"].get<std::string>();
    }
    return joined;
}

nlohmann::json SimAnswer::usage() const
{
    nlohmann::json last;
    for (const SimEvent& event : events) {
        const nlohmann::json json = event.json();
        if (json.is_object() && json.contains("usage") && json["usage"].is_object()) {
            last = json["usage"];
        }
    }
    return last;
}

std::string SimAnswer::finishReason() const
{
    std::string reason;
    for (const SimEvent& event : events) {
        const nlohmann::json json = event.json();
        if (json.is_object() && json.contains("choices") && !json["choices"].empty()
            && json["choices"][0]["finish_reason"].is_string()) {
            reason = json["choices"][0]["finish_reason"].get<std::string>();
        }
    }
    return reason;
}

SimClient::SimClient(std::uint16_t port)
    : m_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect");
    }
    setPatienceMs(30000);
}

SimClient::~SimClient()
{
    close();
}

void SimClient::setPatienceMs(int ms)
{
    const timeval limit{ms / 1000, (ms % 1000) * 1000L};
    (void)setsockopt(m_fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void SimClient::send(const std::string& bytes)
{
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t n = ::send(m_fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) {
            return;
        }
        sent += static_cast<std::size_t>(n);
    }
}

void SimClient::post(const nlohmann::json& chat)
{
    const std::string body = chat.dump();
    send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer any\r\n"
         "Content-Type: application/json\r\nContent-Length: "
         + std::to_string(body.size()) + "\r\n\r\n" + body);
}

void SimClient::get(const std::string& path, const std::string& method)
{
    send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

SimAnswer SimClient::read(std::size_t maxEvents, bool headOnly)
{
    Progress progress;
    progress.raw = std::exchange(m_rest, {});
    bool over = !progress.raw.empty() && progress.take(sim::steadyNs(), headOnly);
    std::array<char, 65536> buffer{};
    while (!over && (maxEvents == 0 || progress.answer.events.size() < maxEvents)) {
        const ssize_t n = recv(m_fd, buffer.data(), buffer.size(), 0);
        const int error = errno;
        const std::int64_t now = sim::steadyNs();
        if (n <= 0) {
            const bool untilClose = n == 0 && progress.headRead && !progress.chunked && progress.length < 0;
            progress.answer.end = untilClose ? SimAnswer::End::Complete
                : n == 0                     ? SimAnswer::End::Closed
                : error == ECONNRESET        ? SimAnswer::End::Reset
                                             : SimAnswer::End::Silent;
            return std::move(progress.answer);
        }
        progress.raw.append(buffer.data(), static_cast<std::size_t>(n));
        over = progress.take(now, headOnly);
    }
    m_rest = progress.raw;
    progress.answer.end = over ? SimAnswer::End::Complete : SimAnswer::End::Silent;
    return std::move(progress.answer);
}

SimAnswer SimClient::ask(const nlohmann::json& chat)
{
    post(chat);
    return read();
}

void SimClient::close()
{
    if (m_fd >= 0) {
        ::close(m_fd);
        m_fd = -1;
    }
}

nlohmann::json chatOf(const std::string& model, const std::string& prompt, int maxTokens, bool stream)
{
    return {{"model", model},
            {"stream", stream},
            {"stream_options", {{"include_usage", true}}},
            {"max_tokens", maxTokens},
            {"messages", {{{"role", "user"}, {"content", prompt}}}}};
}

} // namespace tokenpace::test
