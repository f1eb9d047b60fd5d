// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/jsontext.h"

#include <algorithm>
#include <utility>

namespace tokenpace {

namespace {

// Far more than any settings need, and far less than the stack holds.
constexpr int deepestNesting = 200;

/// Thrown inside the scanner only: every error ends the reading at once.
struct ScanError {
    std::size_t offset = 0;
    std::string key;
    std::string message;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '-'
        || c == '.' || static_cast<unsigned char>(c) >= 0x80u;
}

/// Walks the grammar over the bytes: finds the spans, and blanks out what is not JSON.
class Scanner {
public:
    Scanner(std::string_view text, std::size_t begin, const TextPlaces& lines)
        : m_text(text)
        , m_lines(lines)
        , m_cleaned(text)
        , m_at(begin)
    {
        std::fill(m_cleaned.begin(), m_cleaned.begin() + static_cast<std::ptrdiff_t>(begin), ' ');
    }

    void scan()
    {
        skipSpace();
        if (atEnd()) {
            fail("the file is empty; a JSON object is expected, such as {}");
        }
        if (peek() != '{') {
            fail("a JSON object is expected; the file must begin with {");
        }
        scanObject({}, {}, 1);
        skipSpace();
        if (!atEnd()) {
            fail("there is more after the end of the object");
        }
        warnOf(m_comments, m_firstComment, "comments are not JSON; they are ignored");
        warnOf(m_trailingCommas, m_firstTrailingComma, "a comma before the closing bracket is not JSON; it is ignored");
    }

    [[nodiscard]] const std::string& cleaned() const { return m_cleaned; }
    [[nodiscard]] std::map<std::string, JsonSpan>& spans() { return m_spans; }
    [[nodiscard]] std::vector<TextProblem>& warnings() { return m_warnings; }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    [[noreturn]] void fail(std::string message) const { failAt(m_at, std::move(message)); }
    [[noreturn]] void failAt(std::size_t offset, std::string message) const
    {
        throw ScanError{offset, m_key, std::move(message)};
    }
    [[noreturn]] void failAtEnd(const char* what, std::size_t begin) const
    {
        const TextPlace opened = m_lines.at(begin);
        failAt(m_text.size(),
               std::string("the file ends inside the ") + what + " that begins at line " + std::to_string(opened.line)
                   + ", column " + std::to_string(opened.column));
    }

    void warnOf(int count, std::size_t first, std::string message)
    {
        if (count == 0) {
            return;
        }
        if (count > 1) {
            message += " (" + std::to_string(count) + " of them)";
        }
        m_warnings.push_back({m_lines.at(first), {}, std::move(message)});
    }

    void blank(std::size_t begin, std::size_t end)
    {
        std::fill(m_cleaned.begin() + static_cast<std::ptrdiff_t>(begin),
                  m_cleaned.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }

    void skipSpace()
    {
        while (!atEnd()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++m_at;
            } else if (c == '/') {
                skipComment();
            } else {
                return;
            }
        }
    }

    void skipComment()
    {
        const std::size_t begin = m_at;
        std::size_t end = m_text.size();
        if (peek(1) == '/') {
            end = std::min(m_text.find_first_of("\r\n", begin), m_text.size());
        } else if (peek(1) == '*') {
            const std::size_t close = m_text.find("*/", begin + 2);
            if (close == std::string_view::npos) {
                failAtEnd("comment", begin);
            }
            end = close + 2;
        } else {
            fail("unexpected '/'");
        }
        if (m_comments++ == 0) {
            m_firstComment = begin;
        }
        blank(begin, end);
        m_at = end;
    }

    void scanValue(const std::string& pointer, const std::string& key, int depth)
    {
        m_key = key;
        const char c = peek();
        if (c == '{') {
            scanObject(pointer, key, depth);
        } else if (c == '[') {
            scanList(pointer, key, depth);
        } else if (c == '"') {
            scanString();
        } else if (c == '-' || isDigit(c)) {
            scanNumber();
        } else {
            scanWord();
        }
        m_key = key;
    }

