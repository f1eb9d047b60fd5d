// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <QString>
#include <QStringList>

#include "settings/environment.h"
#include "settings/jsontext.h"
#include "settings/settingsschema.h"

namespace tokenpace {

/// One value of a settings document, and how to speak of it.
struct SettingValue {
    const nlohmann::ordered_json* json = nullptr; ///< owned by the document
    TextPlace place;
    QString key; ///< dotted, with the prefix: `taotoken.provider.baseUrl`
    std::string pointer; ///< JSON pointer in the document
};

/// What a settings document is read with: names places in messages, and collects the warnings.
class SettingsReport {
public:
    SettingsReport(const JsonText& document, QString file, EnvironmentLookup environment);

    [[nodiscard]] const JsonText& document() const { return m_document; }
    [[nodiscard]] const QString& file() const { return m_file; }
    [[nodiscard]] const EnvironmentLookup& environment() const { return m_environment; }
    /// What people call the value: its key, unless the document has another name for it.
    [[nodiscard]] QString keyOf(const SettingValue& value) const;
    /// `file:line:column: key: message`
    [[nodiscard]] QString located(const SettingValue& value, const QString& message) const;
    [[nodiscard]] QString located(const TextProblem& problem) const;
    void warn(const SettingValue& value, const QString& message);
    [[nodiscard]] SettingValue member(const SettingValue& object, const std::string& name) const;
    [[nodiscard]] SettingValue item(const SettingValue& list, std::size_t index) const;
    [[nodiscard]] QStringList& warnings() { return m_warnings; }

private:
    const JsonText& m_document;
    QString m_file;
    EnvironmentLookup m_environment;
    QStringList m_warnings;
};

/// The values below one object, by their dotted path: `{"request": {"stream": true}}`, `{"request.stream": true}` and
/// what stands under a prefix at the top are the same here. Reading a value of a wrong type or range warns and leaves
/// the target as it was; null counts as absent.
class SettingsTable {
public:
    /// All that stands under `prefix` in the document, flat, nested or mixed.
    static SettingsTable ofPrefix(SettingsReport& report, const std::string& prefix);
    /// One item of a list of endpoints.
    static SettingsTable ofItem(SettingsReport& report, const SettingValue& item);
    /// The values below `section.`, by the rest of their paths.
    [[nodiscard]] SettingsTable section(const std::string& name) const;

    /// Is there an object or a value of this table at all?
    [[nodiscard]] bool present() const { return m_anchor.has_value(); }
    [[nodiscard]] bool empty() const { return m_values.empty(); }
    /// Where the table itself stands, for messages on what is missing; only when present().
    [[nodiscard]] const SettingValue& anchor() const { return *m_anchor; }
    [[nodiscard]] SettingsReport& report() const { return *m_report; }

    /// The value at a path; none when absent or null. Marks the path as known.
    [[nodiscard]] std::optional<SettingValue> find(const std::string& path);
    /// The values of an object whose keys are a person's own (a header's name may hold dots), in order.
    [[nodiscard]] std::vector<std::pair<std::string, SettingValue>> members(const std::string& path);

    void read(const std::string& path, bool& target);
    void read(const std::string& path, int& target, int least, int most);
    void read(const std::string& path, std::optional<int>& target, int least, int most);
    void read(const std::string& path, std::optional<std::int64_t>& target);
    void read(const std::string& path, std::optional<quint64>& target);
    void read(const std::string& path, double& target, double least, double most);
    void read(const std::string& path, std::optional<double>& target, double least, double most);
    /// Numbers as a list; one alone counts as a list of one.
    void read(const std::string& path, QList<int>& target, int least, int most);
    /// A text as it stands, or one of `words`.
    void read(const std::string& path, QString& target, const QStringList& words = {});
    /// With the range or the words of the key's entry in the schema, at its name.
    void read(const SettingKey& key, QString& target);
    template <typename Target> void read(const SettingKey& key, Target& target)
    {
        using Limit =
            std::conditional_t<std::is_same_v<Target, double> || std::is_same_v<Target, std::optional<double>>, double,
                               int>;
        read(key.name(), target, static_cast<Limit>(key.least), static_cast<Limit>(key.most));
    }
    /// A text with its variables expanded. What makes it unusable goes into `problems`; empty variables are warned of.
    [[nodiscard]] std::optional<Expansion> readExpanded(const std::string& path, QStringList& problems);
    [[nodiscard]] static std::optional<Expansion> expand(SettingsReport& report, const SettingValue& value,
                                                         const QString& text, QStringList& problems);

    /// Sets an optional target back where the path holds null: an endpoint's way to unset what all others send.
    template <typename T> void resetOnNull(const std::string& path, std::optional<T>& target) const
    {
        if (isNull(path)) {
            target.reset();
        }
    }

    /// Declares sections and keys that are read elsewhere.
    void know(std::initializer_list<const char*> names);
    /// Unknown keys are kept and mean nothing here; one that differs from a known one by a slip is warned of.
    void warnOfSlips() const;
    static void warnOfType(SettingsReport& report, const SettingValue& value, const QString& expected);

private:
    explicit SettingsTable(SettingsReport& report)
        : m_report(&report)
    {
    }
    void add(const std::string& path, const nlohmann::ordered_json& json, const std::string& pointer,
             const QString& key, const std::set<std::string>& sections);
    [[nodiscard]] bool isNull(const std::string& path) const;

    SettingsReport* m_report; // not owned; outlives the table
    std::optional<SettingValue> m_anchor;
    std::map<std::string, SettingValue> m_values;
    std::map<std::string, SettingValue> m_sections; ///< objects that were taken apart, by path
    std::vector<std::string> m_order; ///< paths of m_values as they stand in the file
    std::set<std::string> m_known;
};

/// Is this a key of ours at the top of a document? Gives its prefix.
[[nodiscard]] std::optional<std::string> prefixOfKey(const std::string& key);

} // namespace tokenpace
