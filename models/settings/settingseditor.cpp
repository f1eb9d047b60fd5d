// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settingseditor.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QUrl>

#include "settings/baseurl.h"
#include "settings/linediff.h"
#include "settings/settingstable.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;
using Path = std::vector<std::string>;

std::string quoted(const QString& text)
{
    return Json(text.toStdString()).dump();
}

/// The prefix that a document uses: that of `tokenpace` wins, as it does when settings are read.
std::string prefixIn(const JsonText& document)
{
    std::string prefix;
    for (const auto& [key, value] : document.root.items()) {
        const auto own = prefixOfKey(key);
        if (own && (prefix.empty() || *own == "tokenpace")) {
            prefix = *own;
        }
    }
    return prefix.empty() ? "tokenpace" : prefix;
}

} // namespace

SettingsEditor::SettingsEditor(EnvironmentLookup environment, QObject* parent)
    : QObject(parent)
    , m_environment(std::move(environment))
{
}

void SettingsEditor::setEnvironment(EnvironmentLookup environment)
{
    m_environment = std::move(environment);
    show(std::string(m_text));
}

bool SettingsEditor::open(const QByteArray& bytes, const QString& file)
{
    m_file = file;
    m_error.clear();
    const std::string text = bytes.toStdString();
    if (text.find_first_not_of(" \t\r\n") != std::string::npos) {
        if (const JsonText document = parseJsonText(text); document.error) {
            m_error = located(*document.error);
            return false;
        }
    }
    m_saved = text;
    m_steps.clear();
    m_at = 0;
    m_mergesInto.clear();
    show(text);
    return true;
}

void SettingsEditor::markSaved()
{
    m_saved = m_text;
    m_mergesInto.clear();
    emit changed();
}

bool SettingsEditor::rebase(const QByteArray& bytes)
{
    std::string text = bytes.toStdString();
    std::vector<Step> steps;
    for (std::size_t i = 0; i < m_at; ++i) {
        Step step = m_steps[i];
        if (step.before == step.after) {
            continue;
        }
        step.before = text;
        if (step.edits.empty()) {
            text = bytes.toStdString(); // back to what the file holds
        } else {
            JsonEdited edited = editJson(text, step.edits);
            if (edited.error) {
                m_error = located(*edited.error);
                return false;
            }
            text = std::move(edited.text);
        }
        step.after = text;
        steps.push_back(std::move(step));
    }
    if (auto error = parseJsonText(text).error; error && !text.empty()) {
        m_error = located(*error);
        return false;
    }
    m_saved = bytes.toStdString();
    m_steps = std::move(steps);
    m_at = m_steps.size();
    m_mergesInto.clear();
    show(text);
    return true;
}

int SettingsEditor::listSize() const
{
    const auto list = valueAt({m_prefix, "endpoints"});
    return list && list->is_array() ? static_cast<int>(list->size()) : 0;
}

bool SettingsEditor::hasProvider() const
{
    const std::string begin = m_prefix + ".provider.";
    const auto provider = valueAt({m_prefix, "provider"});
    if (provider && provider->is_object() && !provider->empty()) {
        return true;
    }
    const auto isPart = [&begin](const auto& item) {
        return item.first.starts_with(begin);
    };
    if (std::ranges::any_of(m_document.root.get_ref<const Json::object_t&>(), isPart)) {
        return true;
    }
    const auto own = valueAt({m_prefix});
    const auto isOwnPart = [](const auto& item) {
        return item.first.starts_with("provider.");
    };
    return own && own->is_object() && std::ranges::any_of(own->get_ref<const Json::object_t&>(), isOwnPart);
}

Path SettingsEditor::pathOf(SettingsTarget target) const
{
    if (target.endpoint < 0) {
        return {m_prefix};
    }
    const bool provider = hasProvider();
    if (provider && target.endpoint == 0) {
        return {m_prefix, "provider"};
    }
    return {m_prefix, "endpoints", std::to_string(target.endpoint - (provider ? 1 : 0))};
}

