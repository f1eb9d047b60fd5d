// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace tokenpace {

struct Theme;

/// Which role of the theme colours an icon. The disabled mode is always `disabled`.
enum class IconColour { Text2, Muted, Text, Accent, AccentText, OnAccent, Good, Warning, Error };

/// The colour of a role in a theme.
[[nodiscard]] QColor iconColour(IconColour role, const Theme& theme);

/// An icon of the program's own set (`resources/icons/NAME.svg`), drawn in the colour of the theme that is on when it
/// is painted: sharp at every scale, right when disabled, nothing to redo after a switch. GUI thread.
[[nodiscard]] QIcon themedIcon(const QString& name, IconColour colour = IconColour::Text2);

/// The same as a pixmap for own painting, `size` in logical px.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio);

} // namespace tokenpace
