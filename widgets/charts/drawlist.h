// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <variant>
#include <vector>

#include <QColor>
#include <QFont>
#include <QGraphicsItem>
#include <QPolygonF>
#include <QString>

namespace tokenpace {

/// Marks of requests: another one each time that the colours of the series begin again.
enum class Marker { Disc, Square, Diamond, Triangle };
[[nodiscard]] Marker markerOf(int series);
/// The outline of a mark of about the same area as a disc of radius `radius`.
[[nodiscard]] QPainterPath markerPath(Marker marker, QPointF centre, qreal radius);

/// Things to paint, in order: what a chart shows beside its series.
class DrawList {
public:
    struct Text {
        QPointF at; ///< left end, middle or right end of the base line
        Qt::Alignment side = Qt::AlignLeft;
        QString text;
        QFont font;
        QColor colour;
    };
    struct Fill {
        QRectF rect;
        QColor colour;
    };
    struct Line {
        QPolygonF points;
        QColor colour;
        qreal width = 1;
        QList<qreal> dash;
    };
    struct Shape {
        QPainterPath path;
        QColor fill; ///< invalid: none
        QColor outline; ///< invalid: none
        qreal width = 1;
    };
    using Command = std::variant<Text, Fill, Line, Shape>;

    void clear() { m_commands.clear(); }
    void add(Command command) { m_commands.push_back(std::move(command)); }
    void text(QPointF at, const QString& text, const QFont& font, const QColor& colour,
              Qt::Alignment side = Qt::AlignLeft);
    [[nodiscard]] const std::vector<Command>& commands() const { return m_commands; }
    [[nodiscard]] QStringList texts() const; ///< for tests and screen readers

    /// `textAsOutlines` for formats whose readers may lack the fonts, or place mixed scripts wrongly.
    void paint(QPainter& painter, bool textAsOutlines) const;

private:
    std::vector<Command> m_commands;
};

/// A draw list as an item of the chart's scene. The list is not owned.
class DrawListItem final : public QGraphicsItem {
public:
    DrawListItem(const DrawList& list, QGraphicsItem* parent);
    void setSize(QSizeF size);
    void setTextAsOutlines(bool on) { m_outlines = on; }

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const DrawList& m_list;
    QSizeF m_size;
    bool m_outlines = false;
};

} // namespace tokenpace
