// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/tomltext.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <toml++/toml.h>

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

TextPlace placeOf(const toml::source_region& region)
{
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

bool before(const TextPlace& a, const TextPlace& b)
{
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

template <typename T> Json asText(const toml::value<T>& value)
{
    std::ostringstream text;
    text << value.get();
    return text.str();
}

/// What the parser says, without the characters that it quotes: they may be of a secret.
std::string reasonOf(const toml::parse_error& error)
{
    std::string reason(error.description());
    // `Error while parsing key-value pair: ...`
    constexpr std::string_view opening = "Error while parsing ";
    if (reason.starts_with(opening)) {
        reason.erase(0, opening.size());
    }
    const bool namesKeys = reason.find("cannot redefine") != std::string::npos;
    if (const std::size_t quote = reason.find_first_of("'\"`"); quote != std::string::npos && !namesKeys) {
        reason.resize(quote);
        if (const std::size_t saw = reason.rfind(", saw"); saw != std::string::npos) {
            reason.resize(saw);
        }
        while (!reason.empty() && (reason.back() == ' ' || reason.back() == ':' || reason.back() == ',')) {
            reason.pop_back();
        }
    }
    return "this is not TOML" + (reason.empty() ? std::string() : ": " + reason);
}

// Dotted keys nest tables without end, and toml++ takes them apart by recursion.
constexpr int mostDots = 500;

/// Where a chain of keys begins that is longer than anybody writes.
std::optional<std::size_t> endlessKey(std::string_view text)
{
    constexpr std::string_view other = "_-. \t\"'";
    std::size_t begin = 0;
    int dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && other.find(c) == std::string_view::npos) {
            begin = i + 1;
            dots = 0;
        } else if (c == '.' && ++dots > mostDots) {
            return begin;
        }
    }
    return std::nullopt;
}

class Converter {
public:
    explicit Converter(JsonText& result)
        : m_result(result)
    {
    }

    Json table(const toml::table& source, const std::string& pointer)
    {
        // toml++ sorts by name.
        std::vector<std::pair<TextPlace, const toml::key*>> order;
        for (const auto& [key, node] : source) {
            order.emplace_back(placeOf(key.source()), &key);
        }
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
            return before(a.first, b.first);
        });
        Json object = Json::object();
        for (const auto& [place, key] : order) {
            const std::string name(key->str());
            const std::string own = joinPointer(pointer, name);
            m_result.spans[own].place = place;
            object[name] = value(*source.get(key->str()), own);
        }
        return object;
    }

private:
    Json array(const toml::array& source, const std::string& pointer)
    {
        Json list = Json::array();
        for (const toml::node& node : source) {
            const std::string own = joinPointer(pointer, std::to_string(list.size()));
            m_result.spans[own].place = placeOf(node.source());
            list.push_back(value(node, own));
        }
        return list;
    }

    Json value(const toml::node& node, const std::string& pointer)
    {
        switch (node.type()) {
        case toml::node_type::table:
            return table(*node.as_table(), pointer);
        case toml::node_type::array:
            return array(*node.as_array(), pointer);
        case toml::node_type::string:
            return node.as_string()->get();
        case toml::node_type::integer:
            return node.as_integer()->get();
        case toml::node_type::floating_point:
            return std::isfinite(node.as_floating_point()->get()) ? Json(node.as_floating_point()->get())
                                                                  : asText(*node.as_floating_point());
        case toml::node_type::boolean:
            return node.as_boolean()->get();
        case toml::node_type::date:
            return asText(*node.as_date());
        case toml::node_type::time:
            return asText(*node.as_time());
        case toml::node_type::date_time:
            return asText(*node.as_date_time());
        case toml::node_type::none:
            break;
        }
        return nullptr;
    }

    JsonText& m_result;
};

} // namespace

JsonText parseTomlText(std::string_view text)
{
    JsonText result;
    result.error = encodingProblem(text);
    if (result.error) {
        return result;
    }
    if (const std::optional<std::size_t> begin = endlessKey(text)) {
        result.error = TextProblem{TextPlaces(text, textBegin(text)).at(*begin), {}, "this is not TOML: too many dots"};
        return result;
    }
    try {
        const toml::table table = toml::parse(text);
        result.root = Converter(result).table(table, {});
    } catch (const toml::parse_error& error) {
        result.error = TextProblem{placeOf(error.source()), {}, reasonOf(error)};
        result.root = Json::object();
        result.spans.clear();
    }
    return result;
}

} // namespace tokenpace
