// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/dialects.h"
#include "wire/requestparts.h"

namespace tokenpace::wire {

namespace {
// The protocol demands a limit; this is what the settings send where nobody chose one.
constexpr int defaultLimit = 1024;
} // namespace

std::string anthropicMessagesBody(const ChatRequest& request)
{
    Json body;
    body["model"] = request.model;
    body["max_tokens"] = request.params.maxTokens.value_or(defaultLimit);
    const SplitMessages split = splitSystem(request.messages);
    if (!split.system.empty()) {
        body["system"] = split.system;
    }
    body["messages"] = messageList(split.others);
    setSampling(body, request.params);
    body["stream"] = request.params.stream;
    return finished(std::move(body), request.extraBody);
}

} // namespace tokenpace::wire
