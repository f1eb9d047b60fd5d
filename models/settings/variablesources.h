// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QString>
#include <QStringList>

#include "settings/environment.h"

namespace tokenpace {

/// Where each `${NAME}` of a settings file comes from: the environment, and for what is not set there the file `.env`
/// beside the settings file. A `.env` that cannot be read gives nothing and a warning. What both hold with different
/// values is warned of once it was asked for, since an old shell's key is hard to find otherwise. Reads the file once,
/// when it is made; a value that any thread may hold.
class VariableSources {
public:
    VariableSources(const QString& settingsFile, EnvironmentLookup environment);

    /// Good for as long as anybody holds it.
    [[nodiscard]] EnvironmentLookup lookup() const;
    /// The file that was read, or empty.
    [[nodiscard]] const QString& dotenvFile() const;
    /// Without values, which may be secrets.
    [[nodiscard]] QStringList warnings() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

/// The `.env` that belongs to a settings file: it need not be there.
[[nodiscard]] QString dotenvBeside(const QString& settingsFile);

} // namespace tokenpace
