// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "measure/histogram.h"

#include <cmath>
#include <limits>

namespace tokenpace {

void LogHistogram::add(double ms)
{
    if (std::isnan(ms) || ms < 0) {
        return;
    }
    ++m_count;
    if (ms == 0) {
        ++m_zeros;
        return;
    }
    const double position = std::log10(ms / lowestMs) * bucketsPerDecade;
    if (position < 0) {
        ++m_below;
    } else if (position >= bucketCount) {
        ++m_above;
    } else {
        ++m_buckets[static_cast<std::size_t>(position)];
    }
}

void LogHistogram::merge(const LogHistogram& other)
{
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        m_buckets[i] += other.m_buckets[i];
    }
    m_count += other.m_count;
    m_zeros += other.m_zeros;
    m_below += other.m_below;
    m_above += other.m_above;
}

void LogHistogram::clear()
{
    *this = LogHistogram{};
}

double LogHistogram::lowerEdgeMs(int index)
{
    return lowestMs * std::pow(10.0, static_cast<double>(index) / bucketsPerDecade);
}

double LogHistogram::middleMs(int index)
{
    return lowestMs * std::pow(10.0, (index + 0.5) / bucketsPerDecade);
}

double LogHistogram::valueAtRank(std::uint64_t rank) const
{
    if (rank < m_zeros) {
        return 0;
    }
    std::uint64_t seen = m_zeros + m_below;
    if (rank < seen) {
        return lowestMs;
    }
    for (int i = 0; i < bucketCount; ++i) {
        seen += bucket(i);
        if (rank < seen) {
            return middleMs(i);
        }
    }
    return lowerEdgeMs(bucketCount);
}

std::optional<double> LogHistogram::quantileMs(double p) const
{
    if (m_count == 0) {
        return std::nullopt;
    }
    const double position = p * static_cast<double>(m_count - 1);
    const double floor = std::floor(position);
    const auto rank = static_cast<std::uint64_t>(floor);
    const double low = valueAtRank(rank);
    if (position == floor || rank + 1 >= m_count) {
        return low;
    }
    return low + (position - floor) * (valueAtRank(rank + 1) - low);
}

} // namespace tokenpace
