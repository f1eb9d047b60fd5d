// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>

#include <QItemSelectionModel>
#include <QPainter>
#include <QScrollBar>

#include "measure/metrics.h"
#include "numbertext.h"
#include "theme/comfort.h"
#include "theme/textcache.h"
#include "theme/theme.h"
#include "tokenraster.h"

namespace tokenpace {

namespace {

constexpr double dotRadius = 3.25;
constexpr int barInset = 2; // above and below a bar of 8 in a row of 12

QColor withAlpha(QColor colour, double alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

// What a failed request is called at the end of its row.
QString endingWord(const Timeline& timeline)
{
    switch (timeline.status) {
    case Status::Ok:
        return {};
    case Status::Timeout:
        return TokenRaster::tr("time-out");
    case Status::Cancelled:
        return TokenRaster::tr("stopped");
    case Status::Truncated:
        return TokenRaster::tr("cut off");
    case Status::Error:
        break;
    }
    if (timeline.error && timeline.error->httpStatus && timeline.error->kind == ErrorKind::Http) {
        return TokenRaster::tr("error %1").arg(*timeline.error->httpStatus);
    }
    return TokenRaster::tr("error");
}

} // namespace

void TokenRaster::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    ++m_paints;
    if (m_endMs < m_targetEndMs) {
        m_endMs += (m_targetEndMs - m_endMs) * 0.3;
        if (reducedMotion() || m_targetEndMs - m_endMs < m_targetEndMs * 0.004) {
            m_endMs = m_targetEndMs;
        } else {
            m_repaint.start();
        }
    }
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::TextAntialiasing);
    if (m_order.empty() && !m_next) {
        painter.setPen(theme.muted);
        paintText(painter, rect(), Qt::AlignHCenter, textFont(12), tr("Requests appear here as they are sent"));
        return;
    }
    const double rowH = rowHeight();
    const double bottom = pageHeight();
    const int first = std::max(0, static_cast<int>(m_bar->value() / rowH));
    const bool many = m_selected > 1;

    painter.save();
    painter.setClipRect(QRectF(0, 0, width(), bottom));
    for (int slot = first; slot < static_cast<int>(m_order.size()); ++slot) {
        const double top = slot * rowH - m_bar->value();
        if (top >= bottom) {
            break;
        }
        const int row = m_order[static_cast<std::size_t>(slot)];
        if (m_selection.isRowSelected(row) && !compact()) {
            painter.fillRect(QRectF(0, top, width(), rowH), theme.selection);
        }
    }
    painter.restore();
    paintAxis(painter, theme);
    painter.setClipRect(QRectF(0, 0, width(), bottom));

    double labelled = -100;
    for (int slot = first; slot < slotCount(); ++slot) {
        const double top = slot * rowH - m_bar->value();
        if (top >= bottom) {
            break;
        }
        if (slot >= static_cast<int>(m_order.size())) {
            const Label label{QStringLiteral("#%1").arg(m_next->seq),
                              m_next->series >= 0 ? m_requests.series().at(m_next->series).label : QString(),
                              m_next->promptTokens ? countText(*m_next->promptTokens) : QString()};
            if (!compact()) {
                paintLabel(painter, theme, label, m_next->series, top, true, theme.muted);
                painter.setPen(theme.muted);
                paintText(painter, QRectF(plotLeft() + 8, top - 1, 80, rowH + 2), Qt::AlignLeft, textFont(11),
                          tr("next"));
            }
            continue;
        }
        const int row = m_order[static_cast<std::size_t>(slot)];
        paintRow(painter, theme, row, top, many && !m_selection.isRowSelected(row));
        if (compact() && top - labelled >= 25) {
            labelled = top;
            painter.setPen(theme.text2);
            paintText(painter, QRectF(0, top - 5, plotLeft() - 9, 16), Qt::AlignRight, textFont(11),
                      QStringLiteral("#%1").arg(m_requests.row(row).seq));
        }
    }
    if (hasFocus() && m_selection.currentIndex().isValid()) {
        const QRect current = rowRect(m_selection.currentIndex().row());
        if (!current.isEmpty()) {
            painter.setPen(theme.accentLine);
            painter.drawRect(QRectF(current).adjusted(0.5, 0.5, -1.5, -0.5));
        }
    }
}

