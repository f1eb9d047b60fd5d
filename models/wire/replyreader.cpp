// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/replyreader.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "wire/dialects.h"
#include "wire/errortext.h"
#include "wire/jsonfields.h"
#include "wire/refusedparameter.h"

namespace tokenpace::wire {

namespace {

using namespace std::chrono_literals;

// A chat finish reason alone ends nothing: usage and [DONE] may follow. These waits are in no number.
constexpr Stamp waitAfterFinish = 2s;
constexpr Stamp waitAfterTerminal = 250ms;
constexpr std::size_t maxErrorBody = std::size_t{64} * 1024;
constexpr std::size_t maxWholeBody = std::size_t{64} * 1024 * 1024;
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return lower;
}

/// The media type alone, compared without parameters and case.
std::string mediaType(std::string_view contentType)
{
    return lowerCase(trimmed(contentType.substr(0, contentType.find(';'))));
}

bool isPrefixOfOther(std::string_view a, std::string_view b)
{
    const std::size_t n = std::min(a.size(), b.size());
    return a.substr(0, n) == b.substr(0, n);
}

std::string statusText(const ReplyHead& head)
{
    std::string text = "HTTP " + std::to_string(head.httpStatus);
    if (!head.reason.empty()) {
        text += " " + head.reason;
    }
    return text;
}

} // namespace

ReplyReader::ReplyReader(Protocol protocol, Timeline& timeline)
    : m_timeline(timeline)
    , m_protocol(protocol)
    , m_dialect(dialectReader(protocol))
    , m_recorder(timeline,
                 [this](std::string message, std::optional<std::string> param) {
                     fail(ErrorKind::Stream, std::move(message), std::move(param));
                 })
    , m_sse({[this](const SseEvent& event) {
                 onEvent(event.name, event.data, event.at);
             },
             [this](std::string_view line, Stamp at) {
                 onStrayLine(line, at);
             },
             [this](Stamp) {
                 fail(ErrorKind::Parse, "one event of the stream is larger than 64 MiB");
             }})
    , m_lines({[this](std::string_view line, Stamp at) {
                   onLine(line, at);
               },
               [this](Stamp) {
                   fail(ErrorKind::Parse, "one line of the stream is larger than 64 MiB");
               }})
{
}

ReplyReader::~ReplyReader() = default;

void ReplyReader::head(const ReplyHead& head, Stamp at)
{
    if (m_done) {
        return;
    }
    m_head = head;
    m_headSeen = true;
    m_timeline.marks.headers = at;
    constexpr int firstRedirect = 300;
    constexpr int firstError = 400;
    constexpr int firstSuccess = 200;
    if (head.httpStatus < firstSuccess) {
        fail(ErrorKind::Transport, "something on the way sent " + statusText(head) + " in place of an answer");
    } else if (head.httpStatus >= firstRedirect && head.httpStatus < firstError) {
        fail(ErrorKind::Http,
             head.location.empty()
                 ? statusText(head) + ": a redirect that names no place; check the base URL"
                 : "the server redirects to " + head.location + "; set this base URL (" + statusText(head) + ")");
    } else if (head.httpStatus >= firstError) {
        m_framing = Framing::ErrorBody;
    } else {
        const std::string encoding = lowerCase(trimmed(head.contentEncoding));
        if (!encoding.empty() && encoding != "identity") {
            m_timeline.flags.set(Flag::Compressed);
            fail(ErrorKind::Parse,
                 "compressed stream (" + encoding
                     + "), timing not usable: switch compression off for this path at the server or proxy");
        }
    }
}

