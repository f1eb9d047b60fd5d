// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartseries.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

namespace tokenpace {

namespace {

constexpr double lineWidth = 2.4;
constexpr double casingWidth = 4.4;

} // namespace

struct ChartSeries::Parts {
    struct One {
        QAreaSeries* area; // owned by the chart, like the next two
        QLineSeries* casing;
        QLineSeries* line;
    };
    QChart* chart = nullptr; // owned by the scene
    QValueAxis* x = nullptr; // owned by the chart
    QValueAxis* y = nullptr;
    std::vector<One> series;
};

ChartSeries::ChartSeries(QGraphicsScene& scene)
    : m_parts(std::make_unique<Parts>())
{
    auto* chart = new QChart;
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    m_parts->chart = chart;
    m_parts->x = new QValueAxis;
    m_parts->y = new QValueAxis;
    chart->addAxis(m_parts->x, Qt::AlignBottom);
    chart->addAxis(m_parts->y, Qt::AlignLeft);
    m_parts->x->setVisible(false);
    m_parts->y->setVisible(false);
    scene.addItem(chart);
}

ChartSeries::~ChartSeries() = default;

QGraphicsItem* ChartSeries::root() const
{
    return m_parts->chart;
}

void ChartSeries::setGeometry(QSizeF size, QRectF plot)
{
    m_parts->chart->resize(size);
    m_parts->chart->setPlotArea(plot);
    // Without an event loop nobody else lays it out.
    m_parts->chart->layout()->activate();
}

void ChartSeries::setRanges(double xLow, double xHigh, double yLow, double yHigh)
{
    m_parts->x->setRange(xLow, xHigh);
    m_parts->y->setRange(yLow, yHigh);
}

void ChartSeries::rebuild(std::size_t count)
{
    Parts& parts = *m_parts;
    parts.chart->removeAllSeries();
    parts.series.clear();
    // All areas first: what is added later lies on top.
    for (std::size_t i = 0; i < count; ++i) {
        auto* upper = new QLineSeries;
        auto* lower = new QLineSeries;
        auto* area = new QAreaSeries(upper, lower);
        upper->setParent(area); // an area does not own its lines
        lower->setParent(area);
        parts.series.push_back({area, new QLineSeries, new QLineSeries});
        parts.chart->addSeries(area);
    }
    for (const Parts::One& one : parts.series) {
        parts.chart->addSeries(one.casing);
        parts.chart->addSeries(one.line);
    }
    for (QAbstractSeries* series : parts.chart->series()) {
        series->attachAxis(parts.x);
        series->attachAxis(parts.y);
    }
}

void ChartSeries::setLooks(const std::vector<Look>& looks)
{
    if (looks.size() != m_parts->series.size()) {
        rebuild(looks.size());
    }
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const Look& look = looks[i];
        const Parts::One& one = m_parts->series[i];
        one.area->setBrush(look.area);
        // Bevelled: along a curve of short pieces nobody sees the joins, and the others take half of its painting time.
        one.area->setPen(QPen(look.edge, look.edgeWidth, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
        one.casing->setPen(QPen(look.casing, casingWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        QPen pen(look.line, lineWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (!look.dash.isEmpty()) {
            pen.setDashPattern(look.dash);
        }
        one.line->setPen(pen);
    }
}

void ChartSeries::setArea(std::size_t series, const QList<QPointF>& lower, const QList<QPointF>& upper)
{
    const Parts::One& one = m_parts->series[series];
    if (one.area->lowerSeries()->points() != lower) {
        one.area->lowerSeries()->replace(lower);
    }
    if (one.area->upperSeries()->points() != upper) {
        one.area->upperSeries()->replace(upper);
    }
}

void ChartSeries::setLine(std::size_t series, const QList<QPointF>& points)
{
    const Parts::One& one = m_parts->series[series];
    if (one.line->points() != points) {
        one.casing->replace(points);
        one.line->replace(points);
    }
}

QList<QPointF> ChartSeries::line(std::size_t series) const
{
    return m_parts->series[series].line->points();
}

QList<QPointF> ChartSeries::areaUpper(std::size_t series) const
{
    return m_parts->series[series].area->upperSeries()->points();
}

} // namespace tokenpace
