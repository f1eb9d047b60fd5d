// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartcanvas.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "chartdata.h"
#include "charts/chartfigure.h"
#include "charts/charttip.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int frameGapMs = 100; // ten frames a second are plenty for points that come one by one
constexpr int longestGapMs = 500;
constexpr int restFactor = 20; // a frame that took t is followed by 20 t without: a twentieth of the GUI thread's time
constexpr int glideGapMs = 33; // while an axis glides
constexpr int turnGapMs = 12; // between frames of different charts, so that what a person does is answered in between
constexpr int describeAfterMs = 2000; // a screen reader must not be told every frame
constexpr double clickReach = 9;
constexpr double hoverReach = 12;
constexpr double dragFrom = 6; // less is a click with an unsteady hand
constexpr double titleHeight = 50;
constexpr double limitStep = 4; // px by key

QEvent::Type frameEvent()
{
    static const int type = QEvent::registerEventType();
    return static_cast<QEvent::Type>(type);
}

/// Since any chart of the window took its turn to render a frame. GUI thread.
QElapsedTimer& sinceAnyFrame()
{
    static QElapsedTimer timer;
    return timer;
}

std::vector<int> rowsOf(const QItemSelection& selection)
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.push_back(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

} // namespace

ChartCanvas::ChartCanvas(ChartKind kind, ChartData& chartData, QItemSelectionModel& selection, ThemeController& themes,
                         QWidget* parent)
    : QWidget(parent)
    , m_data(chartData)
    , m_selection(selection)
    , m_themes(themes)
{
    ChartSpec spec;
    spec.kind = kind;
    m_figure = ChartFigure::make(spec, chartData);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(chartTitle(kind));
    m_frameTimer.setSingleShot(true);
    m_describeTimer.setSingleShot(true);
    connect(&m_frameTimer, &QTimer::timeout, this, &ChartCanvas::takeTurn);
    connect(&m_describeTimer, &QTimer::timeout, this, &ChartCanvas::describe);
    connect(&chartData, &ChartData::changed, this, &ChartCanvas::onDataChanged);
    connect(&chartData.requests(), &QAbstractItemModel::modelReset, this, [this] {
        onDataChanged();
        onSelectionChanged(); // a reset empties the selection without a word
    });
    connect(&chartData.series(), &QAbstractItemModel::rowsInserted, this, &ChartCanvas::onDataChanged);
    connect(&chartData.series(), &QAbstractItemModel::dataChanged, this, &ChartCanvas::onDataChanged);
    connect(&chartData.series(), &QAbstractItemModel::modelReset, this, &ChartCanvas::onDataChanged);
    connect(&selection, &QItemSelectionModel::selectionChanged, this, &ChartCanvas::onSelectionChanged);
    connect(&selection, &QItemSelectionModel::currentChanged, this, [this] {
        update();
    });
    connect(&themes, &ThemeController::changed, this, [this] {
        scheduleFrame(0);
    });
    onSelectionChanged();
    describe();
}

ChartCanvas::~ChartCanvas() = default;

const ChartSpec& ChartCanvas::spec() const
{
    return m_figure->spec();
}

void ChartCanvas::setSpec(const ChartSpec& spec)
{
    m_figure->setSpec(spec);
    scheduleFrame(0);
    emit specChanged();
}

void ChartCanvas::startRun(std::optional<AxisRange> promptLengths)
{
    if (m_drag == Drag::Limit) {
        m_drag = Drag::None;
        endLimitDrag(false);
    }
    ChartSpec spec = m_figure->spec();
    spec.expectedX = promptLengths;
    spec.zoomX.reset();
    spec.zoomY.reset();
    m_undo.clear();
    m_redo.clear();
    m_figure->resetRanges();
    setSpec(spec);
}

void ChartCanvas::onDataChanged()
{
    m_hovered = m_hovered < m_data.requests().rowCount() ? m_hovered : -1;
    if (!m_describeTimer.isActive()) {
        m_describeTimer.start(describeAfterMs);
    }
    scheduleFrame(std::clamp(static_cast<int>(restFactor * m_frameCostMs), frameGapMs, longestGapMs));
}

void ChartCanvas::onSelectionChanged()
{
    m_figure->setSelection(rowsOf(m_selection.selection()));
    scheduleFrame(0);
}

void ChartCanvas::scheduleFrame(int leastGapMs)
{
    m_stale = true;
    if (!isVisible()) {
        return; // shown again, it catches up
    }
    const qint64 since = m_sinceFrame.isValid() ? m_sinceFrame.elapsed() : leastGapMs;
    const int wait = static_cast<int>(std::max<qint64>(0, leastGapMs - since));
    if (!m_frameTimer.isActive() || m_frameTimer.remainingTime() > wait) {
        m_frameTimer.start(wait);
    }
}

