// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/twoatonce.h"

#include <algorithm>
#include <utility>

#include "measure/metrics.h"

namespace tokenpace {

TwoAtOnce judgeTwoAtOnce(const Timeline& alone, const Timeline& first, const Timeline& second)
{
    constexpr double tellingMs = 20; // shorter ones end before the next one has begun, on any server
    struct Span {
        double begin = 0; ///< time zero, on the common clock
        double output = 0; ///< first output, from there
        double end = 0;
    };
    const auto spanOf = [](const Timeline& timeline) {
        const double end = totalMs(timeline).value_or(0);
        return Span{toMs(timeline.zero.value_or(Stamp{})), ttftMs(timeline).value_or(end), end};
    };
    const Span single = spanOf(alone);
    Span early = spanOf(first);
    Span late = spanOf(second);
    if (early.begin + early.output > late.begin + late.output) {
        std::swap(early, late);
    }
    TwoAtOnce result;
    result.waitedMs = std::max(0.0, late.output - single.output);
    if (late.begin + late.output < early.begin + early.end) {
        return result;
    }
    if (early.end < tellingMs) {
        result.verdict = TwoAtOnce::Verdict::TooQuick;
    } else if (result.waitedMs * 2 >= early.end) {
        result.verdict = TwoAtOnce::Verdict::OneByOne;
    }
    return result;
}

} // namespace tokenpace
