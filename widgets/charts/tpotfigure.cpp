// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/tpotfigure.h"

#include <algorithm>
#include <cmath>

#include <QPainterPath>

#include "charts/charttext.h"
#include "charts/countstext.h"
#include "charts/violin.h"
#include "numbertext.h"
#include "theme/textcache.h"

namespace tokenpace {

namespace {

constexpr double leftMargin = 64;
constexpr double rightMargin = 24;
constexpr double tableTop = 17; // base line of the names under the plot
constexpr double tableLine = 15;
constexpr double boxWidth = 18;
constexpr double narrowSlot = 54;
constexpr std::size_t p99From = 100;

QFont nameFont()
{
    return textFont(12, QFont::DemiBold);
}

const TpotSeries& none()
{
    static const TpotSeries nothing;
    return nothing;
}

/// Evenly spread over 0..1, and always the same for a row: dots must not dance between two frames.
double jitter(int row)
{
    constexpr double golden = 0.6180339887498949;
    const double turn = (row + 1) * golden;
    return turn - std::floor(turn);
}

} // namespace

TpotFigure::TpotFigure(const ChartSpec& spec, const ChartData& data)
    : ChartFigure(spec, data)
{
}

const TpotSeries* TpotFigure::find(int series) const
{
    const auto& all = spec().perGap ? data().gaps() : data().tpot();
    const auto it = all.find(series);
    return it == all.end() ? nullptr : &it->second;
}

std::vector<int> TpotFigure::shownSeries() const
{
    // Those without data too: a column that comes later would move the others.
    std::vector<int> result;
    for (int series = 0; series < data().series().count(); ++series) {
        if (data().series().isShown(series)) {
            result.push_back(series);
        }
    }
    return result;
}

const std::vector<ChartDot>& TpotFigure::dotsOf(int series) const
{
    const TpotSeries* one = find(series);
    return one != nullptr ? one->dots : none().dots;
}

bool TpotFigure::isViolin(int series) const
{
    const TpotSeries* one = find(series);
    return one != nullptr && one->histogram.count() >= violinMinimumN;
}

bool TpotFigure::drawsDotsOf(int series) const
{
    return spec().dots && !isViolin(series);
}

double TpotFigure::slotsWidth() const
{
    return innerSize().width() - leftMargin - rightMargin;
}

double TpotFigure::slotWidth() const
{
    return slotsWidth() / static_cast<double>(std::max<std::size_t>(1, visible().size()));
}

double TpotFigure::slotMiddle(int series) const
{
    const auto it = std::lower_bound(visible().begin(), visible().end(), series);
    return leftMargin + (static_cast<double>(it - visible().begin()) + 0.5) * slotWidth();
}

double TpotFigure::yOf(double ms) const
{
    return plot().bottom() - yScale().fraction(ms) * plot().height();
}

QPointF TpotFigure::place(int series, const ChartDot& dot) const
{
    const double slot = slotWidth();
    const double spread = isViolin(series) ? std::min(48.0, 0.3 * slot) : std::min(64.0, 0.4 * slot);
    const double middle = isViolin(series) ? 0 : -std::min(20.0, 0.125 * slot);
    return {slotMiddle(series) + middle + (jitter(dot.row) - 0.5) * spread, yOf(dot.ms)};
}

QStringList TpotFigure::nameLines(int series) const
{
    const QFont font = nameFont();
    const double room = slotWidth() - 8;
    const QString name = seriesName(series);
    if (advanceOf(font, name) <= room) {
        return {name};
    }
    // At a seam of the name, as far to the right as fits.
    qsizetype cut = -1;
    for (qsizetype i = 1; i + 1 < name.size(); ++i) {
        const bool seam = name[i] == QLatin1Char('-') || name[i] == QLatin1Char('/') || name[i] == QLatin1Char(':')
            || name[i] == QLatin1Char('_') || name[i] == QLatin1Char(' ');
        if (seam && advanceOf(font, name.left(i)) <= room) {
            cut = i;
        }
    }
    if (cut < 0) {
        return {elidedTo(room, font, name, Qt::ElideMiddle)};
    }
    return {name.left(cut), elidedTo(room, font, name.mid(cut + 1))};
}

bool TpotFigure::anyTwoLineName() const
{
    return std::any_of(visible().begin(), visible().end(), [this](int series) {
        return nameLines(series).size() > 1;
    });
}

QMarginsF TpotFigure::margins() const
{
    const double lines = 3 + (anyTwoLineName() ? 1 : 0) + (hasSelectedRow() ? 1 : 0);
    return {leftMargin, 80, rightMargin, tableTop + lines * tableLine + 6};
}

std::optional<ChartFigure::Bounds> TpotFigure::bounds() const
{
    std::optional<Bounds> result;
    const auto include = [&](double ms) {
        if (spec().logY && !(ms > 0)) {
            return;
        }
        if (!result) {
            result = Bounds{{0, 1}, {ms, ms}};
            return;
        }
        result->y = {std::min(result->y.low, ms), std::max(result->y.high, ms)};
    };
    for (const int series : visible()) {
        if (isViolin(series)) {
            if (const auto range = violinRange(find(series)->histogram)) {
                include(range->low);
                include(range->high);
            }
            continue;
        }
        for (const ChartDot& dot : dotsOf(series)) {
            include(dot.ms);
        }
    }
    return result;
}

FitRule TpotFigure::yRule() const
{
    return {1.1, 1.4, true, 1};
}

AxisRange TpotFigure::seriesXRange() const
{
    return {0, static_cast<double>(std::max<std::size_t>(1, visible().size()))};
}

void TpotFigure::drawSeries()
{
    const float fade = isEmphasised() ? 0.45F : 1.0F;
    std::vector<ChartSeries::Look> looks;
    for (const int number : visible()) {
        QColor area = theme().series(number);
        QColor edge = area;
        area.setAlphaF(0.38F * fade);
        edge.setAlphaF(fade);
        looks.push_back({area, edge, 1.3, edge, theme().panel, {}});
    }
    series().setLooks(looks);
    const AxisScale y = yScale();
    const double halfWidth = std::min(64.0, 0.38 * slotWidth()) / slotWidth();
    // A point every few px is a smooth curve; painting its outline costs by the point.
    constexpr double pointGap = 3.5;
    const int points = std::clamp(static_cast<int>(plot().height() / pointGap), 30, 120);
    for (std::size_t i = 0; i < visible().size(); ++i) {
        QList<QPointF> left;
        QList<QPointF> right;
        if (spec().band && isViolin(visible()[i])) {
            const double middle = static_cast<double>(i) + 0.5;
            for (const ViolinPoint& point : violinOutline(find(visible()[i])->histogram, points)) {
                left.append({middle - point.width * halfWidth, y.unit(point.ms)});
                right.append({middle + point.width * halfWidth, y.unit(point.ms)});
            }
        }
        series().setArea(i, left, right);
    }
}

void TpotFigure::drawBack(DrawList& list)
{
    drawHorizontalGrid(list);
}

void TpotFigure::drawFront(DrawList& list)
{
    drawLimit(list);
    if (spec().median) {
        for (const int series : visible()) {
            drawBox(list, series);
        }
    }
    drawYLabels(list, spec().logY ? Charts::tr("%1 (log scale)").arg(yTitle()) : yTitle());
    drawTable(list);
}

QString TpotFigure::yTitle() const
{
    if (!spec().perGap) {
        return Charts::tr("TPOT per request");
    }
    return data().gapsAreOfTokens() ? Charts::tr("ITL, gap between tokens") : Charts::tr("ITL, gap between chunks");
}

void TpotFigure::drawBox(DrawList& list, int series) const
{
    const TpotSeries* one = find(series);
    if (one == nullptr || !one->box || (spec().logY && !(one->box->low > 0))) {
        return;
    }
    const Box& box = *one->box;
    const AxisRange range = yScale().range;
    if (box.low > range.high || box.high < range.low) {
        return;
    }
    const bool thin = isViolin(series);
    const double slot = slotWidth();
    const double middle = slotMiddle(series) + (thin ? 0 : std::min(38.0, 0.24 * slot));
    const double half = (thin ? std::clamp(0.1 * slot, 8.0, 12.0) : std::min(boxWidth, 0.3 * slot)) / 2;
    const double cap = thin ? half : half * 14 / boxWidth;
    const auto y = [this](double ms) {
        return std::clamp(yOf(ms), plot().top(), plot().bottom());
    };
    const auto inside = [this](double ms) {
        return yScale().contains(ms);
    };
    constexpr double pen = 1.4;
    const auto line = [&](double x1, double y1, double x2, double y2, double width) {
        list.add(DrawList::Line{QPolygonF{{x1, y1}, {x2, y2}}, theme().text, width, {}});
    };
    constexpr double leastHeight = 5;
    if (y(box.low) - y(box.high) < leastHeight) {
        // All values in one place: a box would be a blot.
        if (inside(box.median)) {
            line(middle - half, y(box.median), middle + half, y(box.median), 1.9);
        }
        return;
    }
    line(middle, y(box.high), middle, y(box.q3), pen);
    line(middle, y(box.q1), middle, y(box.low), pen);
    for (const double end : {box.low, box.high}) {
        if (inside(end)) {
            line(middle - cap, y(end), middle + cap, y(end), pen);
        }
    }
    if (box.q1 <= range.high && box.q3 >= range.low) {
        QPainterPath body;
        body.addRect(QRectF(QPointF(middle - half, y(box.q3)), QPointF(middle + half, y(box.q1))));
        list.add(DrawList::Shape{body, theme().panel, QColor(), 0});
        QColor fill = theme().series(series);
        fill.setAlphaF(0.35F);
        list.add(DrawList::Shape{body, thin ? QColor() : fill, theme().text, pen});
    }
    if (inside(box.median)) {
        line(middle - half, y(box.median), middle + half, y(box.median), thin ? pen : 1.9);
    }
}

// Of gaps only the distribution is kept, not whose they are.
bool TpotFigure::hasSelectedRow() const
{
    return isEmphasised() && !spec().perGap;
}

std::optional<double> TpotFigure::selectedMedian(int series) const
{
    std::vector<double> values;
    for (const ChartDot& dot : dotsOf(series)) {
        if (!dot.hollow && std::binary_search(selection().begin(), selection().end(), dot.row)) {
            values.push_back(dot.ms);
        }
    }
    return percentile(values, 0.5);
}

void TpotFigure::drawTable(DrawList& list) const
{
    bool p99 = false;
    for (const int series : visible()) {
        const std::size_t n = find(series) != nullptr ? find(series)->figures.n : 0;
        p99 = p99 || n >= p99From;
    }
    const QFont labels = textFont(11);
    const QFont numbers = numberFont(11);
    double y = plot().bottom() + tableTop;
    for (const int series : visible()) {
        const QStringList lines = nameLines(series);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            list.text({slotMiddle(series), y + tableLine * static_cast<double>(i)}, lines[i], nameFont(),
                      theme().seriesText(series), Qt::AlignHCenter);
        }
    }
    y += anyTwoLineName() ? tableLine : 0;
    const auto row = [&](const QString& label, const auto& value) {
        y += tableLine;
        list.text({plot().left() - 8, y}, label, labels, theme().muted, Qt::AlignRight);
        for (const int series : visible()) {
            const QString text = value(series);
            list.text({slotMiddle(series), y}, text, numbers, text == dashText ? theme().muted : theme().text,
                      Qt::AlignHCenter);
        }
    };
    const auto figures = [this](int series) -> const Distribution& {
        return find(series) != nullptr ? find(series)->figures : none().figures;
    };
    // Narrow columns have no room for a unit each.
    const bool narrow = slotWidth() < narrowSlot;
    const auto time = [narrow](std::optional<double> ms) {
        return narrow ? threeDigits(ms) : durationText(ms);
    };
    const auto named = [narrow](const QString& name) {
        return narrow ? Charts::tr("%1, ms").arg(name) : name;
    };
    row(named(QStringLiteral("P50")), [&](int series) {
        return time(figures(series).p50);
    });
    if (p99) {
        row(named(QStringLiteral("P99")), [&](int series) {
            return time(figures(series).p99);
        });
    } else {
        row(named(QStringLiteral("P95")), [&](int series) {
            return time(figures(series).p95);
        });
    }
    row(QStringLiteral("n"), [&](int series) {
        return countText(static_cast<qint64>(figures(series).n));
    });
    if (hasSelectedRow()) {
        row(Charts::tr("selected"), [&](int series) {
            return time(selectedMedian(series));
        });
    }
}

