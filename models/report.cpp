// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "report.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include "definitions.h"
#include "experiment/rundocument.h"
#include "measure/metrics.h"
#include "numbertext.h"
#include "summarycell.h"
#include "summarycolumn.h"

namespace tokenpace {

namespace {

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::Report", source);
}

QString html(const QString& plain)
{
    return plain.toHtmlEscaped();
}

QString words(const nlohmann::ordered_json& value)
{
    return value.is_null()  ? dashText
        : value.is_string() ? QString::fromStdString(value.get<std::string>())
                            : QString::fromStdString(value.dump());
}

QString section(const QString& title, const QString& body)
{
    return QStringLiteral("<section>\n<h2>%1</h2>\n%2</section>\n").arg(html(title), body);
}

QString pairs(const QList<std::pair<QString, QString>>& rows)
{
    QString list = QStringLiteral("<dl>\n");
    for (const auto& [name, value] : rows) {
        list += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(html(name), html(value));
    }
    return list + QStringLiteral("</dl>\n");
}

/// Columns from here on are numbers.
constexpr qsizetype firstNumber = 1;

QString tableHtml(const TextTable& table)
{
    QString body = QStringLiteral("<div class=\"wide\"><table>\n<thead><tr>");
    for (const QString& head : table.heads) {
        body += QStringLiteral("<th scope=\"col\">%1</th>").arg(html(head));
    }
    body += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (const QStringList& row : table.rows) {
        body += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < row.size(); ++i) {
            const QString cell =
                i < firstNumber ? QStringLiteral("<th scope=\"row\">%1</th>") : QStringLiteral("<td>%1</td>");
            body += cell.arg(html(row.at(i)));
        }
        body += QStringLiteral("</tr>\n");
    }
    return body + QStringLiteral("</tbody></table></div>\n");
}

QString runSection(const RunInfo& info, const nlohmann::ordered_json& run)
{
    QStringList models;
    for (const Target& target : info.spec.targets) {
        models << target.label();
    }
    return section(text("Run"),
                   pairs({{text("Run"), info.id},
                          {text("Experiment"), words(run["experiment"])},
                          {text("Models"), models.join(QStringLiteral(", "))},
                          {text("Seed"), words(run["seed"])},
                          {text("Started"), words(run["started_at"])},
                          {text("Ended"), words(run["ended_at"])},
                          {text("Requests"), text("%1 of %2").arg(countText(info.done), countText(info.planned))},
                          {text("Concurrency"), QString::number(info.spec.concurrency)},
                          {text("Stamp error"),
                           run["stamp_error_us"].is_null() ? text("not measured") : words(run["stamp_error_us"])}}));
}

QString environmentSection(const nlohmann::ordered_json& environment)
{
    return section(text("Environment"),
                   pairs({{text("System"), words(environment["os"])},
                          {text("Processor"), words(environment["cpu"])},
                          {text("Tokenpace"), words(environment["version"])},
                          {text("Qt"), words(environment["qt"])}}));
}

QString meanings()
{
    return section(text("What the numbers mean"),
                   pairs({{text("TTFT"), definition(Figure::Ttft)},
                          {text("TPOT"), definition(Figure::Tpot)},
                          {text("E2E"), definition(Figure::E2e)}}));
}

const char pageStyle[] = R"css(
*{box-sizing:border-box}
body{margin:0;padding:24px;background:var(--panel);color:var(--text);font:14px/1.5 Inter,"Noto Sans","Noto Sans CJK SC",system-ui,sans-serif}
main{max-width:900px;margin:0 auto}
h1{font-size:26px;line-height:34px;margin:0 0 4px}
h2{font-size:17px;line-height:24px;margin:32px 0 8px}
p,figcaption,dt,footer{color:var(--text2)}
figure{margin:16px 0;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:12px}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:12px;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child{text-align:left}
thead th{color:var(--text2);vertical-align:bottom;white-space:normal}
tbody th{font-weight:400}
tr{break-inside:avoid}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0}
dd{margin:0;overflow-wrap:anywhere}
pre{margin:0;padding:12px;border:1px solid var(--line);border-radius:6px;font:12px/1.5 "Noto Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.note{color:var(--warning)}
footer{margin-top:32px;padding-top:8px;border-top:1px solid var(--line);font-size:12px}
@media print{body{padding:0;font-size:11px}h2{break-after:avoid}}
)css";

} // namespace

