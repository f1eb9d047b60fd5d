// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartfigure.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "charts/charttext.h"
#include "charts/tpotfigure.h"
#include "charts/ttftfigure.h"
#include "numbertext.h"
#include "theme/comfort.h"
#include "theme/textcache.h"

namespace tokenpace {

namespace {

constexpr double textLeft = 17;
constexpr double titlesHeight = 50;
constexpr double footerLine = 15;
constexpr double buttonsWidth = 64; // expand and menu, at the right of the title
constexpr double tickGap = 22; // between base lines of labels at the y axis

// Among Qt Charts' own layers: dots over the grid and under all series, selected ones over them.
constexpr double backZ = 1;
constexpr double cloudZ = 3.5;
constexpr double selectedZ = 40;
constexpr double frontZ = 50;

const FitRule lengthRule{1.1, 1.1, false, 1};

QString nothingYet()
{
    return Charts::tr("Points appear as requests finish");
}

} // namespace

std::unique_ptr<ChartFigure> ChartFigure::make(const ChartSpec& spec, const ChartData& data)
{
    if (spec.kind == ChartKind::TtftByLength) {
        return std::make_unique<TtftFigure>(spec, data);
    }
    return std::make_unique<TpotFigure>(spec, data);
}

ChartFigure::ChartFigure(const ChartSpec& spec, const ChartData& data)
    : m_data(data)
    , m_spec(spec)
    , m_series(m_scene)
    , m_backItem(new DrawListItem(m_back, m_series.root()))
    , m_cloud(new DotCloud(m_series.root()))
    , m_selectedCloud(new DotCloud(m_series.root()))
    , m_frontItem(new DrawListItem(m_front, m_series.root()))
{
    m_scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    m_backItem->setZValue(backZ);
    m_cloud->setZValue(cloudZ);
    m_selectedCloud->setZValue(selectedZ);
    m_frontItem->setZValue(frontZ);
}

ChartFigure::~ChartFigure() = default;

void ChartFigure::setSpec(const ChartSpec& spec)
{
    const bool otherScale = spec.logX != m_spec.logX || spec.logY != m_spec.logY;
    m_spec = spec;
    if (otherScale) {
        resetRanges();
    }
}

void ChartFigure::setSize(QSizeF size, double devicePixelRatio)
{
    m_size = size;
    m_ratio = devicePixelRatio;
    m_scene.setSceneRect(QRectF({}, size));
    m_backItem->setSize(size);
    m_frontItem->setSize(size);
}

void ChartFigure::setForVectors(bool vectorDots, VectorText text, std::size_t mostDots)
{
    m_vectors = true;
    m_cloud->setVectors(vectorDots, mostDots);
    m_cloudKey = {}; // painted anew, the other way
    m_frontItem->setTextAsOutlines(text == VectorText::Outlines);
    m_backItem->setTextAsOutlines(text == VectorText::Outlines);
}

void ChartFigure::resetRanges()
{
    m_xTarget.reset();
    m_yTarget.reset();
}

AxisScale ChartFigure::xScale() const
{
    return {m_spec.zoomX.value_or(m_xShown), m_spec.logX};
}

AxisScale ChartFigure::yScale() const
{
    return {m_spec.zoomY.value_or(m_yShown), m_spec.logY};
}

QSizeF ChartFigure::innerSize() const
{
    return {m_size.width(), m_size.height() - footerHeight()};
}

double ChartFigure::footerHeight() const
{
    constexpr double around = 14;
    return m_footer && !m_footer->isEmpty() ? around + footerLine * static_cast<double>(m_footer->size()) : 0;
}

QString ChartFigure::seriesName(int series) const
{
    // A screen reader may ask between a model's reset and the next update.
    return series < m_data.series().count() ? m_data.series().at(series).label : QString();
}

bool ChartFigure::update(double elapsedMs)
{
    m_visible = shownSeries();
    const QSizeF inner = innerSize();
    const QMarginsF room = margins();
    m_plot = QRectF(room.left(), room.top(), std::max(40.0, inner.width() - room.left() - room.right()),
                    std::max(24.0, inner.height() - room.top() - room.bottom()));
    updateRanges(elapsedMs);

    m_series.setGeometry(m_size, m_plot);
    const AxisRange x = seriesXRange();
    const AxisScale y = yScale();
    m_series.setRanges(x.low, x.high, y.unit(y.range.low), y.unit(y.range.high));
    drawSeries();
    updateCloud();
    updateSelected();

    m_back.clear();
    m_front.clear();
    if (!m_empty) {
        drawBack(m_back);
    }
    if (m_vectors) {
        drawMasks();
    }
    drawTitles();
    if (m_empty) {
        const QPointF middle(m_size.width() / 2, (titlesHeight + inner.height()) / 2);
        m_front.text(middle, nothingYet(), textFont(13), m_theme.muted, Qt::AlignHCenter);
    } else {
        m_front.add(
            DrawList::Fill{QRectF(m_plot.left(), alignedY(m_plot.bottom()), m_plot.width(), hairline()), m_theme.axis});
        drawFront(m_front);
    }
    drawFooter();
    return (m_xTarget && *m_xTarget != m_xShown) || (m_yTarget && *m_yTarget != m_yShown);
}

void ChartFigure::updateRanges(double elapsedMs)
{
    std::optional<Bounds> found = bounds();
    m_empty = !found;
    if (m_spec.expectedX && hasXAxis()) {
        const AxisRange expected = *m_spec.expectedX;
        if (found) {
            found->x = {std::min(found->x.low, expected.low), std::max(found->x.high, expected.high)};
        } else {
            m_xShown = fittedRange(expected, m_spec.logX, lengthRule);
        }
    }
    if (!found) {
        resetRanges();
        return;
    }
    // A limit in reach of the data belongs into the picture; one far away would only flatten them.
    constexpr double reach = 3;
    const double limit = m_spec.drawnLimitMs().value_or(0);
    if (limit > 0 && limit < found->y.high * reach && limit > found->y.low / reach) {
        const double head = yRule().headHigh;
        found->y = {std::min(found->y.low, limit), std::max(found->y.high, limit * 1.05 / head)};
    }
    const auto follow = [elapsedMs](std::optional<AxisRange>& target, AxisRange& shown, AxisRange data, bool log,
                                    const FitRule& rule) {
        if (!target) {
            target = fittedRange(data, log, rule);
            shown = *target;
            return;
        }
        target = grownRange(*target, data, log, rule);
        shown = elapsedMs < 0 || reducedMotion() ? *target : easedRange(shown, *target, log, elapsedMs);
    };
    follow(m_xTarget, m_xShown, found->x, m_spec.logX, lengthRule);
    follow(m_yTarget, m_yShown, found->y, m_spec.logY, yRule());
}

void ChartFigure::updateCloud()
{
    std::size_t total = 0;
    CloudKey key;
    for (const int series : m_visible) {
        if (drawsDotsOf(series)) {
            key.series.push_back(series);
            total += dotsOf(series).size();
        }
    }
    m_dotsDrawn = total;
    std::vector<QColor> colours;
    for (int series = 0; series < m_data.series().count(); ++series) {
        QColor colour = m_theme.series(series);
        colour.setAlphaF(isEmphasised() ? 0.7F : 1.0F);
        colours.push_back(colour);
        key.colours.push_back(colour.rgba());
    }
    key.plot = m_plot;
    key.ratio = m_ratio;
    key.x = seriesXRange();
    key.y = yScale().range;
    key.logX = m_spec.logX;
    key.logY = m_spec.logY;
    key.style = dotStyle(total);

    bool anew = !(key == m_cloudKey);
    for (const int series : key.series) {
        const Painted& painted = m_painted[series];
        const std::vector<ChartDot>& dots = dotsOf(series);
        anew = anew || dots.size() < painted.count
            || (painted.count > 0
                && (dots[painted.count - 1].row != painted.lastRow || dots[painted.count - 1].ms != painted.lastMs));
    }
    if (anew) {
        m_cloud->begin(m_plot, m_ratio, key.style, colours);
        m_painted.clear();
        m_placed.clear();
        m_cloudKey = key;
    }

    // In the order of arrival across series, so that none covers the others.
    struct Cursor {
        int series;
        const std::vector<ChartDot>* dots;
        std::size_t next;
    };
    std::vector<Cursor> cursors;
    for (const int series : key.series) {
        cursors.push_back({series, &dotsOf(series), m_painted[series].count});
    }
    const std::size_t old = m_placed.size();
    for (;;) {
        Cursor* first = nullptr;
        for (Cursor& cursor : cursors) {
            if (cursor.next < cursor.dots->size()
                && (first == nullptr || (*cursor.dots)[cursor.next].row < (*first->dots)[first->next].row)) {
                first = &cursor;
            }
        }
        if (first == nullptr) {
            break;
        }
        const ChartDot& dot = (*first->dots)[first->next++];
        m_placed.push_back({place(first->series, dot), dot.row, first->series, dot.hollow});
        m_painted[first->series] = {first->next, dot.row, dot.ms};
    }
    m_cloud->add(std::span(m_placed).subspan(old));
}

void ChartFigure::paint(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF all({}, m_size);
    m_scene.render(&painter, all, all, Qt::IgnoreAspectRatio);
}

std::optional<PlacedDot> ChartFigure::nearest(QPointF at, double reach) const
{
    const PlacedDot* best = nullptr;
    double bestSquare = reach * reach;
    for (const PlacedDot& dot : m_placed) {
        const QPointF way = dot.at - at;
        const double square = QPointF::dotProduct(way, way);
        if (square <= bestSquare && m_plot.contains(dot.at)) {
            bestSquare = square;
            best = &dot;
        }
    }
    // Between a reset of the models and the next update there is no such row any more.
    return best != nullptr && best->row < m_data.requests().rowCount() ? std::optional(*best) : std::nullopt;
}

std::vector<int> ChartFigure::rowsIn(QRectF rect) const
{
    std::vector<int> rows;
    for (const int series : m_visible) {
        for (const ChartDot& dot : dotsOf(series)) {
            if (rect.contains(place(series, dot))) {
                rows.push_back(dot.row);
            }
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end()); // one request may have several gaps there
    return rows;
}

std::optional<PlacedDot> ChartFigure::placeOf(int row) const
{
    for (const int series : m_visible) {
        for (const ChartDot& dot : dotsOf(series)) {
            if (dot.row == row) {
                const QPointF at = place(series, dot);
                return m_plot.contains(at) ? std::optional(PlacedDot{at, row, series, dot.hollow}) : std::nullopt;
            }
        }
    }
    return {};
}

QString ChartFigure::subtitle() const
{
    return m_empty ? Charts::tr("No finished requests yet") : counts();
}

QString ChartFigure::summary() const
{
    QStringList parts{subtitle()};
    for (const int series : m_visible) {
        parts << seriesSummary(series);
    }
    parts.removeAll({});
    return parts.join(QStringLiteral(". "));
}

double ChartFigure::alignedY(double y) const
{
    return std::floor(y * m_ratio + 1e-6) / m_ratio;
}

double ChartFigure::alignedX(double x) const
{
    return std::floor(x * m_ratio + 1e-6) / m_ratio;
}

void ChartFigure::drawTitles()
{
    const QFont titleFont = textFont(15, QFont::DemiBold);
    const QFont subtitleFont = textFont(12);
    const double room = m_size.width() - textLeft - (m_footer ? textLeft : buttonsWidth);
    m_front.text({textLeft, 25}, elidedTo(room, titleFont, chartTitle(m_spec.kind)), titleFont, m_theme.text);
    const QString selected =
        isEmphasised() ? Charts::tr("%1 selected").arg(countText(static_cast<qint64>(m_selection.size()))) : QString();
    const QString before = selected.isEmpty() ? subtitle() : subtitle() + QStringLiteral(" · ");
    const double wide = m_size.width() - 2 * textLeft - advanceOf(subtitleFont, selected);
    const QString shown = elidedTo(wide, subtitleFont, before);
    m_front.text({textLeft, 43}, shown, subtitleFont, m_theme.text2);
    m_front.text({textLeft + advanceOf(subtitleFont, shown), 43}, selected, subtitleFont, m_theme.accentText);
}

void ChartFigure::drawMasks()
{
    // A pixel more than the margins: their edges must not let a seam of the series through.
    const QRectF all({}, m_size);
    const QRectF plot = m_plot;
    m_front.add(DrawList::Fill{QRectF(0, 0, all.width(), plot.top()), m_theme.panel});
    m_front.add(DrawList::Fill{QRectF(0, plot.top() - 1, plot.left(), plot.height() + 2), m_theme.panel});
    m_front.add(DrawList::Fill{
        QRectF(plot.right() + 1, plot.top() - 1, all.width() - plot.right() - 1, plot.height() + 2), m_theme.panel});
    m_front.add(DrawList::Fill{QRectF(0, plot.bottom(), all.width(), all.height() - plot.bottom()), m_theme.panel});
}

void ChartFigure::updateSelected()
{
    const bool drawn = isEmphasised() && m_spec.dots && !m_empty;
    m_selectedCloud->setVisible(drawn);
    if (!drawn) {
        return;
    }
    std::vector<QColor> colours;
    for (int series = 0; series < m_data.series().count(); ++series) {
        colours.push_back(m_theme.series(series));
    }
    std::vector<PlacedDot> placed;
    for (const int series : m_visible) {
        for (const ChartDot& dot : dotsOf(series)) {
            if (std::binary_search(m_selection.begin(), m_selection.end(), dot.row)) {
                placed.push_back({place(series, dot), dot.row, series, dot.hollow});
            }
        }
    }
    m_selectedCloud->begin(m_plot, m_ratio, {dotStyle(m_dotsDrawn).radius + 0.3, 0.95}, std::move(colours));
    m_selectedCloud->add(placed);
}

void ChartFigure::drawFooter()
{
    if (!m_footer || m_footer->isEmpty()) {
        return;
    }
    const double top = alignedY(m_size.height() - footerHeight());
    m_front.add(DrawList::Fill{QRectF(textLeft, top, m_size.width() - 2 * textLeft, hairline()), m_theme.line});
    const QFont font = textFont(11);
    double baseline = top + 17;
    for (const QString& line : *m_footer) {
        m_front.text({textLeft, baseline}, elidedTo(m_size.width() - 2 * textLeft, font, line), font, m_theme.muted);
        baseline += footerLine;
    }
}

void ChartFigure::drawHorizontalGrid(DrawList& list) const
{
    const AxisScale scale = yScale();
    const AxisTicks ticks = axisTicks(scale, TickSteps::OneTwoFive, m_plot.height(), tickGap);
    const auto line = [&](double value, const QColor& colour) {
        const double y = alignedY(m_plot.bottom() - scale.fraction(value) * m_plot.height());
        if (y < m_plot.bottom() - 1.5) { // there the axis is
            list.add(DrawList::Fill{QRectF(m_plot.left(), y, m_plot.width(), hairline()), colour});
        }
    };
    for (const double value : ticks.minor) {
        line(value, m_theme.fineGrid);
    }
    for (const double value : ticks.major) {
        line(value, m_theme.grid);
    }
}

void ChartFigure::drawYLabels(DrawList& list, const QString& title) const
{
    const AxisScale scale = yScale();
    const QFont font = textFont(11);
    for (const double value : axisTicks(scale, TickSteps::OneTwoFive, m_plot.height(), tickGap).major) {
        list.text({m_plot.left() - 8, m_plot.bottom() - scale.fraction(value) * m_plot.height() + 4}, msTickText(value),
                  font, m_theme.text2, Qt::AlignRight);
    }
    list.text({textLeft + 1, 67}, title, textFont(11, QFont::DemiBold), m_theme.text);
}

std::optional<double> ChartFigure::limitY() const
{
    const std::optional<double> ms = m_spec.drawnLimitMs();
    if (!ms || !yScale().contains(*ms)) {
        return std::nullopt;
    }
    return alignedY(m_plot.bottom() - yScale().fraction(*ms) * m_plot.height());
}

double ChartFigure::msAt(double y) const
{
    return yScale().valueAt(std::clamp((m_plot.bottom() - y) / m_plot.height(), 0.0, 1.0));
}

void ChartFigure::drawLimit(DrawList& list) const
{
    const std::optional<double> line = limitY();
    if (!line) {
        return;
    }
    const double y = *line;
    const QFont font = textFont(11);
    const QString text = Charts::tr("limit %1").arg(msTickText(*m_spec.limitMs));
    // Above its line, or below it where the plot ends.
    const QPointF at(m_plot.left() + 7, y - 14 > m_plot.top() ? y - 4 : y + 12);
    QColor ground = m_theme.panel;
    ground.setAlpha(220); // the grid shows through, the label stays readable
    list.add(DrawList::Fill{QRectF(at.x() - 3, at.y() - 10, advanceOf(font, text) + 14, 13), ground});
    list.text(at, text, font, m_theme.error);
    list.add(DrawList::Line{QPolygonF{{m_plot.left(), y + 0.5}, {m_plot.right(), y + 0.5}}, m_theme.error, 1, {5, 4}});
}

} // namespace tokenpace
