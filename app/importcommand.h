// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>

namespace tokenpace {

/// `tokenpace import`: other tools' settings into settings.json, after a preview. Needs a QCoreApplication; returns the
/// exit code: 0 written or nothing to write, 1 the answer was no or the file could not be written, 2 a file or the
/// command is wrong, and nothing was written.
[[nodiscard]] int importCommand(const QStringList& arguments);

} // namespace tokenpace
