// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <vector>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include "experiment/runcontroller.h"
#include "summarymodel.h"

namespace tokenpace {

/// A table as text, the first row its heads. Cells are as people read them.
struct TextTable {
    QStringList heads;
    QList<QStringList> rows;
};

/// The summary as people read it: main columns, and of the others those that hold a value.
[[nodiscard]] TextTable summaryTable(const std::vector<SummaryModel::Group>& groups, const SeriesModel& series);
/// Groups of the finished requests with their figures, as a SummaryModel has them; computed at once, so for files only.
[[nodiscard]] std::vector<SummaryModel::Group> summaryGroups(const RequestsModel& requests,
                                                             const GoodputLimits& limits);
/// GitHub's tables: text columns to the left, numbers to the right.
[[nodiscard]] QByteArray markdownTable(const TextTable& table);

/// A chart in a report. The picture comes from whoever draws; here it is only put in its place.
struct ReportChart {
    QString title;
    QString summary; ///< the chart in words
    QByteArray svg; ///< an element
};

/// A finding, as commands.md of the records has it.
struct ReportFinding {
    QString severity;
    QString text;
    QString cause;
    QString next;
};

/// What an HTML report says. A value; secrets are the caller's to take out of the page.
struct Report {
    QStringList provenance; ///< date, endpoints, view, stamp error: as in the footer of charts
    bool simulated = false;
    std::optional<RunInfo> run; ///< none: records of logs
    QList<ReportChart> charts;
    QByteArray styles; ///< CSS of the charts, and the page's colours: --panel, --text, --text2, --line, --warning
    TextTable summary;
    QList<ReportFinding> findings;
};

/// One page that needs no other file and no script: readable in a browser, printable, dark where the reader's desktop
/// is.
[[nodiscard]] QByteArray reportHtml(const Report& report);

} // namespace tokenpace
