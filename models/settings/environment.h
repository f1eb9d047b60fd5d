// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <optional>

#include <QString>
#include <QStringList>

namespace tokenpace {

/// Looks a variable up: the process environment, or a table in tests. None when unset; empty when set and empty.
using EnvironmentLookup = std::function<std::optional<QString>(const QString& name)>;

[[nodiscard]] EnvironmentLookup processEnvironment();

/// The outcome of expanding `${NAME}` in a value. `$NAME` and a lone `$` stay as they are; `$${NAME}` is the literal
/// `${NAME}`. A variable that is unset makes the value unusable: it is named in `unset` and never sent as it stands.
struct Expansion {
    QString value;
    QStringList unset;
    QStringList empty; ///< variables that are set to nothing
    bool fromVariable = false; ///< at least one `${NAME}` was there
};
[[nodiscard]] Expansion expandVariables(const QString& text, const EnvironmentLookup& environment);

} // namespace tokenpace
