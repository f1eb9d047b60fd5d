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

Usage openAiUsage(const JsonValue& usage)
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

std::string openAiServerTimes(const JsonValue& reply)
{
    JsonObjectText times;
    if (const JsonValue* timings = member(reply, "timings"); timings != nullptr && timings->isObject()) {
        times.add("timings", timings->compact());
    }
    if (const JsonValue* usage = member(reply, "usage")) {
        JsonObjectText inUsage;
        for (const char* key : {"queue_time", "prompt_time", "completion_time", "total_time"}) {
            if (const JsonValue* value = member(*usage, key); value != nullptr && value->isNumber()) {
                inUsage.add(key, value->compact());
            }
        }
        if (const std::string json = inUsage.text(); !json.empty()) {
            times.add("usage", json);
        }
    }
    return times.text();
}

} // namespace tokenpace::wire
