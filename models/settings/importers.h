// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <vector>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "settings/jsontext.h"
#include "settings/settings.h"

namespace tokenpace {

/// Where something stands in another tool's file.
struct ImportSource {
    QString key; ///< dotted: `env.ANTHROPIC_MODEL`; for people
    TextPlace place;
};

/// One value taken from another tool's file. `json` may be a secret: it goes into settings, nowhere else.
struct ImportedValue {
    std::vector<std::string> path; ///< below the endpoint, or below the prefix
    std::string json; ///< compact JSON
    ImportSource source;
    QString shown; ///< the value for people: secrets are masked, a lone `${NAME}` is not
    QString note; ///< why it is not what stands in the file, or empty
};

/// One endpoint of the file; paths are those of an item of `P.endpoints`.
struct ImportedEndpoint {
    ImportSource source;
    std::vector<ImportedValue> values;

    [[nodiscard]] bool has(const char* name) const;
};

/// What another tool's file holds for us. A value; free of secrets but for ImportedValue::json.
struct ImportPreview {
    QString kind; ///< for people: `Claude Code settings`
    QString file; ///< as it was given
    std::vector<ImportedEndpoint> endpoints;
    std::vector<ImportedValue> values; ///< below the prefix: `request.maxTokens`; they are meant for these endpoints
    QStringList notTaken; ///< what has no place here and why: `file:line:column: key: reason`
    QStringList warnings;
    QString error; ///< why it cannot be read; nothing else is set then, `kind` and `file` apart

    [[nodiscard]] QString located(const ImportSource& source, const QString& message = {}) const;
};

/// Reads other tools' settings: the tutorials' config.toml (two shapes), models map, flat JSON and auth.json;
/// environment files; settings of Claude Code, Cline and Codex; a pasted curl command. The content says which it is,
/// the name only where that leaves a doubt. Values keep their `${NAME}`; nothing is expanded or looked up. A value of a
/// wrong type or range is in `notTaken`. `fileName` is for messages and is not opened. A pure function.
[[nodiscard]] ImportPreview importSettings(const QByteArray& bytes, const QString& fileName);

/// The imported values as a document of prefix `tokenpace` whose places and keys are those of the file they came from.
[[nodiscard]] JsonText importedDocument(const ImportPreview& preview);

/// Settings from any shape that importSettings() knows; `file` as for readSettings(). Values keep the file's rules:
/// relative paths begin at its folder. What was not taken is no warning, unless a value was wrong.
[[nodiscard]] SettingsResult readImported(const ImportPreview& preview, const QString& file,
                                          const EnvironmentLookup& environment);

} // namespace tokenpace
