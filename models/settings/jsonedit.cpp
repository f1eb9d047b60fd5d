// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/jsonedit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "settings/jsonlayout.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;
using Path = std::vector<std::string>;

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::string joined(const Path& path, std::size_t begin, std::size_t end)
{
    std::string key;
    for (std::size_t i = begin; i < end; ++i) {
        key += (i > begin ? "." : "") + path[i];
    }
    return key;
}

std::optional<std::size_t> indexOf(const std::string& step)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    return error == std::errc() && end == step.data() + step.size() ? std::optional(index) : std::nullopt;
}

std::string quoted(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// How far a path could be followed.
struct Reached {
    std::string pointer;
    const Json* value = nullptr;
    std::size_t steps = 0;
};

/// Follows a path through all of its spellings; of those that get as far, the one that stands last, as it is the one
/// that is read.
class Finder {
public:
    Finder(const JsonText& document, const Path& path)
        : m_document(document)
        , m_path(path)
        , m_best{{}, &document.root, 0}
    {
        follow({}, document.root, 0);
    }

    [[nodiscard]] const Reached& best() const { return m_best; }

private:
    void follow(const std::string& pointer, const Json& value, std::size_t steps)
    {
        if (steps > m_best.steps || (steps == m_best.steps && begin(pointer) >= begin(m_best.pointer))) {
            m_best = {pointer, &value, steps};
        }
        if (steps == m_path.size()) {
            return;
        }
        if (value.is_object()) {
            for (std::size_t end = steps + 1; end <= m_path.size(); ++end) {
                const std::string key = joined(m_path, steps, end);
                if (const auto member = value.find(key); member != value.end()) {
                    follow(joinPointer(pointer, key), *member, end);
                }
            }
        } else if (value.is_array()) {
            if (const auto index = indexOf(m_path[steps]); index && *index < value.size()) {
                follow(joinPointer(pointer, m_path[steps]), value[*index], steps + 1);
            }
        }
    }

    [[nodiscard]] std::size_t begin(const std::string& pointer) const
    {
        const auto span = m_document.spans.find(pointer);
        return span == m_document.spans.end() ? 0 : span->second.keyBegin;
    }

    const JsonText& m_document;
    const Path& m_path;
    Reached m_best;
};

/// One change of one text.
class Editor {
public:
    Editor(std::string& text, const Path& path)
        : m_text(text)
        , m_document(parseJsonText(text))
        , m_layout(JsonLayout::of(text))
        , m_path(path)
    {
    }

    [[nodiscard]] std::optional<TextProblem> set(const std::string& json)
    {
        if (m_document.error) {
            return m_document.error;
        }
        const Reached reached = Finder(m_document, m_path).best();
        if (reached.steps == m_path.size()) {
            if (!isEqual(*reached.value, json)) {
                replace(reached.pointer, json);
            }
            return std::nullopt;
        }
        if (reached.value->is_array()) {
            if (indexOf(m_path[reached.steps]) != reached.value->size()) {
                return problem(reached, "the list has no item " + m_path[reached.steps]);
            }
            insert(reached.pointer, {}, nested(reached.steps + 1, json));
        } else if (reached.value->is_null()) {
            replace(reached.pointer, nested(reached.steps, json));
        } else if (reached.value->is_object()) {
            const std::size_t keyEnd = reached.pointer.empty() ? endOfRootKey() : reached.steps + 1;
            insert(reached.pointer, joined(m_path, reached.steps, keyEnd), nested(keyEnd, json));
        } else {
            return problem(reached, "an object is expected here");
        }
        return std::nullopt;
    }

    /// True when a member was removed, of which there may be more under the same name.
    [[nodiscard]] bool remove()
    {
        if (m_document.error) {
            return false;
        }
        const Reached reached = Finder(m_document, m_path).best();
        if (reached.steps < m_path.size() || reached.pointer.empty()) {
            return false;
        }
        const std::string parent = reached.pointer.substr(0, reached.pointer.rfind('/'));
        const bool isItem = m_document.root.at(Json::json_pointer(parent)).is_array();
        cut(reached.pointer);
        return !isItem;
    }

private:
    [[nodiscard]] static bool isEqual(const Json& value, const std::string& json)
    {
        const Json other = Json::parse(json, nullptr, false, true);
        constexpr double exact = 9007199254740992; // 2^53: beyond it a double may be equal to a number that is another
        const bool numbers = value.is_number() && other.is_number() && std::abs(value.get<double>()) < exact;
        return !other.is_discarded() && (numbers || other.type() == value.type()) && other == value;
    }

    [[nodiscard]] TextProblem problem(const Reached& reached, std::string message) const
    {
        return {m_document.placeOf(reached.pointer), joined(m_path, 0, reached.steps), std::move(message)};
    }

    /// The steps from `begin` on as objects around `json`.
    [[nodiscard]] std::string nested(std::size_t begin, std::string json) const
    {
        for (std::size_t i = m_path.size(); i > begin; --i) {
            json = "{" + quoted(m_path[i - 1]) + ":" + json + "}";
        }
        return json;
    }

    /// How many steps a new key at the top takes: as many as its likes there.
    [[nodiscard]] std::size_t endOfRootKey() const
    {
        std::size_t end = 1;
        for (const auto& [key, value] : m_document.root.items()) {
            for (std::size_t steps = 1; steps < m_path.size(); ++steps) {
                const bool isLike = key.starts_with(joined(m_path, 0, steps) + ".");
                const std::size_t own = 1 + static_cast<std::size_t>(std::count(key.begin(), key.end(), '.'));
                end = isLike ? std::max(end, std::min(own, m_path.size())) : end;
            }
        }
        return end;
    }

    [[nodiscard]] JsonSpan spanOf(const std::string& pointer) const
    {
        if (!pointer.empty()) {
            return m_document.spans.at(pointer);
        }
        JsonSpan root;
        root.valueBegin = m_text.find('{', skipJsonSpace(m_text, m_text.starts_with(byteOrderMark) ? 3 : 0));
        const std::vector<JsonSpan> members = children(pointer);
        std::size_t close = skipJsonSpace(m_text, members.empty() ? root.valueBegin + 1 : members.back().valueEnd);
        close = m_text[close] == ',' ? skipJsonSpace(m_text, close + 1) : close;
        root.valueEnd = close + 1;
        return root;
    }

    /// What is in an object or list, in the order of the text. Of members with the same key only the last one is there.
    [[nodiscard]] std::vector<JsonSpan> children(const std::string& pointer) const
    {
        std::vector<JsonSpan> spans;
        const std::string begin = pointer + "/";
        for (auto it = m_document.spans.lower_bound(begin);
             it != m_document.spans.end() && it->first.starts_with(begin); ++it) {
            if (it->first.find('/', begin.size()) == std::string::npos) {
                spans.push_back(it->second);
            }
        }
        std::ranges::sort(spans, {}, &JsonSpan::keyBegin);
        return spans;
    }

    void replace(const std::string& pointer, const std::string& json)
    {
        const JsonSpan span = spanOf(pointer);
        m_text.replace(span.valueBegin, span.valueEnd - span.valueBegin,
                       m_layout.laidOut(json, indentAt(m_text, span.valueBegin)));
    }

    void insert(const std::string& pointer, const std::string& key, const std::string& json)
    {
        const JsonSpan span = spanOf(pointer);
        const std::vector<JsonSpan> members = children(pointer);
        if (members.empty()) {
            insertFirst(span, key, json);
            return;
        }
        const JsonSpan last = members.back();
        const bool inLines = beginsLine(m_text, last.keyBegin);
        const std::string indent = indentAt(m_text, last.keyBegin);
        std::string added = member(key, json, indent, !inLines);
        const std::size_t next = skipJsonSpace(m_text, last.valueEnd);
        std::size_t at = last.valueEnd;
        if (next < m_text.size() && m_text[next] == ',') {
            at = next + 1;
            added += ',';
        } else {
            m_text.insert(last.valueEnd, ",");
            ++at;
        }
        m_text.insert(inLines ? endOfRemark(m_text, at) : at, (inLines ? m_layout.lineEnd + indent : " ") + added);
    }

    void insertFirst(const JsonSpan& span, const std::string& key, const std::string& json)
    {
        const std::size_t close = span.valueEnd - 1;
        if (m_layout.oneLine) {
            m_text.insert(close, member(key, json, {}, true));
            return;
        }
        const std::string outer = indentAt(m_text, span.valueBegin);
        const std::string inner = outer + m_layout.unit;
        // Comments may be in there: what is new comes after them.
        const std::size_t last = m_text.find_last_not_of(" \t\r\n", close - 1);
        m_text.replace(last + 1, close - last - 1,
                       m_layout.lineEnd + inner + member(key, json, inner, false) + m_layout.lineEnd + outer);
    }

    [[nodiscard]] std::string member(const std::string& key, const std::string& json, const std::string& indent,
                                     bool oneLine) const
    {
        JsonLayout layout = m_layout;
        layout.oneLine = layout.oneLine || oneLine;
        const std::string value = layout.laidOut(json, indent);
        return key.empty() ? value : quoted(key) + ": " + value;
    }

    void cut(const std::string& pointer)
    {
        const JsonSpan span = spanOf(pointer);
        std::size_t begin = span.keyBegin;
        std::size_t end = span.valueEnd;
        const std::size_t next = skipJsonSpace(m_text, end);
        if (next < m_text.size() && m_text[next] == ',') {
            const std::size_t commentsBetween = m_text.find_first_not_of(" \t\r\n", end);
            if (commentsBetween == next) {
                end = next + 1;
            } else {
                m_text.erase(next, 1);
            }
        } else {
            removeCommaBefore(pointer, begin, end);
        }
        if (beginsLine(m_text, begin)) {
            // The line goes as well when nothing is left in it; a comment stays.
            const std::size_t rest = std::min(m_text.find_first_not_of(" \t", end), m_text.size());
            if (rest < m_text.size() && (m_text[rest] == '\n' || m_text[rest] == '\r')) {
                begin -= indentAt(m_text, begin).size();
                end = rest + (m_text.compare(rest, 2, "\r\n") == 0 ? 2 : 1);
            } else {
                end = rest;
            }
        } else if (end < m_text.size() && m_text[end] == ' ') {
            ++end;
        }
        m_text.erase(begin, end - begin);
    }

    /// The last member has no comma behind it, so the one before it goes.
    void removeCommaBefore(const std::string& pointer, std::size_t& begin, std::size_t& end)
    {
        const std::size_t cutAt = pointer.rfind('/');
        std::size_t before = 0;
        for (const JsonSpan& other : children(pointer.substr(0, cutAt))) {
            before = other.keyBegin < begin ? other.valueEnd : before;
        }
        const std::size_t comma = before == 0 ? std::string::npos : skipJsonSpace(m_text, before);
        if (comma < begin && m_text[comma] == ',') {
            m_text.erase(comma, 1);
            --begin;
            --end;
            if (!beginsLine(m_text, begin) && begin > 0 && m_text[begin - 1] == ' ') {
                --begin;
            }
        }
    }

    std::string& m_text;
    JsonText m_document;
    JsonLayout m_layout;
    const Path& m_path;
};

} // namespace

JsonEdited editJson(std::string_view text, const std::vector<JsonEdit>& edits)
{
    JsonEdited edited{std::string(text), std::nullopt};
    if (text.find_first_not_of("\xEF\xBB\xBF \t\r\n") == std::string_view::npos) {
        edited.text = "{}\n";
    }
    for (const JsonEdit& edit : edits) {
        if (edit.json) {
            if (auto error = Editor(edited.text, edit.path).set(*edit.json)) {
                return {std::string(text), std::move(error)};
            }
            continue;
        }
        // Every spelling and every duplicate goes, else an earlier one would be read again.
        while (Editor(edited.text, edit.path).remove()) { }
    }
    if (auto error = parseJsonText(edited.text).error) {
        return {std::string(text), std::move(error)};
    }
    return edited;
}

std::optional<std::string> findJson(const JsonText& document, const std::vector<std::string>& path)
{
    if (document.error) {
        return std::nullopt;
    }
    const Reached reached = Finder(document, path).best();
    return reached.steps == path.size() ? std::optional(reached.pointer) : std::nullopt;
}

} // namespace tokenpace
