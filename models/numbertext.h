// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <utility>

#include <QString>

namespace tokenpace {

/// How numbers are shown to people: three significant digits in tables ("137", "18.3", "2,440"), a dash for what is
/// unknown, infinite or not a number; unknown is never 0. The spelling is the same in every locale, as both languages
/// of the window write it so. Files have their own, locale-free spelling.
[[nodiscard]] QString threeDigits(std::optional<double> value);
/// Two ends of an interval, three significant digits each: "1,710 – 2,920". A dash when there is none.
[[nodiscard]] QString intervalText(const std::optional<std::pair<double, double>>& interval);
/// A share in [0, 1] as per cent without the sign: "1.25".
[[nodiscard]] QString percentText(std::optional<double> share);
/// A duration with its unit: "8.25 ms", "894 ms", "3.12 s", "2 min 5 s", "3 h 51 min".
[[nodiscard]] QString durationText(std::optional<double> ms);
/// Whole number with group separators: "3,147".
[[nodiscard]] QString countText(std::optional<qint64> value);
/// All digits, for tooltips: "2,814.931 ms".
[[nodiscard]] QString exactMs(std::optional<double> ms);
/// All digits of a number without a unit, for tooltips: "52.417".
[[nodiscard]] QString exactNumber(std::optional<double> value);
/// The mark before a number that is an estimate or rests on chunks instead of tokens: "≈3,147".
[[nodiscard]] QString approximately(const QString& number);

inline const QString dashText = QStringLiteral("–");

} // namespace tokenpace
