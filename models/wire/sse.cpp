// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/sse.h"

#include <utility>

namespace tokenpace::wire {

namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

} // namespace

SseReader::SseReader(Callbacks callbacks, std::size_t maxEventBytes)
    : m_callbacks(std::move(callbacks))
    , m_maxEventBytes(maxEventBytes)
{
}

void SseReader::feed(std::string_view bytes, Stamp at)
{
    if (m_stopped || bytes.empty()) {
        return;
    }
    m_lastByteAt = at;
    if (m_skipLf) {
        m_skipLf = false;
        if (bytes.front() == '\n') {
            bytes.remove_prefix(1);
        }
    }
    while (!bytes.empty() && !m_stopped) {
        const std::size_t end = bytes.find_first_of("\r\n");
        const std::string_view piece = bytes.substr(0, end);
        if (overLimit(m_pending.size() + piece.size(), at)) {
            return;
        }
        if (end == std::string_view::npos) {
            m_pending.append(piece);
            return;
        }
        bytes.remove_prefix(end);
        if (bytes.front() == '\r') {
            bytes.remove_prefix(1);
            if (bytes.empty()) {
                m_skipLf = true;
            } else if (bytes.front() == '\n') {
                bytes.remove_prefix(1);
            }
        } else {
            bytes.remove_prefix(1);
        }
        if (m_pending.empty()) {
            line(piece, at);
        } else {
            m_pending.append(piece);
            const std::string whole = std::exchange(m_pending, {});
            line(whole, at);
        }
    }
}

void SseReader::end()
{
    if (m_stopped) {
        return;
    }
    if (!m_pending.empty()) {
        const std::string whole = std::exchange(m_pending, {});
        line(whole, m_lastByteAt);
    }
    dispatch(m_lastByteAt);
}

void SseReader::line(std::string_view text, Stamp at)
{
    if (m_atStart) {
        m_atStart = false;
        if (text.substr(0, byteOrderMark.size()) == byteOrderMark) {
            text.remove_prefix(byteOrderMark.size());
        }
    }
    if (text.empty()) {
        dispatch(at);
        return;
    }
    const std::size_t colon = text.find(':');
    if (colon == 0) {
        return;
    }
    const std::string_view field = text.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    if (!value.empty() && value.front() == ' ') {
        value.remove_prefix(1);
    }
    if (field == "data") {
        if (overLimit(m_data.size() + value.size(), at)) {
            return;
        }
        if (m_hasData) {
            m_data.push_back('\n');
        }
        m_data.append(value);
        m_hasData = true;
    } else if (field == "event") {
        m_name = value;
    } else if (field != "id" && field != "retry" && m_callbacks.strayLine) {
        m_callbacks.strayLine(text, at);
    }
}

void SseReader::dispatch(Stamp at)
{
    if (m_stopped || !m_hasData) {
        m_name.clear();
        return;
    }
    m_hasData = false;
    // Taken out first: the callback may stop this reader.
    const std::string data = std::exchange(m_data, {});
    const std::string eventName = std::exchange(m_name, {});
    m_callbacks.event({eventName, data, at});
}

bool SseReader::overLimit(std::size_t pending, Stamp at)
{
    if (pending <= m_maxEventBytes) {
        return false;
    }
    m_stopped = true;
    m_pending.clear();
    m_data.clear();
    if (m_callbacks.tooLong) {
        m_callbacks.tooLong(at);
    }
    return true;
}

std::string sseEvent(std::string_view data, std::string_view name)
{
    std::string bytes;
    bytes.reserve(data.size() + name.size() + 16);
    if (!name.empty()) {
        bytes.append("event: ").append(name).push_back('\n');
    }
    while (true) {
        const std::size_t end = data.find('\n');
        bytes.append("data: ").append(data.substr(0, end)).push_back('\n');
        if (end == std::string_view::npos) {
            break;
        }
        data.remove_prefix(end + 1);
    }
    bytes.push_back('\n');
    return bytes;
}

} // namespace tokenpace::wire
