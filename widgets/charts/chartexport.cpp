// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartexport.h"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QFileInfo>
#include <QMimeData>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>

#include "charts/chartfigure.h"
#include "charts/charttext.h"

namespace tokenpace {

namespace {

constexpr std::size_t mostVectorDots = 5000; // about 1 MB of shapes
constexpr double svgCloudScale = 2; // of the picture that more dots become
constexpr double pdfCloudScale = 3; // paper shows more

ChartProvenance dated(ChartProvenance provenance)
{
    if (!provenance.date.isValid()) {
        provenance.date = QDateTime::currentDateTimeUtc();
    }
    return provenance;
}

std::unique_ptr<ChartFigure> figureFor(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                       const Theme& theme)
{
    auto figure = ChartFigure::make(spec, data);
    figure->setFooter(provenanceLines(dated(provenance)));
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
    image.fill(theme.panel);
    // A painter takes no ratio below 1 from its image: small pictures are scaled by hand.
    image.setDevicePixelRatio(std::max(1.0, scale));
    QPainter painter(&image);
    painter.scale(std::min(1.0, scale), std::min(1.0, scale));
    figure->paint(painter);
    painter.end();
    image.setDevicePixelRatio(scale);
    return image;
}

QByteArray chartPng(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance, const Theme& theme,
                    QSizeF size, double scale)
{
    constexpr double cssDpi = 96;
    return pngBytes(renderChart(spec, data, provenance, theme, size, scale), chartTitle(spec.kind), provenance,
                    cssDpi * scale);
}

QByteArray pngBytes(const QImage& image, const QString& title, const ChartProvenance& provenance, double dpi)
{
    constexpr double inchesPerMetre = 1 / 0.0254;
    QImage opaque = image.convertToFormat(QImage::Format_RGB32);
    opaque.setDotsPerMeterX(static_cast<int>(std::lround(dpi * inchesPerMetre)));
    opaque.setDotsPerMeterY(opaque.dotsPerMeterX());
    opaque.setText(QStringLiteral("Title"), title);
    opaque.setText(QStringLiteral("Software"), QStringLiteral("Tokenpace"));
    opaque.setText(QStringLiteral("Comment"), provenanceLines(dated(provenance)).join(QLatin1Char('\n')));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    // Level 1 of zlib: on charts a third of the default’s time, for files a fifth larger.
    constexpr int quality = 88;
    opaque.save(&buffer, "PNG", quality);
    return bytes;
}

QByteArray chartSvg(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance, const Theme& theme,
                    QSizeF size, double zoom)
{
    const auto figure = figureFor(spec, data, provenance, theme);
    figure->setSize(size, svgCloudScale);
    figure->setForVectors(true);
    figure->update();
    if (figure->dotsDrawn() > mostVectorDots) { // known only now; dots as shapes cost nothing yet
        figure->setForVectors(false);
        figure->update();
    }

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
        .replace(millimetres,
                 QStringLiteral("<svg width=\"%1\" height=\"%2\"").arg(size.width() * zoom).arg(size.height() * zoom))
        .toUtf8();
}

QByteArray chartPdf(const QList<ChartSpec>& specs, const ChartData& data, const ChartProvenance& provenance,
                    const Theme& theme, QSizeF size, double pointsPerPx)
{
    constexpr int resolution = 1200; // dots are placed to a fiftieth of a px
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("Tokenpace"));
    writer.setTitle(specs.size() == 1 ? chartTitle(specs.first().kind) : QStringLiteral("Tokenpace"));
    writer.setResolution(resolution);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(size * pointsPerPx, QPageSize::Point, {}, QPageSize::ExactMatch));
    QPainter painter(&writer);
    painter.scale(pointsPerPx * resolution / 72, pointsPerPx * resolution / 72);
    for (const ChartSpec& spec : specs) {
        if (&spec != &specs.first()) {
            writer.newPage();
        }
        const auto figure = figureFor(spec, data, provenance, theme);
        figure->setSize(size, pdfCloudScale);
        figure->update();
        if (figure->dotsDrawn() <= mostVectorDots) {
            figure->setForVectors(true, ChartFigure::VectorText::Text);
            figure->update();
        }
        painter.fillRect(QRectF({}, size + QSizeF(2, 2)), theme.panel); // pages are whole points large
        figure->paint(painter);
    }
    painter.end();
    return bytes;
}

std::unique_ptr<QMimeData> chartMimeData(const QList<ChartSpec>& specs, const ChartData& data,
                                         const ChartProvenance& provenance, const Theme& theme, QSizeF size,
                                         double scale, const Redactor& redactor)
{
    const auto clean = [&redactor](const QByteArray& bytes) {
        return redactor.redacted(QString::fromUtf8(bytes)).toUtf8();
    };
    QList<QImage> pictures;
    QByteArrayList tables;
    QSize whole(0, 0);
    for (const ChartSpec& spec : specs) {
        pictures << renderChart(spec, data, provenance, theme, size, scale);
        tables << chartCsv(spec, data);
        whole = {std::max(whole.width(), pictures.last().width()), whole.height() + pictures.last().height()};
    }
    auto mime = std::make_unique<QMimeData>();
    if (pictures.size() == 1) {
        mime->setImageData(pictures.first());
        mime->setData(QStringLiteral("image/svg+xml"), clean(chartSvg(specs.first(), data, provenance, theme, size)));
    } else {
        QImage all(whole, QImage::Format_RGB32);
        all.fill(theme.panel);
        QPainter painter(&all);
        int top = 0;
        for (QImage& picture : pictures) {
            picture.setDevicePixelRatio(1);
            painter.drawImage(0, top, picture);
            top += picture.height();
        }
        painter.end();
        mime->setImageData(all);
    }
    mime->setData(QStringLiteral("text/csv"), clean(tables.join("\r\n")));
    return mime;
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
    } else if (ending == QLatin1String("pdf")) {
        bytes = chartPdf({spec}, data, provenance, theme, size);
    } else if (ending == QLatin1String("csv")) {
        bytes = chartCsv(spec, data);
    } else {
        return Charts::tr("%1: the name must end in .png, .svg, .pdf or .csv.").arg(path);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return Charts::tr("%1 could not be written: %2.").arg(path, file.errorString());
    }
    return {};
}

} // namespace tokenpace