void ChartCanvas::takeTurn()
{
    QElapsedTimer& since = sinceAnyFrame();
    if (since.isValid() && since.elapsed() < turnGapMs) {
        m_frameTimer.start(turnGapMs - static_cast<int>(since.elapsed()));
        return;
    }
    since.start();
    // Not at once, among the other timers that are due: what came in meanwhile goes first.
    if (!m_framePosted) {
        m_framePosted = true;
        QCoreApplication::postEvent(this, new QEvent(frameEvent()), Qt::LowEventPriority);
    }
}

void ChartCanvas::customEvent(QEvent* event)
{
    if (event->type() == frameEvent()) {
        m_framePosted = false;
        renderFrame();
    }
}

void ChartCanvas::renderFrame()
{
    if (!isVisible() || size().isEmpty()) {
        return;
    }
    const double ratio = devicePixelRatioF();
    const double elapsed = m_sinceFrame.isValid() ? static_cast<double>(m_sinceFrame.restart()) : 0;
    if (!m_sinceFrame.isValid()) {
        m_sinceFrame.start();
    }
    QElapsedTimer cost;
    cost.start();
    m_figure->setTheme(m_themes.theme());
    m_figure->setSize(size(), ratio);
    // A long pause is no glide: the axis starts from where it is.
    const bool gliding = m_figure->update(std::min(elapsed, static_cast<double>(frameGapMs)));
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_frame.size() != pixels) {
        m_frame = QPixmap(pixels);
    }
    m_frame.setDevicePixelRatio(ratio);
    m_frame.fill(Qt::transparent);
    QPainter painter(&m_frame);
    m_figure->paint(painter);
    painter.end();
    m_stale = false;
    ++m_frames;
    m_frameCostMs = (m_frameCostMs + static_cast<double>(cost.nsecsElapsed()) / 1e6) / 2; // one late frame is no rule
    update();
    if (gliding) {
        m_frameTimer.start(glideGapMs);
    }
}

void ChartCanvas::describe()
{
    const QString words = m_figure->summary();
    if (words != accessibleDescription()) {
        setAccessibleDescription(words);
    }
}

bool ChartCanvas::event(QEvent* event)
{
    // The window's shortcuts come first otherwise: Ctrl+Z walks through the zooms while the chart has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool endsDrag = m_drag == Drag::Limit && key->key() == Qt::Key_Escape;
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) || endsDrag) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void ChartCanvas::paintEvent(QPaintEvent* /*event*/)
{
    if (m_frame.isNull() || m_stale || m_frame.devicePixelRatio() != devicePixelRatioF()) {
        // Only a first or resized frame is rendered here; others come by the timer.
        if (m_frame.isNull() || m_frame.deviceIndependentSize().toSize() != size()) {
            m_frameTimer.stop();
            renderFrame();
        }
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_frame);
    painter.setRenderHint(QPainter::Antialiasing);
    paintRing(painter);
    if (m_drag == Drag::Select) {
        const QRectF band = rubberBand();
        QColor fill = m_themes.theme().accentLine;
        fill.setAlphaF(0.1F);
        painter.fillRect(band, fill);
        QPen pen(m_themes.theme().accentLine, 1);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(band.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5));
    } else if (m_drag != Drag::Pan && m_drag != Drag::Limit) {
        paintTooltip(painter);
    }
}

void ChartCanvas::paintRing(QPainter& painter) const
{
    const QModelIndex current = m_selection.currentIndex();
    const auto ring = [&](int row, double radius, const QColor& colour, double width) {
        if (const auto dot = m_figure->placeOf(row)) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_themes.theme().panel, width + 2.4));
            painter.drawEllipse(dot->at, radius, radius);
            painter.setPen(QPen(colour, width));
            painter.drawEllipse(dot->at, radius, radius);
        }
    };
    if (m_hovered >= 0 && m_hovered != current.row()) {
        ring(m_hovered, 5, m_themes.theme().text2, 1.2);
    }
    if (current.isValid()) {
        ring(current.row(), 6, m_themes.theme().text, 1.6);
    }
}

void ChartCanvas::paintTooltip(QPainter& painter) const
{
    if (m_hovered < 0) {
        return;
    }
    if (const auto dot = m_figure->placeOf(m_hovered)) {
        paintRequestTip(painter, m_data.requests(), m_hovered, dot->at, rect(), m_themes.theme());
    }
}

void ChartCanvas::resizeEvent(QResizeEvent* /*event*/)
{
    m_stale = true;
}

void ChartCanvas::showEvent(QShowEvent* /*event*/)
{
    if (m_stale) {
        scheduleFrame(0);
    }
}

void ChartCanvas::leaveEvent(QEvent* /*event*/)
{
    if (m_hovered >= 0) {
        m_hovered = -1;
        update();
    }
}

QRectF ChartCanvas::rubberBand() const
{
    return QRectF(m_pressed, m_last).normalized().intersected(m_figure->plot());
}

