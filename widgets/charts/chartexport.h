// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QByteArray>
#include <QImage>
#include <QList>
#include <QSizeF>
#include <QString>

#include "chartdata.h"
#include "charts/chartspec.h"
#include "settings/redactor.h"
#include "theme/theme.h"

class QMimeData;

/// Charts as files, without a live view and without an event loop: a QApplication, offscreen too, is all they need.
/// GUI thread.
namespace tokenpace {

inline constexpr QSizeF screenChartSize{820, 480};

/// The chart with its footer, `size` in logical px, `scale` device px to each of them.
[[nodiscard]] QImage renderChart(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                 const Theme& theme, QSizeF size = screenChartSize, double scale = 2);
/// The same as PNG bytes, with title and provenance in the file.
[[nodiscard]] QByteArray chartPng(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                  const Theme& theme, QSizeF size = screenChartSize, double scale = 2);
/// A picture as PNG bytes; `dpi` says how large it is on paper. Any thread: compressing is what takes the time.
[[nodiscard]] QByteArray pngBytes(const QImage& image, const QString& title, const ChartProvenance& provenance,
                                  double dpi);
/// The same as SVG. Text is outlines, so that it looks alike where the fonts are missing. Dots are vectors up to 5,000,
/// above that one embedded picture.
/// `zoom` px to each of `size`.
[[nodiscard]] QByteArray chartSvg(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                  const Theme& theme, QSizeF size = screenChartSize, double zoom = 1);
/// Charts as PDF, a page each, fonts embedded; `pointsPerPx` points (1/72 inch) to each px of `size`. Dots as in SVG.
[[nodiscard]] QByteArray chartPdf(const QList<ChartSpec>& specs, const ChartData& data,
                                  const ChartProvenance& provenance, const Theme& theme, QSizeF size = screenChartSize,
                                  double pointsPerPx = 0.75);
/// The data drawn, as CSV (RFC 4180, CRLF, UTF-8, numbers free of locale, unknown values empty): one line a request
/// of the series shown. Text that starts with = + - @ gets an apostrophe before it.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& spec, const ChartData& data);

/// For the clipboard: a picture, SVG and CSV at once, so that each program takes what it can. Of several charts the
/// picture has one below the other, the CSV an empty line between, and there is no SVG. No plain text, which programs
/// would take before the picture. Secrets are out.
[[nodiscard]] std::unique_ptr<QMimeData> chartMimeData(const QList<ChartSpec>& specs, const ChartData& data,
                                                       const ChartProvenance& provenance, const Theme& theme,
                                                       QSizeF size, double scale, const Redactor& redactor);

/// Writes the file that `path` names by its ending (.png, .svg, .pdf, .csv), whole or not at all. Returns why it could
/// not, or an empty text.
[[nodiscard]] QString saveChart(const QString& path, const ChartSpec& spec, const ChartData& data,
                                const ChartProvenance& provenance, const Theme& theme, QSizeF size = screenChartSize,
                                double scale = 2);

} // namespace tokenpace
