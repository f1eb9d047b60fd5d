// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>

class QSettings;

namespace tokenpace {

/// Does a person want nothing to glide? Axes then jump to where they would glide, docks and menus open at once. GUI
/// thread; false until somebody sets it.
[[nodiscard]] bool reducedMotion();
void setReducedMotion(bool reduced);

/// Sizes of text, and of all else with it, in percent of the designed one.
inline constexpr std::array textSizes{100, 110, 125, 150, 175, 200};
[[nodiscard]] int storedTextSize(const QSettings& settings);
void storeTextSize(QSettings& settings, int percent);
/// Sets what Qt reads when the application object is made: to be called before that, once the program has its name. A
/// size that the environment asks for (`QT_SCALE_FACTOR`) is left alone. It comes on top of the screen's own scale.
void applyTextSize(const QSettings& settings);

} // namespace tokenpace
