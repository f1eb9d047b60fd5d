// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "exportdialog/exportchoices.h"

#include <algorithm>

#include <QSettings>

#include "charts/chartexport.h"

namespace tokenpace {

namespace {

constexpr double slideText = 1.8; // smallest text 20 px of 720: read from the last row

template <typename Enum> Enum within(const QVariant& value, Enum fallback, Enum last)
{
    bool ok = false;
    const int number = value.toInt(&ok);
    return ok && number >= 0 && number <= static_cast<int>(last) ? static_cast<Enum>(number) : fallback;
}

} // namespace

ExportSize exportSize(ExportPreset preset)
{
    switch (preset) {
    case ExportPreset::Screen:
        return {screenChartSize, 1, 96};
    case ExportPreset::Slide:
        return {QSizeF(1280, 720) / slideText, slideText, 96};
    case ExportPreset::Paper:
        break;
    }
    // A column of 89 mm, text from 5.8 pt on; 300 dpi at 3x. In a narrower layout the models' names are cut short.
    return {QSizeF(480, 326), 350.0 / 480, 100};
}

QString formatEnding(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Png:
        return QStringLiteral("png");
    case ExportFormat::Svg:
        return QStringLiteral("svg");
    case ExportFormat::Pdf:
        return QStringLiteral("pdf");
    case ExportFormat::Csv:
        return QStringLiteral("csv");
    case ExportFormat::Html:
        return QStringLiteral("html");
    case ExportFormat::Markdown:
        break;
    }
    return QStringLiteral("md");
}

void ExportChoices::load(const QSettings& settings)
{
    const auto on = [&settings](const char* key, bool& value) {
        value = settings.value(QStringLiteral("export/") + QLatin1String(key), value).toBool();
    };
    format = within(settings.value(QStringLiteral("export/format")), format, ExportFormat::Html);
    preset = within(settings.value(QStringLiteral("export/size")), preset, ExportPreset::Paper);
    scale = std::clamp(settings.value(QStringLiteral("export/scale"), scale).toInt(), 1, 3);
    on("dark", dark);
    on("date", date);
    on("host", host);
    on("hash", hash);
    on("view", view);
    on("stampError", stampError);
}

void ExportChoices::save(QSettings& settings) const
{
    const auto keep = [&settings](const char* key, const QVariant& value) {
        settings.setValue(QStringLiteral("export/") + QLatin1String(key), value);
    };
    if (ofCharts()) {
        keep("format", static_cast<int>(format));
    }
    keep("size", static_cast<int>(preset));
    keep("scale", scale);
    keep("dark", dark);
    keep("date", date);
    keep("host", host);
    keep("hash", hash);
    keep("view", view);
    keep("stampError", stampError);
}

bool ExportChoices::isPicture() const
{
    return ofCharts() && (format == ExportFormat::Png || format == ExportFormat::Svg || format == ExportFormat::Pdf);
}

QList<ChartSpec> ExportChoices::charts(const ExportContent& content) const
{
    return what == What::Chart ? content.charts.mid(chart, 1) : content.charts;
}

ChartProvenance ExportChoices::provenance(const ExportContent& content) const
{
    ChartProvenance result = content.provenance;
    result.showDate = date;
    if (!host) {
        result.endpoints.clear();
    }
    for (QString& endpoint : result.endpoints) {
        endpoint = content.redactor.redacted(endpoint);
    }
    if (!hash) {
        result.settingsHash.clear();
    }
    if (!view) {
        result.view.clear();
    }
    if (!stampError) {
        result.stampError.clear();
    }
    result.prompt = prompt && content.run ? content.redactor.redacted(content.run->spec.prompt) : QString();
    return result;
}

} // namespace tokenpace
