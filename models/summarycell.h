// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QVariant>

#include "summarymodel.h"

namespace tokenpace {

/// What a cell of the summary table says: pure functions of a group. Text has three significant digits, tool tips all
/// of them, n, and the reason for a dash; the value is raw, and invalid when unknown or withheld.
[[nodiscard]] QString summaryCellText(const SummaryModel::Group& group, SummaryModel::Column column,
                                      const SeriesModel& series);
[[nodiscard]] QString summaryCellToolTip(const SummaryModel::Group& group, SummaryModel::Column column,
                                         const SeriesModel& series);
[[nodiscard]] QVariant summaryCellValue(const SummaryModel::Group& group, SummaryModel::Column column,
                                        const SeriesModel& series);

} // namespace tokenpace
