// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "measure/metrics.h"
#include "measure/summary.h"

namespace tokenpace::testing {

/// A finished request of a fake clock, described by its figures.
struct Made {
    std::string run = "run-1";
    int seq = 0;
    std::string model = "alpha";
    std::string endpoint = "local";
    std::optional<std::int64_t> target = 100;
    std::optional<std::int64_t> promptTokens = 103; ///< by usage
    double ttftMs = 100;
    double tpotMs = 10;
    int tokens = 11; ///< an output event each; 0 is no output
    bool usage = true; ///< the reply counted its output tokens
    Status status = Status::Ok;
    Flags flags = {};
    int attempts = 1;
    double zeroMs = 1000;
};

inline TimelinePtr make(const Made& made)
{
    auto timeline = std::make_shared<Timeline>();
    timeline->run = made.run;
    timeline->seq = made.seq;
    timeline->model = made.model;
    timeline->endpoint = made.endpoint;
    timeline->promptTokensTarget = made.target;
    timeline->usage.promptTokens = made.promptTokens;
    if (made.usage) {
        timeline->usage.completionTokens = made.tokens;
    }
    timeline->status = made.status;
    timeline->flags = made.flags;
    timeline->attempts = made.attempts;
    timeline->zero = fromMs(made.zeroMs);
    if (made.tokens > 0) {
        timeline->streamed = true;
        for (int i = 0; i < made.tokens; ++i) {
            timeline->arrivals.push_back(fromMs(made.zeroMs + made.ttftMs + i * made.tpotMs));
            timeline->channels += 't';
        }
        timeline->marks.firstText = timeline->arrivals.front();
        timeline->marks.lastByte = timeline->arrivals.back();
        timeline->finishReason = "length";
    }
    if (made.status != Status::Ok) {
        RequestError error;
        error.kind = made.status == Status::Timeout ? ErrorKind::Timeout
            : made.status == Status::Cancelled      ? ErrorKind::Cancelled
            : made.status == Status::Truncated      ? ErrorKind::Truncated
                                                    : ErrorKind::Http;
        error.message = "it went wrong";
        timeline->error = error;
        timeline->finishReason.reset();
    }
    return timeline;
}

} // namespace tokenpace::testing
