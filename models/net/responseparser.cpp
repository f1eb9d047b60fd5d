// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/responseparser.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace tokenpace {

namespace http = boost::beast::http;
using boost::beast::string_view;

namespace {

constexpr int lowestStatus = 100;
constexpr int switchingProtocols = 101;
constexpr int firstFinal = 200;

std::string_view toStd(string_view view)
{
    return {view.data(), view.size()};
}

QByteArray toBytes(string_view view)
{
    return {view.data(), static_cast<qsizetype>(view.size())};
}

} // namespace

/// Beast calls back from within put(): views are noted here with their addresses, and offsets are made of them after
/// it.
class ResponseParser::Beast final : public http::basic_parser<false> {
public:
    struct Found {
        std::string_view body;
        bool border = false;
    };

    explicit Beast(bool bodiless)
    {
        header_limit(longestRest);
        // The default ends a stream at 8 MiB; no limit at all would be the smallest one in Boost 1.74.
        body_limit(std::numeric_limits<std::uint64_t>::max());
        skip(bodiless);
    }

    ResponseHead responseHead;
    QByteArray transferCoding;
    bool lastChunk = false;
    std::vector<Found> found;

private:
    using error_code = boost::beast::error_code;

    void on_request_impl(http::verb, string_view, string_view, int, error_code&) override { }
    void on_response_impl(int code, string_view reason, int, error_code&) override
    {
        responseHead.status = code;
        responseHead.reason = toBytes(reason);
    }
    void on_field_impl(http::field name, string_view nameText, string_view value, error_code&) override
    {
        if (is_header_done()) {
            return; // a trailer
        }
        responseHead.fields.append({toBytes(nameText), toBytes(value)});
        if (name == http::field::transfer_encoding) {
            transferCoding += (transferCoding.isEmpty() ? "" : ",") + toBytes(value).trimmed().toLower();
        }
    }
    void on_header_impl(error_code& code) override
    {
        const int status = responseHead.status;
        if (status < lowestStatus || status == switchingProtocols
            || (!transferCoding.isEmpty() && transferCoding != "chunked")) {
            code = status < lowestStatus   ? http::error::bad_status
                : transferCoding.isEmpty() ? http::error::bad_version
                                           : http::error::bad_transfer_encoding;
        }
    }
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override { }
    std::size_t on_body_impl(string_view body, error_code&) override
    {
        found.push_back({toStd(body), false});
        return body.size();
    }
    void on_chunk_header_impl(std::uint64_t size, string_view, error_code&) override { lastChunk = size == 0; }
    std::size_t on_chunk_body_impl(std::uint64_t remain, string_view body, error_code&) override
    {
        if (!body.empty()) {
            found.push_back({toStd(body), body.size() == remain});
        }
        return body.size();
    }
    void on_finish_impl(error_code&) override { }
};

ResponseParser::ResponseParser(bool bodiless)
    : m_beast(std::make_unique<Beast>(bodiless))
    , m_bodiless(bodiless)
{
}

ResponseParser::~ResponseParser() = default;
ResponseParser::ResponseParser(ResponseParser&&) noexcept = default;
ResponseParser& ResponseParser::operator=(ResponseParser&&) noexcept = default;

std::size_t ResponseParser::parse(std::string_view bytes)
{
    m_pieces.clear();
    std::size_t used = 0;
    while (!m_done && !failed() && used < bytes.size()) {
        m_begun = true;
        const std::size_t taken = parseMessage(bytes.substr(used), used);
        used += taken;
        if (taken == 0 || m_done || failed()) {
            break;
        }
    }
    if (!m_done && !failed() && bytes.size() - used > longestRest) {
        m_problem = QStringLiteral("head, chunk extension or trailer over 64 KiB");
    }
    return used;
}

std::size_t ResponseParser::parseMessage(std::string_view bytes, std::size_t offset)
{
    const bool hadHead = hasHead();
    boost::beast::error_code code;
    std::size_t used = putMended(bytes);
    const auto put = [&] {
        used += m_beast->put(boost::asio::buffer(bytes.data() + used, bytes.size() - used), code);
    };
    if (!m_beast->is_header_done()) {
        put(); // to the end of the head, and no further
    }
    if (hasHead() && !hadHead) {
        m_pieces.push_back({{}, offset + used, true});
    }
    if (m_beast->is_header_done() && !m_beast->is_done() && !code && used < bytes.size()) {
        m_beast->eager(true);
        put();
    }
    const auto offsetOf = [&](const char* at) {
        return offset + static_cast<std::size_t>(at - bytes.data());
    };
    for (const auto& [body, border] : m_beast->found) {
        constexpr std::size_t lineEnd = 2; // the chunk's own, which says nothing of when the next one came
        const std::size_t end = offsetOf(body.data() + body.size());
        m_pieces.push_back({body, border ? std::min(end + lineEnd, offset + bytes.size()) : end, border});
    }
    m_beast->found.clear();
    if (code && code != http::error::need_more) {
        if (m_beast->lastChunk) {
            m_done = true; // the body is whole, what is wrong is a trailer
        } else {
            m_problem = QString::fromStdString(code.message());
        }
    } else if (m_beast->is_done()) {
        finishMessage();
    }
    return used;
}

/// Beast refuses a status line without the space before an empty reason, which old servers send.
std::size_t ResponseParser::putMended(std::string_view bytes)
{
    constexpr std::size_t statusEnd = std::string_view("HTTP/1.1 200").size();
    const std::size_t headEnd = bytes.find("\r\n\r\n");
    if (m_beast->got_some() || !bytes.starts_with("HTTP/1.") || headEnd == std::string_view::npos
        || bytes[statusEnd] != '\r') {
        return 0;
    }
    constexpr std::size_t headEndSize = 4;
    std::string head(bytes.substr(0, headEnd + headEndSize));
    head.insert(statusEnd, 1, ' ');
    boost::beast::error_code code;
    const std::size_t used = m_beast->put(boost::asio::buffer(head), code);
    if (code && code != http::error::need_more) {
        m_problem = QString::fromStdString(code.message());
    }
    return used > 0 ? used - 1 : 0;
}

void ResponseParser::finishMessage()
{
    if (m_beast->responseHead.status < firstFinal) {
        m_beast = std::make_unique<Beast>(m_bodiless);
        return;
    }
    m_done = true;
    m_keeps = m_beast->keep_alive();
}

void ResponseParser::endOfInput()
{
    if (m_done || failed()) {
        return;
    }
    boost::beast::error_code code;
    if (m_beast->got_some()) { // put_eof asserts it
        m_beast->put_eof(code);
    }
    if (code || !m_beast->is_done() || !hasHead()) {
        m_done = m_beast->lastChunk;
        m_closedEarly = !m_done;
        m_problem = m_done ? QString() : QStringLiteral("Connection closed");
        return;
    }
    m_done = true;
}

const std::vector<ResponseParser::Piece>& ResponseParser::pieces() const
{
    return m_pieces;
}

bool ResponseParser::begun() const
{
    return m_begun;
}

bool ResponseParser::hasHead() const
{
    return m_beast->is_header_done() && m_beast->responseHead.status >= firstFinal;
}

const ResponseHead& ResponseParser::head() const
{
    return m_beast->responseHead;
}

bool ResponseParser::done() const
{
    return m_done;
}

const QString& ResponseParser::problem() const
{
    return m_problem;
}

bool ResponseParser::closedEarly() const
{
    return m_closedEarly;
}

bool ResponseParser::keepsConnection() const
{
    return m_keeps;
}

} // namespace tokenpace
