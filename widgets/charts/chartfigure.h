// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QGraphicsScene>
#include <QMarginsF>

#include "chartdata.h"
#include "charts/chartseries.h"
#include "charts/chartspec.h"
#include "charts/dotcloud.h"
#include "charts/drawlist.h"
#include "theme/theme.h"

namespace tokenpace {

/// One chart as a picture of any size, for the window and for files alike: axes, dots, series, labels and, for files,
/// the footer. Reads the ChartData when updated and paints what it read until the next update. GUI thread; needs no
/// view and no event loop; does not own the data.
class ChartFigure {
public:
    [[nodiscard]] static std::unique_ptr<ChartFigure> make(const ChartSpec& spec, const ChartData& data);
    virtual ~ChartFigure();
    ChartFigure(const ChartFigure&) = delete;
    ChartFigure& operator=(const ChartFigure&) = delete;

    [[nodiscard]] const ChartSpec& spec() const { return m_spec; }
    void setSpec(const ChartSpec& spec);
    void setTheme(const Theme& theme) { m_theme = theme; }
    void setSize(QSizeF size, double devicePixelRatio);
    void setSelection(std::vector<int> ascendingRows) { m_selection = std::move(ascendingRows); }
    /// Makes it a picture for a file: without room for buttons, with these lines below it, which may be none.
    void setFooter(const QStringList& lines) { m_footer = lines; }
    enum class VectorText { Outlines, Text };
    /// For formats of vectors: dots as shapes, and margins painted over what the series leave there, as such formats
    /// ignore Qt Charts' clipping. Of more than `mostDots` dots every n-th is drawn.
    void setForVectors(bool vectorDots, VectorText text = VectorText::Outlines, std::size_t mostDots = 1'000'000);
    /// Axes forget what they have shown: the next update fits them to the data.
    void resetRanges();

    /// Reads the data. Axes that have to grow glide there by `elapsedMs`; below zero they jump. True while they are
    /// still on their way.
    bool update(double elapsedMs = -1);
    void paint(QPainter& painter);

    [[nodiscard]] QRectF plot() const { return m_plot; }
    [[nodiscard]] AxisScale xScale() const;
    [[nodiscard]] AxisScale yScale() const;
    [[nodiscard]] bool isEmpty() const { return m_empty; }
    /// Where the limit line is drawn; none where it isn't.
    [[nodiscard]] std::optional<double> limitY() const;
    /// The time at a height of the picture, within the axis.
    [[nodiscard]] double msAt(double y) const;
    /// The drawn dot nearest to a point, at most `reach` px away.
    [[nodiscard]] std::optional<PlacedDot> nearest(QPointF at, double reach) const;
    /// Rows of the requests inside a rectangle, ascending.
    [[nodiscard]] std::vector<int> rowsIn(QRectF rect) const;
    /// Where a request stands, if its series is shown and it is in the plot.
    [[nodiscard]] std::optional<PlacedDot> placeOf(int row) const;
    [[nodiscard]] virtual bool hasXAxis() const { return true; }
    /// The chart in words, for screen readers.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString subtitle() const;

    [[nodiscard]] const DrawList& front() const { return m_front; }
    [[nodiscard]] ChartSeries& series() { return m_series; }
    [[nodiscard]] std::size_t dotsDrawn() const { return m_dotsDrawn; }

protected:
    ChartFigure(const ChartSpec& spec, const ChartData& data);

    struct Bounds {
        AxisRange x;
        AxisRange y;
    };

    /// Series with a place in the chart, ascending.
    [[nodiscard]] virtual std::vector<int> shownSeries() const = 0;
    [[nodiscard]] virtual const std::vector<ChartDot>& dotsOf(int series) const = 0;
    [[nodiscard]] virtual bool drawsDotsOf(int series) const = 0;
    [[nodiscard]] virtual QPointF place(int series, const ChartDot& dot) const = 0;
    [[nodiscard]] virtual QMarginsF margins() const = 0;
    [[nodiscard]] virtual std::optional<Bounds> bounds() const = 0;
    [[nodiscard]] virtual FitRule yRule() const = 0;
    [[nodiscard]] virtual AxisRange seriesXRange() const = 0; ///< in axis units
    virtual void drawSeries() = 0;
    virtual void drawBack(DrawList& list) = 0;
    virtual void drawFront(DrawList& list) = 0;
    [[nodiscard]] virtual QString counts() const = 0; ///< of the subtitle, with what is drawn
    [[nodiscard]] virtual QString seriesSummary(int series) const = 0;

    [[nodiscard]] const ChartData& data() const { return m_data; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] const std::vector<int>& visible() const { return m_visible; }
    [[nodiscard]] const std::vector<int>& selection() const { return m_selection; }
    /// Two or more are selected: the others fade.
    [[nodiscard]] bool isEmphasised() const { return m_selection.size() >= 2; }
    [[nodiscard]] QSizeF innerSize() const; ///< without the footer
    [[nodiscard]] double hairline() const { return 1 / m_ratio; }
    [[nodiscard]] QString seriesName(int series) const;
    void drawHorizontalGrid(DrawList& list) const;
    void drawYLabels(DrawList& list, const QString& title) const;
    void drawLimit(DrawList& list) const;
    [[nodiscard]] double alignedY(double y) const; ///< top of a hairline in whole device px
    [[nodiscard]] double alignedX(double x) const;

private:
    void updateRanges(double elapsedMs);
    void updateCloud();
    void updateSelected();
    void drawTitles();
    void drawMasks();
    void drawFooter();
    [[nodiscard]] double footerHeight() const;

    const ChartData& m_data; // not owned
    ChartSpec m_spec;
    Theme m_theme;
    std::optional<QStringList> m_footer;
    QSizeF m_size;
    double m_ratio = 1;
    bool m_vectors = false;

    QGraphicsScene m_scene; // owns the items below
    ChartSeries m_series;
    DrawList m_back;
    DrawList m_front;
    DrawListItem* m_backItem; // these are owned by the scene
    DotCloud* m_cloud;
    DotCloud* m_selectedCloud;
    DrawListItem* m_frontItem;

    QRectF m_plot;
    std::vector<int> m_visible;
    std::vector<int> m_selection; // ascending
    bool m_empty = true;
    std::size_t m_dotsDrawn = 0;

    // What the axes have grown to and what is on show on the way there; none before the first data.
    std::optional<AxisRange> m_xTarget;
    std::optional<AxisRange> m_yTarget;
    AxisRange m_xShown{80, 10000};
    AxisRange m_yShown{10, 1000};

    /// How far a series' dots are in the cloud's picture.
    struct Painted {
        std::size_t count = 0;
        int lastRow = -1;
        double lastMs = 0;
    };
    struct CloudKey {
        QRectF plot;
        double ratio = 0;
        AxisRange x;
        AxisRange y;
        bool logX = false;
        bool logY = false;
        DotStyle style;
        std::vector<int> series;
        std::vector<QRgb> colours;

        friend bool operator==(const CloudKey&, const CloudKey&) = default;
    };
    CloudKey m_cloudKey;
    std::map<int, Painted> m_painted;
    std::vector<PlacedDot> m_placed; ///< the dots in the cloud's picture
};

} // namespace tokenpace
