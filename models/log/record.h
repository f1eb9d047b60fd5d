// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "measure/timeline.h"

namespace tokenpace {

/// One record: a timeline as an object of token_timing.jsonl and of `records` in JSON documents. Fields in a fixed
/// order, times in ms from time zero with 1 us of resolution, unknown values null, unknown fields of a loaded line
/// kept. No secret is taken out here: see Redactor.
[[nodiscard]] nlohmann::ordered_json recordJson(const Timeline& timeline);

/// The line that is written for a record: one line for every reader (U+2028, U+2029 and U+0085 escaped), without the
/// newline.
[[nodiscard]] std::string recordLine(const nlohmann::ordered_json& record);

/// A timeline from one line of a log: ours, or a foreign one with any subset of the known figures. `problem` says why
/// there is none.
struct ParsedRecord {
    std::optional<Timeline> timeline;
    std::string problem;
};
[[nodiscard]] ParsedRecord parseRecordLine(std::string_view line);

} // namespace tokenpace
