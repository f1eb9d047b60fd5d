// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QColor;
class QPainter;

namespace tokenpace {

/// Small things that several controls paint alike.

/// Text in one line, vertically in the middle by the face's own ascent and descent; elided when `elide`.
void drawTextLine(QPainter& painter, const QRectF& rect, const QFont& font, const QColor& colour, const QString& text,
                  Qt::Alignment horizontal = Qt::AlignLeft, bool elide = true);

/// Advance of a text in whole px, rounded up.
[[nodiscard]] int textWidth(const QFont& font, const QString& text);

/// A filled dot, or a ring of 1.5 px when hollow.
void drawDot(QPainter& painter, const QPointF& centre, qreal diameter, const QColor& colour, bool hollow = false);

/// A frame of 1 px inside `rect`, filled.
void drawFrame(QPainter& painter, const QRect& rect, qreal radius, const QColor& border, const QColor& ground);

/// An icon of the set in the middle of `rect`, `size` px.
void drawIcon(QPainter& painter, const QRect& rect, const QString& name, const QColor& colour, int size);

} // namespace tokenpace
