// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/drawlist.h"

#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

void paintCommand(QPainter& painter, const DrawList::Text& text, bool asOutlines)
{
    QPointF at = text.at;
    if (text.side != Qt::AlignLeft) {
        const qreal width = advanceOf(text.font, text.text);
        at.rx() -= text.side == Qt::AlignRight ? width : width / 2;
    }
    if (asOutlines) {
        QPainterPath path;
        path.addText(at, text.font, text.text);
        path.setFillRule(Qt::WindingFill); // outlines of variable fonts overlap
        painter.setPen(Qt::NoPen);
        painter.setBrush(text.colour);
        painter.drawPath(path);
        return;
    }
    painter.setPen(text.colour);
    paintText(painter, at, text.font, text.text);
}

void paintCommand(QPainter& painter, const DrawList::Fill& fill, bool /*asOutlines*/)
{
    painter.fillRect(fill.rect, fill.colour);
}

void paintCommand(QPainter& painter, const DrawList::Line& line, bool /*asOutlines*/)
{
    QPen pen(line.colour, line.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!line.dash.isEmpty()) {
        pen.setDashPattern(line.dash);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line.points);
}

void paintCommand(QPainter& painter, const DrawList::Shape& shape, bool /*asOutlines*/)
{
    painter.setPen(shape.outline.isValid() ? QPen(shape.outline, shape.width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin)
                                           : QPen(Qt::NoPen));
    painter.setBrush(shape.fill.isValid() ? QBrush(shape.fill) : QBrush(Qt::NoBrush));
    painter.drawPath(shape.path);
}

} // namespace

Marker markerOf(int series)
{
    constexpr int markers = 4;
    return static_cast<Marker>(series / Theme::seriesColours % markers);
}

QPainterPath markerPath(Marker marker, QPointF centre, qreal radius)
{
    QPainterPath path;
    switch (marker) {
    case Marker::Disc:
        path.addEllipse(centre, radius, radius);
        break;
    case Marker::Square: {
        const qreal half = radius * 0.886; // of a square of the disc's area
        path.addRect(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half));
        break;
    }
    case Marker::Diamond: {
        const qreal half = radius * 1.253;
        path.addPolygon(QPolygonF{{centre.x(), centre.y() - half},
                                  {centre.x() + half, centre.y()},
                                  {centre.x(), centre.y() + half},
                                  {centre.x() - half, centre.y()}});
        path.closeSubpath();
        break;
    }
    case Marker::Triangle: {
        const qreal side = radius * 1.347; // half a side of a regular triangle of the disc's area
        const qreal height = side * std::sqrt(3.0);
        path.addPolygon(QPolygonF{{centre.x(), centre.y() - height * 2 / 3},
                                  {centre.x() + side, centre.y() + height / 3},
                                  {centre.x() - side, centre.y() + height / 3}});
        path.closeSubpath();
        break;
    }
    }
    return path;
}

void DrawList::text(QPointF at, const QString& text, const QFont& font, const QColor& colour, Qt::Alignment side)
{
    if (!text.isEmpty()) {
        add(Text{at, side, text, font, colour});
    }
}

QStringList DrawList::texts() const
{
    QStringList result;
    for (const Command& command : m_commands) {
        if (const auto* text = std::get_if<Text>(&command)) {
            result << text->text;
        }
    }
    return result;
}

void DrawList::paint(QPainter& painter, bool textAsOutlines) const
{
    for (const Command& command : m_commands) {
        std::visit(
            [&](const auto& it) {
                paintCommand(painter, it, textAsOutlines);
            },
            command);
    }
}

DrawListItem::DrawListItem(const DrawList& list, QGraphicsItem* parent)
    : QGraphicsItem(parent)
    , m_list(list)
{
}

void DrawListItem::setSize(QSizeF size)
{
    prepareGeometryChange();
    m_size = size;
}

QRectF DrawListItem::boundingRect() const
{
    return {QPointF(), m_size};
}

void DrawListItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/)
{
    m_list.paint(*painter, m_outlines);
}

} // namespace tokenpace
