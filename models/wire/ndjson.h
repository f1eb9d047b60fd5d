// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "measure/timeline.h"
#include "wire/sse.h"

namespace tokenpace::wire {

/// Incremental reader of newline-delimited JSON: bytes and stamps in, lines out. Lines end at LF (a CR before it is
/// white space to JSON), blank ones are left out, one BOM at the start is dropped. A line carries the stamp of the read
/// that held its end; what is left at the end of the stream that of its last byte. Plain C++; any one thread.
class NdjsonReader {
public:
    struct Callbacks {
        std::function<void(std::string_view line, Stamp at)> line;
        std::function<void(Stamp at)> tooLong; ///< a line passed maxLineBytes; the reader then stops for good
    };

    explicit NdjsonReader(Callbacks callbacks, std::size_t maxLineBytes = SseReader::defaultMaxEventBytes);

    void feed(std::string_view bytes, Stamp at);
    void end();
    /// Stops for good; a callback may call it.
    void stop() { m_stopped = true; }

private:
    void take(std::string_view line, Stamp at);

    Callbacks m_callbacks;
    std::size_t m_maxLineBytes;
    std::string m_pending; ///< bytes of a line that has not ended
    Stamp m_lastByteAt{};
    bool m_atStart = true;
    bool m_stopped = false;
};

} // namespace tokenpace::wire
