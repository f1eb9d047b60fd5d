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
/// `${NAME}`. A variable that is unset, or a `${` that is no `${NAME}` (`${NAME:-text}`, no closing brace), makes the
/// value unusable: it is named and never sent as it stands. What a variable holds is not expanded again.
struct Expansion {
    QString value; ///< only of use when usable()
    QStringList names; ///< the variables that stand in the text, in order
    QStringList unset;
    QStringList empty; ///< variables that are set to nothing
    QStringList malformed; ///< for messages: `${NAME...}`, cut after the name, since a secret may follow
    bool fromVariable = false; ///< at least one `${NAME}` was there

    [[nodiscard]] bool usable() const { return unset.isEmpty() && malformed.isEmpty(); }
};
[[nodiscard]] Expansion expandVariables(const QString& text, const EnvironmentLookup& environment);

} // namespace tokenpace
