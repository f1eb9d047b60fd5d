// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>

#include "settings/jsontext.h"

namespace tokenpace {

/// A TOML text in the form that parseJsonText() gives, so that readers see no difference: places of keys and items by
/// JSON pointer, members in the order of the text, dates and the numbers that JSON lacks as text. Messages never quote
/// the text. The error names the place; a pure function.
[[nodiscard]] JsonText parseTomlText(std::string_view text);

} // namespace tokenpace
