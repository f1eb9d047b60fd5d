// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <vector>

#include "charts/axis.h"
#include "measure/histogram.h"

namespace tokenpace {

/// One half of a violin's outline.
struct ViolinPoint {
    double ms = 0;
    double width = 0; ///< 0 to 1, 1 at the mode
};

/// P0.5 and P99.5 of the values above zero, which a logarithmic axis has a place for; none where there are none.
[[nodiscard]] std::optional<AxisRange> violinRange(const LogHistogram& histogram);

/// The outline of a distribution over its violinRange(): a Gaussian kernel over the logarithms (Silverman's rule of
/// thumb), `points` points evenly spaced along them. Empty when fewer than violinMinimumN values are in range: a smooth
/// curve over a few points would be a lie.
[[nodiscard]] std::vector<ViolinPoint> violinOutline(const LogHistogram& histogram, int points);

} // namespace tokenpace
