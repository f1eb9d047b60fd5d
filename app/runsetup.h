// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QString>
#include <QStringList>

#include "experiment/runspec.h"
#include "experiment/simulatedendpoint.h"
#include "runoptions.h"
#include "settings/settings.h"

namespace tokenpace {

/// Options and settings brought together: what to measure and where to log it.
struct RunSetup {
    std::optional<Settings> settings; ///< none: nothing was found
    std::optional<RunSpec> spec;
    std::unique_ptr<SimulatedEndpoint> simulated; ///< runs as long as this lives
    QString logPath; ///< empty: no log
    QString error; ///< why nothing may start; names file, line and key
    QStringList warnings;
    QStringList lookedAt;
};

/// What to say when no settings were found and a command needs an endpoint.
[[nodiscard]] QString nothingFoundText(const QStringList& lookedAt);

/// Keys of the keychain: read before anything else, which blocks, or left to the window, which shows itself first.
enum class KeychainWait { Always, OnlyForModels };

/// Only the endpoints and their settings: no experiment and no log.
[[nodiscard]] RunSetup setUpEndpoints(const RunOptions& options, bool wantModels,
                                      KeychainWait keychain = KeychainWait::Always);

/// For bench, which has no other way to hear of a missing model: asks an endpoint for its models where it must, and
/// blocks for that. `wantModels` off leaves targets without models to the window.
[[nodiscard]] RunSetup setUpRun(const RunOptions& options, bool wantModels,
                                KeychainWait keychain = KeychainWait::Always);

} // namespace tokenpace
