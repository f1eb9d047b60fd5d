// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rivalplot.h"

#ifdef TOKENPACE_QCUSTOMPLOT
#include <qcustomplot.h>
#endif

namespace tokenpace {

#ifdef TOKENPACE_QCUSTOMPLOT

struct RivalPlot::Plot {
    QCustomPlot widget;
};

RivalPlot::RivalPlot()
    : m_plot(std::make_unique<Plot>())
{
    QCustomPlot& plot = m_plot->widget;
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
    }
}

bool RivalPlot::isThere() const
{
    return true;
}

void RivalPlot::add(const std::vector<QPointF>& points, const QColor& colour)
{
    QCPGraph* graph = m_plot->widget.addGraph();
    QVector<double> x;
    QVector<double> y;
    for (const QPointF& point : points) {
        x.append(point.x());
        y.append(point.y());
    }
    graph->setData(x, y);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::NoPen, colour, 3));
}

void RivalPlot::fit(QSize size)
{
    m_plot->widget.resize(size);
    m_plot->widget.rescaleAxes();
    m_plot->widget.show();
}

void RivalPlot::draw()
{
    m_plot->widget.replot(QCustomPlot::rpImmediateRefresh);
}

#else

struct RivalPlot::Plot { };

RivalPlot::RivalPlot() = default;

bool RivalPlot::isThere() const
{
    return false;
}

void RivalPlot::add(const std::vector<QPointF>& /*points*/, const QColor& /*colour*/) { }

void RivalPlot::fit(QSize /*size*/) { }

void RivalPlot::draw() { }

#endif

RivalPlot::~RivalPlot() = default;

} // namespace tokenpace
