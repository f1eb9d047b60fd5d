// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settingstable.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "settings/keyslip.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

using Json = nlohmann::ordered_json;

QString typeName(const Json& json)
{
    switch (json.type()) {
    case Json::value_t::string:
        return Words::tr("a text");
    case Json::value_t::boolean:
        return Words::tr("true or false");
    case Json::value_t::array:
        return Words::tr("a list");
    case Json::value_t::object:
        return Words::tr("an object");
    case Json::value_t::null:
        return Words::tr("null");
    default:
        return Words::tr("a number");
    }
}

/// A whole number in any of JSON's writings (30000, 3e4, 30000.0) within a range.
template <typename T> std::optional<T> wholeNumber(const Json& json, T least, T most)
{
    if (json.is_number_unsigned()) {
        const auto value = json.get<std::uint64_t>();
        if (std::cmp_less_equal(value, most) && std::cmp_greater_equal(value, least)) {
            return static_cast<T>(value);
        }
    } else if (json.is_number_integer()) {
        const auto value = json.get<std::int64_t>();
        if (std::cmp_less_equal(value, most) && std::cmp_greater_equal(value, least)) {
            return static_cast<T>(value);
        }
    } else if (json.is_number_float()) {
        // Beyond 2^53 a double is no exact number any more.
        const auto value = json.get<double>();
        constexpr double exact = 9007199254740992.0;
        if (std::trunc(value) == value && std::abs(value) <= exact) {
            const auto whole = static_cast<std::int64_t>(value);
            if (std::cmp_less_equal(whole, most) && std::cmp_greater_equal(whole, least)) {
                return static_cast<T>(whole);
            }
        }
    }
    return std::nullopt;
}

QString rangeText(double least, double most)
{
    return Words::tr("a number from %1 to %2").arg(QString::number(least), QString::number(most, 'g', 12));
}

QString wholeRangeText(std::int64_t least, std::int64_t most)
{
    return Words::tr("a whole number from %1 to %2").arg(QString::number(least), QString::number(most));
}

std::string firstPart(const std::string& path)
{
    return path.substr(0, path.find('.'));
}

} // namespace

SettingsReport::SettingsReport(const JsonText& document, QString file, EnvironmentLookup environment)
    : m_document(document)
    , m_file(std::move(file))
    , m_environment(std::move(environment))
{
    for (const TextProblem& problem : document.warnings) {
        m_warnings << located(problem);
    }
}

QString SettingsReport::keyOf(const SettingValue& value) const
{
    const auto other = m_document.keys.find(value.pointer);
    return other == m_document.keys.end() ? value.key : QString::fromStdString(other->second);
}

QString SettingsReport::located(const SettingValue& value, const QString& message) const
{
    const QString place = QStringLiteral("%1:%2").arg(value.place.line).arg(value.place.column);
    const QString own = keyOf(value);
    const QString key = own.isEmpty() ? QString() : QStringLiteral("%1: ").arg(own);
    return QStringLiteral("%1:%2: %3").arg(m_file, place, key) + message;
}

QString SettingsReport::located(const TextProblem& problem) const
{
    const SettingValue value{nullptr, problem.place, QString::fromStdString(problem.key), {}};
    return located(value, QString::fromStdString(problem.message));
}

void SettingsReport::warn(const SettingValue& value, const QString& message)
{
    m_warnings << located(value, message);
}

SettingValue SettingsReport::member(const SettingValue& object, const std::string& name) const
{
    const std::string pointer = joinPointer(object.pointer, name);
    return {&object.json->at(name), m_document.placeOf(pointer), object.key + u'.' + QString::fromStdString(name),
            pointer};
}

SettingValue SettingsReport::item(const SettingValue& list, std::size_t index) const
{
    const std::string pointer = joinPointer(list.pointer, std::to_string(index));
    return {&list.json->at(index), m_document.placeOf(pointer), list.key + QStringLiteral("[%1]").arg(index), pointer};
}

SettingsTable SettingsTable::ofPrefix(SettingsReport& report, const std::string& prefix)
{
    static const std::set<std::string> sections{
        "",       "provider",   "request", "concurrency",      "telemetry",
        "limits", "experiment", "network", "provider.request", "provider.concurrency"};
    SettingsTable table(report);
    for (const auto& [name, value] : report.document().root.items()) {
        if (prefixOfKey(name) != prefix) {
            continue;
        }
        const std::string path = name.size() > prefix.size() ? name.substr(prefix.size() + 1) : std::string();
        table.add(path, value, joinPointer({}, name), QString::fromStdString(name), sections);
    }
    return table;
}

SettingsTable SettingsTable::ofItem(SettingsReport& report, const SettingValue& item)
{
    static const std::set<std::string> sections{"", "request", "concurrency"};
    SettingsTable table(report);
    table.add({}, *item.json, item.pointer, item.key, sections);
    return table;
}

