// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tokenpace {

/// Percentile of raw samples by linear interpolation between order statistics: Hyndman and Fan (1996), type 7.
/// `sorted` ascends; p in [0, 1]. None for no samples.
[[nodiscard]] std::optional<double> percentileOfSorted(std::span<const double> sorted, double p);

/// The same for samples in any order; sorts a copy.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double p);

/// The least number of samples from which a percentile is shown: 20 for P95 and above, 100 for P99 and above, else 1.
[[nodiscard]] std::size_t smallestN(double p);

/// Equal-tailed 95 % interval of a percentile from order statistics: ranks by the binomial distribution,
/// distribution-free (David and Nagaraja, Order Statistics, 7.1). None ("open") where n is too small for both ends:
/// it exists from n = 6 (P50), 36 (P90), 72 (P95), 368 (P99) on. Ranks are from 0.
struct RankInterval {
    std::size_t low = 0;
    std::size_t high = 0;
};
[[nodiscard]] std::optional<RankInterval> percentileInterval(std::size_t n, double p);

/// Everything that a table or a file says of one metric. A percentile withheld for too small an n is none.
struct Distribution {
    std::size_t n = 0;
    std::optional<double> min;
    std::optional<double> p50;
    std::optional<double> p90;
    std::optional<double> p95;
    std::optional<double> p99;
    std::optional<double> max;
    std::optional<double> mean;
    std::optional<std::pair<double, double>> p50Interval;
};
[[nodiscard]] Distribution describe(std::vector<double> samples);

/// A box: quartiles, and whiskers at P5 and P95, or at minimum and maximum below 20 samples.
struct Box {
    double low = 0;
    double q1 = 0;
    double median = 0;
    double q3 = 0;
    double high = 0;
    bool whiskersAreRange = false; ///< minimum and maximum rather than P5 and P95
};
[[nodiscard]] std::optional<Box> boxOf(std::span<const double> samples);

/// The band of TTFT against length at one length: P10 to P90, or minimum to maximum below 10 samples.
struct Band {
    double low = 0;
    double median = 0;
    double high = 0;
    bool isRange = false; ///< minimum to maximum
};
[[nodiscard]] std::optional<Band> bandOf(std::span<const double> samples);

/// From this many samples on a distribution is drawn as a violin; below, as points and a box.
inline constexpr std::size_t violinMinimumN = 50;

} // namespace tokenpace
