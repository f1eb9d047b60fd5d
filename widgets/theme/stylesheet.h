// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPalette>
#include <QString>

#include "theme/theme.h"

namespace tokenpace {

[[nodiscard]] QPalette paletteOf(const Theme& theme);

/// The one style sheet of the application. Sizes in it are those of the design less the border.
[[nodiscard]] QString styleSheetOf(const Theme& theme);

} // namespace tokenpace
