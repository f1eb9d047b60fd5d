// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <span>
#include <vector>

#include <QColor>
#include <QRectF>
#include <QString>

#include "measure/timeline.h"

class QPainter;

namespace tokenpace {

/// Time axis of a raster: `left` is where time zero lies, in logical px.
struct TimeScale {
    double left = 0;
    double pxPerMs = 1;

    [[nodiscard]] double x(double ms) const { return left + ms * pxPerMs; }
};

/// Draws arrivals as ticks `area.height()` high, merged per device pixel column: the cost is one step an arrival and
/// one image, however many share a column. Nothing is drawn outside `area`.
void paintTicks(QPainter& painter, const QRectF& area, const TimeScale& scale, std::span<const Stamp> arrivals,
                Stamp zero, const QColor& colour, double tickWidth = 1.5);

/// Ticks of a time axis from `fromMs`, which may not be negative, to `endMs`: round steps of 1, 2 or 5 with at least
/// `minGapPx` between two. A label has the digits that tell it from its neighbours.
struct TimeTick {
    double ms = 0;
    QString label;
};
[[nodiscard]] std::vector<TimeTick> timeTicks(double fromMs, double endMs, double pxPerMs, double minGapPx);

/// A gap that is a stall (measure/metrics.h says which are).
struct StallSpan {
    double fromMs = 0;
    double toMs = 0;
};
[[nodiscard]] std::vector<StallSpan> stallsOf(std::span<const Stamp> arrivals, Stamp zero);

} // namespace tokenpace
