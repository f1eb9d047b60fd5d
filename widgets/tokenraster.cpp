// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tokenraster.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QItemSelectionModel>
#include <QScrollBar>
#include <QToolTip>

#include "measure/metrics.h"
#include "numbertext.h"
#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr double namedRow = 12;
constexpr double compactRow = 5;
constexpr int axisHeight = 16;
constexpr int frameMs = 33; // two frames at 60 Hz
constexpr int idleClockMs = 100; // a waiting row moves in steps that the eye takes for motion
constexpr double slack = 1.06; // of the axis beyond the longest request

double endOf(const RequestsModel::Row& row)
{
    if (!row.finished()) {
        return row.zero.count() == 0 ? 0 : toMs(steadyNow() - row.zero);
    }
    const Timeline& timeline = *row.timeline;
    double end = e2eMs(timeline).value_or(0);
    if (!timeline.arrivals.empty()) {
        end = std::max(end, toMs(timeline.arrivals.back() - row.zeroStamp()));
    }
    if (end <= 0) {
        end = totalMs(timeline).value_or(ttftMs(timeline).value_or(0));
    }
    return end;
}

} // namespace

TokenRaster::TokenRaster(RequestsModel& requests, QItemSelectionModel& selection, QWidget* parent)
    : QWidget(parent)
    , m_requests(requests)
    , m_selection(selection)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setProperty("ownFocus", true);
    setAccessibleName(tr("Token raster"));
    setAccessibleDescription(tr("A row a request, a tick an arrival, against the time since the request was written"));
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_repaint.setSingleShot(true);
    m_repaint.setInterval(frameMs);
    m_clock.setInterval(idleClockMs);

    connect(&m_repaint, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&m_clock, &QTimer::timeout, this, &TokenRaster::onClock);
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        m_follow = value >= m_bar->maximum();
        update();
    });
    connect(&m_requests, &QAbstractItemModel::rowsInserted, this, &TokenRaster::onRowsInserted);
    connect(&m_requests, &QAbstractItemModel::modelReset, this, &TokenRaster::rebuild);
    connect(&m_requests, &RequestsModel::requestsFinished, this, &TokenRaster::onRequestsFinished);
    connect(&m_requests, &RequestsModel::arrivalsChanged, this, &TokenRaster::scheduleUpdate);
    connect(&m_requests.series(), &SeriesModel::shownChanged, this, &TokenRaster::rebuild);
    connect(&m_requests.series(), &QAbstractItemModel::dataChanged, this, &TokenRaster::rebuild);
    connect(&m_selection, &QItemSelectionModel::selectionChanged, this, &TokenRaster::onSelectionChanged);
    connect(&m_selection, &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        ensureVisible(current.row());
        scheduleUpdate();
    });
    rebuild();
}

void TokenRaster::setNext(std::optional<NextRow> next)
{
    m_next = next;
    layoutBars();
    scheduleUpdate();
}

void TokenRaster::setDensity(Density density)
{
    m_density = density;
    layoutBars();
    update();
}

void TokenRaster::setSelectedFirst(bool on)
{
    m_selectedFirst = on;
    rebuild();
}

QSize TokenRaster::sizeHint() const
{
    return {640, static_cast<int>(8 * namedRow) + axisHeight};
}

QSize TokenRaster::minimumSizeHint() const
{
    return {320, static_cast<int>(3 * namedRow) + axisHeight};
}

void TokenRaster::onRowsInserted(const QModelIndex& parent, int first, int last)
{
    Q_UNUSED(parent);
    for (int i = first; i <= last; ++i) {
        const RequestsModel::Row& row = m_requests.row(i);
        if (!row.finished()) {
            m_live.push_back(i);
        }
        if (row.series < 0 || m_requests.series().isShown(row.series)) {
            m_order.push_back(i);
            noteEnd(row);
        }
    }
    if (!m_live.empty() && !m_clock.isActive()) {
        m_clock.start();
    }
    growAxis();
    layoutBars();
    scheduleUpdate();
}

