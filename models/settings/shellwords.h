// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/textplaces.h"

namespace tokenpace {

/// One word of a command, in the notation of settings: a variable of the shell is `${NAME}`, a literal `${` is `$${`.
struct ShellWord {
    std::string text;
    TextPlace place;
    bool substituted = false; ///< holds a command substitution or an expansion with an operator: of no use here
};

/// The words of the first command of a POSIX shell text: quotes (also `$'...'`), backslashes, line continuations,
/// comments. An unquoted `|`, `&`, `;`, `<`, `>` or line end closes it. Nothing is run or expanded.
struct ShellWords {
    std::vector<ShellWord> words;
    std::optional<TextProblem> error; ///< a quote without an end
};
[[nodiscard]] ShellWords parseShellWords(std::string_view text, std::size_t begin);

} // namespace tokenpace
