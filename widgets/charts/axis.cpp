// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tokenpace {

namespace {

// Powers of ten have more room for their labels from here on than is worth filling with 1-2-5.
constexpr double decadesOnlyFrom = 2.5;
constexpr double farBelow = -300; // as a decadic logarithm
constexpr double easeMs = 80; // time constant: 95 % of the way in 240 ms

double powerOfTen(int exponent)
{
    return std::pow(10.0, exponent);
}

int floorDecade(double value)
{
    return static_cast<int>(std::floor(std::log10(value) + 1e-9));
}

/// The mantissas 1..9 or 1, 2, 5 at which ranges may end.
const std::vector<double>& roundMantissas(bool oneTwoFive)
{
    static const std::vector<double> fine{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const std::vector<double> coarse{1, 2, 5, 10};
    return oneTwoFive ? coarse : fine;
}

double roundDown(double value, bool oneTwoFive)
{
    const double decade = powerOfTen(floorDecade(value));
    double result = decade;
    for (const double mantissa : roundMantissas(oneTwoFive)) {
        if (mantissa * decade <= value * (1 + 1e-9)) {
            result = mantissa * decade;
        }
    }
    return result;
}

double roundUp(double value, bool oneTwoFive)
{
    const double decade = powerOfTen(floorDecade(value));
    for (const double mantissa : roundMantissas(oneTwoFive)) {
        if (mantissa * decade >= value * (1 - 1e-9)) {
            return mantissa * decade;
        }
    }
    return decade * 10;
}

/// 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least)
{
    return roundUp(std::max(least, std::numeric_limits<double>::min() * 1e20), true);
}

void appendLinear(AxisTicks& ticks, AxisRange range, double step)
{
    const double parts = std::abs(std::log10(step) - std::round(std::log10(step))) < 1e-6 ? 5 : 4;
    const double fine =
        std::abs(roundDown(step, true) / powerOfTen(floorDecade(step)) - 5) < 1e-6 ? step / 5 : step / parts;
    const auto first = static_cast<long long>(std::ceil(range.low / fine - 1e-6));
    const auto last = static_cast<long long>(std::floor(range.high / fine + 1e-6));
    const auto every = static_cast<long long>(std::lround(step / fine));
    for (long long i = first; i <= last; ++i) {
        (i % every == 0 ? ticks.major : ticks.minor).push_back(static_cast<double>(i) * fine);
    }
}

QString plain(double value)
{
    return QString::number(value, 'g', 6);
}

} // namespace

double AxisScale::unit(double value) const
{
    if (!log) {
        return value;
    }
    return value > 0 ? std::log10(value) : farBelow;
}

double AxisScale::fromUnit(double unit) const
{
    return log ? std::pow(10.0, unit) : unit;
}

double AxisScale::fraction(double value) const
{
    const double low = unit(range.low);
    const double span = unit(range.high) - low;
    return span > 0 ? (unit(value) - low) / span : 0;
}

double AxisScale::valueAt(double fraction) const
{
    const double low = unit(range.low);
    return fromUnit(low + fraction * (unit(range.high) - low));
}

bool AxisScale::contains(double value) const
{
    return value >= range.low && value <= range.high;
}

AxisRange fittedRange(AxisRange data, bool log, const FitRule& rule)
{
    if (!log) {
        const double top = data.high > 0 ? data.high * (1 + (rule.headHigh - 1) / 4) : 1;
        const double step = roundStep(top / 5) / 2;
        return {0, std::ceil(top / step - 1e-9) * step};
    }
    const double low = data.low > 0 ? data.low : 0.01;
    const double high = std::max(data.high, low);
    AxisRange range{roundDown(low / rule.headLow, rule.oneTwoFive), roundUp(high * rule.headHigh, rule.oneTwoFive)};
    // Too narrow a range grows step by step, upwards first: what comes is more often slower than faster.
    for (bool up = true; std::log10(range.high / range.low) < rule.minimumDecades - 1e-9; up = !up) {
        if (up) {
            range.high = roundUp(range.high * 1.001, rule.oneTwoFive);
        } else {
            range.low = roundDown(range.low / 1.001, rule.oneTwoFive);
        }
    }
    return range;
}

AxisRange grownRange(AxisRange shown, AxisRange data, bool log, const FitRule& rule)
{
    if (data.low >= shown.low && data.high <= shown.high) {
        return shown;
    }
    const AxisRange fitted = fittedRange({std::min(data.low, data.high), data.high}, log, rule);
    return {std::min(shown.low, fitted.low), std::max(shown.high, fitted.high)};
}

AxisRange easedRange(AxisRange shown, AxisRange target, bool log, double stepMs)
{
    const AxisScale scale{target, log};
    const double share = 1 - std::exp(-stepMs / easeMs);
    const double span = scale.unit(target.high) - scale.unit(target.low);
    const auto step = [&](double from, double to) {
        const double a = scale.unit(from);
        const double b = scale.unit(to);
        // Half a thousandth of the axis is less than a pixel: there.
        return std::abs(b - a) < span * 5e-4 ? to : scale.fromUnit(a + (b - a) * share);
    };
    return {step(shown.low, target.low), step(shown.high, target.high)};
}

AxisRange zoomedRange(const AxisScale& scale, double fraction, double factor)
{
    return {scale.valueAt(fraction - fraction * factor), scale.valueAt(fraction + (1 - fraction) * factor)};
}

AxisRange pannedRange(const AxisScale& scale, double byFraction)
{
    return {scale.valueAt(byFraction), scale.valueAt(1 + byFraction)};
}

AxisTicks axisTicks(const AxisScale& scale, TickSteps steps, double lengthPx, double leastGapPx)
{
    AxisTicks ticks;
    const AxisRange range = scale.range;
    if (!(range.high > range.low) || lengthPx <= 0) {
        return ticks;
    }
    const double mostLabels = std::max(2.0, lengthPx / leastGapPx);
    if (scale.log) {
        const double decades = std::log10(range.high / range.low);
        const double pxPerDecade = lengthPx / decades;
        const double closest = steps == TickSteps::OneThree ? std::log10(3.0) : std::log10(2.0);
        const bool onlyDecades = decades >= decadesOnlyFrom || pxPerDecade * closest < leastGapPx;
        const int every = std::max(1, static_cast<int>(std::ceil(leastGapPx / pxPerDecade)));
        for (int exponent = floorDecade(range.low); exponent <= floorDecade(range.high); ++exponent) {
            for (int mantissa = 1; mantissa <= 9; ++mantissa) {
                const double value = mantissa * powerOfTen(exponent);
                if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) {
                    continue;
                }
                const bool round = steps == TickSteps::OneThree ? mantissa == 3 : mantissa == 2 || mantissa == 5;
                const bool labelled = mantissa == 1 ? exponent % every == 0 : round && !onlyDecades;
                (labelled ? ticks.major : ticks.minor).push_back(value);
            }
        }
        if (ticks.major.size() >= 3 || decades >= 1.5) {
            return ticks;
        }
        // Labels stand closest at the high end of a logarithmic axis: steps there decide.
        const double pxPerUnit = pxPerDecade / (range.high * std::log(10.0));
        AxisTicks even;
        appendLinear(even, range, roundStep(std::max((range.high - range.low) / 6, leastGapPx / pxPerUnit)));
        return even.major.size() >= ticks.major.size() ? even : ticks;
    }
    appendLinear(ticks, range, roundStep((range.high - range.low) / std::min(mostLabels, 6.0)));
    return ticks;
}

QString msTickText(double ms)
{
    if (std::abs(ms) >= 1000) {
        return plain(ms / 1000) + QStringLiteral(" s");
    }
    return plain(ms) + QStringLiteral(" ms");
}

QString countTickText(double count)
{
    if (std::abs(count) >= 1e6) {
        return plain(count / 1e6) + QLatin1Char('M');
    }
    if (std::abs(count) >= 1000) {
        return plain(count / 1000) + QLatin1Char('k');
    }
    return plain(count);
}

} // namespace tokenpace
