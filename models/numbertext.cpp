// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "numbertext.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLocale>

namespace tokenpace {

namespace {

constexpr int significantDigits = 3;
constexpr double largestPlain = 1e15; // from here on a double no longer holds every whole number
constexpr double smallestPlain = 1e-6; // below, leading zeros hide the number

const QLocale& numberLocale()
{
    static const QLocale locale(QLocale::English, QLocale::UnitedStates);
    return locale;
}

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::numbertext", source);
}

/// Decimal exponent after rounding to three significant digits: 999.5 becomes 1000 and has 3.
int roundedExponent(double magnitude)
{
    const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
    const double step = std::pow(10.0, exponent - (significantDigits - 1));
    return std::round(magnitude / step) * step >= std::pow(10.0, exponent + 1) ? exponent + 1 : exponent;
}

} // namespace

QString threeDigits(std::optional<double> value)
{
    if (!value || !std::isfinite(*value)) {
        return dashText;
    }
    if (*value == 0) {
        return QStringLiteral("0");
    }
    const double magnitude = std::fabs(*value);
    if (magnitude >= largestPlain || magnitude < smallestPlain) {
        return numberLocale().toString(*value, 'e', significantDigits - 1);
    }
    const int decimals = significantDigits - 1 - roundedExponent(magnitude);
    if (decimals >= 0) {
        return numberLocale().toString(*value, 'f', decimals);
    }
    const double step = std::pow(10.0, -decimals);
    return numberLocale().toString(std::round(*value / step) * step, 'f', 0);
}

QString intervalText(const std::optional<std::pair<double, double>>& interval)
{
    if (!interval) {
        return dashText;
    }
    return QStringLiteral("%1 – %2").arg(threeDigits(interval->first), threeDigits(interval->second));
}

QString percentText(std::optional<double> share)
{
    return threeDigits(share ? std::optional(*share * 100) : std::nullopt);
}

QString durationText(std::optional<double> ms)
{
    if (!ms || !std::isfinite(*ms)) {
        return dashText;
    }
    const double magnitude = std::fabs(*ms);
    // The limits are where three digits would round up into the next unit.
    constexpr double leastMs = 0.09995;
    if (magnitude > 0 && magnitude < leastMs) {
        return text("%1 µs").arg(threeDigits(*ms * 1000));
    }
    if (magnitude < 999.5) {
        return text("%1 ms").arg(threeDigits(ms));
    }
    if (magnitude < 59'950) {
        return text("%1 s").arg(threeDigits(*ms / 1000));
    }
    const QString sign = *ms < 0 ? QStringLiteral("-") : QString();
    const auto seconds = static_cast<qint64>(std::llround(std::min(magnitude, largestPlain) / 1000));
    if (seconds < 3600) {
        const QString minutes = sign + countText(seconds / 60);
        return seconds % 60 == 0 ? text("%1 min").arg(minutes)
                                 : text("%1 min %2 s").arg(minutes, countText(seconds % 60));
    }
    const qint64 wholeMinutes = (seconds + 30) / 60;
    const QString hours = sign + countText(wholeMinutes / 60);
    return wholeMinutes % 60 == 0 ? text("%1 h").arg(hours)
                                  : text("%1 h %2 min").arg(hours, countText(wholeMinutes % 60));
}

QString countText(std::optional<qint64> value)
{
    return value ? numberLocale().toString(*value) : dashText;
}

QString exactMs(std::optional<double> ms)
{
    // Three decimals: 1 us, the resolution that records promise.
    return ms && std::isfinite(*ms) ? text("%1 ms").arg(numberLocale().toString(*ms, 'f', 3)) : dashText;
}

QString exactNumber(std::optional<double> value)
{
    return value && std::isfinite(*value) ? numberLocale().toString(*value, 'f', 3) : dashText;
}

QString approximately(const QString& number)
{
    return number == dashText ? number : QStringLiteral("≈") + number;
}

} // namespace tokenpace
