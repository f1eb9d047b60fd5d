// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simreply.h"

#include <ctime>
#include <utility>

#include "sim/simmailbox.h"
#include "wire/sse.h"

namespace tokenpace::sim {
namespace {

constexpr std::string_view lastChunk = "0\r\n\r\n";

std::string stamped(std::string_view beforeStamp, std::int64_t ns)
{
    std::string json(beforeStamp);
    return json.append(std::to_string(ns)).append("}");
}

} // namespace

SimReply::SimReply(std::shared_ptr<SimConnection> connection, SimLog& log, SimRecord record, const SimHttpRequest& http,
                   const SimChatRequest& chat, SimFault fault)
    : m_connection(std::move(connection))
    , m_log(log)
    , m_record(std::move(record))
    , m_fault(fault)
    , m_writer("chatcmpl-sim-" + std::to_string(m_record.request), chat.model, std::time(nullptr), chat.includeUsage)
    , m_includeUsage(chat.includeUsage)
    , m_chunked(http.http11)
    , m_keepAlive(http.keepAlive)
{
    m_record.status = 200;
}

SimReply::~SimReply()
{
    m_record.aborted = !m_complete;
    m_log.write(m_record);
}

void SimReply::begin()
{
    if (!m_record.stream) {
        return;
    }
    if (m_fault.kind != SimFault::Kind::Buffered) {
        send(httpStreamHead("x-request-id: " + m_record.requestId + "\r\n", m_chunked, m_keepAlive),
             SimConnection::After::More);
    }
    event(m_writer.role(), m_record.roleNs);
}

std::int64_t SimReply::content(std::string_view text, std::int64_t dueNs)
{
    if (!m_record.stream) {
        m_text.append(text);
        return steadyNs();
    }
    std::int64_t stamp = 0;
    event(m_writer.content(text), stamp);
    m_record.sendNs.push_back(stamp);
    m_record.lateNs.push_back(stamp - dueNs);
    return stamp;
}

void SimReply::finish(std::string_view reason)
{
    // Asked before the last byte goes out: a client that has it may leave at once.
    m_complete = !m_connection->gone();
    if (m_record.stream) {
        std::int64_t stamp = 0;
        event(m_writer.finish(reason), stamp);
        if (m_includeUsage) {
            event(m_writer.usage(usage()), stamp);
        }
        end();
    } else {
        m_record.doneNs = steadyNs();
        send(wholeReply(stamped(m_writer.whole(m_text, reason, usage()), m_record.doneNs)), afterEnd());
    }
}

void SimReply::cut()
{
    std::string bytes = m_record.stream ? framed(wire::sseEvent(stamped(m_writer.content(" cut"), steadyNs())))
                                        : wholeReply(stamped(m_writer.whole(m_text, "stop", usage()), steadyNs()));
    bytes.resize(bytes.size() - bytes.size() / 4);
    send(bytes, SimConnection::After::Close);
}

void SimReply::reset()
{
    send({}, SimConnection::After::Reset);
}

void SimReply::failInband()
{
    if (m_record.stream) {
        std::int64_t stamp = 0;
        event(m_writer.error(), stamp);
        end();
    } else {
        m_record.doneNs = steadyNs();
        send(wholeReply(stamped(m_writer.error(), m_record.doneNs)), afterEnd());
    }
}

void SimReply::event(std::string_view beforeStamp, std::int64_t& stamp)
{
    if (m_fault.kind == SimFault::Kind::Buffered) {
        m_held.emplace_back(beforeStamp);
        return;
    }
    stamp = steadyNs();
    send(framed(wire::sseEvent(stamped(beforeStamp, stamp))), SimConnection::After::More);
}

void SimReply::end()
{
    std::string bytes;
    m_record.doneNs = steadyNs();
    if (!m_held.empty()) {
        bytes = httpStreamHead("x-request-id: " + m_record.requestId + "\r\n", m_chunked, m_keepAlive);
        for (const std::string& held : m_held) {
            bytes += framed(wire::sseEvent(stamped(held, m_record.doneNs)));
        }
        m_record.roleNs = m_record.doneNs;
        m_record.lateNs.clear();
        m_record.sendNs.assign(m_record.sendNs.size(), m_record.doneNs);
    }
    bytes += framed(wire::sseEvent("[DONE]"));
    if (m_chunked) {
        bytes += lastChunk;
    }
    send(bytes, afterEnd());
}

void SimReply::send(std::string_view bytes, SimConnection::After after)
{
    // The engine asks gone() after each step, so a failure only marks the record.
    m_complete = m_connection->send(bytes, after) && m_complete;
}

SimConnection::After SimReply::afterEnd() const
{
    return m_keepAlive ? SimConnection::After::Done : SimConnection::After::Close;
}

std::string SimReply::framed(std::string_view bytes) const
{
    return m_chunked ? httpChunk(bytes) : std::string(bytes);
}

std::string SimReply::wholeReply(std::string body) const
{
    return httpReply({.body = std::move(body),
                      .extraHeaders = "x-request-id: " + m_record.requestId + "\r\n",
                      .keepAlive = m_keepAlive});
}

SimUsage SimReply::usage() const
{
    return {m_record.promptTokens, m_record.cachedTokens, m_record.tokens};
}

} // namespace tokenpace::sim
