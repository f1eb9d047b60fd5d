// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tokenpace {

/// Histogram of times with logarithmic buckets, 200 a decade from 10 us to 1000 s, with counts of zero and of values
/// out of range. Adding is O(1), memory is fixed, two of them merge. A value: not synchronised.
class LogHistogram {
public:
    static constexpr int bucketsPerDecade = 200;
    static constexpr int decades = 8;
    static constexpr int bucketCount = bucketsPerDecade * decades;
    static constexpr double lowestMs = 0.01;

    /// Counts one value; negative ones and NaN are not counted.
    void add(double ms);
    void merge(const LogHistogram& other);
    void clear();

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] std::uint64_t zeros() const { return m_zeros; }
    [[nodiscard]] std::uint64_t below() const { return m_below; } ///< above zero, under the lowest bucket
    [[nodiscard]] std::uint64_t above() const { return m_above; }
    [[nodiscard]] std::uint64_t bucket(int index) const { return m_buckets[static_cast<std::size_t>(index)]; }
    [[nodiscard]] static double lowerEdgeMs(int index);
    [[nodiscard]] static double middleMs(int index); ///< geometric middle

    /// Quantile p in [0, 1] by type 7: reads the buckets of both neighbouring ranks and interpolates between their
    /// geometric middles. Error <= 0.6 % of the value inside the range. None when empty.
    [[nodiscard]] std::optional<double> quantileMs(double p) const;

private:
    [[nodiscard]] double valueAtRank(std::uint64_t rank) const;

    std::array<std::uint32_t, bucketCount> m_buckets{};
    std::uint64_t m_count = 0;
    std::uint64_t m_zeros = 0;
    std::uint64_t m_below = 0;
    std::uint64_t m_above = 0;
};

} // namespace tokenpace
