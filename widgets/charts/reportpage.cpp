// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/reportpage.h"

#include "charts/svgpage.h"

namespace tokenpace {

QByteArray reportPage(const ReportSource& source, const ChartData& data)
{
    constexpr QSizeF chartSize(820, 440);
    Report report;
    ChartProvenance provenance = source.provenance;
    if (!provenance.date.isValid()) {
        provenance.date = QDateTime::currentDateTimeUtc();
    }
    report.provenance = provenanceLines(provenance);
    report.simulated = provenance.simulated;
    report.run = source.run;
    SvgPage pictures;
    for (const ChartSpec& spec : source.charts) {
        report.charts.append({chartTitle(spec.kind), chartSummary(spec, data), pictures.add(spec, data, chartSize)});
    }
    report.styles = pictures.styleSheet();
    report.summary = summaryTable(summaryGroups(data.requests(), source.limits), data.series());
    return reportHtml(report);
}

} // namespace tokenpace
