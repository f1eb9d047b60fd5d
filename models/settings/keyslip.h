// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

namespace tokenpace {

/// Is `typed` most likely `known` with a slip: other capitals, `base_url` for `baseUrl`, a letter or two wrong?
[[nodiscard]] bool isSlipOf(const std::string& typed, const std::string& known);

} // namespace tokenpace
