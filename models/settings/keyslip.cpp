// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/keyslip.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tokenpace {

namespace {

std::string plain(const std::string& key)
{
    std::string result;
    for (const char c : key) {
        if (c != '_' && c != '-' && c != ' ') {
            result += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
        }
    }
    return result;
}

/// Levenshtein's distance.
std::size_t distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
        }
    }
    return row[b.size()];
}

} // namespace

bool isSlipOf(const std::string& typed, const std::string& known)
{
    const std::string a = plain(typed);
    const std::string b = plain(known);
    if (a == b) {
        return true;
    }
    // Short names differ by a letter for good reasons.
    if (std::min(a.size(), b.size()) < 5 || std::max(a.size(), b.size()) > 40) {
        return false;
    }
    return distance(a, b) <= (b.size() < 9 ? 1u : 2u);
}

} // namespace tokenpace
