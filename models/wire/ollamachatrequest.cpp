// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/dialects.h"
#include "wire/requestparts.h"

namespace tokenpace::wire {

std::string ollamaChatBody(const ChatRequest& request)
{
    Json body;
    body["model"] = request.model;
    body["messages"] = messageList(request.messages);
    body["stream"] = request.params.stream;
    Json options = Json::object();
    // The names that the settings know for the limit are those of other protocols: here it has but one, or none.
    if (request.params.maxTokens && request.limitField != "none") {
        options["num_predict"] = *request.params.maxTokens;
    }
    setSampling(options, request.params);
    if (request.params.seed) {
        options["seed"] = *request.params.seed;
    }
    if (!options.empty()) {
        body["options"] = std::move(options);
    }
    return finished(std::move(body), request.extraBody);
}

} // namespace tokenpace::wire