void TokenRaster::onRequestsFinished(const QList<int>& rows)
{
    for (const int i : rows) {
        std::erase(m_live, i);
        m_stalls.erase(i);
        const RequestsModel::Row& row = m_requests.row(i);
        if (row.series < 0 || m_requests.series().isShown(row.series)) {
            noteEnd(row);
        }
    }
    if (m_live.empty()) {
        m_clock.stop();
    }
    growAxis();
    layoutBars();
    scheduleUpdate();
}

void TokenRaster::onSelectionChanged()
{
    m_selected = 0;
    for (const QItemSelectionRange& range : m_selection.selection()) {
        m_selected += range.height();
    }
    if (m_selectedFirst) {
        rebuild();
    }
    scheduleUpdate();
}

void TokenRaster::onClock()
{
    for (const int i : m_live) {
        noteEnd(m_requests.row(i));
    }
    growAxis();
    scheduleUpdate();
}

void TokenRaster::rebuild()
{
    m_order.clear();
    m_live.clear();
    m_stalls.clear();
    m_latestMs = 0;
    for (int i = 0; i < m_requests.rowCount(); ++i) {
        const RequestsModel::Row& row = m_requests.row(i);
        if (!row.finished()) {
            m_live.push_back(i);
        }
        if (row.series < 0 || m_requests.series().isShown(row.series)) {
            m_order.push_back(i);
            noteEnd(row);
        }
    }
    if (m_selectedFirst) {
        std::stable_partition(m_order.begin(), m_order.end(), [this](int row) {
            return m_selection.isRowSelected(row);
        });
    }
    m_nameWidth = 0;
    const QFont font = textFont(11);
    for (int i = 0; i < m_requests.series().count(); ++i) {
        m_nameWidth = std::max(m_nameWidth, qCeil(advanceOf(font, m_requests.series().at(i).label)));
    }
    m_live.empty() ? m_clock.stop() : m_clock.start();
    m_targetEndMs = std::max(m_latestMs, 10.0) * slack;
    m_endMs = m_targetEndMs;
    layoutBars();
    update();
}

void TokenRaster::scheduleUpdate()
{
    if (!m_repaint.isActive() && isVisible()) {
        m_repaint.start();
    }
}

void TokenRaster::noteEnd(const RequestsModel::Row& row)
{
    m_latestMs = std::max(m_latestMs, endOf(row));
}

// The axis grows in a few large strides, each eased over some frames: neither a jump nor a crawl in every frame.
void TokenRaster::growAxis()
{
    if (m_latestMs * 1.01 > m_targetEndMs) {
        m_targetEndMs = m_latestMs * (m_live.empty() ? slack : 1.25);
    }
    // Nothing to glide: a log was opened, or the first request sets the scale.
    if (m_live.empty()) {
        m_endMs = std::max(m_endMs, m_targetEndMs);
    } else if (m_order.size() <= 1) {
        m_endMs = std::max(m_endMs, m_latestMs * slack);
    }
}

bool TokenRaster::compact() const
{
    if (m_density != Density::Automatic) {
        return m_density == Density::Compact;
    }
    const bool fits = slotCount() * namedRow <= rowsHeight();
    return !fits && m_live.empty() && !m_next && m_selected > 1;
}

int TokenRaster::slotCount() const
{
    return static_cast<int>(m_order.size()) + (m_next ? 1 : 0);
}

double TokenRaster::rowHeight() const
{
    return compact() ? compactRow : namedRow;
}

double TokenRaster::rowsHeight() const
{
    return std::max(0, height() - axisHeight);
}

double TokenRaster::plotLeft() const
{
    return compact() ? 63 : 118 + std::clamp(m_nameWidth, 82, 170);
}

double TokenRaster::pageHeight() const
{
    return std::max(1.0, std::floor(rowsHeight() / rowHeight())) * rowHeight();
}

