// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/dialects.h"
#include "wire/requestparts.h"

namespace tokenpace::wire {

std::string openAiResponsesBody(const ChatRequest& request)
{
    Json body;
    body["model"] = request.model;
    const SplitMessages split = splitSystem(request.messages);
    if (!split.system.empty()) {
        body["instructions"] = split.system;
    }
    body["input"] = messageList(split.others);
    setLimit(body, request, "max_output_tokens");
    setSampling(body, request.params);
    body["stream"] = request.params.stream;
    return finished(std::move(body), request.extraBody);
}

} // namespace tokenpace::wire