void TokenRaster::paintAxis(QPainter& painter, const Theme& theme) const
{
    const TimeScale at = scale();
    const double bottom = rowsHeight();
    const QFont font = textFont(11);
    for (const TimeTick& tick : timeTicks(timeInSight().fromMs, timeInSight().toMs, at.pxPerMs, 90)) {
        const double x = std::round(at.x(tick.ms));
        painter.fillRect(QRectF(x, 0, 1, bottom + 1), theme.grid);
        painter.setPen(theme.text2);
        const double left = std::min(x - 40, width() - 84.0);
        paintText(painter, QRectF(left, bottom + 1, 82, 16), Qt::AlignHCenter, font, tick.label);
    }
}

void TokenRaster::paintLabel(QPainter& painter, const Theme& theme, const Label& label, int series, double top,
                             bool hollow, const QColor& ink) const
{
    const double middle = top + rowHeight() / 2;
    const QColor colour = series >= 0 ? theme.series(series) : theme.muted;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hollow ? QPen(colour, 1.2) : QPen(Qt::NoPen));
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter.drawEllipse(QPointF(18, middle), dotRadius, dotRadius);
    painter.restore();

    painter.setPen(ink);
    const QFont font = textFont(11);
    const double left = plotLeft();
    const double textTop = top - 2;
    const double textHeight = rowHeight() + 4;
    paintText(painter, QRectF(28, textTop, 34, textHeight), Qt::AlignLeft, font, label.seq);
    const double nameLeft = std::max(62.0, 28 + advanceOf(font, label.seq) + 8);
    const double lengthWidth = advanceOf(font, label.length);
    const QString name = elidedTo(left - 16 - lengthWidth - nameLeft, font, label.name, Qt::ElideMiddle);
    paintText(painter, QRectF(nameLeft, textTop, left - nameLeft, textHeight), Qt::AlignLeft, font, name);
    paintText(painter, QRectF(nameLeft, textTop, left - 10 - nameLeft, textHeight), Qt::AlignRight, font, label.length);
}

