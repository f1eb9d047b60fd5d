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

namespace tokenpace {

/// A place in a text, from 1.
struct TextPlace {
    int line = 1;
    int column = 1;
};

/// Something to tell about a settings text, with its place; `key` is the dotted path where one is known.
struct TextProblem {
    TextPlace place;
    std::string key;
    std::string message;
};

/// A settings.json as people write it: a BOM, comments and trailing commas are tolerated with a warning, duplicate
/// keys (the last wins) are warned of. Values are read by nlohmann::json from the cleaned text; places of keys are
/// kept, since nlohmann has none.
struct JsonText {
    nlohmann::ordered_json root; ///< an object; empty when `error` is set
    std::map<std::string, TextPlace> places; ///< JSON pointer of each key -> where it stands
    std::vector<TextProblem> warnings;
    std::optional<TextProblem> error;

    [[nodiscard]] TextPlace placeOf(const std::string& pointer) const;
};
[[nodiscard]] JsonText parseJsonText(std::string_view text);

} // namespace tokenpace
