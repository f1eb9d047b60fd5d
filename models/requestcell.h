// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QVariant>

#include "requestsmodel.h"

namespace tokenpace {

/// What a cell of the requests table says: pure functions of a row. Text has three significant digits, tool tips all
/// of them and the reason for a dash; the value is raw, and invalid when unknown.
[[nodiscard]] QString requestCellText(const RequestsModel::Row& row, RequestsModel::Column column,
                                      const SeriesModel& series);
[[nodiscard]] QString requestCellToolTip(const RequestsModel::Row& row, RequestsModel::Column column,
                                         const SeriesModel& series);
[[nodiscard]] QVariant requestCellValue(const RequestsModel::Row& row, RequestsModel::Column column,
                                        const SeriesModel& series);
[[nodiscard]] QString requestColumnTitle(RequestsModel::Column column);
[[nodiscard]] QString requestColumnToolTip(RequestsModel::Column column);

} // namespace tokenpace
