// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/dotenv.h"

#include <algorithm>
#include <utility>

namespace tokenpace {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isNameBegin(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool isNamePart(char c)
{
    return isNameBegin(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

/// `${` that is meant literally.
std::string escaped(std::string text)
{
    for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at + 3)) {
        text.insert(at, 1, '$');
    }
    return text;
}

class DotenvReader {
public:
    explicit DotenvReader(std::string_view text)
        : m_text(text)
        , m_at(textBegin(text))
        , m_places(text, m_at)
    {
    }

    Dotenv read()
    {
        while (m_at < m_text.size() && !m_result.error) {
            readLine();
        }
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] bool atLineEnd() const { return atEnd() || m_text[m_at] == '\n' || m_text[m_at] == '\r'; }
    void skipBlanks()
    {
        while (!atEnd() && isBlank(m_text[m_at])) {
            ++m_at;
        }
    }
    void skipLine()
    {
        while (!atLineEnd()) {
            ++m_at;
        }
        if (!atEnd()) {
            m_at += m_text.substr(m_at).starts_with("\r\n") ? 2 : 1;
        }
    }
    void warn(std::size_t offset, std::string key, std::string message)
    {
        m_result.warnings.push_back({m_places.at(offset), std::move(key), std::move(message)});
    }

    std::string readName()
    {
        std::string name;
        if (!atEnd() && isNameBegin(m_text[m_at])) {
            while (!atEnd() && isNamePart(m_text[m_at])) {
                name += m_text[m_at++];
            }
        }
        return name;
    }

    void readLine()
    {
        skipBlanks();
        if (atLineEnd() || m_text[m_at] == '#') {
            skipLine();
            return;
        }
        const std::size_t lineBegin = m_at;
        std::size_t begin = m_at;
        std::string name = readName();
        if (name == "export" && !atLineEnd() && isBlank(m_text[m_at])) {
            skipBlanks();
            begin = m_at;
            name = readName();
        }
        skipBlanks();
        if (name.empty() || atEnd() || m_text[m_at] != '=') {
            warn(lineBegin, {}, "NAME=value is expected; the line is not used");
            skipLine();
            return;
        }
        ++m_at;
        skipBlanks();
        DotenvVariable variable{std::move(name), {}, {}, m_places.at(begin)};
        const char quote = atEnd() ? '\0' : m_text[m_at];
        if (quote == '\'' || quote == '"') {
            if (!readQuoted(variable, quote)) {
                return;
            }
        } else {
            readPlain(variable);
        }
        put(std::move(variable));
    }

    void readPlain(DotenvVariable& variable)
    {
        const std::size_t begin = m_at;
        while (!atLineEnd() && !(m_text[m_at] == '#' && m_at > 0 && isBlank(m_text[m_at - 1]))) {
            ++m_at;
        }
        std::string_view value = m_text.substr(begin, m_at - begin);
        while (!value.empty() && isBlank(value.back())) {
            value.remove_suffix(1);
        }
        variable.value = value;
        variable.setting = value;
        skipLine();
    }

    bool readQuoted(DotenvVariable& variable, char quote)
    {
        const std::size_t begin = m_at;
        ++m_at;
        for (; !atEnd() && m_text[m_at] != quote; ++m_at) {
            const char c = m_text[m_at];
            if (c == '\r') {
                // A value never holds the CR of a line end.
                if (!m_text.substr(m_at).starts_with("\r\n")) {
                    append(variable, '\n');
                }
            } else if (c == '\\' && quote == '"' && m_at + 1 < m_text.size()) {
                ++m_at;
                appendEscape(variable, m_text[m_at]);
            } else {
                append(variable, c);
            }
        }
        if (atEnd()) {
            const char* which = quote == '"' ? "double" : "single";
            m_result.error =
                TextProblem{m_places.at(begin), variable.name, std::string("the ") + which + " quote has no end"};
            return false;
        }
        ++m_at;
        if (quote == '\'') {
            variable.setting = escaped(variable.value);
        }
        skipBlanks();
        if (!atLineEnd() && m_text[m_at] != '#') {
            warn(m_at, variable.name, "what follows the closing quote is not used");
        }
        skipLine();
        return true;
    }

    static void append(DotenvVariable& variable, char c)
    {
        variable.value += c;
        variable.setting += c;
    }

    void appendEscape(DotenvVariable& variable, char c)
    {
        switch (c) {
        case 'n':
            append(variable, '\n');
            break;
        case 'r':
            append(variable, '\r');
            break;
        case 't':
            append(variable, '\t');
            break;
        case '\\':
        case '"':
            append(variable, c);
            break;
        case '$':
            variable.setting += m_text.substr(m_at + 1).starts_with('{') ? "$" : "";
            append(variable, c);
            break;
        default:
            append(variable, '\\');
            append(variable, c);
        }
    }

    void put(DotenvVariable variable)
    {
        for (DotenvVariable& other : m_result.variables) {
            if (other.name == variable.name) {
                m_result.warnings.push_back(
                    {variable.place, variable.name,
                     "given twice, first in line " + std::to_string(other.place.line) + "; the last one is used"});
                other = std::move(variable);
                return;
            }
        }
        m_result.variables.push_back(std::move(variable));
    }

    std::string_view m_text;
    std::size_t m_at;
    TextPlaces m_places;
    Dotenv m_result;
};

} // namespace

const DotenvVariable* Dotenv::find(std::string_view name) const
{
    const auto it = std::find_if(variables.begin(), variables.end(), [&](const DotenvVariable& variable) {
        return variable.name == name;
    });
    return it == variables.end() ? nullptr : &*it;
}

Dotenv parseDotenv(std::string_view text)
{
    if (std::optional<TextProblem> problem = encodingProblem(text)) {
        Dotenv result;
        result.error = std::move(problem);
        return result;
    }
    return DotenvReader(text).read();
}

} // namespace tokenpace