QString TpotFigure::counts() const
{
    QStringList parts{countsOfShownText(data().tpotCounts())};
    if (spec().perGap) {
        parts << gapCounts();
    }
    bool violins = false;
    bool points = false;
    bool ranges = false;
    bool percentiles = false;
    for (const int series : visible()) {
        if (const TpotSeries* one = find(series); one != nullptr && one->box) {
            (isViolin(series) ? violins : points) = true;
            (one->box->whiskersAreRange ? ranges : percentiles) = true;
        }
    }
    const QString whiskers = !percentiles ? Charts::tr("whiskers min–max")
        : ranges                          ? Charts::tr("whiskers P5–P95, min–max below 20")
                                          : Charts::tr("whiskers P5–P95");
    const QString box = Charts::tr("box: quartiles, %1").arg(whiskers);
    if (violins && spec().band) {
        parts << (points ? Charts::tr("violin P0.5–P99.5, points below 50") : Charts::tr("violin P0.5–P99.5"));
        if (spec().median) {
            parts << box;
        }
    } else if (spec().median) {
        parts << (spec().dots && points ? Charts::tr("points and %1").arg(box) : box);
    }
    return parts.join(QStringLiteral(" · "));
}

QString TpotFigure::gapCounts() const
{
    std::uint64_t gaps = 0;
    std::uint64_t zeros = 0;
    for (const int series : visible()) {
        if (const TpotSeries* one = find(series)) {
            gaps += one->histogram.count();
            zeros += one->histogram.zeros();
        }
    }
    const QString text = Charts::tr("%1 gaps").arg(countText(static_cast<qint64>(gaps)));
    // A logarithmic axis has no place for them, and the eye should not take them for none.
    return zeros == 0
        ? text
        : Charts::tr("%1, %2 of them 0 (came in one read)").arg(text, countText(static_cast<qint64>(zeros)));
}

QString TpotFigure::seriesSummary(int series) const
{
    const TpotSeries* one = find(series);
    if (one == nullptr || !one->figures.p50) {
        return {};
    }
    return (spec().perGap ? Charts::tr("%1: median gap %2 over %3 gaps")
                          : Charts::tr("%1: median TPOT %2 over %3 requests"))
        .arg(seriesName(series), durationText(one->figures.p50), countText(static_cast<qint64>(one->figures.n)));
}

} // namespace tokenpace
