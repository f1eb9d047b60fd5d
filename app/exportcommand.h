// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>

namespace tokenpace {

/// `tokenpace export`: one endpoint of the settings as config.toml or as an environment file, without its key. Needs a
/// QCoreApplication; returns the exit code: 0 written, 1 the answer was no or the file could not be written, 2 the
/// settings or the command are wrong, and nothing was written.
[[nodiscard]] int exportCommand(const QStringList& arguments);

} // namespace tokenpace
