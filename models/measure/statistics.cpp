// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tokenpace {

namespace {

constexpr std::size_t p95MinimumN = 20;
constexpr std::size_t p99MinimumN = 100;
constexpr std::size_t rangeWhiskersBelow = 20;
constexpr std::size_t rangeBandBelow = 10;
constexpr double tailProbability = 0.025;

std::vector<double> sortedCopy(std::span<const double> samples)
{
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

} // namespace

std::optional<double> percentileOfSorted(std::span<const double> sorted, double p)
{
    if (sorted.empty()) {
        return std::nullopt;
    }
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
    const double fraction = position - static_cast<double>(index);
    const double low = sorted[index];
    if (fraction <= 0 || index + 1 >= sorted.size()) {
        return low;
    }
    return low + fraction * (sorted[index + 1] - low);
}

std::optional<double> percentile(std::span<const double> samples, double p)
{
    return percentileOfSorted(sortedCopy(samples), p);
}

std::size_t smallestN(double p)
{
    // The upper percentiles alone are withheld: a P99 of nine samples would be their maximum under another name.
    constexpr double tolerance = 1e-9;
    if (p >= 0.99 - tolerance) {
        return p99MinimumN;
    }
    return p >= 0.95 - tolerance ? p95MinimumN : 1;
}

std::optional<RankInterval> percentileInterval(std::size_t n, double p)
{
    if (n == 0 || p <= 0 || p >= 1) {
        return std::nullopt;
    }
    // The interval between the order statistics of ranks l < u (from 1) covers the p-quantile with probability
    // P(l <= X < u), X binomial(n, p): the number of samples below the quantile. Each tail may hold 2.5 %:
    // l = the greatest with P(X < l) <= 0.025, u = the least with P(X >= u) <= 0.025.
    // Far from the mean nothing adds up to a tail, so the sums start where it begins to: their cost grows with the root
    // of n only. One probability is computed there, the others follow from their neighbours.
    const auto count = static_cast<double>(n);
    const double mean = count * p;
    constexpr double farInDeviations = 12;
    constexpr double farAtLeast = 30;
    const double far = farInDeviations * std::sqrt(mean * (1 - p)) + farAtLeast;
    const double odds = p / (1 - p);
    const auto probability = [&](double k) {
        return std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) + k * std::log(p)
                        + (count - k) * std::log1p(-p));
    };
    double k = std::floor(std::max(0.0, mean - far));
    double here = probability(k);
    double below = here; // P(X <= k)
    while (below <= tailProbability && k < count) {
        here *= (count - k) / (k + 1) * odds;
        k += 1;
        below += here;
    }
    const auto low = static_cast<std::size_t>(k); // rank from 1; 0 is none
    k = std::ceil(std::min(count, mean + far));
    here = probability(k);
    double above = here; // P(X >= k)
    while (above <= tailProbability && k > 0) {
        here *= k / (count - k + 1) / odds;
        k -= 1;
        above += here;
    }
    const auto high = static_cast<std::size_t>(k) + 1;
    if (low < 1 || high > n || low > high) {
        return std::nullopt;
    }
    return RankInterval{low - 1, high - 1};
}

Distribution describe(std::vector<double> samples)
{
    Distribution result;
    result.n = samples.size();
    if (samples.empty()) {
        return result;
    }
    std::sort(samples.begin(), samples.end());
    const auto shown = [&](double p) {
        return samples.size() >= smallestN(p) ? percentileOfSorted(samples, p) : std::nullopt;
    };
    result.min = samples.front();
    result.max = samples.back();
    result.p50 = shown(0.50);
    result.p90 = shown(0.90);
    result.p95 = shown(0.95);
    result.p99 = shown(0.99);
    result.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
    if (const auto ranks = percentileInterval(samples.size(), 0.5)) {
        result.p50Interval = {samples[ranks->low], samples[ranks->high]};
    }
    return result;
}

std::optional<Box> boxOf(std::span<const double> samples)
{
    if (samples.empty()) {
        return std::nullopt;
    }
    const auto sorted = sortedCopy(samples);
    const auto at = [&](double p) {
        return percentileOfSorted(sorted, p).value_or(0);
    };
    Box box;
    box.whiskersAreRange = sorted.size() < rangeWhiskersBelow;
    box.low = box.whiskersAreRange ? sorted.front() : at(0.05);
    box.q1 = at(0.25);
    box.median = at(0.5);
    box.q3 = at(0.75);
    box.high = box.whiskersAreRange ? sorted.back() : at(0.95);
    return box;
}

std::optional<Band> bandOf(std::span<const double> samples)
{
    if (samples.empty()) {
        return std::nullopt;
    }
    const auto sorted = sortedCopy(samples);
    const auto at = [&](double p) {
        return percentileOfSorted(sorted, p).value_or(0);
    };
    Band band;
    band.isRange = sorted.size() < rangeBandBelow;
    band.low = band.isRange ? sorted.front() : at(0.1);
    band.median = at(0.5);
    band.high = band.isRange ? sorted.back() : at(0.9);
    return band;
}

} // namespace tokenpace
