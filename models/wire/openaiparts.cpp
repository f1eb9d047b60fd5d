// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/openaiparts.h"

#include "wire/jsonfields.h"

namespace tokenpace::wire {

namespace {

std::optional<std::int64_t> firstOf(std::initializer_list<std::optional<std::int64_t>> counts)
{
    for (const auto& count : counts) {
        if (count) {
            return count;
        }
    }
    return std::nullopt;
}

} // namespace

Usage openAiUsage(const Json& usage)
{
    Usage counts;
    counts.promptTokens = firstOf({countOf(&usage, "prompt_tokens"), countOf(&usage, "input_tokens")});
    counts.completionTokens = firstOf({countOf(&usage, "completion_tokens"), countOf(&usage, "output_tokens")});
    counts.cachedTokens = firstOf({countOf(member(usage, "prompt_tokens_details"), "cached_tokens"),
                                   countOf(member(usage, "input_tokens_details"), "cached_tokens"),
                                   countOf(&usage, "prompt_cache_hit_tokens"), countOf(&usage, "cached_tokens")});
    counts.reasoningTokens = firstOf({countOf(member(usage, "completion_tokens_details"), "reasoning_tokens"),
                                      countOf(member(usage, "output_tokens_details"), "reasoning_tokens"),
                                      countOf(&usage, "reasoning_tokens")});
    return counts;
}

std::string openAiServerTimes(const Json& reply)
{
    Json times = Json::object();
    if (const Json* timings = member(reply, "timings"); timings != nullptr && timings->is_object()) {
        times["timings"] = *timings;
    }
    if (const Json* usage = member(reply, "usage")) {
        for (const char* key : {"queue_time", "prompt_time", "completion_time", "total_time"}) {
            if (const Json* value = member(*usage, key); value != nullptr && value->is_number()) {
                times["usage"][key] = *value;
            }
        }
    }
    return times.empty() ? std::string() : times.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tokenpace::wire
