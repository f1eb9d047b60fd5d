// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "runoutput.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include <QDir>
#include <QSaveFile>
#include <QUrl>

#include <nlohmann/json.hpp>

#include "chartdata.h"
#include "charts/chartexport.h"
#include "charts/reportpage.h"
#include "experiment/rundocument.h"
#include "numbertext.h"
#include "requestsmodel.h"
#include "requestwords.h"
#include "seriesmodel.h"
#include "settings/baseurl.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

ChartProvenance provenanceOf(const RunInfo& info)
{
    ChartProvenance provenance;
    provenance.date = info.endedAt;
    provenance.settingsHash = info.settingsHash;
    provenance.simulated = isSimulated(info.spec);
    for (const Target& target : info.spec.targets) {
        const QString host = hostLabel(QUrl(target.endpoint.baseUrl));
        if (!provenance.endpoints.contains(host)) {
            provenance.endpoints << host;
        }
    }
    return provenance;
}

/// Columns padded to the widest cell: the first to the left, numbers to the right.
QByteArray table(const QList<QStringList>& rows)
{
    QList<qsizetype> widths;
    for (const QStringList& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths.at(i), row.at(i).size());
        }
    }
    QString text;
    for (const QStringList& row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i) {
            const auto width = static_cast<int>(widths.at(i));
            line += i == 0 ? row.at(i).leftJustified(width) : QStringLiteral("  ") + row.at(i).rightJustified(width);
        }
        text += line + QLatin1Char('\n');
    }
    return text.toUtf8();
}

QString notCountedText(const SummaryRow& row)
{
    QStringList parts;
    for (const auto& [flag, count] : row.notCountedBy) {
        parts << QStringLiteral("%1 %2").arg(count).arg(QString::fromUtf8(name(flag).data()));
    }
    for (const auto& [kind, count] : row.errors) {
        parts << QStringLiteral("%1 %2").arg(count).arg(QString::fromUtf8(name(kind).data()));
    }
    return parts.isEmpty() ? dashText : parts.join(QStringLiteral(", "));
}

/// Why requests did not end well, each reason once with its number and what to do; those that were met most first.
QString reasonsText(const std::vector<TimelinePtr>& records)
{
    constexpr std::size_t most = 5;
    std::map<QString, int> counts;
    for (const TimelinePtr& record : records) {
        if (record->status != Status::Ok && record->status != Status::Cancelled) {
            const QString advice = record->error ? adviceFor(*record->error) : QString();
            ++counts[advice.isEmpty() ? outcomeText(*record) : outcomeText(*record) + QStringLiteral(". ") + advice];
        }
    }
    std::vector<std::pair<int, QString>> sorted;
    for (const auto& [words, count] : counts) {
        sorted.emplace_back(count, words);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    QString text;
    for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
        text += QStringLiteral("%1 × %2\n").arg(sorted[i].first).arg(sorted[i].second);
    }
    if (sorted.size() > most) {
        text += QStringLiteral("and %1 other reasons; each record has its own\n").arg(sorted.size() - most);
    }
    return text;
}

} // namespace

