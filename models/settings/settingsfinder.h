// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "settings/settings.h"

namespace tokenpace {

/// Where to look for settings; the defaults are the process's own.
struct SettingsPlaces {
    QString explicitFile; ///< --settings; a relative one begins at workingFolder
    QString workingFolder;
    QString configHome; ///< $XDG_CONFIG_HOME, else ~/.config
    QString home;
    EnvironmentLookup environment;
};
[[nodiscard]] SettingsPlaces processPlaces();

/// The first of: the explicit file, in any shape that importSettings() knows; a settings.json in the working folder or
/// above that holds a key of ours; configHome/tokenpace/settings.json; home/.config/taotoken/config.toml; the
/// environment (TAOTOKEN_*, then OPENAI_*). Variables in a file come from the environment, then from the `.env` beside
/// that file. Nothing found: no settings and no error. A file that names us and cannot be parsed, or one in these
/// places that cannot be read, ends the search with an error: falling through to another endpoint would measure what
/// nobody asked for.
[[nodiscard]] SettingsResult findSettings(const SettingsPlaces& places);

/// Where the log goes when no settings file says so: $XDG_DATA_HOME/tokenpace/token_timing.jsonl.
[[nodiscard]] QString defaultLogPath(const EnvironmentLookup& environment);

} // namespace tokenpace
