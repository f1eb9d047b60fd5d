// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QDateTime>
#include <QString>
#include <QStringList>

#include "charts/axis.h"

namespace tokenpace {

enum class ChartKind {
    TtftByLength, ///< time to first token against prompt length
    TpotByModel ///< time per output token, a column a model
};

/// What a chart shows of its data and how. A value.
struct ChartSpec {
    ChartKind kind = ChartKind::TtftByLength;
    bool logX = true; ///< prompt length
    bool logY = true; ///< time
    bool dots = true;
    bool median = true; ///< median line, or boxes
    bool band = true; ///< band, or violins
    bool perGap = false; ///< TPOT chart: a value a gap between output events, not one a request
    bool limits = true;
    std::optional<double> limitMs; ///< drawn when inside the range, unless drawnLimitMs() says none
    /// A limit of TPOT says nothing of single gaps.
    [[nodiscard]] std::optional<double> drawnLimitMs() const { return limits && !perGap ? limitMs : std::nullopt; }
    std::optional<AxisRange> expectedX; ///< shortest and longest prompt of the plan: the axis has them from the start
    std::optional<AxisRange> zoomX; ///< overrides the range that follows from the data
    std::optional<AxisRange> zoomY;
};

/// Where the data of an export come from; its footer says so. What is empty is left out of it.
struct ChartProvenance {
    QDateTime date; ///< none: that of the export
    bool showDate = true;
    QStringList endpoints; ///< hosts
    QString settingsHash; ///< or empty
    QString view = QStringLiteral("Tokenpace"); ///< whose definitions
    QString stampError; ///< "stamps ±3 µs (P99 9 µs), kernel", or empty when it is not known
    QString prompt; ///< the prompt that all requests sent, where it is to be shown
    bool simulated = false; ///< some of the data come from the simulated endpoint; always said
};

/// "Time to first token vs prompt length".
[[nodiscard]] QString chartTitle(ChartKind kind);
/// Start of a file name for it: "ttft-by-length".
[[nodiscard]] QString chartFileStem(ChartKind kind);
/// The lines of an export's footer: three at most.
[[nodiscard]] QStringList provenanceLines(const ChartProvenance& provenance);

} // namespace tokenpace
