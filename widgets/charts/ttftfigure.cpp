// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ttftfigure.h"

#include <algorithm>

#include "charts/charttext.h"
#include "charts/countstext.h"
#include "charts/labelspread.h"
#include "numbertext.h"
#include "theme/textcache.h"

namespace tokenpace {

namespace {

constexpr double rightMargin = 132;
constexpr double wideRightMargin = 172; // for longer names
constexpr double narrowRightMargin = 92; // where the chart itself is narrow
constexpr double nameGap = 15; // from the plot to a name
constexpr double namesApart = 17;
constexpr double loneTick = 7; // half the width of the median's mark where there is only one length

QFont nameFont()
{
    return textFont(12, QFont::DemiBold);
}

QList<qreal> dashOf(int series)
{
    static const QList<QList<qreal>> dashes{{}, {4, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}};
    return dashes[series / Theme::seriesColours % dashes.size()];
}

} // namespace

TtftFigure::TtftFigure(const ChartSpec& spec, const ChartData& data)
    : ChartFigure(spec, data)
{
}

std::vector<int> TtftFigure::shownSeries() const
{
    std::vector<int> result;
    for (const auto& [number, series] : data().ttft()) {
        if (number < data().series().count() && data().series().isShown(number)
            && !(series.dots.empty() && series.levels.empty())) {
            result.push_back(number);
        }
    }
    return result;
}

const TtftSeries& TtftFigure::one(int series) const
{
    static const TtftSeries nothing;
    const auto it = data().ttft().find(series);
    return it == data().ttft().end() ? nothing : it->second;
}

const std::vector<ChartDot>& TtftFigure::dotsOf(int series) const
{
    return one(series).dots;
}

bool TtftFigure::drawsDotsOf(int /*series*/) const
{
    return spec().dots;
}

QPointF TtftFigure::at(double tokens, double ms) const
{
    return {plot().left() + xScale().fraction(tokens) * plot().width(),
            plot().bottom() - yScale().fraction(ms) * plot().height()};
}

QPointF TtftFigure::place(int /*series*/, const ChartDot& dot) const
{
    return at(dot.x, dot.ms);
}

double TtftFigure::nameRoom() const
{
    const double width = innerSize().width();
    if (width < 480) {
        return narrowRightMargin;
    }
    const QFont font = nameFont();
    // All series, shown or not and with data or not: the plot must not jump when one comes.
    for (int series = 0; series < data().series().count(); ++series) {
        if (width >= 600 && advanceOf(font, seriesName(series)) > rightMargin - nameGap - 8) {
            return wideRightMargin;
        }
    }
    return rightMargin;
}

QMarginsF TtftFigure::margins() const
{
    return {64, 80, nameRoom(), 40};
}

std::optional<ChartFigure::Bounds> TtftFigure::bounds() const
{
    std::optional<Bounds> result;
    for (const int series : visible()) {
        for (const ChartDot& dot : dotsOf(series)) {
            if ((spec().logX && !(dot.x > 0)) || (spec().logY && !(dot.ms > 0))) {
                continue;
            }
            if (!result) {
                result = Bounds{{dot.x, dot.x}, {dot.ms, dot.ms}};
                continue;
            }
            result->x = {std::min(result->x.low, dot.x), std::max(result->x.high, dot.x)};
            result->y = {std::min(result->y.low, dot.ms), std::max(result->y.high, dot.ms)};
        }
    }
    return result;
}

FitRule TtftFigure::yRule() const
{
    return {1.15, 1.4, false, 1};
}

AxisRange TtftFigure::seriesXRange() const
{
    const AxisScale x = xScale();
    return {x.unit(x.range.low), x.unit(x.range.high)};
}

void TtftFigure::drawSeries()
{
    std::vector<ChartSeries::Look> looks;
    for (const int number : visible()) {
        QColor area = theme().series(number);
        QColor edge = area;
        area.setAlphaF(isEmphasised() ? 0.26F * 0.7F : 0.26F);
        edge.setAlphaF(isEmphasised() ? 0.6F * 0.7F : 0.6F);
        looks.push_back({area, edge, 0, theme().series(number), theme().panel, dashOf(number)});
    }
    series().setLooks(looks);
    const AxisScale x = xScale();
    const AxisScale y = yScale();
    for (std::size_t i = 0; i < visible().size(); ++i) {
        QList<QPointF> low;
        QList<QPointF> high;
        QList<QPointF> median;
        for (const TtftLevel& level : one(visible()[i]).levels) {
            if (level.values.empty() || (x.log && !(level.x > 0)) || (y.log && !(level.band.low > 0))) {
                continue;
            }
            low.append({x.unit(level.x), y.unit(level.band.low)});
            high.append({x.unit(level.x), y.unit(level.band.high)});
            median.append({x.unit(level.x), y.unit(level.band.median)});
        }
        if (median.size() == 1) {
            const double half = loneTick / plot().width() * (x.unit(x.range.high) - x.unit(x.range.low));
            median.append(median.first() + QPointF(half, 0));
            median.first().rx() -= half;
        }
        series().setArea(i, spec().band ? low : QList<QPointF>(), spec().band ? high : QList<QPointF>());
        series().setLine(i, spec().median ? median : QList<QPointF>());
    }
}

AxisTicks TtftFigure::xTicks() const
{
    constexpr double labelWidth = 44;
    return axisTicks(xScale(), TickSteps::OneThree, plot().width(), labelWidth);
}

void TtftFigure::drawBack(DrawList& list)
{
    const AxisTicks ticks = xTicks();
    const auto line = [&](double value, const QColor& colour) {
        const double x = alignedX(plot().left() + xScale().fraction(value) * plot().width());
        list.add(DrawList::Fill{QRectF(x, plot().top(), hairline(), plot().height()), colour});
    };
    for (const double value : ticks.minor) {
        line(value, theme().fineGrid);
    }
    for (const double value : ticks.major) {
        line(value, theme().grid);
    }
    drawHorizontalGrid(list);
}

void TtftFigure::drawFront(DrawList& list)
{
    drawLimit(list);
    drawYLabels(list, spec().logY ? Charts::tr("TTFT (log scale)") : Charts::tr("TTFT"));
    const QFont font = textFont(11);
    for (const double value : xTicks().major) {
        list.text({plot().left() + xScale().fraction(value) * plot().width(), plot().bottom() + 16},
                  countTickText(value), font, theme().text2, Qt::AlignHCenter);
    }
    list.text({plot().center().x(), plot().bottom() + 33},
              spec().logX ? Charts::tr("Prompt length (tokens, log scale)") : Charts::tr("Prompt length (tokens)"),
              textFont(11, QFont::DemiBold), theme().text, Qt::AlignHCenter);
    drawNames(list);
}

std::optional<QPointF> TtftFigure::visibleEnd(int number) const
{
    const QRectF area = plot();
    const std::vector<TtftLevel>& levels = one(number).levels;
    if (levels.empty()) {
        const auto& dots = one(number).dots;
        const auto last = std::max_element(dots.begin(), dots.end(), [](const ChartDot& a, const ChartDot& b) {
            return a.x < b.x;
        });
        const QPointF end = at(last->x, last->ms);
        return area.contains(end) ? std::optional(end) : std::nullopt;
    }
    QPointF after = at(levels.back().x, levels.back().band.median);
    if (area.contains(after)) {
        return after;
    }
    // Where the line leaves the plot: the last piece of it with a part inside.
    for (std::size_t i = levels.size() - 1; i-- > 0;) {
        const QPointF before = at(levels[i].x, levels[i].band.median);
        constexpr int steps = 200; // finer than a pixel for a piece across the plot
        for (int step = 0; step <= steps; ++step) {
            const QPointF point = after + (before - after) * step / steps;
            if (area.contains(point)) {
                return point;
            }
        }
        after = before;
    }
    return std::nullopt;
}

void TtftFigure::drawNames(DrawList& list) const
{
    struct Name {
        int series;
        std::optional<QPointF> end;
    };
    std::vector<Name> names;
    std::vector<double> wanted;
    for (const int number : visible()) {
        const TtftSeries& drawn = one(number);
        const double last =
            drawn.levels.empty() ? at(0, drawn.dots.back().ms).y() : at(0, drawn.levels.back().band.median).y();
        const std::optional<QPointF> end = visibleEnd(number);
        names.push_back({number, end});
        // Those that leave at the same edge stay in the order of what lies outside.
        constexpr double tie = 1e-6;
        wanted.push_back(end ? end->y() + tie * last : std::clamp(last, plot().top(), plot().bottom()) + tie * last);
    }
    const std::vector<double> places = spreadLabels(wanted, namesApart, plot().top() + 6, plot().bottom() - 6);
    const QFont font = nameFont();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Name& name = names[i];
        const double left = plot().right() + nameGap;
        const double y = places[i];
        QColor colour = theme().series(name.series);
        list.text({left, y + 4}, elidedTo(nameRoom() - nameGap - 8, font, seriesName(name.series), Qt::ElideMiddle),
                  font, theme().seriesText(name.series));
        if (!name.end) {
            continue;
        }
        const QPointF from(name.end->x() + 4, name.end->y());
        // The bend is short, at the name: a long slanted line would read as data.
        const double bend = std::max(from.x(), plot().right() - 4);
        if (bend - from.x() > 60) {
            colour.setAlphaF(0.45F);
        }
        const QPointF elbow = bend - from.x() > 60 ? QPointF(plot().right() - 17, from.y()) : from;
        list.add(DrawList::Line{QPolygonF{from, elbow, {plot().right() + 6, y}, {left - 4, y}}, colour, 1, {}});
    }
}

