// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/textplaces.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tokenpace {

namespace {

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

/// Bytes of the well-formed UTF-8 sequence at `at` (RFC 3629: no overlong forms, no surrogates), or 0.
std::size_t utf8Length(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[at + i])) : 0u;
    };
    const auto within = [](unsigned value, unsigned low, unsigned high) {
        return value >= low && value <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80u) {
        return 1;
    }
    if (within(lead, 0xC2u, 0xDFu)) {
        return within(byte(1), 0x80u, 0xBFu) ? 2 : 0;
    }
    if (within(lead, 0xE0u, 0xEFu)) {
        const unsigned low = lead == 0xE0u ? 0xA0u : 0x80u;
        const unsigned high = lead == 0xEDu ? 0x9Fu : 0xBFu;
        return within(byte(1), low, high) && within(byte(2), 0x80u, 0xBFu) ? 3 : 0;
    }
    if (within(lead, 0xF0u, 0xF4u)) {
        const unsigned low = lead == 0xF0u ? 0x90u : 0x80u;
        const unsigned high = lead == 0xF4u ? 0x8Fu : 0xBFu;
        return within(byte(1), low, high) && within(byte(2), 0x80u, 0xBFu) && within(byte(3), 0x80u, 0xBFu) ? 4 : 0;
    }
    return 0;
}

} // namespace

TextPlaces::TextPlaces(std::string_view text, std::size_t begin)
    : m_text(text)
{
    m_starts.push_back(begin);
    for (std::size_t i = begin; i < text.size(); ++i) {
        // CR LF, LF and CR each end a line.
        if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < text.size() && text[i + 1] == '\n'))) {
            m_starts.push_back(i + 1);
        }
    }
}

TextPlace TextPlaces::at(std::size_t offset) const
{
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
    if (next == m_starts.begin()) {
        return {};
    }
    const std::size_t start = *(next - 1);
    const auto line = static_cast<int>(next - m_starts.begin());
    // Questions come mostly in order: go on from the last one, or a file of one long line costs its square.
    if (m_lastLine != line || m_lastOffset > offset) {
        m_lastLine = line;
        m_lastOffset = start;
        m_lastColumn = 1;
    }
    for (; m_lastOffset < offset && m_lastOffset < m_text.size(); ++m_lastOffset) {
        m_lastColumn += isContinuation(m_text[m_lastOffset]) ? 0 : 1;
    }
    return {line, m_lastColumn};
}

/// The name of an encoding that is not UTF-8, by its byte order mark or by the zero bytes that ASCII has in it.
std::string foreignEncoding(std::string_view text)
{
    const auto starts = [&](std::string_view mark) {
        return text.substr(0, mark.size()) == mark;
    };
    using namespace std::string_view_literals;
    if (starts("\xFF\xFE\0\0"sv)) {
        return "UTF-32 (little endian)";
    }
    if (starts("\0\0\xFE\xFF"sv)) {
        return "UTF-32 (big endian)";
    }
    if (starts("\xFF\xFE"sv)) {
        return "UTF-16 (little endian)";
    }
    if (starts("\xFE\xFF"sv)) {
        return "UTF-16 (big endian)";
    }
    if (text.size() >= 2 && text[0] != '\0' && text[1] == '\0') {
        return "UTF-16 (little endian)";
    }
    if (text.size() >= 2 && text[0] == '\0' && text[1] != '\0') {
        return "UTF-16 (big endian)";
    }
    return {};
}

std::optional<std::size_t> invalidUtf8(std::string_view text, std::size_t begin)
{
    for (std::size_t i = begin; i < text.size();) {
        const std::size_t length = utf8Length(text, i);
        if (length == 0) {
            return i;
        }
        i += length;
    }
    return std::nullopt;
}

std::size_t textBegin(std::string_view text)
{
    return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

std::optional<TextProblem> encodingProblem(std::string_view text)
{
    if (const std::string encoding = foreignEncoding(text); !encoding.empty()) {
        return TextProblem{{}, {}, "the file is " + encoding + "; save it as UTF-8"};
    }
    const std::size_t begin = textBegin(text);
    if (const std::optional<std::size_t> bad = invalidUtf8(text, begin)) {
        const std::string byte = hexByte(text[*bad]);
        return TextProblem{
            TextPlaces(text, begin).at(*bad), {}, "the byte " + byte + " is not valid UTF-8; save the file as UTF-8"};
    }
    return std::nullopt;
}

std::string hexByte(char c)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return text.data();
}

} // namespace tokenpace
