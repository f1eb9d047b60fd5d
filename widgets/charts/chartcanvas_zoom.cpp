// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartcanvas.h"

#include <algorithm>
#include <cmath>

#include <QWheelEvent>

#include "charts/chartfigure.h"

namespace tokenpace {

namespace {

constexpr double leastDecades = 0.02;
constexpr double mostDecades = 9;
constexpr double limitReach = 4; // px

bool isSensible(AxisRange range, bool log)
{
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.high > range.low)) {
        return false;
    }
    if (!log) {
        return range.high - range.low > 1e-6 && std::abs(range.high) < 1e9;
    }
    const double decades = std::log10(range.high / range.low);
    return range.low > 1e-4 && range.high < 1e9 && decades >= leastDecades && decades <= mostDecades;
}

} // namespace

ChartCanvas::View ChartCanvas::view() const
{
    return {spec().zoomX, spec().zoomY, spec().limitMs};
}

void ChartCanvas::setView(const View& view, bool remember)
{
    const View before = this->view();
    if (view == before) {
        return;
    }
    if (remember) {
        m_undo.push_back(before);
        m_redo.clear();
    }
    ChartSpec changed = spec();
    changed.zoomX = view.x;
    changed.zoomY = view.y;
    changed.limitMs = view.limitMs;
    setSpec(changed);
    if (view.limitMs && view.limitMs != before.limitMs) {
        emit limitMoved(*view.limitMs);
    }
}

bool ChartCanvas::isZoomed() const
{
    return spec().zoomX || spec().zoomY;
}

void ChartCanvas::resetZoom()
{
    setView({std::nullopt, std::nullopt, spec().limitMs}, true);
}

void ChartCanvas::undo()
{
    if (m_undo.empty()) {
        return;
    }
    const View before = m_undo.back();
    m_undo.pop_back();
    m_redo.push_back(view());
    setView(before, false);
}

void ChartCanvas::redo()
{
    if (m_redo.empty()) {
        return;
    }
    const View next = m_redo.back();
    m_redo.pop_back();
    m_undo.push_back(view());
    setView(next, false);
}

void ChartCanvas::setLimitMs(std::optional<double> ms)
{
    if (ms == spec().limitMs) {
        return;
    }
    for (std::vector<View>* const views : {&m_undo, &m_redo}) {
        for (View& each : *views) {
            each.limitMs = ms;
        }
    }
    ChartSpec changed = spec();
    changed.limitMs = ms;
    setSpec(changed);
}

void ChartCanvas::moveLimit(double ms)
{
    View moved = view();
    moved.limitMs = ms;
    setView(moved, true);
}

bool ChartCanvas::isOnLimit(QPointF at) const
{
    const std::optional<double> line = m_figure->isEmpty() ? std::nullopt : m_figure->limitY();
    const QRectF plot = m_figure->plot();
    return line && at.x() >= plot.left() && at.x() <= plot.right() && std::abs(at.y() - *line) <= limitReach;
}

double ChartCanvas::limitAt(double y) const
{
    // No more digits than the mouse can tell apart.
    const double resolution = std::abs(m_figure->msAt(y - 1) - m_figure->msAt(y + 1));
    const double ms = m_figure->msAt(y);
    if (!(resolution > 0)) {
        return ms;
    }
    const double digit = std::pow(10, std::floor(std::log10(resolution)));
    return std::max(digit, std::round(ms / digit) * digit);
}

void ChartCanvas::dragLimit(double y)
{
    ChartSpec changed = spec();
    changed.limitMs = limitAt(y);
    setSpec(changed);
}

void ChartCanvas::endLimitDrag(bool keep)
{
    const std::optional<double> moved = spec().limitMs;
    ChartSpec changed = spec();
    changed.limitMs = m_limitBefore;
    setSpec(changed);
    if (keep && moved) {
        moveLimit(*moved); // one step to undo, however long the way was
    }
}

void ChartCanvas::showCursor(QPointF at)
{
    if (isOnLimit(at)) {
        setCursor(Qt::SizeVerCursor);
    } else {
        unsetCursor();
    }
}

void ChartCanvas::zoomAt(QPointF at, double factor)
{
    const QRectF plot = m_figure->plot();
    if (m_figure->isEmpty() || plot.isEmpty()) {
        return;
    }
    // Over the labels of an axis only that axis zooms.
    const bool onlyX = at.y() > plot.bottom();
    const bool onlyY = !onlyX && at.x() < plot.left();
    const double x = std::clamp((at.x() - plot.left()) / plot.width(), 0.0, 1.0);
    const double y = std::clamp((plot.bottom() - at.y()) / plot.height(), 0.0, 1.0);
    View zoomed = view();
    if (m_figure->hasXAxis() && !onlyY) {
        const AxisRange range = zoomedRange(m_figure->xScale(), x, factor);
        zoomed.x = isSensible(range, spec().logX) ? range : zoomed.x;
    }
    if (!onlyX || !m_figure->hasXAxis()) {
        const AxisRange range = zoomedRange(m_figure->yScale(), y, factor);
        zoomed.y = isSensible(range, spec().logY) ? range : zoomed.y;
    }
    setView(zoomed, true);
}

void ChartCanvas::pan(QPointF by)
{
    const QRectF plot = m_figure->plot();
    View panned = view();
    if (m_figure->hasXAxis()) {
        const AxisRange range = pannedRange(m_figure->xScale(), -by.x() / plot.width());
        panned.x = isSensible(range, spec().logX) ? range : panned.x;
    }
    const AxisRange range = pannedRange(m_figure->yScale(), by.y() / plot.height());
    panned.y = isSensible(range, spec().logY) ? range : panned.y;
    setView(panned, false);
}

void ChartCanvas::wheelEvent(QWheelEvent* event)
{
    constexpr double notch = 120;
    constexpr double factorPerNotch = 0.8;
    zoomAt(event->position(), std::pow(factorPerNotch, event->angleDelta().y() / notch));
    m_hovered = -1;
    event->accept();
}

} // namespace tokenpace