Path SettingsEditor::pathOf(SettingsTarget target, const SettingKey& key) const
{
    Path path = pathOf(target);
    if (const std::string section = key.section(); !section.empty()) {
        path.push_back(section);
    }
    path.push_back(key.name());
    return path;
}

std::optional<Json> SettingsEditor::valueAt(const Path& path) const
{
    const auto pointer = findJson(m_document, path);
    return pointer ? std::optional(m_document.root.at(Json::json_pointer(*pointer))) : std::nullopt;
}

std::optional<std::string> SettingsEditor::rawAt(const Path& path) const
{
    const auto pointer = findJson(m_document, path);
    if (!pointer || pointer->empty()) {
        return std::nullopt;
    }
    const JsonSpan& span = m_document.spans.at(*pointer);
    return m_text.substr(span.valueBegin, span.valueEnd - span.valueBegin);
}

QList<EndpointTitle> SettingsEditor::endpoints() const
{
    QList<EndpointTitle> titles;
    const int count = listSize() + (hasProvider() ? 1 : 0);
    const auto textAt = [this](int index, const char* name) {
        const auto value = valueAt(pathOf({index}, settingKey(name)));
        return value && value->is_string() ? QString::fromStdString(value->get<std::string>()) : QString();
    };
    for (int i = 0; i < count; ++i) {
        const QString url = textAt(i, "baseUrl");
        const RequestUrl request = requestUrl(url, Protocol::OpenAiChat);
        titles << EndpointTitle{textAt(i, "name"), request.problem.isEmpty() ? hostLabel(request.url) : QString()};
    }
    return titles;
}

SettingState SettingsEditor::state(SettingsTarget target, const SettingKey& key) const
{
    SettingState state;
    state.value = valueAt(pathOf(target, key));
    if (target.endpoint >= 0 && key.scope == SettingScope::Both) {
        state.inherited = valueAt(pathOf({}, key));
    }
    if (state.value) {
        state.problem = problemOf(key, *state.value);
    }
    return state;
}

QStringList SettingsEditor::problems(SettingsTarget target) const
{
    if (!m_settings) {
        return {};
    }
    if (target.endpoint < 0) {
        return m_settings->warnings;
    }
    return target.endpoint < m_settings->endpoints.size() ? m_settings->endpoints[target.endpoint].problems
                                                          : QStringList();
}

bool SettingsEditor::holdsKey() const
{
    return m_settings && std::ranges::any_of(m_settings->endpoints, [](const EndpointSettings& endpoint) {
               return !endpoint.apiKey.isEmpty() && endpoint.apiKeySource.isEmpty();
           });
}

std::vector<std::string> SettingsEditor::spelledItems(SettingsTarget target, const SettingKey& key) const
{
    std::vector<std::string> items;
    Path path = pathOf(target, key);
    const auto list = valueAt(path);
    const std::size_t count = list && list->is_array() ? list->size() : 0;
    path.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
        path.back() = std::to_string(i);
        items.push_back(rawAt(path).value_or("null"));
    }
    return items;
}

bool SettingsEditor::set(SettingsTarget target, const SettingKey& key, const std::optional<std::string>& json)
{
    const Path path = pathOf(target, key);
    std::string mergeKey;
    for (const std::string& step : path) {
        mergeKey += step + '\n';
    }
    return apply({{path, json}}, key.labelText(), mergeKey);
}

