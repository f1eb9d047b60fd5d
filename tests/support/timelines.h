// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <initializer_list>
#include <memory>
#include <optional>

#include "measure/timeline.h"

namespace tokenpace::test {

/// A finished timeline on a fake clock whose time zero is 1000 ms, with text outputs at the given times from zero.
inline Timeline timelineWith(std::initializer_list<double> arrivalsMs, std::optional<std::int64_t> tokens = {})
{
    Timeline timeline;
    timeline.run = "run";
    timeline.model = "model-a";
    timeline.endpoint = "local";
    timeline.zero = fromMs(1000);
    timeline.streamed = true;
    timeline.usage.completionTokens = tokens;
    for (const double ms : arrivalsMs) {
        timeline.arrivals.push_back(fromMs(1000 + ms));
        timeline.channels.push_back('t');
    }
    if (!timeline.arrivals.empty()) {
        timeline.marks.firstText = timeline.arrivals.front();
        timeline.marks.lastByte = timeline.arrivals.back();
    }
    return timeline;
}

inline std::shared_ptr<const Timeline> shared(Timeline timeline)
{
    return std::make_shared<const Timeline>(std::move(timeline));
}

} // namespace tokenpace::test
