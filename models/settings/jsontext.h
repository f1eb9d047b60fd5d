// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "settings/textplaces.h"

namespace tokenpace {

/// Where a member or an item stands in the bytes: offsets into the text as it was given, ends past the last byte. The
/// quotes of a key belong to it; an item of a list has an empty key span at its value's begin.
struct JsonSpan {
    std::size_t keyBegin = 0;
    std::size_t keyEnd = 0;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
    TextPlace place; ///< of keyBegin
};

/// A settings.json as people write it: a BOM is dropped; comments and trailing commas are tolerated with one warning
/// each, at the first of them; duplicate keys are warned of and the last one wins. Values are read by nlohmann::json
/// from the cleaned text; places are kept, since nlohmann has none. UTF-16, invalid UTF-8, anything but one object, and
/// what nlohmann could not hold are errors with their place.
struct JsonText {
    nlohmann::ordered_json root = nlohmann::ordered_json::object(); ///< an object; empty when `error` is set
    std::map<std::string, JsonSpan> spans; ///< by JSON pointer; the last of duplicates
    std::map<std::string, std::string> keys; ///< by JSON pointer: what messages call a key that has another name
    std::vector<TextProblem> warnings;
    std::optional<TextProblem> error;

    /// Of the key or item, else of its nearest parent that is there.
    [[nodiscard]] TextPlace placeOf(const std::string& pointer) const;
};
[[nodiscard]] JsonText parseJsonText(std::string_view text);

/// One more step of a JSON pointer, with `~` and `/` escaped.
[[nodiscard]] std::string joinPointer(const std::string& parent, std::string_view key);

} // namespace tokenpace
