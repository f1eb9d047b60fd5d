// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include "chartdata.h"
#include "charts/chartspec.h"
#include "theme/theme.h"

/// Charts as files, without a live view and without an event loop: a QApplication, offscreen too, is all they need.
/// GUI thread.
namespace tokenpace {

inline constexpr QSizeF screenChartSize{820, 480};

/// The chart with its footer, `size` in logical px, `scale` device px to each of them.
[[nodiscard]] QImage renderChart(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                 const Theme& theme, QSizeF size = screenChartSize, double scale = 2);
/// The same as PNG bytes.
[[nodiscard]] QByteArray chartPng(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                  const Theme& theme, QSizeF size = screenChartSize, double scale = 2);
/// The same as SVG. Text is outlines, so that it looks alike where the fonts are missing. Dots are vectors up to 5,000,
/// above that one embedded picture.
[[nodiscard]] QByteArray chartSvg(const ChartSpec& spec, const ChartData& data, const ChartProvenance& provenance,
                                  const Theme& theme, QSizeF size = screenChartSize);
/// The data drawn, as CSV (RFC 4180, CRLF, UTF-8, numbers free of locale, unknown values empty): one line a request
/// of the series shown. Text that starts with = + - @ gets an apostrophe before it.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& spec, const ChartData& data);

/// Writes the file that `path` names by its ending (.png, .svg, .csv), whole or not at all. Returns why it could not,
/// or an empty text.
[[nodiscard]] QString saveChart(const QString& path, const ChartSpec& spec, const ChartData& data,
                                const ChartProvenance& provenance, const Theme& theme, QSizeF size = screenChartSize,
                                double scale = 2);

} // namespace tokenpace