void ReplyReader::feed(std::string_view bytes, Stamp at)
{
    if (m_done || bytes.empty()) {
        return;
    }
    if (!m_timeline.marks.firstByte) {
        m_timeline.marks.firstByte = at;
    }
    m_timeline.marks.lastByte = at;
    switch (m_framing) {
    case Framing::Sse:
        m_sse.feed(bytes, at);
        return;
    case Framing::Lines:
        m_lines.feed(bytes, at);
        return;
    case Framing::ErrorBody:
        m_body.append(bytes.substr(0, maxErrorBody - m_body.size()));
        if (m_body.size() >= maxErrorBody) {
            endErrorBody();
            m_done = true;
        }
        return;
    case Framing::Whole:
    case Framing::Undecided:
        if (m_body.size() + bytes.size() > maxWholeBody) {
            fail(ErrorKind::Parse, "the reply is larger than 64 MiB");
            m_done = true;
            return;
        }
        m_body.append(bytes);
        if (m_framing == Framing::Undecided) {
            decideFraming(false);
            if (m_framing == Framing::Sse || m_framing == Framing::Lines) {
                const std::string begin = std::exchange(m_body, {});
                feed(begin, at);
            }
        }
        return;
    }
}

void ReplyReader::decideFraming(bool atEnd)
{
    std::string_view begin = m_body;
    if (begin.substr(0, byteOrderMark.size()) == byteOrderMark) {
        begin.remove_prefix(byteOrderMark.size());
    } else if (!begin.empty() && begin.size() < byteOrderMark.size() && isPrefixOfOther(begin, byteOrderMark)
               && !atEnd) {
        return;
    }
    const std::size_t first = begin.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return;
    }
    begin.remove_prefix(first);
    if (begin.front() == '{' || begin.front() == '[') {
        m_framing = jsonFraming(m_body.size() - begin.size(), atEnd);
        return;
    }
    if (mediaType(m_head.contentType) == "text/event-stream") {
        m_framing = Framing::Sse;
        return;
    }
    constexpr std::array<std::string_view, 6> starts{"data:", "event:", "id:", "retry:", "error:", ":"};
    const auto fits = [&](std::string_view start) {
        return isPrefixOfOther(begin, start);
    };
    if (std::none_of(starts.begin(), starts.end(), fits)) {
        m_framing = Framing::ErrorBody;
        return;
    }
    const auto isWhole = [&](std::string_view start) {
        return begin.size() >= start.size() && fits(start);
    };
    if (std::any_of(starts.begin(), starts.end(), isWhole)) {
        m_framing = Framing::Sse;
    } else if (atEnd) {
        m_framing = Framing::ErrorBody;
    }
}

ReplyReader::Framing ReplyReader::jsonFraming(std::size_t begin, bool atEnd)
{
    if (m_protocol != Protocol::OllamaChat) {
        return Framing::Whole;
    }
    const std::size_t end = m_body.find('\n', std::max(begin, m_searched));
    m_searched = m_body.size();
    if (end == std::string::npos && !atEnd) {
        return Framing::Undecided;
    }
    // An object that goes on in the next line is a reply laid out for people.
    const std::string_view line = trimmed(std::string_view(m_body).substr(begin, end - begin));
    return end == std::string::npos || line.back() == '}' ? Framing::Lines : Framing::Whole;
}

void ReplyReader::endOfBody(Stamp at, BodyEnd how, std::string_view message)
{
    if (m_done) {
        return;
    }
    m_timeline.marks.end = at;
    if (m_framing == Framing::Undecided && m_headSeen) {
        decideFraming(true);
        if (m_framing == Framing::Lines) {
            m_lines.feed(std::exchange(m_body, {}), m_timeline.marks.lastByte.value_or(at));
        }
    }
    switch (m_framing) {
    case Framing::Sse:
        if (how == BodyEnd::Clean) {
            m_sse.end();
        }
        break;
    case Framing::Lines:
        if (how == BodyEnd::Clean) {
            m_lines.end();
        }
        break;
    case Framing::Whole:
        endWhole();
        break;
    case Framing::ErrorBody:
        endErrorBody();
        break;
    case Framing::Undecided:
        break;
    }
    conclude(how, message);
}

