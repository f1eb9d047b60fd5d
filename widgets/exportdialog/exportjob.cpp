// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "exportdialog/exportjob.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include "charts/chartexport.h"
#include "charts/reportpage.h"
#include "experiment/rundocument.h"
#include "requestsmodel.h"

namespace tokenpace {

namespace {

QByteArray redacted(const Redactor& redactor, const QByteArray& bytes)
{
    return QByteArray::fromStdString(
        redactor.redacted(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

QByteArray requestsText(const ChartData& data)
{
    std::vector<TimelinePtr> records;
    for (int row = 0; row < data.requests().rowCount(); ++row) {
        if (const TimelinePtr& timeline = data.requests().row(row).timeline) {
            records.push_back(timeline);
        }
    }
    return recordsCsv(records);
}

QByteArray summaryBytes(const ExportContent& content, const ExportChoices& choices)
{
    const std::vector<SummaryModel::Group> groups = summaryGroups(content.data->requests(), content.limits);
    if (choices.format == ExportFormat::Markdown) {
        const QStringList lines = provenanceLines(choices.provenance(content));
        return markdownTable(summaryTable(groups, content.data->series()))
            + (lines.isEmpty() ? QByteArray() : '\n' + lines.join(QStringLiteral("  \n")).toUtf8() + '\n');
    }
    std::vector<SummaryRow> rows;
    for (const SummaryModel::Group& group : groups) {
        rows.push_back(group.row);
    }
    return summaryCsv(rows);
}

} // namespace

QByteArray exportText(const ExportContent& content, const ExportChoices& choices, const QList<ChartSpec>& charts)
{
    QByteArray bytes;
    if (choices.what == ExportChoices::What::Requests) {
        bytes = requestsText(*content.data);
    } else if (choices.what == ExportChoices::What::Summary) {
        bytes = summaryBytes(content, choices);
    } else if (choices.format == ExportFormat::Html) {
        bytes = reportPage({charts, choices.provenance(content), content.run, content.limits}, *content.data);
    } else if (choices.format == ExportFormat::Csv) {
        for (const ChartSpec& spec : charts) {
            bytes += (bytes.isEmpty() ? "" : "\r\n") + chartCsv(spec, *content.data);
        }
    }
    return redacted(content.redactor, bytes);
}

QStringList exportPaths(const ExportContent& content, const ExportChoices& choices, const QString& path)
{
    const bool oneEach = choices.what == ExportChoices::What::AllCharts && content.charts.size() > 1
        && choices.format != ExportFormat::Pdf && choices.format != ExportFormat::Html;
    if (!oneEach) {
        return {path};
    }
    const QFileInfo file(path);
    QStringList paths;
    for (const ChartSpec& spec : content.charts) {
        paths << file.dir().filePath(
            QStringLiteral("%1-%2.%3").arg(file.completeBaseName(), chartFileStem(spec.kind), file.suffix()));
    }
    return paths;
}

ExportJob::ExportJob(const ExportContent& content, const ExportChoices& choices, const QStringList& paths,
                     QObject* parent)
    : QObject(parent)
    , m_content(content)
    , m_choices(choices)
    , m_paths(paths)
{
    m_pool.setMaxThreadCount(1);
}

ExportJob::~ExportJob()
{
    m_pool.clear();
    m_pool.waitForDone();
}

void ExportJob::start(bool write)
{
    m_write = write;
    QMetaObject::invokeMethod(this, &ExportJob::next, Qt::QueuedConnection);
}

ExportJob::Part ExportJob::make(int file) const
{
    const QList<ChartSpec> all = m_choices.charts(m_content);
    const QList<ChartSpec> charts = m_paths.size() > 1 ? all.mid(file, 1) : all;
    if (!m_choices.isPicture()) {
        return {exportText(m_content, m_choices, charts), {}, {}};
    }
    const Theme& theme = m_choices.dark ? darkTheme() : lightTheme();
    const ChartProvenance provenance = m_choices.provenance(m_content);
    const ExportSize size = exportSize(m_choices.preset);
    const ChartData& data = *m_content.data;
    constexpr double pointsPerInch = 72;
    switch (m_choices.format) {
    case ExportFormat::Svg:
        return {redacted(m_content.redactor, chartSvg(charts.first(), data, provenance, theme, size.layout, size.text)),
                {},
                {}};
    case ExportFormat::Pdf:
        return {chartPdf(charts, data, provenance, theme, size.layout, size.text * pointsPerInch / size.dpi), {}, {}};
    default:
        return {{},
                renderChart(charts.first(), data, provenance, theme, size.layout, size.text * m_choices.scale),
                chartTitle(charts.first().kind)};
    }
}

void ExportJob::next()
{
    const Part part = make(m_next);
    const double dpi = exportSize(m_choices.preset).dpi * m_choices.scale;
    m_pool.start([this, part, dpi, write = m_write, path = m_paths.at(m_next),
                  provenance = m_choices.provenance(m_content)] {
        const QByteArray bytes = part.image.isNull() ? part.bytes : pngBytes(part.image, part.title, provenance, dpi);
        QString why;
        if (write) {
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
                why = tr("%1 can’t be written: %2").arg(QDir::toNativeSeparators(path), file.errorString());
            }
        }
        QMetaObject::invokeMethod(this, [this, why, size = bytes.size()] {
            onDone(why, size);
        });
    });
}

void ExportJob::onDone(const QString& why, qint64 bytes)
{
    m_bytes += bytes;
    if (why.isEmpty()) {
        m_written << m_paths.at(m_next);
    }
    ++m_next;
    emit progressed(m_next, static_cast<int>(m_paths.size()));
    if (!why.isEmpty() || m_next == m_paths.size()) {
        emit finished(why, m_written, m_bytes);
    } else if (m_cancelled) {
        emit finished(tr("Cancelled after %1 of %2 files.").arg(m_next).arg(m_paths.size()), m_written, m_bytes);
    } else {
        next();
    }
}

} // namespace tokenpace
