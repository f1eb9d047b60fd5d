// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "settings/settings.h"
#include "settings/settingstable.h"

namespace tokenpace {

/// More requests in flight than one client machine can stamp honestly.
constexpr int maxConcurrency = 1024;

/// `P.provider` or an item of `P.endpoints`. `settings` holds `P.request` and `P.concurrency` already.
[[nodiscard]] EndpointSettings readEndpoint(SettingsTable table, const Settings& settings);

/// Over what `request` and `concurrency` hold: defaults, or those of all endpoints.
void readRequest(SettingsTable table, RequestSettings& request);
void readConcurrency(SettingsTable table, ConcurrencySettings& concurrency);

/// A path of the settings file: `~/` is the home folder, a relative one begins at the file's folder.
[[nodiscard]] QString absolutePath(const SettingsReport& report, const QString& path);

} // namespace tokenpace
