// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tickstrip.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QImage>
#include <QPaintDevice>
#include <QPainter>

#include "measure/metrics.h"

namespace tokenpace {

namespace {

// The least gap that can be a stall; spares the median of all gaps for nearly every request.
constexpr double leastStallMs = 250;

QString tickLabel(double ms, double stepMs, double endMs)
{
    if (ms <= 0) {
        return QStringLiteral("0");
    }
    const bool inMs = stepMs < 1000 && endMs < 1000;
    const double step = inMs ? stepMs : stepMs / 1000;
    // A step of 2.5 needs one digit, one of 0.25 two.
    int decimals = 0;
    for (double scaled = step; decimals < 6 && std::abs(scaled - std::round(scaled)) > 1e-6; scaled *= 10) {
        ++decimals;
    }
    const double value = inMs ? ms : ms / 1000;
    const QString number = QString::number(value, 'f', decimals);
    return inMs ? QCoreApplication::translate("TimeAxis", "%1 ms").arg(number)
                : QCoreApplication::translate("TimeAxis", "%1 s").arg(number);
}

} // namespace

void paintTicks(QPainter& painter, const QRectF& area, const TimeScale& scale, std::span<const Stamp> arrivals,
                Stamp zero, const QColor& colour, double tickWidth)
{
    const double ratio = painter.device()->devicePixelRatioF();
    const double first = std::floor(area.left() * ratio);
    const int columns = static_cast<int>(std::ceil(area.right() * ratio) - first);
    if (columns <= 0 || arrivals.empty()) {
        return;
    }
    std::vector<float> cover(static_cast<std::size_t>(columns) + 1, 0.0F);
    const double width = tickWidth * ratio;
    int lowest = columns;
    int highest = -1;
    for (const Stamp at : arrivals) {
        const double from = scale.x(toMs(at - zero)) * ratio - first;
        if (from + width <= 0 || from >= columns) {
            continue;
        }
        const int begin = std::max(0, static_cast<int>(std::floor(from)));
        const int end = std::min(columns - 1, static_cast<int>(std::ceil(from + width)) - 1);
        for (int column = begin; column <= end; ++column) {
            const double part = std::min(from + width, column + 1.0) - std::max(from, static_cast<double>(column));
            float& value = cover[static_cast<std::size_t>(column)];
            value = std::min(1.0F, value + static_cast<float>(part));
        }
        lowest = std::min(lowest, begin);
        highest = std::max(highest, end);
    }
    if (highest < lowest) {
        return;
    }
    QImage strip(highest - lowest + 1, 1, QImage::Format_ARGB32_Premultiplied);
    QRgb* pixels = reinterpret_cast<QRgb*>(strip.scanLine(0)); // one row of 32-bit pixels, as the format says
    for (int column = lowest; column <= highest; ++column) {
        const auto alpha =
            static_cast<int>(std::lround(cover[static_cast<std::size_t>(column)] * static_cast<float>(colour.alpha())));
        pixels[column - lowest] = qPremultiply(qRgba(colour.red(), colour.green(), colour.blue(), alpha));
    }
    const QRectF target((first + lowest) / ratio, area.top(), strip.width() / ratio, area.height());
    painter.drawImage(target, strip, QRectF(0, 0, strip.width(), 1));
}

std::vector<TimeTick> timeTicks(double fromMs, double endMs, double pxPerMs, double minGapPx)
{
    std::vector<TimeTick> ticks;
    if (!(endMs > fromMs) || !(pxPerMs > 0)) {
        return ticks;
    }
    const double least = minGapPx / pxPerMs;
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {2.0, 2.5, 2.0}) {
        if (step >= least) {
            break;
        }
        step *= factor;
    }
    for (double i = std::ceil(fromMs / step); i * step <= endMs; ++i) {
        ticks.push_back({i * step, tickLabel(i * step, step, endMs)});
    }
    return ticks;
}

std::vector<StallSpan> stallsOf(std::span<const Stamp> arrivals, Stamp zero)
{
    std::vector<StallSpan> stalls;
    bool candidate = false;
    for (std::size_t i = 1; i < arrivals.size() && !candidate; ++i) {
        candidate = toMs(arrivals[i] - arrivals[i - 1]) > leastStallMs;
    }
    if (!candidate) {
        return stalls;
    }
    std::vector<double> gaps;
    gaps.reserve(arrivals.size());
    for (std::size_t i = 1; i < arrivals.size(); ++i) {
        gaps.push_back(toMs(arrivals[i] - arrivals[i - 1]));
    }
    const double threshold = stallThresholdMs(gaps);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        if (gaps[i] > threshold) {
            stalls.push_back({toMs(arrivals[i] - zero), toMs(arrivals[i + 1] - zero)});
        }
    }
    return stalls;
}

} // namespace tokenpace
