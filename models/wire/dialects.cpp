// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/dialects.h"

namespace tokenpace::wire {

std::string requestBody(Protocol protocol, const ChatRequest& request)
{
    switch (protocol) {
    case Protocol::OpenAiResponses:
        return openAiResponsesBody(request);
    case Protocol::AnthropicMessages:
        return anthropicMessagesBody(request);
    case Protocol::OllamaChat:
        return ollamaChatBody(request);
    case Protocol::OpenAiChat:
        break;
    }
    return openAiChatBody(request);
}

std::unique_ptr<DialectReader> dialectReader(Protocol protocol)
{
    switch (protocol) {
    case Protocol::OpenAiResponses:
        return openAiResponsesReader();
    case Protocol::AnthropicMessages:
        return anthropicMessagesReader();
    case Protocol::OllamaChat:
        return ollamaChatReader();
    case Protocol::OpenAiChat:
        break;
    }
    return openAiChatReader();
}

} // namespace tokenpace::wire
