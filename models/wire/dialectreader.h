// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "measure/timeline.h"
#include "wire/json.h"

namespace tokenpace::wire {

/// Where a dialect puts what it read out of one event. Implemented by ReplyReader, which owns the clock: everything
/// that is told during one event carries that event's stamp.
class ReplySink {
public:
    virtual ~ReplySink() = default;
    virtual void text(std::string_view piece) = 0;
    virtual void reasoning(std::string_view piece) = 0;
    virtual void refusal(std::string_view piece) = 0;
    /// A piece of tool call number `index` in the dialect's own numbering.
    virtual void tool(std::int64_t index, std::string_view name, std::string_view arguments) = 0;
    /// Content that is kept though it is no output: a beginning or an end that repeats it, without a time of its own.
    virtual void aside(Channel channel, std::string_view piece) = 0;
    virtual void toolAside(std::int64_t index, std::string_view name, std::string_view arguments) = 0;
    virtual void choices() = 0; ///< the event carries choices (content or not)
    virtual void finish(std::string_view reason) = 0;
    virtual void
    mayEnd() = 0; ///< an orderly end of the body is one of the reply from here on, without a terminal event
    virtual void usage(const Usage& usage) = 0; ///< known counts replace, unknown ones leave what was there
    virtual void servedModel(std::string_view model) = 0;
    virtual void systemFingerprint(std::string_view fingerprint) = 0;
    virtual void replyId(std::string_view id) = 0; ///< the reply's own id, used where no header names the request
    virtual void serverTimes(std::string json) = 0; ///< an empty text says nothing
    virtual void loadTime(double ms) = 0; ///< how long the server loaded the model for this request
    virtual void error(std::string message, std::optional<std::string> param) = 0;
    virtual void terminal() = 0; ///< the dialect's terminal event
};

/// One dialect's reading of events: JSON in, calls on the sink out. No I/O, no clock.
class DialectReader {
public:
    virtual ~DialectReader() = default;
    /// One event of a stream; `event` is an object without an in-band error.
    virtual void event(std::string_view name, const JsonValue& event, ReplySink& sink) = 0;
    /// A whole reply of a server that did not stream; false when it is none of this dialect.
    [[nodiscard]] virtual bool whole(const JsonValue& reply, ReplySink& sink) = 0;
};

} // namespace tokenpace::wire
