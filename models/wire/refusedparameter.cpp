// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/refusedparameter.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tokenpace::wire {

namespace {

constexpr std::array<std::string_view, 4> limitFields{"max_completion_tokens", "max_output_tokens", "max_tokens",
                                                      "num_predict"};

bool has(std::string_view text, std::string_view word)
{
    return text.find(word) != std::string_view::npos;
}

/// The first part of a path such as `stream_options.include_usage`.
std::string_view rootOf(std::string_view parameter)
{
    return parameter.substr(0, parameter.find_first_of(".["));
}

/// Whether the words are those of a server that does not want a parameter. A value out of range is another matter.
bool speaksOfRefusal(std::string_view message)
{
    constexpr std::array<std::string_view, 9> words{"nsupported",  "not supported", "nknown",
                                                    "nrecognized", "nexpected",     "not permitted",
                                                    "not allowed", "xtra inputs",   "does not support"};
    return std::any_of(words.begin(), words.end(), [message](std::string_view word) {
        return has(message, word);
    });
}

std::string_view namedIn(std::string_view message)
{
    constexpr std::array<std::string_view, 10> ours{"stream_options",    "include_usage", "max_completion_tokens",
                                                    "max_output_tokens", "max_tokens",    "num_predict",
                                                    "temperature",       "top_p",         "seed",
                                                    "anthropic-version"};
    std::string_view first;
    std::size_t at = std::string_view::npos;
    for (const std::string_view name : ours) {
        if (const std::size_t place = message.find(name); place < at) {
            at = place;
            first = name;
        }
    }
    return first;
}

bool refusedByCode(std::string_view code)
{
    return has(code, "unsupported") || has(code, "extra_forbidden") || has(code, "unknown_parameter");
}

std::string limitAdvice(std::string_view refused, const ServerError& error)
{
    for (const std::string_view other : limitFields) {
        if (other != refused && has(error.message, other)) {
            return "set limitField to " + std::string(other);
        }
    }
    // Too large a value is no refusal of the name.
    if (!speaksOfRefusal(error.message) && !refusedByCode(error.code)) {
        return {};
    }
    return refused == "max_tokens" ? "set limitField to max_completion_tokens, or to none"
                                   : "set limitField to max_tokens, or to none";
}

} // namespace

std::string settingFor(const ServerError& error)
{
    const bool named = error.param.has_value();
    if (!named && !speaksOfRefusal(error.message)) {
        return {};
    }
    const std::string_view parameter = rootOf(named ? std::string_view(*error.param) : namedIn(error.message));
    if (std::find(limitFields.begin(), limitFields.end(), parameter) != limitFields.end()) {
        return limitAdvice(parameter, error);
    }
    if (parameter == "stream_options" || parameter == "include_usage") {
        return "set streamOptions to false";
    }
    if (parameter == "temperature") {
        return "take request.temperature out, so that it is not sent";
    }
    if (parameter == "top_p") {
        return "take request.topP out, so that it is not sent";
    }
    if (parameter == "seed") {
        return "take request.seed out, so that it is not sent";
    }
    if (parameter == "stream") {
        return "set request.stream to false";
    }
    const bool needed = parameter.empty() || parameter == "model" || parameter == "messages" || parameter == "input";
    if (needed || !refusedByCode(error.code)) {
        return {};
    }
    return "take " + std::string(parameter) + " out of extraBody";
}

} // namespace tokenpace::wire