QByteArray documentText(const RunResult& result)
{
    const GoodputLimits limits{result.limits.ttftMs, result.limits.tpotMs, {}};
    nlohmann::ordered_json document = runDocument(result.info, result.records, limits);
    result.redactor.redact(document);
    constexpr int indent = 1;
    return QByteArray::fromStdString(
               document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
        + '\n';
}

QByteArray summaryText(const RunResult& result)
{
    const auto ok = std::count_if(result.records.begin(), result.records.end(), [](const TimelinePtr& record) {
        return record->status == Status::Ok;
    });
    QString head =
        QStringLiteral("Tokenpace %1, %2, run %3: %4 of %5 requests, %6 ok\n")
            .arg(QStringLiteral(TOKENPACE_VERSION), result.info.startedAt.toString(Qt::ISODate), result.info.id)
            .arg(result.info.done)
            .arg(result.info.planned)
            .arg(ok);
    if (isSimulated(result.info.spec)) {
        head += QStringLiteral("Simulated endpoint: these are not figures of a real model.\n");
    }
    QList<QStringList> rows;
    rows << QStringList{QStringLiteral("Model"),      QStringLiteral("Prompt"),        QStringLiteral("n"),
                        QStringLiteral("TTFT P50"),   QStringLiteral("95 % interval"), QStringLiteral("TTFT P90"),
                        QStringLiteral("TPOT P50"),   QStringLiteral("E2E P50"),       QStringLiteral("Tokens/s"),
                        QStringLiteral("Not counted")};
    for (const SummaryRow& row : result.summary) {
        const auto& interval = row.ttft.p50Interval;
        const auto target = row.key.promptTokensTarget;
        rows << QStringList{
            QString::fromStdString(row.key.model),
            target ? QString::number(static_cast<qlonglong>(*target)) : dashText,
            QString::number(static_cast<qulonglong>(std::max(row.ttft.n, row.tpot.n))),
            durationText(row.ttft.p50),
            interval ? durationText(interval->first) + QStringLiteral(" – ") + durationText(interval->second)
                     : dashText,
            durationText(row.ttft.p90),
            durationText(row.tpot.p50),
            durationText(row.e2e.p50),
            threeDigits(row.throughput.p50),
            notCountedText(row),
        };
    }
    const QString reasons = reasonsText(result.records);
    return head.toUtf8() + '\n' + table(rows) + (reasons.isEmpty() ? QByteArray() : '\n' + reasons.toUtf8())
        + "\nTTFT from the moment the request was written to its first output; "
          "TPOT = (last - first output) / (tokens - 1).\n";
}

QString writeFile(const QString& path, const QByteArray& bytes)
{
    if (path == QStringLiteral("-")) {
        const auto size = static_cast<std::size_t>(bytes.size());
        const bool ok = std::fwrite(bytes.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0;
        return ok ? QString() : QStringLiteral("cannot write to standard output");
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return QStringLiteral("cannot write %1: %2").arg(path, file.errorString());
    }
    return {};
}

QString writeOutput(const QString& folder, const RunResult& result)
{
    if (!QDir().mkpath(folder)) {
        return QStringLiteral("cannot make the folder %1").arg(folder);
    }
    const QDir out(folder);
    SeriesModel series;
    for (const Target& target : result.info.spec.targets) {
        series.seriesFor(target.endpoint.name, target.model, target.alias);
    }
    RequestsModel requests(series);
    ChartData data(requests);
    requests.append(result.records);
    const ChartProvenance provenance = provenanceOf(result.info);

    QStringList errors;
    QList<ChartSpec> charts;
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        if (kind == ChartKind::TtftByLength && result.info.spec.experiment != Experiment::Length) {
            continue; // one prompt has one length
        }
        ChartSpec spec;
        spec.kind = kind;
        spec.limitMs = kind == ChartKind::TtftByLength ? result.limits.ttftMs : result.limits.tpotMs;
        charts << spec;
        for (const char* ending : {".png", ".svg", ".csv"}) {
            errors << saveChart(out.filePath(chartFileStem(kind) + QLatin1String(ending)), spec, data, provenance,
                                lightTheme());
        }
    }
    const auto clean = [&](const QByteArray& bytes) {
        return QByteArray::fromStdString(
            result.redactor.redacted(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    };
    errors << writeFile(out.filePath(QStringLiteral("summary.csv")), clean(summaryCsv(result.summary)));
    errors << writeFile(out.filePath(QStringLiteral("requests.csv")), clean(recordsCsv(result.records)));
    errors << writeFile(out.filePath(QStringLiteral("summary.txt")), clean(summaryText(result)));
    errors << writeFile(out.filePath(QStringLiteral("run.json")), documentText(result));
    ReportSource report;
    report.charts = charts;
    report.provenance = provenance;
    report.run = result.info;
    report.limits = {result.limits.ttftMs, result.limits.tpotMs, {}};
    errors << writeFile(out.filePath(QStringLiteral("report.html")), clean(reportPage(report, data)));
    errors.removeAll(QString());
    return errors.join(QStringLiteral("; "));
}

} // namespace tokenpace
