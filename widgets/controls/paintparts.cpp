// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/paintparts.h"

#include <cmath>

#include <QPainter>

#include "theme/icons.h"
#include "theme/textcache.h"

namespace tokenpace {

void drawTextLine(QPainter& painter, const QRectF& rect, const QFont& font, const QColor& colour, const QString& text,
                  Qt::Alignment horizontal, bool elide)
{
    painter.setPen(colour);
    paintText(painter, rect, horizontal, font, elide ? elidedTo(rect.width() + 0.5, font, text) : text);
}

int textWidth(const QFont& font, const QString& text)
{
    return static_cast<int>(std::ceil(advanceOf(font, text)));
}

void drawDot(QPainter& painter, const QPointF& centre, qreal diameter, const QColor& colour, bool hollow)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal width = 1.5;
    const qreal radius = hollow ? (diameter - width) / 2 : diameter / 2;
    painter.setPen(hollow ? QPen(colour, width) : QPen(Qt::NoPen));
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter.drawEllipse(centre, radius, radius);
    painter.restore();
}

void drawFrame(QPainter& painter, const QRect& rect, qreal radius, const QColor& border, const QColor& ground)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(border, 1));
    painter.setBrush(ground);
    const QRectF inner = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (radius > 0) {
        painter.drawRoundedRect(inner, radius - 0.5, radius - 0.5);
    } else {
        painter.drawRect(inner);
    }
    painter.restore();
}

void drawIcon(QPainter& painter, const QRect& rect, const QString& name, const QColor& colour, int size)
{
    const QPixmap pixmap = iconPixmap(name, colour, size, painter.device()->devicePixelRatio());
    painter.drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, pixmap);
}

} // namespace tokenpace
