// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/json.h"

#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

namespace tokenpace::wire {

namespace {

std::string quoted(std::string_view text)
{
    using nlohmann::json;
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

/// Takes the parser's events. Its function names are nlohmann's.
class JsonBuilder {
public:
    using Number = nlohmann::json;

    JsonBuilder(std::vector<JsonValue>& values, std::string& characters)
        : m_values(values)
        , m_characters(characters)
    {
    }

    bool null() { return add(JsonValue::Type::Null); }
    bool boolean(bool value) { return add(value ? JsonValue::Type::True : JsonValue::Type::False); }
    bool number_integer(Number::number_integer_t value) { return addWhole(value); }
    bool number_unsigned(Number::number_unsigned_t value) { return addWhole(value); }
    bool number_float(Number::number_float_t value, const std::string& spelling)
    {
        add(JsonValue::Type::Number);
        m_values.back().m_number = value;
        m_values.back().m_text = kept(spelling);
        return true;
    }
    bool string(const std::string& value)
    {
        add(JsonValue::Type::String);
        m_values.back().m_text = kept(value);
        return true;
    }
    bool binary(const Number::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(JsonValue::Type::Object); }
    bool key(const std::string& value)
    {
        m_key = kept(value);
        return true;
    }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(JsonValue::Type::Array); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

private:
    bool add(JsonValue::Type type)
    {
        m_values.emplace_back(type).m_key = std::exchange(m_key, {});
        return true;
    }
    template <typename Whole> bool addWhole(Whole value)
    {
        add(JsonValue::Type::Number);
        std::array<char, 24> digits; // enough for 64 bits and a sign
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        m_values.back().m_number = static_cast<double>(value);
        m_values.back().m_text = kept({digits.data(), static_cast<std::size_t>(end - digits.data())});
        return true;
    }
    bool open(JsonValue::Type type)
    {
        m_open.push_back(m_values.size());
        return add(type);
    }
    bool close()
    {
        JsonValue& value = m_values[m_open.back()];
        value.m_values = static_cast<std::uint32_t>(m_values.size() - m_open.back());
        m_open.pop_back();
        return true;
    }
    std::string_view kept(std::string_view text)
    {
        const std::size_t place = m_characters.size();
        m_characters.append(text);
        return std::string_view(m_characters).substr(place);
    }

    std::vector<JsonValue>& m_values;
    std::string& m_characters;
    std::vector<std::size_t> m_open; ///< arrays and objects that have not ended
    std::string_view m_key;
};

std::string JsonValue::compact() const
{
    struct Open {
        const JsonValue* end;
        char bracket;
    };
    std::vector<Open> open; // no recursion, as anybody may nest as deep as they like
    std::string json;
    for (const JsonValue* value = this; value != this + m_values; ++value) {
        if (value != this) {
            json += json.back() == '{' || json.back() == '[' ? "" : ",";
            json += open.back().bracket == '}' ? quoted(value->m_key) + ":" : std::string();
        }
        switch (value->m_type) {
        case Type::Null:
            json += "null";
            break;
        case Type::False:
            json += "false";
            break;
        case Type::True:
            json += "true";
            break;
        case Type::Number:
            json += value->m_text;
            break;
        case Type::String:
            json += quoted(value->m_text);
            break;
        case Type::Array:
        case Type::Object:
            open.push_back({value + value->m_values, value->isObject() ? '}' : ']'});
            json += value->isObject() ? '{' : '[';
            break;
        }
        while (!open.empty() && open.back().end == value + 1) {
            json += open.back().bracket;
            open.pop_back();
        }
    }
    return json;
}

bool JsonDocument::parse(std::string_view json)
{
    m_values.clear();
    m_characters.clear();
    // What is kept of a document is never longer than the document: each escape is longer than what it stands for.
    m_characters.reserve(json.size());
    JsonBuilder builder(m_values, m_characters);
    if (!nlohmann::json::sax_parse(json.begin(), json.end(), &builder)) {
        m_values.clear();
        return false;
    }
    return true;
}

void JsonObjectText::add(std::string_view key, std::string_view json)
{
    m_members += (m_members.empty() ? "" : ",") + quoted(key) + ":" + std::string(json);
}

} // namespace tokenpace::wire
