// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/linediff.h"

#include <algorithm>

namespace tokenpace {

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_suffix(line.ends_with('\r') ? 1 : 0);
        lines.push_back(line);
    }
    return lines;
}

} // namespace

LineDiff diffLines(std::string_view older, std::string_view newer)
{
    const std::vector<std::string_view> before = linesOf(older);
    const std::vector<std::string_view> after = linesOf(newer);
    const std::size_t most = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < most && before[head] == after[head]) {
        ++head;
    }
    std::size_t tail = 0;
    while (tail < most - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
        ++tail;
    }
    const std::size_t rows = before.size() - head - tail;
    const std::size_t columns = after.size() - head - tail;
    // common[i][j]: the longest subsequence of the middles from row i and column j on.
    constexpr std::size_t mostCells = 4'000'000;
    const bool compares = rows * columns <= mostCells;
    std::vector<std::vector<int>> common(compares ? rows + 1 : 1, std::vector<int>(compares ? columns + 1 : 1));
    for (std::size_t i = compares ? rows : 0; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            common[i][j] = before[head + i] == after[head + j] ? common[i + 1][j + 1] + 1
                                                               : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    LineDiff diff;
    for (std::size_t j = 0; j < head; ++j) {
        diff.lines.push_back({after[j], false});
    }
    std::size_t row = 0;
    std::size_t column = 0;
    while (row < rows || column < columns) {
        int gone = 0;
        int added = 0;
        while (row < rows || column < columns) {
            const bool both = compares && row < rows && column < columns;
            if (both && before[head + row] == after[head + column]) {
                break;
            }
            if (column == columns || (both && common[row + 1][column] >= common[row][column + 1])
                || (!compares && row < rows)) {
                ++row;
                ++gone;
            } else {
                diff.lines.push_back({after[head + column], true});
                ++column;
                ++added;
            }
        }
        diff.changes += std::max(gone, added);
        while (compares && row < rows && column < columns && before[head + row] == after[head + column]) {
            diff.lines.push_back({after[head + column], false});
            ++row;
            ++column;
        }
    }
    for (std::size_t j = after.size() - tail; j < after.size(); ++j) {
        diff.lines.push_back({after[j], false});
    }
    return diff;
}

} // namespace tokenpace
