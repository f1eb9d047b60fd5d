// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "wire/json.h"

namespace tokenpace::wire {

/// Fields of JSON that anybody may have written. A wrong type is the same as absent, everywhere: servers leave out,
/// null and misspell what they like.

/// The member of an object, or null when it is absent, null, or `object` is none.
[[nodiscard]] const JsonValue* member(const JsonValue& object, std::string_view key);
/// The same along a path, `object` may be null.
[[nodiscard]] const JsonValue* member(const JsonValue* object, std::initializer_list<std::string_view> path);

[[nodiscard]] std::string_view textOf(const JsonValue& object, std::string_view key);

/// A count that is not negative; whole numbers written as 3.0 are counts too.
[[nodiscard]] std::optional<std::int64_t> countOf(const JsonValue* object, std::string_view key);

[[nodiscard]] bool isTrue(const JsonValue& object, std::string_view key);

/// The elements of a list, or nothing when it is no list.
[[nodiscard]] const JsonValue& listOf(const JsonValue& object, std::string_view key);

/// Arguments of a tool call: a text as it is, anything else as compact JSON in its order.
[[nodiscard]] std::string argumentsText(const JsonValue* arguments);

} // namespace tokenpace::wire
