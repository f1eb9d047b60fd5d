// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "measure/timeline.h"

namespace tokenpace {

/// Names of models and ends of paths, as a check compares them. Pure functions; any thread.

/// The same path with `/v1` before `end`, or without it where it has one; empty where another version stands there or
/// the path does not end so.
[[nodiscard]] QString otherVersionPath(const QString& path, const QString& end);
/// The last part of the path of requests in a protocol, such as `/chat/completions`.
[[nodiscard]] QString requestPathEnd(Protocol protocol);

/// The names of a list of models in any dialect's shape.
[[nodiscard]] QStringList modelNames(const QByteArray& body);
/// The names that could be meant, the most alike first; none when none is alike.
[[nodiscard]] QStringList nearNames(const QString& name, const QStringList& names);

} // namespace tokenpace
