// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>

namespace tokenpace::sim {

/// How a model misbehaves, told by its name.
struct SimFault {
    enum class Kind {
        None,
        Status, ///< error-NNN: that HTTP status, 200 to 599
        Stall, ///< error-stall: some tokens, then nothing; the socket stays open
        Cut, ///< error-cut: some tokens, then an end inside a chunk
        Reset, ///< error-reset: some tokens, then a connection reset
        Inband, ///< error-inband: some tokens, then an error object in the stream
        Html, ///< error-html: 200 with a page
        Buffered, ///< error-buffered: all events in one write at the end
        Empty, ///< error-empty: 200 without a body
    };
    Kind kind = Kind::None;
    int status = 0; ///< for Status

    /// Answered without a model behind it.
    [[nodiscard]] bool immediate() const { return kind == Kind::Status || kind == Kind::Html || kind == Kind::Empty; }
};

/// Tokens that a stream gets before it goes wrong, if its limit allows as many.
constexpr int tokensBeforeFault = 5;

[[nodiscard]] SimFault faultOf(std::string_view modelName);

} // namespace tokenpace::sim
