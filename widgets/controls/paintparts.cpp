// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/paintparts.h"

#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "theme/icons.h"

namespace tokenpace {

void drawTextLine(QPainter& painter, const QRectF& rect, const QFont& font, const QColor& colour, const QString& text,
                  Qt::Alignment horizontal, bool elide)
{
    const QFontMetricsF metrics(font);
    const QString shown = elide ? metrics.elidedText(text, Qt::ElideRight, rect.width() + 0.5) : text;
    painter.setFont(font);
    painter.setPen(colour);
    const qreal width = metrics.horizontalAdvance(shown);
    qreal x = rect.left();
    if (horizontal & Qt::AlignRight) {
        x = rect.right() - width;
    } else if (horizontal & Qt::AlignHCenter) {
        x = rect.left() + (rect.width() - width) / 2;
    }
    // Whole pixels for the baseline keep the rows of a table alike.
    const qreal baseline = std::round(rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2);
    painter.drawText(QPointF(x, baseline), shown);
}

int textWidth(const QFont& font, const QString& text)
{
    return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
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
