// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/violin.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "measure/statistics.h"

namespace tokenpace {

namespace {

/// Quantile of the values above zero.
std::optional<double> aboveZero(const LogHistogram& histogram, double p)
{
    const auto n = static_cast<double>(histogram.count());
    const auto zeros = static_cast<double>(histogram.zeros());
    if (n - zeros < 1) {
        return std::nullopt;
    }
    return n < 2 ? histogram.quantileMs(p) : histogram.quantileMs((zeros + p * (n - zeros - 1)) / (n - 1));
}

} // namespace

std::optional<AxisRange> violinRange(const LogHistogram& histogram)
{
    const auto low = aboveZero(histogram, 0.005);
    const auto high = aboveZero(histogram, 0.995);
    return low && high && *low > 0 ? std::optional(AxisRange{*low, *high}) : std::nullopt;
}

std::vector<ViolinPoint> violinOutline(const LogHistogram& histogram, int points)
{
    const auto range = violinRange(histogram);
    const auto q1 = aboveZero(histogram, 0.25);
    const auto q3 = aboveZero(histogram, 0.75);
    if (histogram.count() < violinMinimumN || !range) {
        return {};
    }
    struct Bin {
        double at; // decadic logarithm of ms
        double count;
    };
    std::vector<Bin> bins;
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < LogHistogram::bucketCount; ++i) {
        if (const auto count = static_cast<double>(histogram.bucket(i)); count > 0) {
            const double at = std::log10(LogHistogram::middleMs(i));
            bins.push_back({at, count});
            n += count;
            sum += count * at;
            squares += count * at * at;
        }
    }
    if (n < static_cast<double>(violinMinimumN)) {
        return {};
    }
    const double deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
    const double spread = q1 && q3 && *q1 > 0 ? std::log10(*q3 / *q1) / 1.34 : deviation;
    const double narrower = spread > 0 ? std::min(deviation, spread) : deviation;
    constexpr double bucketWidth = 1.0 / LogHistogram::bucketsPerDecade;
    const double bandwidth = std::max(0.9 * narrower * std::pow(n, -0.2), 1.5 * bucketWidth);

    // Ends half a bandwidth outside, so that even a distribution of one bucket has a height.
    const double from = std::log10(range->low) - bandwidth;
    const double to = std::log10(range->high) + bandwidth;
    std::vector<ViolinPoint> outline;
    double widest = 0;
    for (int i = 0; i < points; ++i) {
        const double at = from + (to - from) * i / (points - 1);
        double density = 0;
        const auto first =
            std::lower_bound(bins.begin(), bins.end(), at - 4 * bandwidth, [](const Bin& bin, double value) {
                return bin.at < value;
            });
        for (auto bin = first; bin != bins.end() && bin->at <= at + 4 * bandwidth; ++bin) {
            const double z = (bin->at - at) / bandwidth;
            density += bin->count * std::exp(-z * z / 2);
        }
        outline.push_back({std::pow(10.0, at), density});
        widest = std::max(widest, density);
    }
    for (ViolinPoint& point : outline) {
        point.width /= widest;
    }
    return outline;
}

} // namespace tokenpace
