// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

#include "measure/timeline.h"
#include "wire/json.h"

namespace tokenpace::wire {

/// What the replies of OpenAI's two protocols have in common.

/// The counts of a `usage` object in all shapes that speakers of these protocols send: `prompt_tokens` or
/// `input_tokens`, details of cached and reasoning tokens inside or beside. Reasoning tokens are part of the
/// completion.
[[nodiscard]] Usage openAiUsage(const JsonValue& usage);

/// Times that the server reports of itself, as it sent them: `timings` (llama.cpp) and the times in `usage` (Groq).
/// Empty when there are none.
[[nodiscard]] std::string openAiServerTimes(const JsonValue& reply);

} // namespace tokenpace::wire
