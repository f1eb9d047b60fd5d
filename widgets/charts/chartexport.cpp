// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartexport.h"

#include <cmath>

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>

#include "charts/chartfigure.h"
#include "charts/charttext.h"

namespace tokenpace {

namespace {

constexpr std::size_t mostVectorDots = 5000; // about 1 MB of shapes
constexpr double svgCloudScale = 2; // of the picture that more dots become

std::unique_ptr<ChartFigure> figureFor(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                       const Theme& theme)
{
    auto figure = ChartFigure::make(spec, data);
    ChartProvenance dated = provenance;
    if (!dated.date.isValid()) {
        dated.date = QDateTime::currentDateTimeUtc();
    }
    figure->setFooter(dated);
    figure->setTheme(theme);
    return figure;
}

} // namespace

QImage renderChart(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance, const Theme& theme,
                   QSizeF size, double scale)
{
    const auto figure = figureFor(spec, data, provenance, theme);
    figure->setSize(size, scale);
    figure->update();
    QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(theme.panel);
    QPainter painter(&image);
    figure->paint(painter);
    return image;
}

QByteArray chartPng(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance, const Theme& theme,
                    QSizeF size, double scale)
{
    QImage image = renderChart(spec, data, provenance, theme, size, scale).convertToFormat(QImage::Format_RGB32);
    image.setText(QStringLiteral("Title"), chartTitle(spec.kind));
    image.setText(QStringLiteral("Software"), QStringLiteral("Tokenpace"));
    image.setText(QStringLiteral("Comment"), provenanceLines(provenance).join(QLatin1Char('\n')));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray chartSvg(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance, const Theme& theme,
                    QSizeF size)
{
    const auto figure = figureFor(spec, data, provenance, theme);
    figure->setSize(size, svgCloudScale);
    figure->update();
    const bool vectorDots = figure->dotsDrawn() <= mostVectorDots;
    figure->setForVectors(vectorDots);
    figure->update();

    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96); // one unit is one CSS px
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF({}, size));
    generator.setTitle(chartTitle(spec.kind).toHtmlEscaped()); // it is written as it is
    generator.setDescription(figure->summary().toHtmlEscaped());
    QPainter painter(&generator);
    painter.fillRect(QRectF({}, size), theme.panel);
    figure->paint(painter);
    painter.end();
    // The generator rounds to millimetres, which makes readers round up to another pixel.
    static const QRegularExpression millimetres(QStringLiteral(R"(<svg width="[^"]*" height="[^"]*")"));
    return QString::fromUtf8(bytes)
        .replace(millimetres, QStringLiteral("<svg width=\"%1\" height=\"%2\"").arg(size.width()).arg(size.height()))
        .toUtf8();
}

QString saveChart(const QString& path, const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                  const Theme& theme, QSizeF size, double scale)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("png")) {
        bytes = chartPng(spec, data, provenance, theme, size, scale);
    } else if (ending == QLatin1String("svg")) {
        bytes = chartSvg(spec, data, provenance, theme, size);
    } else if (ending == QLatin1String("csv")) {
        bytes = chartCsv(spec, data);
    } else {
        return Charts::tr("%1: the name must end in .png, .svg or .csv.").arg(path);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return Charts::tr("%1 could not be written: %2.").arg(path, file.errorString());
    }
    return {};
}

} // namespace tokenpace
