// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include "definitions.h"
#include "summarymodel.h"

namespace tokenpace {

/// The columns that show a percentile of a metric.
struct PercentileColumn {
    SummaryModel::Column column;
    Distribution SummaryRow::*distribution;
    std::optional<double> Distribution::*percentile;
    double p;
    Figure figure;
};
/// Null for a column that shows none.
[[nodiscard]] const PercentileColumn* percentileColumn(SummaryModel::Column column);
[[nodiscard]] QString percentileName(double p); ///< P95

/// What stands in the head of a column of the summary, and its tool tip. Pure functions.
[[nodiscard]] QString summaryColumnTitle(SummaryModel::Column column);
[[nodiscard]] QString summaryColumnToolTip(SummaryModel::Column column);

} // namespace tokenpace