void ChartCanvas::mousePressEvent(QMouseEvent* event)
{
    m_pressed = m_last = event->position();
    const bool inPlot = m_figure->plot().contains(m_pressed);
    const bool pans = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_space);
    if (pans && !m_figure->isEmpty()) {
        m_drag = Drag::Pan;
        m_undo.push_back(view());
        m_redo.clear();
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && isOnLimit(m_pressed)) {
        m_drag = Drag::OnLimit;
    } else if (event->button() == Qt::LeftButton && inPlot) {
        m_drag = Drag::Press;
    }
    event->setAccepted(event->button() != Qt::RightButton);
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_drag == Drag::Press && (at - m_pressed).manhattanLength() >= dragFrom) {
        m_drag = Drag::Select;
    }
    if (m_drag == Drag::OnLimit && (at - m_pressed).manhattanLength() >= dragFrom) {
        m_drag = Drag::Limit;
        m_limitBefore = spec().limitMs;
    }
    if (m_drag == Drag::Pan) {
        pan(at - m_last);
    } else if (m_drag == Drag::Limit) {
        dragLimit(at.y());
    }
    m_last = at;
    if (m_drag == Drag::None) {
        hover(at);
        showCursor(at);
    } else {
        update();
    }
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    m_last = event->position();
    const bool add = event->modifiers().testFlag(Qt::ControlModifier);
    if (drag == Drag::Pan) {
        unsetCursor();
        if (!m_undo.empty() && m_undo.back() == view()) {
            m_undo.pop_back(); // it did not move
        }
    } else if (drag == Drag::Limit) {
        endLimitDrag(true);
    } else if (drag == Drag::Select) {
        selectIn(rubberBand(), add);
    } else if (drag == Drag::Press || drag == Drag::OnLimit) {
        click(m_last, add);
    }
    update();
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (event->position().y() < titleHeight) {
        emit titleDoubleClicked();
        return;
    }
    if (!m_cleared.isEmpty() || m_clearedCurrent.isValid()) {
        m_selection.select(m_cleared, QItemSelectionModel::ClearAndSelect);
        m_selection.setCurrentIndex(m_clearedCurrent, QItemSelectionModel::NoUpdate);
    }
    resetZoom();
}

void ChartCanvas::click(QPointF at, bool add)
{
    m_cleared = {};
    m_clearedCurrent = QModelIndex();
    const auto dot = m_figure->nearest(at, clickReach);
    if (!dot) {
        if (!add) {
            m_cleared = m_selection.selection();
            m_clearedCurrent = m_selection.currentIndex();
            m_selection.clear();
        }
        return;
    }
    const QModelIndex index = m_data.requests().index(dot->row, 0);
    m_selection.setCurrentIndex(
        index, (add ? QItemSelectionModel::Toggle : QItemSelectionModel::ClearAndSelect) | QItemSelectionModel::Rows);
}

bool ChartCanvas::selectForMenu(QPointF at)
{
    const auto dot = m_figure->isEmpty() ? std::nullopt : m_figure->nearest(at, clickReach);
    if (dot && !m_selection.isRowSelected(dot->row)) {
        click(at, false);
    }
    return dot.has_value();
}

void ChartCanvas::selectIn(QRectF rect, bool add)
{
    const QItemSelection selection = m_data.requests().selectionOf(m_figure->rowsIn(rect));
    m_selection.select(selection, add ? QItemSelectionModel::Select : QItemSelectionModel::ClearAndSelect);
}

void ChartCanvas::hover(QPointF at)
{
    const auto dot = m_figure->isEmpty() ? std::nullopt : m_figure->nearest(at, hoverReach);
    const int row = dot ? dot->row : -1;
    if (row != m_hovered) {
        m_hovered = row;
        update();
    }
}

void ChartCanvas::keyPressEvent(QKeyEvent* event)
{
    const QPointF middle = m_figure->plot().center();
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    const bool up = alt && event->key() == Qt::Key_Up;
    const bool down = alt && event->key() == Qt::Key_Down;
    if (event->matches(QKeySequence::Undo)) {
        undo();
    } else if (event->matches(QKeySequence::Redo)) {
        redo();
    } else if (event->key() == Qt::Key_Escape && m_drag == Drag::Limit) {
        m_drag = Drag::None;
        endLimitDrag(false);
    } else if (up || down) {
        // the smallest step that can be seen
        if (const std::optional<double> line = m_figure->limitY()) {
            moveLimit(limitAt(*line + (up ? -limitStep : limitStep)));
        }
    } else if (event->key() == Qt::Key_Plus) {
        zoomAt(middle, 0.8);
    } else if (event->key() == Qt::Key_Minus) {
        zoomAt(middle, 1.25);
    } else if (event->key() == Qt::Key_0) {
        resetZoom();
    } else if (event->key() == Qt::Key_Space) {
        m_space = true;
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ChartCanvas::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_space = false;
        return;
    }
    QWidget::keyReleaseEvent(event);
}

} // namespace tokenpace
