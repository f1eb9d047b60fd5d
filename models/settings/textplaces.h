// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tokenpace {

/// A place in a text, from 1. Columns count characters, not bytes, as editors do.
struct TextPlace {
    int line = 1;
    int column = 1;

    friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

/// Something to tell about a settings text, with its place; `key` is the dotted path where one is known.
struct TextProblem {
    TextPlace place;
    std::string key;
    std::string message;
};

/// Turns offsets into a text into places. CR LF, LF and CR each end a line. Questions in ascending order are cheap. The
/// text must outlive it; one thread at a time.
class TextPlaces {
public:
    /// Line 1 begins at `begin`, behind a byte order mark.
    TextPlaces(std::string_view text, std::size_t begin);

    [[nodiscard]] TextPlace at(std::size_t offset) const;

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
    mutable int m_lastLine = 0;
    mutable std::size_t m_lastOffset = 0;
    mutable int m_lastColumn = 1;
};

/// The name of an encoding that is not UTF-8, by its byte order mark or by the zero bytes that ASCII has in it; empty
/// when there is no sign of one.
[[nodiscard]] std::string foreignEncoding(std::string_view text);

/// Offset of the first byte from `begin` on that belongs to no well-formed UTF-8 sequence (RFC 3629: no overlong
/// forms, no surrogates).
[[nodiscard]] std::optional<std::size_t> invalidUtf8(std::string_view text, std::size_t begin);

/// Why a text cannot be read as UTF-8, with the place of the first byte that is none.
[[nodiscard]] std::optional<TextProblem> encodingProblem(std::string_view text);
/// Where the text begins: behind a byte order mark.
[[nodiscard]] std::size_t textBegin(std::string_view text);

/// `0xE9`
[[nodiscard]] std::string hexByte(char c);

} // namespace tokenpace