QString TtftFigure::counts() const
{
    const ChartCounts counts = data().ttftCounts();
    QStringList parts{countsText(counts)};
    if (spec().dots && counts.hollow.empty()) {
        parts << Charts::tr("dots: requests");
    }
    if (spec().median) {
        parts << Charts::tr("line: median");
    }
    if (spec().band) {
        bool ranges = false;
        bool percentiles = false;
        for (const int number : visible()) {
            for (const TtftLevel& level : one(number).levels) {
                (level.band.isRange ? ranges : percentiles) = true;
            }
        }
        if (percentiles) {
            parts << (ranges ? Charts::tr("band: P10–P90, min–max below 10") : Charts::tr("band: P10–P90"));
        } else {
            parts << Charts::tr("band: min–max");
        }
    }
    if (counts.xEstimated) {
        parts << Charts::tr("some lengths estimated");
    }
    return parts.join(QStringLiteral(" · "));
}

QString TtftFigure::seriesSummary(int number) const
{
    QStringList levels;
    for (const TtftLevel& level : one(number).levels) {
        levels << Charts::tr("%1 at %2 tokens")
                      .arg(durationText(level.band.median), countText(static_cast<qint64>(level.x)));
    }
    return levels.isEmpty()
        ? QString()
        : Charts::tr("%1: median TTFT %2").arg(seriesName(number), levels.join(QStringLiteral(", ")));
}

} // namespace tokenpace
