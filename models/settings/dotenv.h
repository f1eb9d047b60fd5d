// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/textplaces.h"

namespace tokenpace {

/// A variable of an environment file.
struct DotenvVariable {
    std::string name;
    std::string value; ///< as a program gets it
    std::string setting; ///< the same in the notation of settings: `${` that the file means literally is `$${`
    TextPlace place; ///< of the name
};

/// An environment file: `NAME=value` a line, `export` in front or not, blanks around both sides dropped. A value in
/// single quotes stands as it is; in double quotes `\n`, `\r`, `\t`, `\\`, `\"` and `\$` are escapes; both may run over
/// lines. Without quotes a blank and `#` begin a comment, `#` alone does not. Nothing is expanded, and `${NAME}` stays
/// outside single quotes. A BOM is dropped; lines end in CR LF, LF or CR. The last of equal names wins with a warning;
/// a line that assigns nothing is warned of. Messages never quote the file, since what went wrong may be a secret.
struct Dotenv {
    std::vector<DotenvVariable> variables; ///< each name once, in the order of their first places
    std::vector<TextProblem> warnings;
    std::optional<TextProblem> error; ///< not UTF-8, or a quote without an end

    [[nodiscard]] const DotenvVariable* find(std::string_view name) const;
};
[[nodiscard]] Dotenv parseDotenv(std::string_view text);

} // namespace tokenpace