    void scanObject(const std::string& pointer, const std::string& key, int depth)
    {
        const std::size_t begin = enter(depth);
        std::size_t comma = 0;
        while (true) {
            skipSpace();
            if (closes('}', "object", begin, comma)) {
                return;
            }
            if (peek() != '"') {
                failWithoutKey();
            }
            JsonSpan span;
            span.keyBegin = m_at;
            const std::string name = scanString();
            span.keyEnd = m_at;
            span.place = m_lines.at(span.keyBegin);
            const std::string memberKey = key.empty() ? name : key + '.' + name;
            const std::string memberPointer = joinPointer(pointer, name);
            m_key = memberKey;
            skipSpace();
            if (atEnd()) {
                failAtEnd("object", begin);
            }
            if (peek() != ':') {
                fail("a colon is expected between a key and its value");
            }
            ++m_at;
            skipSpace();
            if (atEnd()) {
                failAtEnd("object", begin);
            }
            if (const auto earlier = m_spans.find(memberPointer); earlier != m_spans.end()) {
                const TextPlace first = earlier->second.place;
                m_warnings.push_back(
                    {span.place, memberKey,
                     "the key is there twice, first in line " + std::to_string(first.line) + "; the last one is used"});
                forget(memberPointer);
            }
            span.valueBegin = m_at;
            scanValue(memberPointer, memberKey, depth + 1);
            span.valueEnd = m_at;
            m_spans[memberPointer] = span;
            m_key = key;
            comma = separator('}', "object", begin);
        }
    }

    void scanList(const std::string& pointer, const std::string& key, int depth)
    {
        const std::size_t begin = enter(depth);
        std::size_t comma = 0;
        for (int index = 0;; ++index) {
            skipSpace();
            if (closes(']', "list", begin, comma)) {
                return;
            }
            JsonSpan span;
            span.keyBegin = span.keyEnd = span.valueBegin = m_at;
            span.place = m_lines.at(m_at);
            const std::string itemPointer = joinPointer(pointer, std::to_string(index));
            scanValue(itemPointer, key + '[' + std::to_string(index) + ']', depth + 1);
            span.valueEnd = m_at;
            m_spans[itemPointer] = span;
            m_key = key;
            comma = separator(']', "list", begin);
        }
    }

    std::size_t enter(int depth)
    {
        if (depth > deepestNesting) {
            fail("nested more than " + std::to_string(deepestNesting) + " levels deep");
        }
        return m_at++;
    }

    /// At the closing bracket: takes it, and blanks the comma that stood before it, if any.
    bool closes(char bracket, const char* what, std::size_t begin, std::size_t comma)
    {
        if (atEnd()) {
            failAtEnd(what, begin);
        }
        if (peek() != bracket) {
            return false;
        }
        if (comma != 0) {
            if (m_trailingCommas++ == 0) {
                m_firstTrailingComma = comma;
            }
            blank(comma, comma + 1);
        }
        ++m_at;
        return true;
    }

    /// The offset of the comma after a member, or 0 before the closing bracket (no comma stands at offset 0).
    std::size_t separator(char bracket, const char* what, std::size_t begin)
    {
        skipSpace();
        if (atEnd()) {
            failAtEnd(what, begin);
        }
        if (peek() == ',') {
            return m_at++;
        }
        if (peek() != bracket) {
            fail(std::string("a comma or ") + bracket + " is expected after a value");
        }
        return 0;
    }

    [[noreturn]] void failWithoutKey() const
    {
        fail(peek() == '\'' ? "keys take double quotes, not single ones" : "a key in double quotes is expected");
    }

    /// Drops what is known of an earlier duplicate and all below it.
    void forget(const std::string& pointer)
    {
        m_spans.erase(pointer);
        // '0' is the character after '/'.
        m_spans.erase(m_spans.lower_bound(pointer + '/'), m_spans.lower_bound(pointer + '0'));
    }

    std::string scanString()
    {
        const std::size_t begin = m_at;
        ++m_at;
        while (true) {
            if (atEnd()) {
                failAtEnd("text", begin);
            }
            const char c = peek();
            if (c == '"') {
                ++m_at;
                break;
            }
            if (c == '\n' || c == '\r') {
                fail("a line ends inside a text; the closing quote is missing, or write \\n");
            }
            if (static_cast<unsigned char>(c) < 0x20u) {
                fail("a control character (" + hexByte(c) + ") inside a text");
            }
            if (c == '\\') {
                scanEscape(begin);
            } else {
                ++m_at;
            }
        }
        return nlohmann::json::parse(m_text.substr(begin, m_at - begin)).get<std::string>();
    }

    void scanEscape(std::size_t stringBegin)
    {
        const std::size_t begin = m_at;
        if (m_at + 1 >= m_text.size()) {
            failAtEnd("text", stringBegin);
        }
        if (peek(1) != 'u') {
            if (std::string_view("\"\\/bfnrt").find(peek(1)) == std::string_view::npos) {
                fail("an unknown escape; a backslash itself is written \\\\");
            }
            m_at += 2;
            return;
        }
        const auto isLow = [](unsigned unit) {
            return unit >= 0xDC00u && unit <= 0xDFFFu;
        };
        const unsigned first = scanCodeUnit();
        const bool high = first >= 0xD800u && first <= 0xDBFFu;
        const bool paired = high && peek() == '\\' && peek(1) == 'u' && isLow(scanCodeUnit());
        if ((high && !paired) || isLow(first)) {
            failAt(begin, "half of a surrogate pair; the other half is missing");
        }
    }

