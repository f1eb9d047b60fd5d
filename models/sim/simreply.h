// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simchat.h"
#include "sim/simconnection.h"
#include "sim/simfault.h"
#include "sim/simhttp.h"
#include "sim/simlog.h"

namespace tokenpace::sim {

/// The reply to one chat request, streamed or whole, and its record, which is logged when the last holder lets go:
/// the engine when it is done with it, and the event loop when the connection goes on to something else.
///
/// Order of a stream: the head and the role-only event when the request enters the batch (its wait in the queue is
/// over, its prefill begins); an event for the first token; an event for every tokensPerChunk further tokens; an event
/// with the finish reason; the usage, if asked for; [DONE]. One thread at a time; the engine's, once it is submitted.
class SimReply {
public:
    SimReply(std::shared_ptr<SimConnection> connection, SimLog& log, SimRecord record, const SimHttpRequest& http,
             const SimChatRequest& chat, SimFault fault);
    ~SimReply();
    SimReply(const SimReply&) = delete;
    SimReply& operator=(const SimReply&) = delete;

    [[nodiscard]] SimRecord& record() { return m_record; }
    [[nodiscard]] SimFault fault() const { return m_fault; }
    [[nodiscard]] std::uint64_t connectionId() const { return m_connection->id(); }
    [[nodiscard]] bool gone() const { return m_connection->gone(); }

    void begin();
    /// The text of some tokens that were ready at `dueNs`. Gives back when it was sent; 0 when it is held back.
    std::int64_t content(std::string_view text, std::int64_t dueNs);
    void finish(std::string_view reason);
    /// The three ends that no reply should have; also of whole replies.
    void cut();
    void reset();
    void failInband();

private:
    void event(std::string_view beforeStamp, std::int64_t& stamp);
    void end();
    void send(std::string_view bytes, SimConnection::After after);
    [[nodiscard]] SimConnection::After afterEnd() const;
    [[nodiscard]] std::string framed(std::string_view bytes) const;
    [[nodiscard]] std::string wholeReply(std::string body) const;
    [[nodiscard]] SimUsage usage() const;

    std::shared_ptr<SimConnection> m_connection;
    SimLog& m_log;
    SimRecord m_record;
    SimFault m_fault;
    SimChatWriter m_writer;
    std::string m_text; ///< of a whole reply
    std::vector<std::string> m_held; ///< events of error-buffered
    bool m_includeUsage;
    bool m_chunked;
    bool m_keepAlive;
    bool m_complete = false;
};

} // namespace tokenpace::sim