TimeScale TokenRaster::scale() const
{
    const TimeSpan span = timeInSight();
    const double pxPerMs = plotWidth() / (span.toMs - span.fromMs);
    return {plotLeft() - span.fromMs * pxPerMs, pxPerMs};
}

void TokenRaster::layoutBars()
{
    const double content = slotCount() * rowHeight();
    const int page = static_cast<int>(pageHeight());
    const QSignalBlocker blocker(m_bar);
    m_bar->setPageStep(page);
    m_bar->setSingleStep(static_cast<int>(rowHeight()));
    m_bar->setRange(0, std::max(0, static_cast<int>(std::ceil(content)) - page));
    // While the newest rows are followed the bar would only lie over them: it comes with the mouse.
    m_bar->setVisible(m_bar->maximum() > 0 && (underMouse() || !m_follow));
    m_bar->setGeometry(width() - 11, 0, 10, page);
    if (m_follow && !m_selectedFirst) {
        m_bar->setValue(m_bar->maximum());
    }
}

void TokenRaster::ensureVisible(int modelRow)
{
    const auto found = std::find(m_order.begin(), m_order.end(), modelRow);
    if (found == m_order.end()) {
        return;
    }
    const int top = static_cast<int>(static_cast<double>(found - m_order.begin()) * rowHeight());
    const int bottom = top + static_cast<int>(rowHeight());
    if (top < m_bar->value()) {
        m_bar->setValue(top);
    } else if (bottom > m_bar->value() + m_bar->pageStep()) {
        m_bar->setValue(bottom - m_bar->pageStep());
    }
}

int TokenRaster::rowAt(const QPoint& position) const
{
    if (position.y() < 0 || position.y() >= pageHeight()) {
        return -1;
    }
    const int slot = static_cast<int>((position.y() + m_bar->value()) / rowHeight());
    return slot < static_cast<int>(m_order.size()) ? m_order[static_cast<std::size_t>(slot)] : -1;
}

QRect TokenRaster::rowRect(int modelRow) const
{
    const auto found = std::find(m_order.begin(), m_order.end(), modelRow);
    if (found == m_order.end()) {
        return {};
    }
    const double top = static_cast<double>(found - m_order.begin()) * rowHeight() - m_bar->value();
    const QRect rect(0, static_cast<int>(top), width(), static_cast<int>(rowHeight()));
    return rect.intersected(QRect(0, 0, width(), static_cast<int>(pageHeight())));
}

void TokenRaster::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layoutBars();
}

void TokenRaster::enterEvent(QEnterEvent* event)
{
    QWidget::enterEvent(event);
    layoutBars();
}

void TokenRaster::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    layoutBars();
}

bool TokenRaster::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row >= 0) {
            QToolTip::showText(help->globalPos(), tooltipFor(row), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

QString TokenRaster::tooltipFor(int modelRow) const
{
    const RequestsModel::Row& row = m_requests.row(modelRow);
    QString name = row.series >= 0 ? m_requests.series().at(row.series).label : QString();
    QString text = QStringLiteral("<b>%1</b> &nbsp;#%2").arg(name.toHtmlEscaped()).arg(row.seq);
    if (!row.finished()) {
        return text + tr("<br>still running, %n arrivals", nullptr, static_cast<int>(row.liveArrivals.size()));
    }
    const Timeline& timeline = *row.timeline;
    const std::optional<PromptLength> length = promptLength(timeline);
    text += tr("<br>Prompt: %1 tokens")
                .arg(countText(length ? std::optional<qint64>(std::llround(length->tokens)) : std::nullopt));
    text += tr("<br>TTFT: %1").arg(exactMs(ttftMs(timeline)));
    text += tr("<br>TPOT: %1").arg(exactMs(tpotMs(timeline)));
    text += tr("<br>E2E: %1").arg(exactMs(e2eMs(timeline)));
    return text;
}

} // namespace tokenpace
