// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "measure/timeline.h"

namespace tokenpace {

/// How two requests at once went, beside one alone.
struct TwoAtOnce {
    enum class Verdict { Together, OneByOne, TooQuick };
    Verdict verdict = Verdict::Together;
    double waitedMs = 0; ///< how much longer than alone the later one waited for its first output
};
/// Together: the later one's first output came before the other's end, or waited less than half of the other's
/// duration. Requests of less than 20 ms that do not overlap tell nothing.
[[nodiscard]] TwoAtOnce judgeTwoAtOnce(const Timeline& alone, const Timeline& first, const Timeline& second);

} // namespace tokenpace