bool SettingsEditor::setItems(SettingsTarget target, const SettingKey& key, const std::vector<std::string>& items)
{
    const std::vector<std::string> now = spelledItems(target, key);
    if (items.empty() || now.empty()) {
        std::string json = "[";
        for (const std::string& item : items) {
            json += (json.size() > 1 ? ", " : "") + item;
        }
        endStep();
        return set(target, key, items.empty() ? std::nullopt : std::optional(json + "]"));
    }
    Path path = pathOf(target, key);
    path.emplace_back();
    std::vector<JsonEdit> edits;
    const auto edit = [&](std::size_t index, const std::optional<std::string>& json) {
        path.back() = std::to_string(index);
        edits.push_back({path, json});
    };
    std::size_t kept = 0; // of the wanted items, in their order
    std::vector<std::size_t> gone;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (kept < items.size() && now[i] == items[kept]) {
            ++kept;
        } else if (now.size() == items.size()) {
            edit(i, items[i]);
            ++kept;
        } else {
            gone.push_back(i);
        }
    }
    for (auto index = gone.rbegin(); index != gone.rend(); ++index) {
        edit(*index, std::nullopt);
    }
    for (std::size_t i = kept; i < items.size(); ++i) {
        edit(now.size() - gone.size() + (i - kept), items[i]);
    }
    return apply(edits, key.labelText());
}

int SettingsEditor::addEndpoint(const QString& baseUrl)
{
    const int count = listSize();
    const int index = count + (hasProvider() ? 1 : 0);
    std::vector<JsonEdit> edits;
    if (!valueAt({m_prefix, "endpoints"})) {
        edits.push_back({{m_prefix, "endpoints"}, "[]"});
    }
    const std::string json = "{\"baseUrl\":" + quoted(baseUrl) + "}";
    edits.push_back({{m_prefix, "endpoints", std::to_string(count)}, json});
    return apply(edits, tr("Add endpoint")) ? index : -1;
}

int SettingsEditor::duplicateEndpoint(int index)
{
    const auto raw = rawAt(pathOf(SettingsTarget{index}));
    if (!raw) {
        m_error = tr("This endpoint's keys stand one by one in the file and can't be copied as a whole.");
        return -1;
    }
    const QList<EndpointTitle> titles = endpoints();
    const EndpointTitle& title = titles.at(index);
    QString name;
    const auto isTaken = [&titles](const QString& wanted) {
        return std::ranges::any_of(titles, [&wanted](const EndpointTitle& other) {
            return other.name == wanted;
        });
    };
    for (int copy = 2; name.isEmpty() || isTaken(name); ++copy) {
        name = QStringLiteral("%1 (%2)").arg(title.name.isEmpty() ? title.host : title.name).arg(copy);
    }
    const int count = listSize();
    const Path end{m_prefix, "endpoints", std::to_string(count)};
    Path nameAt = end;
    nameAt.emplace_back("name");
    std::vector<JsonEdit> edits;
    if (!valueAt({m_prefix, "endpoints"})) {
        edits.push_back({{m_prefix, "endpoints"}, "[]"});
    }
    edits.push_back({end, raw});
    edits.push_back({nameAt, quoted(name)});
    return apply(edits, tr("Duplicate endpoint")) ? count + (hasProvider() ? 1 : 0) : -1;
}

int SettingsEditor::removeEndpoint(int index)
{
    const Path path = pathOf(SettingsTarget{index});
    std::vector<JsonEdit> edits{{path, std::nullopt}};
    if (path.back() == "provider") {
        // Spelled one by one: each of its keys goes.
        for (const SettingKey& key : settingKeys()) {
            if (key.scope != SettingScope::FileOnly) {
                edits.push_back({pathOf({index}, key), std::nullopt});
            }
        }
    }
    if (!apply(edits, tr("Remove endpoint"))) {
        return -1;
    }
    return std::min(index, static_cast<int>(endpoints().size()) - 1);
}

int SettingsEditor::moveEndpoint(int index, int by)
{
    const int other = index + by;
    if (index < 0 || other < 0 || std::max(index, other) >= endpoints().size()) {
        return -1;
    }
    const Path here = pathOf(SettingsTarget{index});
    const Path there = pathOf(SettingsTarget{other});
    const auto mine = rawAt(here);
    const auto theirs = rawAt(there);
    if (!mine || !theirs) {
        m_error = tr("An endpoint's keys stand one by one in the file and can't be moved as a whole.");
        return -1;
    }
    return apply({{here, theirs}, {there, mine}}, tr("Move endpoint")) ? other : -1;
}