SettingsTable SettingsTable::section(const std::string& name) const
{
    SettingsTable table(*m_report);
    const std::string begin = name + '.';
    if (const auto own = m_sections.find(name); own != m_sections.end()) {
        table.m_anchor = own->second;
    }
    for (const auto& [path, value] : m_sections) {
        if (path.starts_with(begin)) {
            table.m_sections.emplace(path.substr(begin.size()), value);
        }
    }
    for (const std::string& path : m_order) {
        if (path.starts_with(begin)) {
            const SettingValue& value = m_values.at(path);
            if (!table.m_anchor) {
                table.m_anchor = value;
            }
            table.m_order.push_back(path.substr(begin.size()));
            table.m_values.emplace(table.m_order.back(), value);
        }
    }
    return table;
}

void SettingsTable::add(const std::string& path, const Json& json, const std::string& pointer, const QString& key,
                        const std::set<std::string>& sections)
{
    const SettingValue value{&json, m_report->document().placeOf(pointer), key, pointer};
    if (!m_anchor) {
        m_anchor = value;
    }
    if (sections.contains(path)) {
        if (json.is_object()) {
            m_sections.emplace(path, value);
            for (const auto& [name, member] : json.items()) {
                add(path.empty() ? name : path + '.' + name, member, joinPointer(pointer, name),
                    key + u'.' + QString::fromStdString(name), sections);
            }
        } else if (!json.is_null()) {
            warnOfType(*m_report, value, Words::tr("an object"));
        }
        return;
    }
    const auto [it, isNew] = m_values.try_emplace(path, value);
    if (isNew) {
        m_order.push_back(path);
    } else {
        m_report->warn(value,
                       Words::tr("given twice, first in line %1; the last one is used").arg(it->second.place.line));
        it->second = value;
    }
}

std::optional<SettingValue> SettingsTable::find(const std::string& path)
{
    m_known.insert(firstPart(path));
    const auto it = m_values.find(path);
    if (it == m_values.end() || it->second.json->is_null()) {
        return std::nullopt;
    }
    return it->second;
}

bool SettingsTable::isNull(const std::string& path) const
{
    const auto it = m_values.find(path);
    return it != m_values.end() && it->second.json->is_null();
}

std::vector<std::pair<std::string, SettingValue>> SettingsTable::members(const std::string& path)
{
    std::vector<std::pair<std::string, SettingValue>> result;
    const auto put = [&](const std::string& name, const SettingValue& value) {
        const auto same = std::find_if(result.begin(), result.end(), [&](const auto& one) {
            return one.first == name;
        });
        if (same == result.end()) {
            result.emplace_back(name, value);
        } else {
            same->second = value;
        }
    };
    if (const std::optional<SettingValue> whole = find(path)) {
        if (whole->json->is_object()) {
            for (const auto& [name, json] : whole->json->items()) {
                put(name, m_report->member(*whole, name));
            }
        } else {
            warnOfType(*m_report, *whole, Words::tr("an object"));
        }
    }
    const std::string begin = path + '.';
    for (const std::string& each : m_order) {
        if (each.starts_with(begin)) {
            put(each.substr(begin.size()), m_values.at(each));
        }
    }
    return result;
}

void SettingsTable::warnOfType(SettingsReport& report, const SettingValue& value, const QString& expected)
{
    QString message;
    const Json& json = *value.json;
    if (json.is_number()) {
        message = Words::tr("%1 is expected, not %2").arg(expected, QString::fromStdString(json.dump()));
    } else {
        message = Words::tr("%1 is expected, not %2").arg(expected, typeName(json));
    }
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        const Json inner = Json::parse(text, nullptr, false);
        if (inner.is_number() || inner.is_boolean()) {
            message += Words::tr(" (write it without quotes)");
        }
    }
    report.warn(value, Words::tr("%1; it is not used").arg(message));
}

void SettingsTable::read(const std::string& path, bool& target)
{
    if (const auto value = find(path)) {
        if (value->json->is_boolean()) {
            target = value->json->get<bool>();
        } else {
            warnOfType(*m_report, *value, Words::tr("true or false"));
        }
    }
}

void SettingsTable::read(const std::string& path, int& target, int least, int most)
{
    std::optional<int> number;
    read(path, number, least, most);
    target = number.value_or(target);
}

void SettingsTable::read(const std::string& path, std::optional<int>& target, int least, int most)
{
    if (const auto value = find(path)) {
        if (const auto number = wholeNumber<int>(*value->json, least, most)) {
            target = number;
        } else {
            warnOfType(*m_report, *value, wholeRangeText(least, most));
        }
    }
}

void SettingsTable::read(const std::string& path, std::optional<std::int64_t>& target)
{
    if (const auto value = find(path)) {
        using Limits = std::numeric_limits<std::int64_t>;
        if (const auto number = wholeNumber<std::int64_t>(*value->json, Limits::min(), Limits::max())) {
            target = number;
        } else {
            warnOfType(*m_report, *value, Words::tr("a whole number"));
        }
    }
}

