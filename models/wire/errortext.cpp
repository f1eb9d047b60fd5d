// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/errortext.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "wire/jsonfields.h"

namespace tokenpace::wire {

namespace {

constexpr std::size_t maxWords = 300;

std::string asText(const JsonValue& value)
{
    return std::string(value.isString() ? value.text() : value.spelling());
}

/// "body.stream_options.include_usage" without the leading place.
std::string parameterOf(const JsonValue& location)
{
    std::string path;
    bool first = true;
    for (const JsonValue& element : location) {
        const std::string part = asText(element);
        const bool isPlace = std::exchange(first, false) && (part == "body" || part == "query");
        if (!part.empty() && !isPlace) {
            path += path.empty() ? part : "." + part;
        }
    }
    return path;
}

/// The message in `value`, however deep it is wrapped.
std::optional<ServerError> unwrap(const JsonValue& value, int depth)
{
    constexpr int maxDepth = 4;
    if (depth > maxDepth) {
        return std::nullopt;
    }
    if (value.isString()) {
        const std::string_view text = value.text();
        return text.empty() ? std::nullopt : std::optional(ServerError{std::string(text), {}, {}});
    }
    if (value.isArray()) {
        return value.empty() ? std::nullopt : unwrap(*value.begin(), depth + 1);
    }
    if (!value.isObject()) {
        return std::nullopt;
    }
    for (const char* key : {"message", "error", "detail", "details", "msg", "errors", "error_description", "title"}) {
        const JsonValue* inner = member(value, key);
        if (inner == nullptr) {
            continue;
        }
        auto found = unwrap(*inner, depth + 1);
        if (!found) {
            continue;
        }
        if (const JsonValue* param = member(value, "param"); param != nullptr && param->isString()) {
            found->param = std::string(param->text());
        }
        if (const JsonValue* location = member(value, "loc");
            location != nullptr && location->isArray() && !found->param) {
            const std::string path = parameterOf(*location);
            found->param = path.empty() ? std::nullopt : std::optional(path);
        }
        for (const char* codeKey : {"code", "type", "status"}) {
            if (const JsonValue* code = member(value, codeKey); code != nullptr && found->code.empty()) {
                found->code = asText(*code);
            }
        }
        return found;
    }
    return std::nullopt;
}

bool startsWithNoCase(std::string_view text, std::string_view start)
{
    return text.size() >= start.size()
        && std::equal(start.begin(), start.end(), text.begin(), [](unsigned char a, unsigned char b) {
               return std::tolower(a) == std::tolower(b);
           });
}

std::size_t findNoCase(std::string_view text, std::string_view word, std::size_t from = 0)
{
    for (std::size_t i = from; i + word.size() <= text.size(); ++i) {
        if (startsWithNoCase(text.substr(i), word)) {
            return i;
        }
    }
    return std::string_view::npos;
}

std::string withoutTags(std::string_view html)
{
    std::string text;
    std::size_t i = 0;
    while (i < html.size()) {
        if (html[i] != '<') {
            text.push_back(html[i++]);
            continue;
        }
        std::string_view closing;
        for (const std::string_view element : {"script", "style"}) {
            if (startsWithNoCase(html.substr(i + 1), element)) {
                closing = element == "script" ? "</script" : "</style";
            }
        }
        if (!closing.empty()) {
            i = findNoCase(html, closing, i);
        }
        i = i == std::string_view::npos ? i : html.find('>', i);
        if (i == std::string_view::npos) {
            break;
        }
        ++i;
        text.push_back(' ');
    }
    return text;
}

std::string folded(std::string_view text)
{
    std::string words;
    bool gap = false;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7F) {
            gap = !words.empty();
            continue;
        }
        if (gap) {
            words.push_back(' ');
            gap = false;
        }
        words.push_back(c);
        if (words.size() >= maxWords) {
            // Never in the middle of a UTF-8 sequence.
            while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xC0) == 0x80) {
                words.pop_back();
            }
            words.pop_back();
            return words + "…";
        }
    }
    return words;
}

} // namespace

std::optional<ServerError> findError(const JsonValue& document)
{
    return unwrap(document, 0);
}

std::optional<ServerError> findInBandError(const JsonValue& event, std::string_view eventName)
{
    if (const JsonValue* error = member(event, "error")) {
        if (auto found = unwrap(*error, 1)) {
            // The code may stand beside the error rather than in it.
            if (const JsonValue* code = member(event, "code"); code != nullptr && found->code.empty()) {
                found->code = asText(*code);
            }
            return found;
        }
        if (error->isObject() && !error->empty()) {
            return ServerError{error->compact(), {}, {}};
        }
        if (error->isTrue()) {
            return findError(event).value_or(ServerError{"the server reported an error without a message", {}, {}});
        }
    }
    const bool callsItselfError =
        eventName == "error" || textOf(event, "type") == "error" || textOf(event, "object") == "error";
    if (!callsItselfError) {
        return std::nullopt;
    }
    return findError(event).value_or(ServerError{event.compact().substr(0, maxWords), {}, {}});
}

std::string firstWords(std::string_view body)
{
    const std::size_t title = findNoCase(body, "<title");
    if (title != std::string_view::npos) {
        const std::size_t begin = body.find('>', title);
        const std::size_t end = begin == std::string_view::npos ? begin : findNoCase(body, "</title", begin);
        if (end != std::string_view::npos) {
            const std::string words = folded(body.substr(begin + 1, end - begin - 1));
            if (!words.empty()) {
                return words;
            }
        }
    }
    const std::size_t start = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool isMarkup = start != std::string_view::npos && body[start] == '<';
    return isMarkup ? folded(withoutTags(body)) : folded(body);
}

} // namespace tokenpace::wire