void TokenRaster::paintRow(QPainter& painter, const Theme& theme, int modelRow, double top, bool faded)
{
    const RequestsModel::Row& row = m_requests.row(modelRow);
    const bool named = !compact();
    const TimeScale at = scale();
    const QColor colour = row.series >= 0 ? theme.series(row.series) : theme.muted;
    const double opacity = faded ? 0.28 : 1.0;
    const double inset = named ? barInset : 1;
    const double barTop = top + inset;
    const double barHeight = rowHeight() - 2 * inset;
    if (named) {
        const bool current = m_selection.isRowSelected(modelRow);
        const Label label{
            QStringLiteral("#%1").arg(row.seq), row.series >= 0 ? m_requests.series().at(row.series).label : QString(),
            row.promptTokensTarget                                 ? countText(*row.promptTokensTarget)
                : row.timeline && row.timeline->usage.promptTokens ? countText(*row.timeline->usage.promptTokens)
                                                                   : QString()};
        painter.setOpacity(faded ? 0.6 : 1.0);
        paintLabel(painter, theme, label, row.series, top, false, current ? theme.text : theme.text2);
    }
    painter.setOpacity(opacity);

    const std::vector<Stamp>& arrivals = row.arrivals();
    const Stamp zero = row.zeroStamp();
    double waitEnd = 0;
    const double left = plotLeft();
    if (!arrivals.empty()) {
        waitEnd = toMs(arrivals.front() - zero);
    } else if (row.finished()) {
        waitEnd = ttftMs(*row.timeline).value_or(e2eMs(*row.timeline).value_or(totalMs(*row.timeline).value_or(0)));
    } else if (row.zero.count() != 0) {
        waitEnd = toMs(steadyNow() - zero);
    }
    painter.save();
    const QRectF plot(left, barTop, width() - left - 1, barHeight);
    painter.setClipRect(QRectF(left, top, plot.width(), rowHeight()), Qt::IntersectClip);
    double lastX = at.x(waitEnd);
    painter.fillRect(QRectF(at.x(0), barTop + std::floor(barHeight / 2), lastX - at.x(0), 1), withAlpha(colour, 0.6));
    paintTicks(painter, plot, at, arrivals, zero, withAlpha(colour, 0.9), named ? 1.5 : 1.2);

    std::vector<StallSpan> fresh;
    const std::vector<StallSpan>* stalls = &fresh;
    if (row.finished()) {
        auto [found, isNew] = m_stalls.try_emplace(modelRow);
        if (isNew) {
            found->second = stallsOf(arrivals, zero);
        }
        stalls = &found->second;
    } else {
        fresh = stallsOf(arrivals, zero);
    }
    for (const StallSpan& stall : *stalls) {
        const QRectF lit =
            QRectF(at.x(stall.fromMs) + 1.5, barTop, at.x(stall.toMs) - at.x(stall.fromMs) - 1.5, barHeight)
                .intersected(plot);
        painter.fillRect(lit, withAlpha(theme.warning, theme.dark ? 0.32 : 0.3));
        const QString length = durationText(stall.toMs - stall.fromMs);
        if (const QFont font = textFont(11); named && advanceOf(font, length) + 6 < lit.width()) {
            painter.setPen(theme.text);
            paintText(painter, lit.adjusted(0, -3, 0, 3), Qt::AlignHCenter, font, length);
        }
    }
    if (!arrivals.empty()) {
        lastX = at.x(toMs(arrivals.back() - zero));
    } else if (row.finished() && e2eMs(*row.timeline)) {
        // A log line without arrivals still says how long the reply took.
        const double end = at.x(*e2eMs(*row.timeline));
        painter.fillRect(QRectF(lastX, barTop, std::max(0.0, end - lastX), barHeight), withAlpha(colour, 0.35));
        lastX = std::max(lastX, end);
    }
    painter.restore();
    if (named && lastX >= left && lastX < width()) {
        paintEnding(painter, theme, row, top, lastX);
    }
    painter.setOpacity(1);
}

void TokenRaster::paintEnding(QPainter& painter, const Theme& theme, const RequestsModel::Row& row, double top,
                              double lastX) const
{
    QString words;
    QColor ink = theme.text2;
    double x = lastX + 8;
    if (!row.finished()) {
        const double now = row.zero.count() == 0 ? lastX : scale().x(toMs(steadyNow() - row.zero));
        const double cursor = std::clamp(std::max(now, lastX + 4), plotLeft(), width() - 10.0);
        painter.fillRect(QRectF(std::round(cursor), top + 1, 2, rowHeight() - 1), theme.text);
        const int got = static_cast<int>(row.liveArrivals.size());
        if (got == 0) {
            words = tr("waiting for the first token");
        } else if (row.expectedTokens > 0) {
            words = tr("receiving, %1 of %2 tokens").arg(countText(got), countText(row.expectedTokens));
        } else {
            words = tr("receiving, %n tokens", nullptr, got);
        }
        x = cursor + 9;
    } else {
        words = endingWord(*row.timeline);
        ink = theme.error;
    }
    if (words.isEmpty()) {
        return;
    }
    const QFont font = textFont(11);
    const double needed = advanceOf(font, words);
    if (x + needed > width() - 12) {
        x = std::max(plotLeft() + 4, lastX - needed - 12);
        const QColor ground = theme.panel;
        painter.fillRect(QRectF(x - 3, top, needed + 6, rowHeight()), ground);
    }
    painter.setPen(ink);
    paintText(painter, QRectF(x, top - 2, needed, rowHeight() + 4), Qt::AlignLeft, font, words);
}

} // namespace tokenpace