void SettingsTable::read(const std::string& path, std::optional<quint64>& target)
{
    if (const auto value = find(path)) {
        if (const auto number = wholeNumber<quint64>(*value->json, 0, std::numeric_limits<quint64>::max())) {
            target = number;
        } else {
            warnOfType(*m_report, *value, Words::tr("a whole number, 0 or more"));
        }
    }
}

void SettingsTable::read(const std::string& path, double& target, double least, double most)
{
    std::optional<double> number;
    read(path, number, least, most);
    target = number.value_or(target);
}

void SettingsTable::read(const std::string& path, std::optional<double>& target, double least, double most)
{
    if (const auto value = find(path)) {
        const double number = value->json->is_number() ? value->json->get<double>() : std::nan("");
        if (number >= least && number <= most) {
            target = number;
        } else {
            warnOfType(*m_report, *value, rangeText(least, most));
        }
    }
}

void SettingsTable::read(const std::string& path, QList<int>& target, int least, int most)
{
    const auto value = find(path);
    if (!value) {
        return;
    }
    QList<int> numbers;
    const Json& json = *value->json;
    if (!json.is_array()) {
        if (const auto number = wholeNumber<int>(json, least, most)) {
            target = {*number};
        } else {
            warnOfType(*m_report, *value, Words::tr("a list of whole numbers from %1 to %2").arg(least).arg(most));
        }
        return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto number = wholeNumber<int>(json.at(i), least, most);
        if (!number) {
            warnOfType(*m_report, m_report->item(*value, i), wholeRangeText(least, most));
            return;
        }
        numbers << *number;
    }
    if (numbers.isEmpty()) {
        m_report->warn(*value, Words::tr("the list is empty; it is not used"));
        return;
    }
    target = numbers;
}

void SettingsTable::read(const std::string& path, QString& target, const QStringList& words)
{
    const auto value = find(path);
    if (!value) {
        return;
    }
    if (!value->json->is_string()) {
        warnOfType(*m_report, *value,
                   words.isEmpty() ? Words::tr("a text") : Words::tr("one of %1").arg(words.join(u", ")));
        return;
    }
    const QString text = QString::fromStdString(value->json->get<std::string>()).trimmed();
    if (!words.isEmpty() && !words.contains(text)) {
        m_report->warn(*value, Words::tr("one of %1 is expected; it is not used").arg(words.join(u", ")));
        return;
    }
    target = text;
}

void SettingsTable::read(const SettingKey& key, QString& target)
{
    read(key.name(), target, key.choiceList());
}

std::optional<Expansion> SettingsTable::readExpanded(const std::string& path, QStringList& problems)
{
    const auto value = find(path);
    if (!value) {
        return std::nullopt;
    }
    if (!value->json->is_string()) {
        warnOfType(*m_report, *value, Words::tr("a text"));
        return std::nullopt;
    }
    return expand(*m_report, *value, QString::fromStdString(value->json->get<std::string>()), problems);
}

std::optional<Expansion> SettingsTable::expand(SettingsReport& report, const SettingValue& value, const QString& text,
                                               QStringList& problems)
{
    Expansion expansion = expandVariables(text, report.environment());
    for (const QString& name : std::as_const(expansion.unset)) {
        problems << report.located(value, Words::tr("environment variable %1 is not set").arg(name));
    }
    for (const QString& form : std::as_const(expansion.malformed)) {
        problems << report.located(
            value, Words::tr("%1 is not supported: write ${NAME}, or $${ for the characters themselves").arg(form));
    }
    for (const QString& name : std::as_const(expansion.empty)) {
        report.warn(value, Words::tr("environment variable %1 is empty").arg(name));
    }
    if (!expansion.usable()) {
        return std::nullopt;
    }
    return expansion;
}

void SettingsTable::know(std::initializer_list<const char*> names)
{
    m_known.insert(names.begin(), names.end());
}

void SettingsTable::warnOfSlips() const
{
    std::set<std::string> seen;
    for (const std::string& path : m_order) {
        const std::string part = firstPart(path);
        if (m_known.contains(part) || !seen.insert(part).second) {
            continue;
        }
        const auto near = std::find_if(m_known.begin(), m_known.end(), [&](const std::string& known) {
            return isSlipOf(part, known);
        });
        if (near != m_known.end()) {
            m_report->warn(m_values.at(path),
                           Words::tr("unknown key; did you mean %1?").arg(QString::fromStdString(*near)));
        }
    }
}

std::optional<std::string> prefixOfKey(const std::string& key)
{
    for (const char* prefix : {"tokenpace", "taotoken"}) {
        const std::string word(prefix);
        if (key == word || key.starts_with(word + '.')) {
            return word;
        }
    }
    return std::nullopt;
}

} // namespace tokenpace
