// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QString>
#include <QStringList>

#include "experiment/runspec.h"
#include "settings/settings.h"

namespace tokenpace {

/// What the command line and the settings say about how the window opens. A value, filled in by main().
struct StartUp {
    std::optional<Settings> settings; ///< none: the first page, unless `simulated`
    QString settingsError; ///< why there are none, in words; empty when nothing was found
    QStringList lookedAt; ///< places that were tried, for the first page
    bool simulated = false; ///< start the simulated endpoint and measure that
    std::optional<RunSpec> spec; ///< the experiment as it stands ready; none: the settings' defaults
    bool runAtOnce = false;
    QString openLog; ///< a token_timing.jsonl to open, or empty
    std::shared_ptr<Keychain> keychain; ///< where settings keep keys; none: the desktop's
    std::optional<QString> logPath; ///< overrides the settings' log; empty: no log
};

} // namespace tokenpace
