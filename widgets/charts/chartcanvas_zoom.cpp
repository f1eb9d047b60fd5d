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

void ChartCanvas::setView(const View& view, bool remember)
{
    ChartSpec changed = spec();
    const View before{changed.zoomX, changed.zoomY};
    if (view == before) {
        return;
    }
    if (remember) {
        m_undo.push_back(before);
        m_redo.clear();
    }
    changed.zoomX = view.x;
    changed.zoomY = view.y;
    setSpec(changed);
}

bool ChartCanvas::isZoomed() const
{
    return spec().zoomX || spec().zoomY;
}

void ChartCanvas::resetZoom()
{
    setView({}, true);
}

void ChartCanvas::undoZoom()
{
    if (m_undo.empty()) {
        return;
    }
    const View view = m_undo.back();
    m_undo.pop_back();
    m_redo.push_back({spec().zoomX, spec().zoomY});
    setView(view, false);
}

void ChartCanvas::redoZoom()
{
    if (m_redo.empty()) {
        return;
    }
    const View view = m_redo.back();
    m_redo.pop_back();
    m_undo.push_back({spec().zoomX, spec().zoomY});
    setView(view, false);
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
    View view{spec().zoomX, spec().zoomY};
    if (m_figure->hasXAxis() && !onlyY) {
        const AxisRange range = zoomedRange(m_figure->xScale(), x, factor);
        view.x = isSensible(range, spec().logX) ? range : view.x;
    }
    if (!onlyX || !m_figure->hasXAxis()) {
        const AxisRange range = zoomedRange(m_figure->yScale(), y, factor);
        view.y = isSensible(range, spec().logY) ? range : view.y;
    }
    setView(view, true);
}

void ChartCanvas::pan(QPointF by)
{
    const QRectF plot = m_figure->plot();
    View view{spec().zoomX, spec().zoomY};
    if (m_figure->hasXAxis()) {
        const AxisRange range = pannedRange(m_figure->xScale(), -by.x() / plot.width());
        view.x = isSensible(range, spec().logX) ? range : view.x;
    }
    const AxisRange range = pannedRange(m_figure->yScale(), by.y() / plot.height());
    view.y = isSensible(range, spec().logY) ? range : view.y;
    setView(view, false);
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
