// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "phasebars.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "measure/metrics.h"
#include "numbertext.h"
#include "theme/theme.h"
#include "tickstrip.h"

namespace tokenpace {

namespace {

constexpr int labelRoom = 46; // "200 ms" and a gap to the next label
constexpr int barHeight = 11;
constexpr int nameColumn = 92;
constexpr int valueColumn = 62;
constexpr int axisHeight = 22;
// A wait for a place shorter than this is the program's own hand-over, not a queue.
constexpr double leastQueueMs = 0.1;

} // namespace

std::vector<PhaseBar> phasesOf(const Timeline& timeline)
{
    struct Before {
        QString name;
        QString help;
        std::optional<Stamp> duration;
    };
    const PhaseDurations& durations = timeline.phases;
    std::vector<Before> before{
        {PhaseBars::tr("queued"), PhaseBars::tr("Waiting for a place among the requests in flight; never in TTFT"),
         durations.queued},
        {PhaseBars::tr("name look-up"), PhaseBars::tr("Asking for the host's address"), durations.dns},
        {PhaseBars::tr("connect"), PhaseBars::tr("Opening the connection; before time zero"), durations.connect},
        {PhaseBars::tr("TLS"), PhaseBars::tr("Agreeing on encryption; before time zero"), durations.tls},
        {PhaseBars::tr("write"), PhaseBars::tr("Handing the request to the connection; ends at time zero"),
         durations.send},
    };
    if (before.front().duration && toMs(*before.front().duration) < leastQueueMs) {
        before.front().duration.reset();
    }
    std::vector<PhaseBar> phases;
    double end = 0;
    for (auto it = before.rbegin(); it != before.rend(); ++it) {
        if (it->duration) {
            const double ms = toMs(*it->duration);
            phases.insert(phases.begin(), {it->name, it->help, end - ms, end, false});
            end -= ms;
        }
    }
    const std::optional<double> headers = sinceZeroMs(timeline, timeline.marks.headers);
    const std::optional<double> first = ttftMs(timeline);
    const std::optional<double> last = e2eMs(timeline);
    if (headers) {
        phases.push_back(
            {PhaseBars::tr("to headers"),
             PhaseBars::tr("From the written request to the reply's headers: the way and, on most servers, "
                           "prefill"),
             0, *headers, false});
    }
    if (first) {
        phases.push_back({PhaseBars::tr("first output"),
                          PhaseBars::tr("From the headers to the first output event; TTFT ends here"),
                          headers.value_or(0), std::max(*first, headers.value_or(0)), false});
    }
    if (last && *last > first.value_or(headers.value_or(0))) {
        phases.push_back({timeline.arrivals.empty() ? PhaseBars::tr("reply") : PhaseBars::tr("decode"),
                          PhaseBars::tr("From the first output to the last; a tick an arrival"),
                          first.value_or(headers.value_or(0)), *last, !timeline.arrivals.empty()});
    }
    return phases;
}

std::vector<PhaseBar> phasesOf(const std::vector<Stamp>& arrivals, Stamp zero, Stamp now)
{
    std::vector<PhaseBar> phases;
    const double first = arrivals.empty() ? toMs(now - zero) : toMs(arrivals.front() - zero);
    phases.push_back({PhaseBars::tr("first output"), PhaseBars::tr("From the written request to the first output"), 0,
                      first, false});
    if (arrivals.size() > 1) {
        phases.push_back({PhaseBars::tr("decode"), PhaseBars::tr("From the first output on; still receiving"), first,
                          toMs(arrivals.back() - zero), true});
    }
    return phases;
}

PhaseBars::PhaseBars(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Phases of the request"));
}

void PhaseBars::setPhases(std::vector<PhaseBar> phases, std::vector<Stamp> arrivals, Stamp zero, int series)
{
    const bool resized = phases.size() != m_phases.size();
    m_phases = std::move(phases);
    m_arrivals = std::move(arrivals);
    m_zero = zero;
    m_series = series;
    QStringList words;
    for (const PhaseBar& phase : m_phases) {
        words.append(phase.name + QLatin1Char(' ') + durationText(phase.toMs - phase.fromMs));
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    if (resized) {
        updateGeometry();
    }
    update();
}

int PhaseBars::rowHeight() const
{
    // Four rows are what a run shows most; with more of them they move together, so that the figures below stay in
    // sight.
    constexpr int usual = 20;
    constexpr int usualRows = 4;
    constexpr int least = 14;
    const auto rows = static_cast<int>(m_phases.size());
    return rows <= usualRows ? usual : std::max(least, usual * usualRows / rows);
}

QSize PhaseBars::sizeHint() const
{
    return {296, m_phases.empty() ? 0 : static_cast<int>(m_phases.size()) * rowHeight() + axisHeight};
}

QSize PhaseBars::minimumSizeHint() const
{
    return {nameColumn + valueColumn + 60, sizeHint().height()};
}

bool PhaseBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = help->pos().y() / rowHeight();
        if (help->pos().y() >= 0 && row < static_cast<int>(m_phases.size())) {
            const PhaseBar& phase = m_phases[static_cast<std::size_t>(row)];
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("<b>%1</b> %2<br>%3")
                                   .arg(phase.name, exactMs(phase.toMs - phase.fromMs), phase.help.toHtmlEscaped()),
                               this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

void PhaseBars::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    if (m_phases.empty()) {
        return;
    }
    const Theme& theme = activeTheme();
    QPainter painter(this);
    double from = 0;
    double to = 1;
    for (const PhaseBar& phase : m_phases) {
        from = std::min(from, phase.fromMs);
        to = std::max(to, phase.toMs);
    }
    const double room = std::max(20, width() - nameColumn - valueColumn);
    const double perMs = room / (to * 1.04 - from);
    const TimeScale at{nameColumn - from * perMs, perMs};
    const int bottom = static_cast<int>(m_phases.size()) * rowHeight();

    painter.setFont(textFont(10));
    for (const TimeTick& tick : timeTicks(0, to, perMs, labelRoom)) {
        const double x = std::round(at.x(tick.ms));
        painter.fillRect(QRectF(x, -1, 1, bottom + 3), theme.grid);
        painter.setPen(theme.text2);
        painter.drawText(QRectF(x - 30, bottom + 4, 61, 14), Qt::AlignCenter, tick.label);
    }
    const QColor colour = m_series >= 0 ? theme.series(m_series) : theme.text2;
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        const PhaseBar& phase = m_phases[i];
        const double top = static_cast<double>(i) * rowHeight();
        painter.setFont(textFont(12));
        painter.setPen(theme.text2);
        painter.drawText(QRectF(0, top, nameColumn - 8, rowHeight()), Qt::AlignVCenter, phase.name);
        painter.setFont(numberFont(12));
        painter.setPen(theme.text);
        painter.drawText(QRectF(width() - valueColumn, top, valueColumn, rowHeight()),
                         Qt::AlignVCenter | Qt::AlignRight, durationText(phase.toMs - phase.fromMs));

        QRectF bar(at.x(phase.fromMs), top + std::ceil((rowHeight() - barHeight) / 2.0),
                   at.x(phase.toMs) - at.x(phase.fromMs), barHeight);
        if (bar.width() < 2.5) {
            // Before zero a bar keeps its right edge, afterwards its left one, so that none seems to begin too late.
            bar = QRectF(phase.toMs <= 0 ? bar.right() - 2.5 : bar.left(), bar.top(), 2.5, barHeight);
        }
        QColor ground = colour;
        ground.setAlphaF(phase.ticks ? 0.86F : 1.0F);
        painter.fillRect(bar, ground);
        if (phase.ticks) {
            paintTicks(painter, bar, at, m_arrivals, m_zero, colour, 0.8);
        }
    }
}

} // namespace tokenpace
