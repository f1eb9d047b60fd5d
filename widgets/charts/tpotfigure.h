// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "charts/chartfigure.h"

namespace tokenpace {

/// Time per output token, a column a series: points and a box below 50 requests, a violin and a thin box from there
/// on, and a table of percentiles under them.
class TpotFigure final : public ChartFigure {
public:
    TpotFigure(const ChartSpec& spec, const ChartData& data);
    [[nodiscard]] bool hasXAxis() const override { return false; }

    /// Enough values for a smooth curve?
    [[nodiscard]] bool isViolin(int series) const;

protected:
    [[nodiscard]] std::vector<int> shownSeries() const override;
    [[nodiscard]] const std::vector<ChartDot>& dotsOf(int series) const override;
    [[nodiscard]] bool drawsDotsOf(int series) const override;
    [[nodiscard]] QPointF place(int series, const ChartDot& dot) const override;
    [[nodiscard]] QMarginsF margins() const override;
    [[nodiscard]] std::optional<Bounds> bounds() const override;
    [[nodiscard]] FitRule yRule() const override;
    [[nodiscard]] AxisRange seriesXRange() const override;
    void drawSeries() override;
    void drawBack(DrawList& list) override;
    void drawFront(DrawList& list) override;
    [[nodiscard]] QString counts() const override;
    [[nodiscard]] QString seriesSummary(int series) const override;

private:
    [[nodiscard]] const TpotSeries* find(int series) const;
    [[nodiscard]] double slotWidth() const;
    [[nodiscard]] double slotMiddle(int series) const; ///< px
    [[nodiscard]] double yOf(double ms) const;
    [[nodiscard]] double slotsWidth() const;
    [[nodiscard]] QStringList nameLines(int series) const;
    [[nodiscard]] bool anyTwoLineName() const;
    [[nodiscard]] bool hasSelectedRow() const;
    [[nodiscard]] QString yTitle() const;
    [[nodiscard]] QString gapCounts() const;
    void drawBox(DrawList& list, int series) const;
    void drawTable(DrawList& list) const;
    [[nodiscard]] std::optional<double> selectedMedian(int series) const;
};

} // namespace tokenpace
