// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QList>
#include <QSizeF>
#include <QString>

#include "chartdata.h"
#include "charts/chartspec.h"
#include "experiment/runcontroller.h"
#include "settings/redactor.h"

class QSettings;

namespace tokenpace {

/// What there is to export: read while the dialog is open, never changed.
struct ExportContent {
    const ChartData* data = nullptr; // not owned
    QList<ChartSpec> charts; ///< as they are on the screen
    ChartProvenance provenance;
    std::optional<RunInfo> run; ///< the last run of this window
    GoodputLimits limits;
    Redactor redactor;
};

/// How large a picture is. `layout` px are drawn, each `text` px large at 1x; `dpi` px at 1x to an inch of paper.
struct ExportSize {
    QSizeF layout;
    double text = 1;
    double dpi = 96;

    [[nodiscard]] QSize pixels(double scale) const { return (layout * text * scale).toSize(); }
};
enum class ExportPreset { Screen, Slide, Paper };
[[nodiscard]] ExportSize exportSize(ExportPreset preset);

enum class ExportFormat { Png, Svg, Pdf, Csv, Html, Markdown };
[[nodiscard]] QString formatEnding(ExportFormat format);

/// What a person chose in the export dialog. A value; kept between sessions, what is exported apart.
struct ExportChoices {
    enum class What { Chart, AllCharts, Summary, Requests };
    What what = What::Chart;
    int chart = 0; ///< of ExportContent::charts, for What::Chart
    ExportFormat format = ExportFormat::Png;
    ExportPreset preset = ExportPreset::Slide;
    int scale = 2;
    bool dark = false;
    bool date = true;
    bool host = true;
    bool hash = true;
    bool view = true;
    bool stampError = true;
    bool prompt = false;

    void load(const QSettings& settings);
    void save(QSettings& settings) const;
    [[nodiscard]] bool ofCharts() const { return what == What::Chart || what == What::AllCharts; }
    [[nodiscard]] bool isPicture() const;
    [[nodiscard]] QList<ChartSpec> charts(const ExportContent& content) const;
    /// What the footer says by these choices, secrets out.
    [[nodiscard]] ChartProvenance provenance(const ExportContent& content) const;
};

} // namespace tokenpace