    unsigned scanCodeUnit()
    {
        unsigned value = 0;
        for (std::size_t i = 2; i < 6; ++i) {
            const char c = peek(i);
            const std::size_t digit = std::string_view("0123456789abcdef").find(lowered(c));
            if (digit == std::string_view::npos) {
                fail("\\u takes four hexadecimal digits");
            }
            value = value * 16u + static_cast<unsigned>(digit);
        }
        m_at += 6;
        return value;
    }

    void scanNumber()
    {
        const std::size_t begin = m_at;
        const auto digits = [this] {
            const std::size_t first = m_at;
            while (isDigit(peek())) {
                ++m_at;
            }
            return m_at > first;
        };
        bool good = true;
        if (peek() == '-') {
            ++m_at;
        }
        if (peek() == '0') {
            ++m_at;
        } else {
            good = digits();
        }
        if (good && peek() == '.') {
            ++m_at;
            good = digits();
        }
        if (good && (peek() == 'e' || peek() == 'E')) {
            ++m_at;
            if (peek() == '+' || peek() == '-') {
                ++m_at;
            }
            good = digits();
        }
        if (!good || isWordCharacter(peek())) {
            failAt(begin, "not a number as JSON writes it");
        }
        if (nlohmann::json::parse(m_text.substr(begin, m_at - begin), nullptr, false).is_discarded()) {
            failAt(begin, "the number is too large");
        }
    }

    void scanWord()
    {
        const std::size_t begin = m_at;
        while (isWordCharacter(peek())) {
            ++m_at;
        }
        const std::string_view word = m_text.substr(begin, m_at - begin);
        if (word == "true" || word == "false" || word == "null") {
            return;
        }
        std::string lower(word);
        std::transform(lower.begin(), lower.end(), lower.begin(), lowered);
        if (lower == "true" || lower == "false" || lower == "null") {
            failAt(begin, "true, false and null are written in lower case");
        }
        if (lower == "none" || lower == "undefined" || lower == "nan" || lower == "infinity") {
            failAt(begin, "JSON has no such value; a missing one is written null");
        }
        const char c = begin < m_text.size() ? m_text[begin] : '\0';
        if (c == '\'') {
            failAt(begin, "texts take double quotes, not single ones");
        }
        failAt(begin, word.empty() ? "a value is expected" : "a text must stand in double quotes");
    }

    std::string_view m_text;
    const TextPlaces& m_lines;
    std::string m_cleaned;
    std::size_t m_at;
    std::string m_key; ///< where the scanner is, for messages
    std::map<std::string, JsonSpan> m_spans;
    std::vector<TextProblem> m_warnings;
    int m_comments = 0;
    int m_trailingCommas = 0;
    std::size_t m_firstComment = 0;
    std::size_t m_firstTrailingComma = 0;
};

} // namespace

TextPlace JsonText::placeOf(const std::string& pointer) const
{
    for (std::string at = pointer; !at.empty(); at.erase(at.rfind('/'))) {
        if (const auto it = spans.find(at); it != spans.end()) {
            return it->second.place;
        }
        if (at.find('/') == std::string::npos) {
            break;
        }
    }
    return {};
}

std::string joinPointer(const std::string& parent, std::string_view key)
{
    std::string pointer = parent + '/';
    for (const char c : key) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
    return pointer;
}

JsonText parseJsonText(std::string_view text)
{
    JsonText result;
    result.error = encodingProblem(text);
    if (result.error) {
        return result;
    }
    const std::size_t begin = textBegin(text);
    const TextPlaces lines(text, begin);
    Scanner scanner(text, begin, lines);
    try {
        scanner.scan();
        result.root = nlohmann::ordered_json::parse(scanner.cleaned());
        result.spans = std::move(scanner.spans());
    } catch (const ScanError& error) {
        result.error = TextProblem{lines.at(error.offset), error.key, error.message};
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
        result.error = TextProblem{lines.at(offset), {}, "not JSON"};
    } catch (const nlohmann::json::exception&) {
        result.error = TextProblem{{}, {}, "not JSON that this program can hold"};
    }
    result.warnings = std::move(scanner.warnings());
    if (result.error) {
        result.root = nlohmann::ordered_json::object();
    }
    std::stable_sort(result.warnings.begin(), result.warnings.end(), [](const TextProblem& a, const TextProblem& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return result;
}

} // namespace tokenpace
