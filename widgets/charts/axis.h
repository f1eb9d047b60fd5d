// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

#include <QString>

namespace tokenpace {

/// Two ends of an axis, in its own unit.
struct AxisRange {
    double low = 0;
    double high = 1;

    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// A range and how values spread over it. A logarithmic scale needs low > 0.
struct AxisScale {
    AxisRange range;
    bool log = true;

    /// The value on the axis that Qt Charts sees: its logarithm, or itself. A logarithmic axis puts what is not above
    /// zero far below every range, so that one such value cannot hide a series.
    [[nodiscard]] double unit(double value) const;
    [[nodiscard]] double fromUnit(double unit) const;
    /// 0 at the low end, 1 at the high one; values outside are not clamped.
    [[nodiscard]] double fraction(double value) const;
    [[nodiscard]] double valueAt(double fraction) const;
    [[nodiscard]] bool contains(double value) const;
};

/// How a range is fitted round data.
struct FitRule {
    double headLow = 1.15; ///< free room: the factor on a logarithmic scale
    double headHigh = 1.4;
    bool oneTwoFive = false; ///< ends at 1, 2 or 5 times a power of ten instead of 1 to 9 times
    double minimumDecades = 1; ///< of a logarithmic range
};

/// The range that shows `data` with head room and round ends. A linear one starts at zero. Never narrower for wider
/// data.
[[nodiscard]] AxisRange fittedRange(AxisRange data, bool log, const FitRule& rule);
/// `shown` where it holds the data, else the range that holds both: during a run an axis only grows.
[[nodiscard]] AxisRange grownRange(AxisRange shown, AxisRange data, bool log, const FitRule& rule);
/// One step of a growing axis from `shown` towards `target`, along the scale, so that it glides there in about 250 ms;
/// arrives exactly.
[[nodiscard]] AxisRange easedRange(AxisRange shown, AxisRange target, bool log, double stepMs);

/// The same range seen `factor` times as wide, the value at `fraction` staying where it is.
[[nodiscard]] AxisRange zoomedRange(const AxisScale& scale, double fraction, double factor);
/// The range moved by a part of its own width: 0.5 shows what lies half a width further up.
[[nodiscard]] AxisRange pannedRange(const AxisScale& scale, double byFraction);

struct AxisTicks {
    std::vector<double> major; ///< with labels, ascending
    std::vector<double> minor; ///< fine grid lines, without the major ones
};
enum class TickSteps {
    OneTwoFive,
    OneThree ///< prompt lengths: 100, 300, 1k, 3k, 10k
};
/// Ticks inside the range with labels at least `leastGapPx` apart on an axis `lengthPx` long: on a logarithmic scale
/// powers of ten from two and a half decades on, below them the steps, and round steps where less than three of those
/// fit.
[[nodiscard]] AxisTicks axisTicks(const AxisScale& scale, TickSteps steps, double lengthPx, double leastGapPx);

/// "5 ms", "100 ms", "1 s", "2.5 s".
[[nodiscard]] QString msTickText(double ms);
/// "100", "1k", "2.5k", "10k", "1M".
[[nodiscard]] QString countTickText(double count);

} // namespace tokenpace
