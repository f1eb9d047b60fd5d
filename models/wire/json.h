// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tokenpace::wire {

/// One value of a JsonDocument, which owns it. An array or object is followed in memory by all that is in it.
class JsonValue {
public:
    enum class Type : std::uint8_t { Null, False, True, Number, String, Array, Object };

    explicit JsonValue(Type type)
        : m_type(type)
    {
    }

    [[nodiscard]] bool isNull() const { return m_type == Type::Null; }
    [[nodiscard]] bool isBoolean() const { return m_type == Type::False || m_type == Type::True; }
    [[nodiscard]] bool isTrue() const { return m_type == Type::True; }
    [[nodiscard]] bool isNumber() const { return m_type == Type::Number; }
    [[nodiscard]] bool isString() const { return m_type == Type::String; }
    [[nodiscard]] bool isArray() const { return m_type == Type::Array; }
    [[nodiscard]] bool isObject() const { return m_type == Type::Object; }

    /// A string's characters; empty for anything else.
    [[nodiscard]] std::string_view text() const { return isString() ? m_text : std::string_view{}; }
    [[nodiscard]] double number() const { return m_number; }
    /// A number's digits, as they were sent when it is no whole number; empty for anything else.
    [[nodiscard]] std::string_view spelling() const { return isNumber() ? m_text : std::string_view{}; }
    [[nodiscard]] std::string_view key() const { return m_key; } ///< of a member of an object

    /// Walks over the elements or members, in the order in which they were sent.
    class Iterator {
    public:
        explicit Iterator(const JsonValue* value)
            : m_value(value)
        {
        }
        const JsonValue& operator*() const { return *m_value; }
        Iterator& operator++()
        {
            m_value += m_value->m_values;
            return *this;
        }
        bool operator==(const Iterator& other) const = default;

    private:
        const JsonValue* m_value;
    };
    [[nodiscard]] Iterator begin() const { return Iterator(this + 1); }
    [[nodiscard]] Iterator end() const { return Iterator(this + m_values); }
    [[nodiscard]] bool empty() const { return m_values == 1; } ///< nothing is in it, as in any scalar

    /// Compact JSON of it and all in it; a member without its key.
    [[nodiscard]] std::string compact() const;

private:
    friend class JsonBuilder;

    std::string_view m_key;
    std::string_view m_text;
    double m_number = 0;
    std::uint32_t m_values = 1; ///< itself and all in it
    Type m_type;
};

/// JSON that is read once and thrown away: all its values in one list, all its characters in one string. One document
/// is used for event after event, so that reading a token allocates nothing. Any one thread.
class JsonDocument {
public:
    JsonDocument() = default;
    explicit JsonDocument(std::string_view json) { parse(json); }
    JsonDocument(const JsonDocument&) = delete;
    JsonDocument& operator=(const JsonDocument&) = delete;

    /// Replaces what was there; `json` need not live on. False when it is no JSON.
    bool parse(std::string_view json);
    /// Null when what was parsed last was no JSON.
    [[nodiscard]] const JsonValue* root() const { return m_values.empty() ? nullptr : m_values.data(); }
    /// The root when it is an object, else null.
    [[nodiscard]] const JsonValue* object() const { return root() != nullptr && root()->isObject() ? root() : nullptr; }

private:
    std::vector<JsonValue> m_values;
    std::string m_characters; ///< never reallocated while a document is built
};

/// Collects values of documents as one JSON object, for what is handed on as it was sent.
class JsonObjectText {
public:
    void add(std::string_view key, std::string_view json);
    /// The object; empty when nothing was added.
    [[nodiscard]] std::string text() const { return m_members.empty() ? std::string() : "{" + m_members + "}"; }

private:
    std::string m_members;
};

} // namespace tokenpace::wire
