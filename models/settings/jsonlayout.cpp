// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/jsonlayout.h"

#include <algorithm>
#include <vector>

namespace tokenpace {

namespace {

constexpr std::string_view lineEnds = "\r\n";
constexpr std::string_view blanks = " \t";

/// The end of the string that begins at `offset`.
std::size_t endOfString(std::string_view text, std::size_t offset)
{
    for (std::size_t i = offset + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return text.size();
}

std::size_t endOfComment(std::string_view text, std::size_t offset)
{
    if (text.substr(offset, 2) == "//") {
        return std::min(text.find_first_of(lineEnds, offset), text.size());
    }
    const std::size_t close = text.find("*/", offset + 2);
    return close == std::string_view::npos ? text.size() : close + 2;
}

bool isComment(std::string_view text, std::size_t offset)
{
    return text.substr(offset, 2) == "//" || text.substr(offset, 2) == "/*";
}

/// The end of a list or object that holds nothing but plain values, or `offset`.
std::size_t endOfPlainList(std::string_view json, std::size_t offset)
{
    for (std::size_t i = offset + 1; i < json.size(); ++i) {
        if (json[i] == '"') {
            i = endOfString(json, i) - 1;
        } else if (json[i] == '{' || json[i] == '[') {
            return offset;
        } else if (json[i] == ']') {
            return i + 1;
        }
    }
    return offset;
}

} // namespace

JsonLayout JsonLayout::of(std::string_view text)
{
    JsonLayout layout;
    const std::size_t end = text.find_first_of(lineEnds);
    const std::size_t inner = text.find_last_not_of(" \t\r\n");
    const bool isEmpty = text.find_first_not_of("\xEF\xBB\xBF \t\r\n{}") == std::string_view::npos;
    layout.oneLine = !isEmpty && (end == std::string_view::npos || end > inner);
    if (end != std::string_view::npos) {
        layout.lineEnd = text.substr(end, 2) == "\r\n" ? "\r\n" : std::string(1, text[end]);
    }
    // The least indentation of a line is that of a member of the outermost object.
    std::string_view least;
    for (std::size_t begin = end; begin < text.size();) {
        begin = text.find_first_not_of(lineEnds, begin);
        const std::size_t first = std::min(text.find_first_not_of(blanks, begin), text.size());
        if (begin < text.size() && first < text.size() && text[first] == '"' && first > begin
            && (least.empty() || first - begin < least.size())) {
            least = text.substr(begin, first - begin);
        }
        begin = text.find_first_of(lineEnds, first);
    }
    if (!least.empty()) {
        layout.unit = least;
    }
    return layout;
}

std::string JsonLayout::laidOut(std::string_view json, const std::string& indent) const
{
    if (json.find_first_of(lineEnds) != std::string_view::npos) {
        return std::string(json);
    }
    std::string text;
    std::string line = lineEnd + indent;
    const auto breakLine = [&] {
        text += oneLine ? std::string() : line;
    };
    std::size_t plainEnd = 0; // of a list that stays in its line
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') {
            const std::size_t end = endOfString(json, i);
            text += json.substr(i, end - i);
            i = end - 1;
        } else if (c == '{' || c == '[') {
            text += c;
            const std::size_t next = std::min(json.find_first_not_of(blanks, i + 1), json.size() - 1);
            plainEnd = c == '[' ? endOfPlainList(json, i) : 0;
            if (json[next] == '}' || json[next] == ']') {
                text += json[next];
                i = next;
            } else if (plainEnd <= i) {
                line += unit;
                breakLine();
            }
        } else if (c == '}' || c == ']') {
            if (i >= plainEnd) {
                line.resize(line.size() - std::min(unit.size(), line.size()));
                breakLine();
            }
            text += c;
        } else if (c == ',') {
            text += c;
            if (i < plainEnd || oneLine) {
                text += ' ';
            } else {
                breakLine();
            }
        } else if (c == ':') {
            text += ": ";
        } else if (blanks.find(c) == std::string_view::npos) {
            text += c;
        }
    }
    return text;
}

std::string indentAt(std::string_view text, std::size_t offset)
{
    const std::size_t before = text.substr(0, offset).find_last_of(lineEnds);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find_first_not_of(blanks, begin), text.size());
    return std::string(text.substr(begin, end - begin));
}

bool beginsLine(std::string_view text, std::size_t offset)
{
    const std::size_t last = text.substr(0, offset).find_last_not_of(blanks);
    return last == std::string_view::npos || lineEnds.find(text[last]) != std::string_view::npos;
}

std::size_t skipJsonSpace(std::string_view text, std::size_t offset)
{
    while (offset < text.size()) {
        if (isComment(text, offset)) {
            offset = endOfComment(text, offset);
        } else if (blanks.find(text[offset]) != std::string_view::npos
                   || lineEnds.find(text[offset]) != std::string_view::npos) {
            ++offset;
        } else {
            break;
        }
    }
    return offset;
}

std::size_t endOfRemark(std::string_view text, std::size_t offset)
{
    std::size_t remark = offset;
    std::size_t at = std::min(text.find_first_not_of(blanks, offset), text.size());
    while (isComment(text, at)) {
        const std::size_t end = endOfComment(text, at);
        if (text.substr(at, end - at).find_first_of(lineEnds) != std::string_view::npos) {
            break;
        }
        remark = end;
        at = std::min(text.find_first_not_of(blanks, end), text.size());
    }
    return remark;
}

} // namespace tokenpace
