// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/requestparts.h"

namespace tokenpace::wire {

Json messageList(const std::vector<ChatMessage>& messages)
{
    Json list = Json::array();
    for (const ChatMessage& message : messages) {
        list.push_back({{"role", message.role}, {"content", message.content}});
    }
    return list;
}

SplitMessages splitSystem(const std::vector<ChatMessage>& messages)
{
    SplitMessages split;
    for (const ChatMessage& message : messages) {
        if (message.role != "system") {
            split.others.push_back(message);
            continue;
        }
        split.system += split.system.empty() ? message.content : "\n\n" + message.content;
    }
    return split;
}

void setLimit(Json& body, const ChatRequest& request, const char* usual)
{
    if (request.params.maxTokens && request.limitField != "none") {
        body[request.limitField.empty() ? std::string(usual) : request.limitField] = *request.params.maxTokens;
    }
}

void setSampling(Json& holder, const SentParams& params)
{
    if (params.temperature) {
        holder["temperature"] = *params.temperature;
    }
    if (params.topP) {
        holder["top_p"] = *params.topP;
    }
}

std::string finished(Json body, const std::string& extraBody)
{
    if (!extraBody.empty()) {
        body.merge_patch(Json::parse(extraBody));
    }
    // A lone surrogate in a prompt must not keep a request from being sent.
    return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tokenpace::wire
