// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/jsonfields.h"

#include <cmath>

namespace tokenpace::wire {

const Json* member(const Json& object, const char* key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json* member(const Json* object, std::initializer_list<const char*> path)
{
    for (const char* key : path) {
        object = object != nullptr ? member(*object, key) : nullptr;
    }
    return object;
}

std::string_view textOf(const Json& object, const char* key)
{
    const Json* value = member(object, key);
    return value != nullptr && value->is_string() ? std::string_view(value->get_ref<const std::string&>())
                                                  : std::string_view{};
}

std::optional<std::int64_t> countOf(const Json* object, const char* key)
{
    const Json* value = object != nullptr ? member(*object, key) : nullptr;
    if (value == nullptr || !value->is_number()) {
        return std::nullopt;
    }
    constexpr double most = 9e15; // whole numbers are exact below, and no count is above
    const auto number = value->get<double>();
    return number >= 0 && number <= most ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

bool isTrue(const Json& object, const char* key)
{
    const Json* value = member(object, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

const Json& listOf(const Json& object, const char* key)
{
    static const Json nothing = Json::array();
    const Json* value = member(object, key);
    return value != nullptr && value->is_array() ? *value : nothing;
}

std::string argumentsText(const Json* arguments)
{
    if (arguments == nullptr) {
        return {};
    }
    return arguments->is_string() ? arguments->get<std::string>()
                                  : arguments->dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tokenpace::wire
