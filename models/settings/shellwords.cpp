// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/shellwords.h"

#include <utility>

#include <QString>

namespace tokenpace {

namespace {

bool isNameBegin(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

class WordReader {
public:
    WordReader(std::string_view text, std::size_t begin)
        : m_text(text)
        , m_at(begin)
        , m_places(text, textBegin(text))
    {
    }

    ShellWords read()
    {
        while (!m_result.error && skipToWord()) {
            m_word = {{}, m_places.at(m_at), false};
            readWord();
            m_result.words.push_back(std::move(m_word));
        }
        return std::move(m_result);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    /// The bytes of a backslash and the line end behind it, or 0.
    [[nodiscard]] std::size_t continuation() const
    {
        if (peek() != '\\') {
            return 0;
        }
        return peek(1) == '\n' ? 2 : peek(1) == '\r' && peek(2) == '\n' ? 3 : peek(1) == '\r' ? 2 : 0;
    }
    [[nodiscard]] bool endsCommand() const
    {
        return atEnd() || std::string_view("|&;<>\n\r()").find(peek()) != std::string_view::npos;
    }
    [[nodiscard]] bool endsWord() const { return endsCommand() || peek() == ' ' || peek() == '\t'; }

    bool skipToWord()
    {
        while (!atEnd()) {
            if (const std::size_t length = continuation()) {
                m_at += length;
            } else if (peek() == ' ' || peek() == '\t') {
                ++m_at;
            } else {
                break;
            }
        }
        return !endsCommand() && peek() != '#';
    }

    void readWord()
    {
        while (!m_result.error && !endsWord()) {
            if (const std::size_t length = continuation()) {
                m_at += length;
            } else if (peek() == '\\') {
                ++m_at;
                literal();
            } else if (peek() == '\'') {
                readSingle();
            } else if (peek() == '"') {
                readDouble();
            } else if (peek() == '$' && peek(1) == '\'') {
                readAnsi();
            } else if (peek() == '$' || peek() == '`') {
                readExpansion();
            } else {
                literal();
            }
        }
    }

    /// Takes one byte as it is; a `$` that could begin a variable of the settings gets its escape.
    void literal()
    {
        if (atEnd()) {
            return;
        }
        if (m_text[m_at] == '{' && m_literalDollar && m_word.text.ends_with('$')) {
            m_word.text.insert(m_word.text.size() - 1, 1, '$');
        }
        m_literalDollar = m_text[m_at] == '$';
        m_word.text += m_text[m_at++];
    }

    void noEnd(std::size_t begin, const char* what)
    {
        m_result.error = TextProblem{m_places.at(begin), {}, std::string("the ") + what + " has no end"};
    }

    void readSingle()
    {
        const std::size_t begin = m_at++;
        while (!atEnd() && peek() != '\'') {
            literal();
        }
        close(begin, "single quote");
    }

    void close(std::size_t begin, const char* what)
    {
        if (atEnd()) {
            noEnd(begin, what);
        } else {
            ++m_at;
        }
    }

    void readDouble()
    {
        const std::size_t begin = m_at++;
        while (!atEnd() && peek() != '"') {
            if (const std::size_t length = continuation()) {
                m_at += length;
            } else if (peek() == '\\' && std::string_view("$`\"\\").find(peek(1)) != std::string_view::npos) {
                ++m_at;
                literal();
            } else if (peek() == '$' || peek() == '`') {
                readExpansion();
            } else {
                literal();
            }
        }
        close(begin, "double quote");
    }

    void readAnsi()
    {
        const std::size_t begin = m_at;
        m_at += 2;
        while (!atEnd() && peek() != '\'') {
            if (peek() != '\\') {
                literal();
                continue;
            }
            ++m_at;
            const char c = peek();
            constexpr std::string_view letters = "nrtabefv";
            constexpr std::string_view meanings = "\n\r\t\a\b\x1B\f\v";
            if (const std::size_t which = letters.find(c); which != std::string_view::npos && !atEnd()) {
                m_word.text += meanings[which];
                ++m_at;
            } else if (c == 'x' || c == 'u' || c == 'U') {
                readCode(c == 'x' ? 2 : c == 'u' ? 4 : 8);
            } else {
                literal();
            }
        }
        close(begin, "single quote");
    }

    void readCode(int mostDigits)
    {
        ++m_at;
        char32_t code = 0;
        for (int i = 0; i < mostDigits; ++i) {
            const char c = peek();
            const int digit = isDigit(c) ? c - '0'
                : c >= 'a' && c <= 'f'   ? c - 'a' + 10
                : c >= 'A' && c <= 'F'   ? c - 'A' + 10
                                         : -1;
            if (digit < 0) {
                break;
            }
            code = code * 16 + static_cast<char32_t>(digit);
            ++m_at;
        }
        m_word.text += QString::fromUcs4(&code, 1).toStdString();
    }

    void readExpansion()
    {
        m_literalDollar = false;
        if (peek() == '`' || peek(1) == '(') {
            m_word.substituted = true;
            skipSubstitution();
            return;
        }
        const bool braced = peek(1) == '{';
        std::size_t at = m_at + (braced ? 2 : 1);
        const std::size_t begin = at;
        while (at < m_text.size() && (isNameBegin(m_text[at]) || (at > begin && isDigit(m_text[at])))) {
            ++at;
        }
        const std::string_view name = m_text.substr(begin, at - begin);
        if (name.empty() && !braced) {
            literal();
            return;
        }
        if (braced && (name.empty() || at >= m_text.size() || m_text[at] != '}')) {
            m_word.substituted = true;
            const std::size_t end = m_text.find('}', begin);
            m_at = end == std::string_view::npos ? m_text.size() : end + 1;
            return;
        }
        m_word.text.append("${").append(name).append("}");
        m_at = braced ? at + 1 : at;
    }

    /// `$(...)` with its brackets, or a pair of backticks.
    void skipSubstitution()
    {
        if (peek() == '`') {
            const std::size_t end = m_text.find('`', m_at + 1);
            m_at = end == std::string_view::npos ? m_text.size() : end + 1;
            return;
        }
        int depth = 0;
        for (++m_at; !atEnd(); ++m_at) {
            depth += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
            if (depth == 0) {
                ++m_at;
                return;
            }
        }
    }

    std::string_view m_text;
    std::size_t m_at;
    TextPlaces m_places;
    ShellWord m_word;
    bool m_literalDollar = false; ///< the last byte of the word is a `$` that is no variable
    ShellWords m_result;
};

} // namespace

ShellWords parseShellWords(std::string_view text, std::size_t begin)
{
    return WordReader(text, begin).read();
}

} // namespace tokenpace