std::optional<Stamp> ReplyReader::deadline() const
{
    if (m_done) {
        return std::nullopt;
    }
    if (m_recorder.terminalSeen() && m_timeline.marks.terminal) {
        return *m_timeline.marks.terminal + waitAfterTerminal;
    }
    if (m_recorder.mayEndSeen() && m_lastDataEvent) {
        return *m_lastDataEvent + waitAfterFinish;
    }
    return std::nullopt;
}

void ReplyReader::expire(Stamp now)
{
    const auto until = deadline();
    if (until && now >= *until) {
        conclude(BodyEnd::Clean, {});
    }
}

void ReplyReader::abandon(Status status, RequestError error, Stamp at)
{
    if (m_done) {
        return;
    }
    if (m_framing == Framing::Whole && JsonDocument(m_body).root() != nullptr) {
        // A server that answered whole and keeps the socket open has answered. Half an answer is none.
        endWhole();
    } else if (m_framing == Framing::ErrorBody && status != Status::Cancelled) {
        endErrorBody();
    }
    if (!hasEnding() && !m_timeline.error) {
        if (m_headSeen) {
            error.httpStatus = m_head.httpStatus;
        }
        m_timeline.status = status;
        m_timeline.error = std::move(error);
    }
    static_cast<void>(at);
    m_done = true;
}

void ReplyReader::onEvent(std::string_view name, std::string_view data, Stamp at)
{
    m_timeline.streamed = true;
    m_recorder.beginEvent(at);
    ++m_timeline.events;
    if (!m_timeline.marks.firstEvent) {
        m_timeline.marks.firstEvent = at;
    }
    m_timeline.marks.lastEvent = at;
    m_lastDataEvent = at;

    data = trimmed(data);
    if (data.empty()) {
        return;
    }
    if (data == "[DONE]") {
        m_recorder.terminal();
        return;
    }
    if (m_recorder.terminalSeen()) {
        ++m_timeline.afterDone;
    }
    m_document.parse(data);
    const JsonValue* event = m_document.object();
    if (event == nullptr) {
        ++m_timeline.badEvents;
        return;
    }
    if (const auto found = findInBandError(*event, name)) {
        m_recorder.error(found->message, found->param);
        return;
    }
    m_dialect->event(name, *event, m_recorder);
    m_recorder.endEvent();
}

void ReplyReader::onLine(std::string_view line, Stamp at)
{
    if (m_timeline.events == 0) {
        // The one line of a server that did not stream is the whole reply; a stream's last line brings no text.
        const JsonDocument document(trimmed(line));
        const JsonValue* reply = document.object();
        const JsonValue* message = member(reply, {"message"});
        const bool says = message != nullptr
            && !(textOf(*message, "content").empty() && textOf(*message, "thinking").empty()
                 && listOf(*message, "tool_calls").empty());
        if (says && isTrue(*reply, "done") && !findInBandError(*reply)) {
            m_recorder.beginWhole(at);
            readWhole(*reply);
            return;
        }
    }
    onEvent({}, line, at);
}

void ReplyReader::onStrayLine(std::string_view line, Stamp at)
{
    std::string_view text = line;
    constexpr std::string_view errorField = "error:";
    if (text.substr(0, errorField.size()) == errorField) {
        text = trimmed(text.substr(errorField.size()));
    } else if (text.front() != '{') {
        return;
    }
    m_timeline.streamed = true;
    m_recorder.beginEvent(at);
    const JsonDocument document(text);
    if (const JsonValue* said = document.object()) {
        const auto found = text.data() == line.data() ? findInBandError(*said) : findError(*said);
        if (found) {
            m_recorder.error(found->message, found->param);
        }
    } else if (text.data() != line.data() && !text.empty()) {
        m_recorder.error(std::string(text), {});
    }
}

