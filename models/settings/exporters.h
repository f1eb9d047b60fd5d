// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include "settings/settings.h"

namespace tokenpace {

/// One endpoint of the settings as the tutorials' config.toml of sections, and as an environment file of `TAOTOKEN_*`.
/// No key and no password is written: a key that comes from a variable is written as `${NAME}`, another one has its
/// place in `${TAOTOKEN_API_KEY}` (config.toml) or in a comment (environment file). What the shape has no place for is
/// named in comments. importSettings() reads both back. `endpoint` is an index into Settings::endpoints. Pure
/// functions.
[[nodiscard]] QByteArray exportConfigToml(const Settings& settings, qsizetype endpoint = 0);
[[nodiscard]] QByteArray exportDotenv(const Settings& settings, qsizetype endpoint = 0);

} // namespace tokenpace
