// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/ndjson.h"

#include <utility>

namespace tokenpace::wire {

NdjsonReader::NdjsonReader(Callbacks callbacks, std::size_t maxLineBytes)
    : m_callbacks(std::move(callbacks))
    , m_maxLineBytes(maxLineBytes)
{
}

void NdjsonReader::feed(std::string_view bytes, Stamp at)
{
    if (!bytes.empty()) {
        m_lastByteAt = at;
    }
    while (!m_stopped && !bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (m_pending.size() + part.size() > m_maxLineBytes) {
            m_stopped = true;
            m_callbacks.tooLong(at);
            return;
        }
        if (end == std::string_view::npos) {
            m_pending.append(part);
            return;
        }
        bytes.remove_prefix(end + 1);
        if (m_pending.empty()) {
            take(part, at);
        } else {
            m_pending.append(part);
            const std::string line = std::exchange(m_pending, {});
            take(line, at);
        }
    }
}

void NdjsonReader::end()
{
    if (!m_stopped) {
        const std::string line = std::exchange(m_pending, {});
        take(line, m_lastByteAt);
    }
}

void NdjsonReader::take(std::string_view line, Stamp at)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (std::exchange(m_atStart, false) && line.substr(0, byteOrderMark.size()) == byteOrderMark) {
        line.remove_prefix(byteOrderMark.size());
    }
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
        m_callbacks.line(line, at);
    }
}

} // namespace tokenpace::wire
