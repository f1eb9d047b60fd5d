// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/json.h"

namespace tokenpace::wire {

/// What a server says went wrong, found in the shapes in which servers say it.
struct ServerError {
    std::string message;
    std::optional<std::string> param; ///< the parameter that it refused
    std::string code; ///< its own word for the kind of error, or empty
};

/// The error that a JSON document is: `error` as an object or text, `message`, `detail` as text or as a list of
/// `{loc, msg}`, `errors`, or a message that is itself such an object. None when it is no error.
[[nodiscard]] std::optional<ServerError> findError(const JsonValue& document);

/// The error inside an event or a reply of status 200: `error` that is neither null nor empty, or an object that
/// calls itself an error. Stricter than findError(), since replies may hold a `message` of their own.
[[nodiscard]] std::optional<ServerError> findInBandError(const JsonValue& event, std::string_view eventName = {});

/// The first words of a body for a person: the title of an HTML page, else its text without tags, else the text
/// itself; at most 300 characters, white space folded.
[[nodiscard]] std::string firstWords(std::string_view body);

} // namespace tokenpace::wire
