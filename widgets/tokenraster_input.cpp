// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include "tokenraster.h"

namespace tokenpace {

namespace {
constexpr double leastSpanMs = 1;
constexpr double mostSpanMs = 86'400'000; // a day
constexpr int rightMargin = 9;
constexpr double notch = 120; // of a wheel, in eighths of a degree
constexpr double zoomPerNotch = 1.2;
constexpr double panPerNotch = 60; // px
constexpr double zoomStep = 1.5; // of a key
constexpr double panShare = 0.1; // of what is in sight, by a key
} // namespace

double TokenRaster::plotWidth() const
{
    return std::max(1.0, width() - plotLeft() - rightMargin);
}

bool TokenRaster::isOnAxis(const QPointF& at) const
{
    return at.y() >= rowsHeight() && at.x() >= plotLeft();
}

void TokenRaster::zoomTime(double x, double factor)
{
    const TimeSpan now = timeInSight();
    const double share = std::clamp((x - plotLeft()) / plotWidth(), 0.0, 1.0);
    const double held = now.fromMs + share * (now.toMs - now.fromMs);
    const double span = std::clamp((now.toMs - now.fromMs) / factor, leastSpanMs, mostSpanMs);
    const double from = std::max(0.0, held - share * span);
    // All in sight again is as if nobody had zoomed: the axis may grow with the run.
    const double rounding = 1e-9 * span;
    if (factor < 1 && from <= rounding && span >= m_endMs - rounding) {
        showWholeTime();
        return;
    }
    m_zoom = TimeSpan{from, from + span};
    update();
}

void TokenRaster::panTime(double px)
{
    if (!m_zoom) {
        return;
    }
    const double span = m_zoom->toMs - m_zoom->fromMs;
    const double latestFrom = std::max(0.0, std::max(m_endMs, m_targetEndMs) - span / 2);
    const double from = std::clamp(m_zoom->fromMs - px * span / plotWidth(), 0.0, latestFrom);
    m_zoom = TimeSpan{from, from + span};
    update();
}

void TokenRaster::showWholeTime()
{
    m_zoom.reset();
    update();
}

void TokenRaster::mousePressEvent(QMouseEvent* event)
{
    const bool pans = event->button() == Qt::MiddleButton
        || (event->button() == Qt::LeftButton && isOnAxis(event->position()) && m_zoom);
    if (pans) {
        m_panX = event->position().x();
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton) {
        return;
    }
    const int row = rowAt(event->pos());
    if (row >= 0) {
        select(row, event->modifiers());
    }
}

void TokenRaster::mouseMoveEvent(QMouseEvent* event)
{
    if (m_panX) {
        panTime(event->position().x() - *m_panX);
        m_panX = event->position().x();
        return;
    }
    const int row = rowAt(event->pos());
    if (row >= 0 && event->buttons().testFlag(Qt::LeftButton) && row != m_selection.currentIndex().row()) {
        select(row, event->modifiers() | Qt::ShiftModifier);
    }
}

void TokenRaster::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_panX && (event->button() == Qt::MiddleButton || event->button() == Qt::LeftButton)) {
        m_panX.reset();
        unsetCursor();
    }
}

void TokenRaster::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().x() >= plotLeft()) {
        showWholeTime();
    }
}

void TokenRaster::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier) || isOnAxis(event->position())) {
        zoomTime(event->position().x(), std::pow(zoomPerNotch, (angle.y() != 0 ? angle.y() : angle.x()) / notch));
        event->accept();
    } else if (m_zoom && (angle.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier))) {
        panTime((angle.x() != 0 ? angle.x() : angle.y()) / notch * panPerNotch);
        event->accept();
    } else {
        QCoreApplication::sendEvent(m_bar, event);
    }
}

void TokenRaster::select(int modelRow, Qt::KeyboardModifiers modifiers)
{
    const QModelIndex index = m_requests.index(modelRow, 0);
    if (modifiers.testFlag(Qt::ShiftModifier) && m_anchor >= 0) {
        const auto from = std::find(m_order.begin(), m_order.end(), m_anchor);
        const auto to = std::find(m_order.begin(), m_order.end(), modelRow);
        QItemSelection range;
        if (from != m_order.end() && to != m_order.end()) {
            const auto [low, high] = std::minmax(from, to);
            for (auto it = low; it <= high; ++it) {
                const QModelIndex each = m_requests.index(*it, 0);
                range.select(each, each);
            }
        }
        m_selection.select(range, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_selection.setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        return;
    }
    m_anchor = modelRow;
    const bool toggle = modifiers.testFlag(Qt::ControlModifier);
    m_selection.setCurrentIndex(index,
                                (toggle ? QItemSelectionModel::Toggle : QItemSelectionModel::ClearAndSelect)
                                    | QItemSelectionModel::Rows);
}

void TokenRaster::moveCurrent(int step, Qt::KeyboardModifiers modifiers)
{
    if (m_order.empty()) {
        return;
    }
    const int last = static_cast<int>(m_order.size()) - 1;
    const auto found = std::find(m_order.begin(), m_order.end(), m_selection.currentIndex().row());
    const int from = found == m_order.end() ? (step > 0 ? -1 : last + 1) : static_cast<int>(found - m_order.begin());
    const int to = std::clamp(from + step, 0, last);
    select(m_order[static_cast<std::size_t>(to)], modifiers & Qt::ShiftModifier);
}

void TokenRaster::keyPressEvent(QKeyEvent* event)
{
    const int page = std::max(1, static_cast<int>(rowsHeight() / rowHeight()) - 1);
    const int all = static_cast<int>(m_order.size());
    switch (event->key()) {
    case Qt::Key_Up:
        return moveCurrent(-1, event->modifiers());
    case Qt::Key_Down:
        return moveCurrent(1, event->modifiers());
    case Qt::Key_PageUp:
        return moveCurrent(-page, event->modifiers());
    case Qt::Key_PageDown:
        return moveCurrent(page, event->modifiers());
    case Qt::Key_Home:
        return moveCurrent(-all, event->modifiers());
    case Qt::Key_End:
        return moveCurrent(all, event->modifiers());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomTime(plotLeft() + plotWidth() / 2, zoomStep);
    case Qt::Key_Minus:
        return zoomTime(plotLeft() + plotWidth() / 2, 1 / zoomStep);
    case Qt::Key_0:
        return showWholeTime();
    case Qt::Key_Left:
        return panTime(plotWidth() * panShare);
    case Qt::Key_Right:
        return panTime(-plotWidth() * panShare);
    default:
        QWidget::keyPressEvent(event);
    }
}

void TokenRaster::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const QRect current = rowRect(m_selection.currentIndex().row());
        emit requestMenuRequested(mapToGlobal(current.isNull() ? QPoint() : current.bottomLeft()));
        return;
    }
    const int row = rowAt(event->pos());
    if (row >= 0) {
        if (!m_selection.isRowSelected(row)) {
            select(row, {});
        }
        emit requestMenuRequested(event->globalPos());
    }
}

} // namespace tokenpace
