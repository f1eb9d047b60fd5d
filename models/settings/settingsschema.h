// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace tokenpace {

/// What a value of settings.json may be.
enum class SettingType {
    Text,
    Secret, ///< a text that is `${NAME}` at its best; never shown
    Path, ///< of a file; a relative one begins at the settings file
    Switch,
    Whole, ///< a whole number
    Number,
    Choice, ///< one of `choices`
    WholeList,
    Models, ///< a list of names or of objects with a name
    Headers, ///< an object of texts
    Object,
};

/// Where a key may stand, below the file's prefix.
enum class SettingScope {
    Endpoint, ///< in `provider` and in each of `endpoints`
    Both, ///< below the prefix, and in an endpoint, which overrides it
    FileOnly, ///< below the prefix
};

/// One key: everything that the form, the checks, the JSON schema and the documents know of it. Constant; any thread.
struct SettingKey {
    const char* path; ///< dotted: `request.maxTokens`; an endpoint's own have no dot
    SettingScope scope;
    SettingType type;
    const char* label; ///< for people, untranslated
    const char* what; ///< what it does, one line, untranslated
    const char* standard = ""; ///< the default as JSON; empty: not sent, or by protocol
    const char* standardWords = ""; ///< in place of a default that is not one value
    const char* unit = "";
    double least = 0;
    double most = 0; ///< with `least`: no range when both are 0
    const char* choices = ""; ///< separated by blanks
    const char* since = "0.1.0"; ///< the version that introduced it

    [[nodiscard]] bool hasRange() const { return least != 0 || most != 0; }
    [[nodiscard]] QStringList choiceList() const;
    /// The part behind the last dot.
    [[nodiscard]] std::string name() const;
    /// The part before it; empty for an endpoint's own.
    [[nodiscard]] std::string section() const;
    [[nodiscard]] QString labelText() const; ///< translated
    [[nodiscard]] QString whatText() const; ///< translated
};

/// All keys, in the order in which people read about them.
[[nodiscard]] std::span<const SettingKey> settingKeys();
/// By its path; a path that is no key's is a mistake of the program and ends it.
[[nodiscard]] const SettingKey& settingKey(std::string_view path);

/// What is wrong with a value, for people; empty when nothing is. A null is an absent value.
[[nodiscard]] QString problemOf(const SettingKey& key, const nlohmann::ordered_json& value);

/// JSON Schema (draft 7) of a settings file, for editors, as indented text with a line end.
[[nodiscard]] QByteArray settingsSchemaJson();
/// The keys as a Markdown table, for the README.
[[nodiscard]] QByteArray settingsTableMarkdown();

} // namespace tokenpace
