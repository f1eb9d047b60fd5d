// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "charts/chartfigure.h"

namespace tokenpace {

/// Time to first token against prompt length: a dot a request, per series the median and the band of each length, and
/// its name at the end of its line.
class TtftFigure final : public ChartFigure {
public:
    TtftFigure(const ChartSpec& spec, const ChartData& data);

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
    [[nodiscard]] const TtftSeries& one(int series) const; ///< an empty one where the data have none
    [[nodiscard]] AxisTicks xTicks() const;
    [[nodiscard]] QPointF at(double tokens, double ms) const;
    /// The end of a series' line, or where it leaves the plot; none where nothing of it is inside.
    [[nodiscard]] std::optional<QPointF> visibleEnd(int number) const;
    void drawNames(DrawList& list) const;
    [[nodiscard]] double nameRoom() const;
};

} // namespace tokenpace
