// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tokenpace {

/// How a JSON text is laid out, so that what is added to it looks as the rest does. Values; pure functions.
struct JsonLayout {
    std::string lineEnd = "\n";
    std::string unit = "  "; ///< of indentation
    bool oneLine = false; ///< the whole text, such as one that a program wrote

    [[nodiscard]] static JsonLayout of(std::string_view text);

    /// Compact JSON with line ends, for a value in a line that begins with `indent`. Lists of plain values stay in one
    /// line, and a text that has line ends already stays as it is.
    [[nodiscard]] std::string laidOut(std::string_view json, const std::string& indent) const;
};

/// The blanks that the line of `offset` begins with.
[[nodiscard]] std::string indentAt(std::string_view text, std::size_t offset);

/// Is there nothing but blanks between the begin of its line and `offset`?
[[nodiscard]] bool beginsLine(std::string_view text, std::size_t offset);

/// The first byte from `offset` on that is no blank and in no comment.
[[nodiscard]] std::size_t skipJsonSpace(std::string_view text, std::size_t offset);

/// Past the blanks and comments behind `offset` that end in the same line; `offset` when there is no comment.
[[nodiscard]] std::size_t endOfRemark(std::string_view text, std::size_t offset);

} // namespace tokenpace
