// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "measure/timeline.h"
#include "wire/dialectreader.h"
#include "wire/ndjson.h"
#include "wire/replyrecorder.h"
#include "wire/sse.h"

namespace tokenpace::wire {

/// What the transport says of a reply before its body.
struct ReplyHead {
    int httpStatus = 200;
    std::string reason; ///< reason phrase
    std::string contentType; ///< as sent, parameters included; may be empty
    std::string contentEncoding; ///< as sent; may be empty
    std::string location; ///< where a 3xx points; may be empty
    std::optional<double> retryAfterMs;
};

/// How the body ended.
enum class BodyEnd {
    Clean, ///< the transport saw an orderly end
    Broken, ///< reset, or closed in the middle of a chunk or before the promised length
};

/// Reads one reply into a timeline: head, then bytes with their arrival stamps, then the end. A pure function of
/// those: no I/O and no clock; time passes through deadline() and expire(). It must not know which network manager
/// carried the bytes. Fills in status, error, counts, marks, arrivals and text, and leaves the rest of the timeline
/// alone. Any one thread; the timeline must outlive it.
class ReplyReader final {
public:
    ReplyReader(Protocol protocol, Timeline& timeline);
    ~ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    void head(const ReplyHead& head, Stamp at);
    void feed(std::string_view bytes, Stamp at);
    /// The body ended; `message` says how a broken one did.
    void endOfBody(Stamp at, BodyEnd how = BodyEnd::Clean, std::string_view message = {});

    /// The reply is over and nothing more is wanted from the connection: the caller may drop it.
    [[nodiscard]] bool done() const { return m_done; }
    /// When the reader stops waiting by itself: 2 s after the last data event once a chat finish reason was seen, 250
    /// ms after the terminal event. The caller calls expire() then.
    [[nodiscard]] std::optional<Stamp> deadline() const;
    void expire(Stamp now);

    /// A chat finish reason or a terminal event was seen: a reset or a time-out from here on leaves the status ok.
    [[nodiscard]] bool hasEnding() const { return m_recorder.mayEndSeen() || m_recorder.terminalSeen(); }

    /// Ends the reading for a reason of the caller's (time-out, cancel, transport error before the head); what was
    /// measured stays. Status ok is kept when hasEnding().
    void abandon(Status status, RequestError error, Stamp at);

private:
    enum class Framing { Undecided, Sse, Lines, Whole, ErrorBody };

    void decideFraming(bool atEnd);
    /// Of a body that is JSON from `begin` on.
    [[nodiscard]] Framing jsonFraming(std::size_t begin, bool atEnd);
    void onEvent(std::string_view name, std::string_view data, Stamp at);
    void onLine(std::string_view line, Stamp at);
    void readWhole(const JsonValue& reply);
    void onStrayLine(std::string_view line, Stamp at);
    void endErrorBody();
    void endWhole();
    void fail(ErrorKind kind, std::string message, std::optional<std::string> param = {});
    void conclude(BodyEnd how, std::string_view message);

    Timeline& m_timeline;
    Protocol m_protocol;
    std::unique_ptr<DialectReader> m_dialect;
    ReplyRecorder m_recorder;
    JsonDocument m_document; ///< of the event that is being read
    SseReader m_sse;
    NdjsonReader m_lines;
    ReplyHead m_head;
    Framing m_framing = Framing::Undecided;
    std::string m_body; ///< bytes before the framing is decided, a whole reply, or an error body (capped)
    std::size_t m_searched = 0; ///< bytes of m_body that were searched for the end of the first line
    std::optional<Stamp> m_lastDataEvent;
    bool m_headSeen = false;
    bool m_done = false;
};

} // namespace tokenpace::wire
