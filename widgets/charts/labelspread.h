// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

namespace tokenpace {

/// Moves labels apart: the places nearest to the wanted ones (in the sense of least squares) that keep their order,
/// are at least `gap` apart and lie in [low, high]. Where they cannot all fit, the gap shrinks. Result in the order of
/// `wanted`.
[[nodiscard]] std::vector<double> spreadLabels(const std::vector<double>& wanted, double gap, double low, double high);

} // namespace tokenpace