bool SettingsEditor::apply(const std::vector<JsonEdit>& edits, const QString& words, const std::string& mergeKey)
{
    m_error.clear();
    // What is typed anew in one field begins where the field was first touched, so that a value that was emptied on the
    // way keeps its place in the file.
    const bool merges = !mergeKey.empty() && mergeKey == m_mergesInto && m_at > 0 && m_at == m_steps.size();
    JsonEdited edited = editJson(merges ? m_steps.back().before : m_text, edits);
    if (edited.error) {
        m_error = located(*edited.error);
        return false;
    }
    if (edited.text == m_text) {
        return true;
    }
    m_steps.resize(m_at);
    if (merges && edited.text == m_steps.back().before) {
        m_steps.pop_back();
        --m_at;
        m_mergesInto.clear();
        show(edited.text);
        return true;
    }
    if (merges) {
        m_steps.back().after = edited.text;
        m_steps.back().edits = edits;
    } else {
        m_steps.push_back({m_text, edited.text, edits, words});
        ++m_at;
    }
    m_mergesInto = mergeKey;
    show(edited.text);
    return true;
}

QString SettingsEditor::undoText() const
{
    return canUndo() ? m_steps[m_at - 1].words : QString();
}

QString SettingsEditor::redoText() const
{
    return canRedo() ? m_steps[m_at].words : QString();
}

void SettingsEditor::undo()
{
    if (canUndo()) {
        m_mergesInto.clear();
        show(m_steps[--m_at].before);
    }
}

void SettingsEditor::redo()
{
    if (canRedo()) {
        m_mergesInto.clear();
        show(m_steps[m_at++].after);
    }
}

void SettingsEditor::discard()
{
    if (isChanged()) {
        m_steps.resize(m_at);
        m_steps.push_back({m_text, m_saved, {}, tr("Discard changes")});
        ++m_at;
        m_mergesInto.clear();
        show(m_saved);
    }
}

QList<SettingsLine> SettingsEditor::lines() const
{
    // A key that is no reference is masked by its place: one that is short can't be told from other words.
    QStringList keys;
    const SettingKey& key = settingKey("apiKey");
    for (int i = 0; i < endpoints().size(); ++i) {
        const auto value = state({i}, key).value;
        const bool isReference = value && value->is_string() && value->get<std::string>().starts_with("${");
        if (const auto raw = rawAt(pathOf({i}, key)); raw && !isReference) {
            keys << QString::fromStdString(*raw);
        }
    }
    QList<SettingsLine> lines;
    for (const DiffLine& line : diffLines(m_saved, m_text).lines) {
        QString text = QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
        for (const QString& raw : std::as_const(keys)) {
            if (text.contains(u"apiKey")) {
                text.replace(raw, QStringLiteral("\"***\""));
            }
        }
        lines << SettingsLine{text, line.isNew};
    }
    return lines;
}

int SettingsEditor::changedLines() const
{
    return isChanged() ? diffLines(m_saved, m_text).changes : 0;
}

void SettingsEditor::show(const std::string& text)
{
    m_text = text;
    const bool isEmpty = text.find_first_not_of(" \t\r\n") == std::string::npos;
    m_document = parseJsonText(isEmpty ? std::string_view("{}") : std::string_view(m_text));
    m_prefix = prefixIn(m_document);
    m_settings = readSettings(QByteArray::fromStdString(m_text), m_file, m_environment).settings;
    emit changed();
}

QString SettingsEditor::located(const TextProblem& problem) const
{
    const QString key = problem.key.empty() ? QString() : QString::fromStdString(problem.key) + QStringLiteral(": ");
    return QStringLiteral("%1:%2:%3: ").arg(m_file).arg(problem.place.line).arg(problem.place.column) + key
        + QString::fromStdString(problem.message);
}

} // namespace tokenpace
