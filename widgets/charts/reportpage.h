// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "chartdata.h"
#include "charts/chartspec.h"
#include "report.h"

namespace tokenpace {

/// What a report is made of, besides the requests.
struct ReportSource {
    QList<ChartSpec> charts;
    ChartProvenance provenance;
    std::optional<RunInfo> run;
    GoodputLimits limits;
};

/// The HTML report of the requests that `data` rests on: their charts, summary, run and settings. GUI thread.
[[nodiscard]] QByteArray reportPage(const ReportSource& source, const ChartData& data);

} // namespace tokenpace
