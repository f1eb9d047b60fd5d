// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "measure/timeline.h"

namespace tokenpace::wire {

/// One dispatched server-sent event. The views live until the callback returns.
struct SseEvent {
    std::string_view name; ///< value of the last `event` field, or empty
    std::string_view data; ///< `data` lines joined with LF
    Stamp at{}; ///< arrival of the read that held the byte which dispatched it
};

/// Incremental reader of text/event-stream (WHATWG HTML, section 9.2): bytes and stamps in, events out. Lines end at
/// CR, LF or CRLF at once, one BOM at the start is dropped, an event without data is not dispatched. Two departures
/// on purpose: an event still pending at the end of the stream is dispatched by end(), and a line that is no SSE
/// field of the standard is reported as a stray line, since servers put errors there. Plain C++; any one thread.
class SseReader {
public:
    struct Callbacks {
        std::function<void(const SseEvent&)> event;
        std::function<void(std::string_view line, Stamp at)> strayLine;
        std::function<void(Stamp at)> tooLong; ///< an event passed maxEventBytes; the reader then stops for good
    };

    static constexpr std::size_t defaultMaxEventBytes = std::size_t{64} * 1024 * 1024;

    explicit SseReader(Callbacks callbacks, std::size_t maxEventBytes = defaultMaxEventBytes);

    void feed(std::string_view bytes, Stamp at);
    /// The stream ended: a pending line and a pending event are taken, stamped with the arrival of the last byte.
    void end();
    /// Stops dispatching for good; a callback may call it.
    void stop() { m_stopped = true; }

private:
    void line(std::string_view line, Stamp at);
    void dispatch(Stamp at);
    [[nodiscard]] bool overLimit(std::size_t pending, Stamp at);

    Callbacks m_callbacks;
    std::size_t m_maxEventBytes;
    std::string m_pending; ///< bytes of a line that has not ended
    std::string m_data;
    std::string m_name;
    Stamp m_lastByteAt{};
    bool m_hasData = false;
    bool m_skipLf = false; ///< the last byte fed was a CR that ended a line
    bool m_atStart = true;
    bool m_stopped = false;
};

/// The bytes of one event, for servers: `data: ` before each line of data, a blank line after.
[[nodiscard]] std::string sseEvent(std::string_view data, std::string_view name = {});

} // namespace tokenpace::wire
