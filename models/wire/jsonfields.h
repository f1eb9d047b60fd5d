// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "wire/json.h"

namespace tokenpace::wire {

/// Fields of JSON that anybody may have written. A wrong type is the same as absent, everywhere: servers leave out,
/// null and misspell what they like.

/// The member of an object, or null when it is absent, null, or `object` is none.
[[nodiscard]] const Json* member(const Json& object, const char* key);
/// The same along a path, `object` may be null.
[[nodiscard]] const Json* member(const Json* object, std::initializer_list<const char*> path);

[[nodiscard]] std::string_view textOf(const Json& object, const char* key);

/// A count that is not negative; whole numbers written as 3.0 are counts too.
[[nodiscard]] std::optional<std::int64_t> countOf(const Json* object, const char* key);

[[nodiscard]] bool isTrue(const Json& object, const char* key);

/// The elements of a list, or nothing when it is no list.
[[nodiscard]] const Json& listOf(const Json& object, const char* key);

/// Arguments of a tool call: a text as it is, anything else as compact JSON in its order.
[[nodiscard]] std::string argumentsText(const Json* arguments);

} // namespace tokenpace::wire