void ReplyReader::endErrorBody()
{
    if (m_timeline.error) {
        return;
    }
    constexpr int firstError = 400;
    const JsonDocument document(m_body);
    const auto found = document.root() != nullptr ? findError(*document.root()) : std::nullopt;
    if (m_head.httpStatus < firstError) {
        const std::string type = mediaType(m_head.contentType);
        const std::string words = firstWords(m_body);
        fail(ErrorKind::Parse,
             "expected an event stream, got " + (type.empty() ? std::string("something else") : type) + " ("
                 + statusText(m_head) + ")" + (words.empty() ? std::string{} : ": " + words));
        return;
    }
    std::string message = statusText(m_head);
    const std::string words = found ? found->message : firstWords(m_body);
    message += words.empty() ? std::string() : ": " + words;
    constexpr int badRequest = 400;
    constexpr int unprocessable = 422;
    const bool refused = m_head.httpStatus == badRequest || m_head.httpStatus == unprocessable;
    const std::string setting = found && refused ? settingFor(*found) : std::string();
    message += setting.empty() ? setting : "; " + setting;
    fail(ErrorKind::Http, std::move(message), found ? found->param : std::nullopt);
}

void ReplyReader::endWhole()
{
    if (m_timeline.error || hasEnding()) {
        return;
    }
    const bool calledStream = mediaType(m_head.contentType) == "text/event-stream";
    const JsonDocument document(m_body);
    if (document.root() == nullptr && calledStream) {
        // Lines of JSON in an event stream: no events, yet an error may be among them.
        m_sse.feed(std::exchange(m_body, {}), m_timeline.marks.lastByte.value_or(Stamp{}));
        m_sse.end();
        return;
    }
    const JsonValue* reply = document.object();
    if (reply == nullptr) {
        fail(ErrorKind::Parse,
             "expected a chat reply, got " + std::string(document.root() == nullptr ? "broken JSON" : "other JSON")
                 + " (" + statusText(m_head) + "): " + firstWords(m_body));
        return;
    }
    m_recorder.beginWhole(m_timeline.marks.lastByte.value_or(Stamp{}));
    if (const auto found = findInBandError(*reply)) {
        m_timeline.streamed = calledStream;
        m_recorder.error(found->message, found->param);
        return;
    }
    readWhole(*reply);
}

void ReplyReader::readWhole(const JsonValue& reply)
{
    m_timeline.streamed = false;
    if (!m_dialect->whole(reply, m_recorder)) {
        m_timeline.streamed.reset();
        const auto said = findError(reply);
        fail(said ? ErrorKind::Stream : ErrorKind::Parse,
             said ? said->message
                  : "expected a chat reply, got other JSON (" + statusText(m_head) + "): " + firstWords(m_body));
        return;
    }
    m_recorder.endWhole();
}

void ReplyReader::fail(ErrorKind kind, std::string message, std::optional<std::string> param)
{
    if (m_timeline.error) {
        return;
    }
    RequestError failure;
    failure.kind = kind;
    failure.message = std::move(message);
    failure.param = std::move(param);
    if (m_headSeen) {
        failure.httpStatus = m_head.httpStatus;
    }
    failure.retryAfterMs = m_head.retryAfterMs;
    m_timeline.error = std::move(failure);
    m_timeline.status = Status::Error;
    // An in-band error ends as [DONE] does; after any other failure nothing more is wanted.
    if (kind == ErrorKind::Transport || kind == ErrorKind::Parse
        || (kind == ErrorKind::Http && m_framing != Framing::ErrorBody)) {
        m_done = true;
        m_sse.stop();
        m_lines.stop();
    }
}

void ReplyReader::conclude(BodyEnd how, std::string_view message)
{
    m_done = true;
    if (m_timeline.error) {
        m_timeline.status = Status::Error;
        return;
    }
    if (hasEnding()) {
        m_timeline.status = Status::Ok;
        return;
    }
    m_timeline.status = Status::Truncated;
    RequestError failure;
    failure.kind = how == BodyEnd::Clean ? ErrorKind::Truncated : ErrorKind::Transport;
    failure.message =
        message.empty() ? std::string("the stream ended without its terminal event") : std::string(message);
    if (m_headSeen) {
        failure.httpStatus = m_head.httpStatus;
    }
    m_timeline.error = std::move(failure);
}

} // namespace tokenpace::wire
