// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simfault.h"

#include <array>
#include <charconv>
#include <utility>

namespace tokenpace::sim {

SimFault faultOf(std::string_view modelName)
{
    using Kind = SimFault::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 7> names{{
        {"stall", Kind::Stall},
        {"cut", Kind::Cut},
        {"reset", Kind::Reset},
        {"inband", Kind::Inband},
        {"html", Kind::Html},
        {"buffered", Kind::Buffered},
        {"empty", Kind::Empty},
    }};
    constexpr std::string_view prefix = "error-";
    if (!modelName.starts_with(prefix)) {
        return {};
    }
    const std::string_view what = modelName.substr(prefix.size());
    for (const auto& [name, kind] : names) {
        if (what == name) {
            return {kind, 0};
        }
    }
    int status = 0;
    const auto [end, error] = std::from_chars(what.data(), what.data() + what.size(), status);
    if (what.size() == 3 && error == std::errc{} && end == what.data() + what.size() && status >= 200 && status < 600) {
        return {Kind::Status, status};
    }
    return {};
}

} // namespace tokenpace::sim
