// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>
#include <vector>

namespace tokenpace {

/// A line of the newer text, without its end.
struct DiffLine {
    std::string_view text;
    bool isNew = false; ///< it is not in the older text, in this order
};

struct LineDiff {
    std::vector<DiffLine> lines;
    int changes = 0; ///< lines that are new or gone; one that became another counts once
};

/// Compares texts line by line, by their longest common subsequence. The lines point into `newer`.
[[nodiscard]] LineDiff diffLines(std::string_view older, std::string_view newer);

} // namespace tokenpace
