// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "chartdata.h"

namespace tokenpace {

/// "118 ok, 1 time-out, 1 cached (hollow)"; "180 ok, 0 failed" where nothing went wrong.
[[nodiscard]] QString countsText(const ChartCounts& counts);
/// The same for a chart in which only requests with a value stand: "119 requests, 1 time-out".
[[nodiscard]] QString countsOfShownText(const ChartCounts& counts);

} // namespace tokenpace
