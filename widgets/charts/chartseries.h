// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QColor>
#include <QGraphicsScene>
#include <QPointF>

namespace tokenpace {

/// The Qt Charts part of a figure: per series an area (band or violin) and a line on a casing, in a QChart whose own
/// background, labels, legend and animations are off. Points are in axis units: a logarithmic axis gets logarithms.
class ChartSeries {
public:
    explicit ChartSeries(QGraphicsScene& scene);
    ~ChartSeries();

    /// The item that everything else of the figure is a child of; its coordinates are the figure's.
    [[nodiscard]] QGraphicsItem* root() const;
    void setGeometry(QSizeF size, QRectF plot);
    void setRanges(double xLow, double xHigh, double yLow, double yHigh);

    struct Look {
        QColor area; ///< with alpha
        QColor edge;
        double edgeWidth = 0; ///< 0: a hairline
        QColor line;
        QColor casing;
        QList<qreal> dash; ///< of the line; empty: solid
    };
    /// As many series as looks; made anew only when the number changes, so that points stay.
    void setLooks(const std::vector<Look>& looks);
    void setArea(std::size_t series, const QList<QPointF>& lower, const QList<QPointF>& upper);
    void setLine(std::size_t series, const QList<QPointF>& points);
    [[nodiscard]] QList<QPointF> line(std::size_t series) const;
    [[nodiscard]] QList<QPointF> areaUpper(std::size_t series) const;

private:
    struct Parts;
    void rebuild(std::size_t count);

    std::unique_ptr<Parts> m_parts;
};

} // namespace tokenpace