TextTable summaryTable(const std::vector<SummaryModel::Group>& groups, const SeriesModel& series)
{
    TextTable table;
    table.rows.resize(static_cast<qsizetype>(groups.size()));
    for (int number = 0; number < SummaryModel::ColumnCount; ++number) {
        const auto column = static_cast<SummaryModel::Column>(number);
        QStringList cells;
        bool hasValue = number < SummaryModel::firstOptionalColumn;
        for (const SummaryModel::Group& group : groups) {
            cells << summaryCellText(group, column, series);
            hasValue = hasValue || cells.last() != dashText;
        }
        if (hasValue) {
            table.heads << summaryColumnTitle(column);
            for (qsizetype row = 0; row < cells.size(); ++row) {
                table.rows[row] << cells.at(row);
            }
        }
    }
    return table;
}

std::vector<SummaryModel::Group> summaryGroups(const RequestsModel& requests, const GoodputLimits& limits)
{
    std::map<std::pair<int, std::optional<std::int64_t>>, SummaryModel::Group> groups;
    for (int row = 0; row < requests.rowCount(); ++row) {
        const RequestsModel::Row& request = requests.row(row);
        if (!request.finished() || request.timeline->flags.has(Flag::WarmUp)) {
            continue;
        }
        const Timeline& timeline = *request.timeline;
        SummaryModel::Group& group = groups[{request.series, summaryKey(timeline).promptTokensTarget}];
        group.series = request.series;
        group.row.key = summaryKey(timeline);
        SummaryModel::addMember(group, row, timeline);
    }
    std::vector<SummaryModel::Group> result;
    for (auto& [place, group] : groups) {
        std::vector<TimelinePtr> members;
        for (const int row : group.members) {
            members.push_back(requests.row(row).timeline);
        }
        group.row = summarise(group.row.key, members, limits);
        group.computed = true;
        result.push_back(std::move(group));
    }
    return result;
}

QByteArray markdownTable(const TextTable& table)
{
    const auto line = [](const QStringList& cells) {
        QStringList escaped;
        for (QString cell : cells) {
            escaped << cell.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
                           .replace(QLatin1Char('|'), QStringLiteral("\\|"))
                           .replace(QLatin1Char('\n'), QLatin1Char(' '));
        }
        return QStringLiteral("| ") + escaped.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    };
    QString text = line(table.heads);
    for (qsizetype i = 0; i < table.heads.size(); ++i) {
        text += i < firstNumber ? QStringLiteral("| :-- ") : QStringLiteral("| --: ");
    }
    text += QStringLiteral("|\n");
    for (const QStringList& row : table.rows) {
        text += line(row);
    }
    return text.toUtf8();
}

QByteArray reportHtml(const Report& report)
{
    const nlohmann::ordered_json run = runJson(report.run.value_or(RunInfo()));
    QString page = QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                                  "<title>%2</title>\n<style>\n")
                       .arg(text("en"), html(text("Tokenpace report")));
    page += QString::fromUtf8(report.styles) + QLatin1String(pageStyle);
    page += QStringLiteral("</style>\n</head>\n<body>\n<main>\n<h1>%1</h1>\n").arg(html(text("Latency report")));
    for (const QString& line : report.provenance) {
        page += QStringLiteral("<p>%1</p>\n").arg(html(line));
    }
    if (report.simulated) {
        page += QStringLiteral("<p class=\"note\">%1</p>\n")
                    .arg(html(text("Simulated endpoint: these are not figures of a real model.")));
    }
    if (!report.findings.isEmpty()) {
        QString list;
        for (const ReportFinding& finding : report.findings) {
            list += QStringLiteral("<h3>%1: %2</h3>\n").arg(html(finding.severity), html(finding.text))
                + pairs({{text("Likely cause"), finding.cause}, {text("Next step"), finding.next}});
        }
        page += section(text("Findings"), list);
    }
    QString charts;
    for (const ReportChart& chart : report.charts) {
        charts += QStringLiteral("<figure>\n%1\n<figcaption>%2</figcaption>\n</figure>\n")
                      .arg(QString::fromUtf8(chart.svg), html(chart.summary));
    }
    page += section(text("Charts"), charts);
    page += section(text("Summary"), tableHtml(report.summary));
    page += meanings();
    if (report.run) {
        page += runSection(*report.run, run);
        if (!run["settings"].is_null()) {
            constexpr int indent = 2;
            page += section(text("Settings"),
                            QStringLiteral("<p>%1</p>\n<pre>%2</pre>\n")
                                .arg(html(text("Without keys; hash %1.").arg(report.run->settingsHash)),
                                     html(QString::fromStdString(run["settings"].dump(indent)))));
        }
    }
    page += environmentSection(run["environment"]);
    page += QStringLiteral("<footer>%1</footer>\n</main>\n</body>\n</html>\n")
                .arg(report.provenance.isEmpty() ? QStringLiteral("Tokenpace")
                                                 : html(report.provenance.join(QStringLiteral(" · "))));
    return page.toUtf8();
}

} // namespace tokenpace
