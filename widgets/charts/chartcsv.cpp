// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartexport.h"
#include "measure/metrics.h"

namespace tokenpace {

namespace {

QByteArray number(double value)
{
    return QString::number(value, 'g', 12).toUtf8();
}

QByteArray number(std::optional<double> value)
{
    return value ? number(*value) : QByteArray();
}

QByteArray truth(bool value)
{
    return value ? QByteArrayLiteral("true") : QByteArrayLiteral("false");
}

/// Quoted where needed; spreadsheets would run text that begins like a formula.
QByteArray cell(QString text)
{
    if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text[0])) {
        text.prepend(QLatin1Char('\''));
    }
    const bool quoted = text.contains(QLatin1Char('"')) || text.contains(QLatin1Char(','))
        || text.contains(QLatin1Char('\n')) || text.contains(QLatin1Char('\r'));
    if (quoted) {
        text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
        text = QLatin1Char('"') + text + QLatin1Char('"');
    }
    return text.toUtf8();
}

QByteArray flagCell(const Timeline& timeline)
{
    QStringList words;
    for (const std::string_view word : names(timeline.flags)) {
        words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    }
    return cell(words.join(QLatin1Char(' ')));
}

void appendDots(QByteArray& csv, const ChartData& data, int series, const std::vector<ChartDot>& dots)
{
    const SeriesModel::Series& names = data.series().at(series);
    for (const ChartDot& dot : dots) {
        const RequestsModel::Row& row = data.requests().row(dot.row);
        if (!row.timeline) {
            continue;
        }
        const auto length = promptLength(*row.timeline);
        const QByteArrayList cells{cell(names.endpoint),
                                   cell(names.model),
                                   cell(row.run),
                                   QByteArray::number(row.seq),
                                   length ? number(length->tokens) : QByteArray(),
                                   length ? truth(length->estimated) : QByteArray(),
                                   number(ttftMs(*row.timeline)),
                                   number(tpotMs(*row.timeline)),
                                   truth(!dot.hollow),
                                   flagCell(*row.timeline)};
        csv += cells.join(',') + "\r\n";
    }
}

/// A line a gap, of the requests that count.
QByteArray gapsCsv(const ChartData& data)
{
    QByteArray csv = "endpoint,model,run,seq,gap,gap_ms\r\n";
    for (int index = 0; index < data.requests().rowCount(); ++index) {
        const RequestsModel::Row& row = data.requests().row(index);
        if (!row.timeline || !data.series().isShown(row.series) || !tpotCounts(*row.timeline)) {
            continue;
        }
        const SeriesModel::Series& names = data.series().at(row.series);
        const QByteArrayList request{cell(names.endpoint), cell(names.model), cell(row.run),
                                     QByteArray::number(row.seq)};
        const QByteArray begin = request.join(',') + ',';
        int which = 0;
        for (const double gap : itlMs(*row.timeline)) {
            csv += begin + QByteArray::number(++which) + ',' + number(gap) + "\r\n";
        }
    }
    return csv;
}

} // namespace

QByteArray chartCsv(const ChartSpec& spec, const ChartData& data)
{
    QByteArray csv = "endpoint,model,run,seq,prompt_tokens,prompt_tokens_estimated,ttft_ms,tpot_ms,counted,flags\r\n";
    if (spec.kind == ChartKind::TtftByLength) {
        for (const auto& [id, series] : data.ttft()) {
            if (data.series().isShown(id)) {
                appendDots(csv, data, id, series.dots);
            }
        }
        return csv;
    }
    if (spec.perGap) {
        return gapsCsv(data);
    }
    for (const auto& [id, series] : data.tpot()) {
        if (data.series().isShown(id)) {
            appendDots(csv, data, id, series.dots);
        }
    }
    return csv;
}

} // namespace tokenpace
