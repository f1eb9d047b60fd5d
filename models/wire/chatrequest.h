// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/timeline.h"

namespace tokenpace::wire {

struct ChatMessage {
    std::string role;
    std::string content;
};

/// What to ask a chat endpoint for, in no dialect yet.
struct ChatRequest {
    std::string model;
    std::vector<ChatMessage> messages;
    SentParams params;
    std::string limitField; ///< name of the field that limits the output; empty: the dialect's own; `none`: not sent
    bool includeUsage = true; ///< ask for usage at the end of a stream
    std::string extraBody; ///< a JSON object merged into the body, or empty
};

} // namespace tokenpace::wire
