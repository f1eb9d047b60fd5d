// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/labelspread.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tokenpace {

std::vector<double> spreadLabels(const std::vector<double>& wanted, double gap, double low, double high)
{
    if (wanted.empty()) {
        return {};
    }
    const std::size_t n = wanted.size();
    const double room = std::max(0.0, high - low);
    if (n > 1) {
        gap = std::min(gap, room / static_cast<double>(n - 1));
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return wanted[a] < wanted[b];
    });

    // Without the gaps the problem is an isotonic regression: pool neighbours that are out of order.
    struct Pool {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < n; ++i) {
        pools.push_back({wanted[order[i]] - gap * static_cast<double>(i), 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::vector<double> result(n);
    const double highest = high - gap * static_cast<double>(n - 1);
    std::size_t i = 0;
    for (const Pool& pool : pools) {
        const double place = std::clamp(pool.mean(), low, std::max(low, highest));
        for (std::size_t k = 0; k < pool.count; ++k, ++i) {
            result[order[i]] = place + gap * static_cast<double>(i);
        }
    }
    return result;
}

} // namespace tokenpace
