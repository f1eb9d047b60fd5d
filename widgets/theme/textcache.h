// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFont>
#include <QPointF>
#include <QString>

class QPainter;

namespace tokenpace {

/// Short texts laid out once and kept. Shaping costs ten times as much as painting, and live panes paint mostly what
/// they painted in the frame before. Any thread; each has a cache of its own, which forgets what was not used for
/// longest.

/// Advance of a text in px.
[[nodiscard]] double advanceOf(const QFont& font, const QString& text);

/// The text, with an ellipsis when it is wider than `width` px.
[[nodiscard]] QString elidedTo(double width, const QFont& font, const QString& text,
                               Qt::TextElideMode mode = Qt::ElideRight);

/// Paints a text of one line with the painter's pen, its base line beginning at `at`. Sets the painter's font.
void paintText(QPainter& painter, QPointF at, const QFont& font, const QString& text);

/// The same at a side of a rectangle, or in its middle, by the face's ascent and descent, with the base line on a whole
/// px: the rows of a table look alike.
void paintText(QPainter& painter, const QRectF& rect, Qt::Alignment horizontal, const QFont& font, const QString& text);

} // namespace tokenpace
