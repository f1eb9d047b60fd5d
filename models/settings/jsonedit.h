// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/jsontext.h"

namespace tokenpace {

/// A change of one value in a JSON text. A step of `path` is the key of a member or the number of an item; the number
/// after the last one appends. Neighbouring steps may stand in the text as one key with dots: `{"a.b": 1}` is at
/// {"a", "b"} too.
struct JsonEdit {
    std::vector<std::string> path;
    std::optional<std::string> json; ///< the new value as JSON; none removes the member or item
};

/// The text afterwards, or why there is none; then `text` is as it was.
struct JsonEdited {
    std::string text;
    std::optional<TextProblem> error;
};

/// Makes the changes one after the other and leaves every byte that they do not concern: order, indentation, line ends,
/// comments, trailing commas, unknown keys and the spelling of numbers. A value that is equal already stays as it is
/// spelled; removing what is not there changes nothing. What is new is laid out as its surroundings are. Objects that a
/// path needs are made. An empty text counts as an empty object. A pure function.
[[nodiscard]] JsonEdited editJson(std::string_view text, const std::vector<JsonEdit>& edits);

/// JSON pointer of the value at `path`, the one that counts when several spellings are there; none when it is absent.
[[nodiscard]] std::optional<std::string> findJson(const JsonText& document, const std::vector<std::string>& path);

} // namespace tokenpace
