// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>

namespace tokenpace {

/// `tokenpace serve`: the simulated endpoint until Ctrl+C. Needs a QCoreApplication; returns the exit code.
[[nodiscard]] int serveCommand(const QStringList& arguments);

} // namespace tokenpace
