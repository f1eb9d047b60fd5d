// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>

#include <QString>
#include <QStringList>

#include "session.h"

namespace tokenpace {

/// "2 models × 5 lengths × 7 repeats".
[[nodiscard]] QString productText(const RunSpec& spec);
/// What a run would send: "2 models × 5 lengths × 7 repeats = 70 requests, about 202k prompt tokens, about 3 min".
[[nodiscard]] QString planText(const RunSpec& spec);
/// "about 3 min": how long, in the coarse steps that an estimate deserves.
[[nodiscard]] QString aboutText(std::chrono::milliseconds duration);
/// "3 min 28 s".
[[nodiscard]] QString spanText(std::chrono::milliseconds duration);
/// "202k", "1.4M".
[[nodiscard]] QString aboutCount(std::int64_t count);
/// "68 ok, 1 time-out, 1 failed, 2 stopped".
[[nodiscard]] QString outcomeCounts(const Session::Outcome& outcome);

/// Would the two specs send the same plan, the seed apart?
[[nodiscard]] bool samePlan(const RunSpec& a, const RunSpec& b);

} // namespace tokenpace
