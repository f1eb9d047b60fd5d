// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simhttp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

namespace tokenpace::sim {

namespace http = boost::beast::http;

class SimHttpReader::Private {
public:
    using Parser = http::request_parser<http::string_body>;

    Private() { renew(); }

    void renew()
    {
        parser.emplace();
        parser->header_limit(maxHeaderBytes);
        parser->body_limit(maxBodyBytes);
        parser->eager(true);
        continueAnswered = false;
    }

    void fail(boost::system::error_code error)
    {
        failureStatus = error == http::error::header_limit ? 431 : error == http::error::body_limit ? 413 : 400;
        failureText = error.message();
    }

    std::optional<Parser> parser;
    std::string input;
    bool continueAnswered = false;
    int failureStatus = 0;
    std::string failureText;
};

SimHttpReader::SimHttpReader()
    : d(std::make_unique<Private>())
{
}

SimHttpReader::~SimHttpReader() = default;

void SimHttpReader::append(std::string_view bytes)
{
    d->input.append(bytes);
}

SimHttpReader::State SimHttpReader::parse()
{
    if (d->failureStatus != 0) {
        return State::Failed;
    }
    std::size_t used = 0;
    while (used < d->input.size() && !d->parser->is_done()) {
        boost::system::error_code error;
        const std::size_t taken =
            d->parser->put(boost::asio::buffer(d->input.data() + used, d->input.size() - used), error);
        used += taken;
        if (error == http::error::need_more) {
            if (taken == 0) {
                break;
            }
        } else if (error) {
            d->fail(error);
            return State::Failed;
        }
    }
    d->input.erase(0, used);
    // A line without an end, such as a chunk's extension, has no limit of its own in the parser.
    if (!d->parser->is_done() && d->input.size() > maxHeaderBytes) {
        d->fail(http::error::header_limit);
        return State::Failed;
    }
    return d->parser->is_done() ? State::Complete : State::Incomplete;
}

SimHttpRequest SimHttpReader::take()
{
    const bool keepAlive = d->parser->keep_alive();
    auto message = d->parser->release();
    d->renew();
    SimHttpRequest request;
    request.method = std::string(message.method_string());
    request.path = std::string(message.target());
    request.path.erase(std::min(request.path.find('?'), request.path.size()));
    request.requestId = std::string(message["X-Request-Id"]);
    request.http11 = message.version() >= 11;
    request.keepAlive = keepAlive && request.http11;
    request.body = std::move(message.body());
    return request;
}

bool SimHttpReader::started() const
{
    return d->parser->got_some() || !d->input.empty();
}

bool SimHttpReader::takeContinue()
{
    if (d->continueAnswered || !d->parser->is_header_done() || d->parser->is_done() || d->failureStatus != 0) {
        return false;
    }
    d->continueAnswered = true;
    return boost::beast::iequals(d->parser->get()[http::field::expect], "100-continue");
}

std::size_t SimHttpReader::buffered() const
{
    return d->input.size();
}

int SimHttpReader::failureStatus() const
{
    return d->failureStatus;
}

std::string SimHttpReader::failureText() const
{
    return d->failureText;
}

namespace {

std::string head(int status, std::string_view contentType, bool keepAlive)
{
    const std::string reason(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status))));
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 64> date{};
    const std::size_t length = std::strftime(date.data(), date.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);

    std::string text = "HTTP/1.1 " + std::to_string(status) + " " + (reason.front() == '<' ? "Unknown" : reason)
        + "\r\nServer: tokenpace-simulated\r\nDate: ";
    text.append(date.data(), length).append("\r\n");
    if (!contentType.empty()) {
        text.append("Content-Type: ").append(contentType).append("\r\n");
    }
    if (!keepAlive) {
        text.append("Connection: close\r\n");
    }
    return text;
}

} // namespace

std::string httpReply(const SimHttpReply& reply)
{
    const bool bodyless = reply.status == 204 || reply.status == 304;
    std::string text = head(reply.status, bodyless ? std::string_view{} : reply.contentType, reply.keepAlive);
    text.append(reply.extraHeaders);
    if (!bodyless) {
        text.append("Content-Length: " + std::to_string(reply.body.size()) + "\r\n");
    }
    text.append("\r\n");
    if (!bodyless && !reply.headOnly) {
        text.append(reply.body);
    }
    return text;
}

std::string httpStreamHead(const std::string& extraHeaders, bool chunked, bool keepAlive)
{
    std::string text = head(200, "text/event-stream; charset=utf-8", keepAlive);
    text.append("Cache-Control: no-cache\r\n").append(extraHeaders);
    text.append(chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
    return text;
}

std::string httpChunk(std::string_view bytes)
{
    std::array<char, 16> size{};
    const auto [end, error] = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
    std::string chunk(size.data(), end);
    chunk.reserve(chunk.size() + bytes.size() + 4);
    chunk.append("\r\n").append(bytes).append("\r\n");
    return chunk;
}

} // namespace tokenpace::sim
