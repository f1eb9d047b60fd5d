// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/jsonfields.h"

#include <cmath>

namespace tokenpace::wire {

const JsonValue* member(const JsonValue& object, std::string_view key)
{
    const JsonValue* found = nullptr;
    if (object.isObject()) {
        for (const JsonValue& value : object) {
            found = value.key() == key ? &value : found; // of equal keys the last one counts
        }
    }
    return found != nullptr && !found->isNull() ? found : nullptr;
}

const JsonValue* member(const JsonValue* object, std::initializer_list<std::string_view> path)
{
    for (const std::string_view key : path) {
        object = object != nullptr ? member(*object, key) : nullptr;
    }
    return object;
}

std::string_view textOf(const JsonValue& object, std::string_view key)
{
    const JsonValue* value = member(object, key);
    return value != nullptr ? value->text() : std::string_view{};
}

std::optional<std::int64_t> countOf(const JsonValue* object, std::string_view key)
{
    const JsonValue* value = object != nullptr ? member(*object, key) : nullptr;
    if (value == nullptr || !value->isNumber()) {
        return std::nullopt;
    }
    constexpr double most = 9e15; // whole numbers are exact below, and no count is above
    const double number = value->number();
    return number >= 0 && number <= most ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

bool isTrue(const JsonValue& object, std::string_view key)
{
    const JsonValue* value = member(object, key);
    return value != nullptr && value->isTrue();
}

const JsonValue& listOf(const JsonValue& object, std::string_view key)
{
    static const JsonValue nothing(JsonValue::Type::Array);
    const JsonValue* value = member(object, key);
    return value != nullptr && value->isArray() ? *value : nothing;
}

std::string argumentsText(const JsonValue* arguments)
{
    if (arguments == nullptr) {
        return {};
    }
    return arguments->isString() ? std::string(arguments->text()) : arguments->compact();
}

} // namespace tokenpace::wire
