// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/dialects.h"
#include "wire/requestparts.h"

namespace tokenpace::wire {

std::string openAiChatBody(const ChatRequest& request)
{
    Json body;
    body["model"] = request.model;
    body["messages"] = messageList(request.messages);
    setLimit(body, request, "max_tokens");
    setSampling(body, request.params);
    if (request.params.seed) {
        body["seed"] = *request.params.seed;
    }
    body["stream"] = request.params.stream;
    if (request.params.stream && request.includeUsage) {
        body["stream_options"] = {{"include_usage", true}};
    }
    return finished(std::move(body), request.extraBody);
}

} // namespace tokenpace::wire
