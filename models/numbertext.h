// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QString>

namespace tokenpace {

/// How numbers are shown to people: three significant digits in tables ("137", "18.3", "2,440"), a dash for what is
/// unknown. Files have their own, locale-free spelling.
[[nodiscard]] QString threeDigits(std::optional<double> value);
/// A duration with its unit: "8.25 ms", "894 ms", "3.12 s", "2 min 5 s".
[[nodiscard]] QString durationText(std::optional<double> ms);
/// Whole number with group separators: "3,147".
[[nodiscard]] QString countText(std::optional<qint64> value);
/// All digits, for tooltips: "2,814.931 ms".
[[nodiscard]] QString exactMs(std::optional<double> ms);
inline const QString dashText = QStringLiteral("–");

} // namespace tokenpace
