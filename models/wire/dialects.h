// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <string>

#include "measure/timeline.h"
#include "wire/chatrequest.h"
#include "wire/dialectreader.h"

namespace tokenpace::wire {

/// The JSON body of a request in a protocol. Parameters that are not set are absent.
[[nodiscard]] std::string requestBody(Protocol protocol, const ChatRequest& request);
/// Reads the replies of a protocol.
[[nodiscard]] std::unique_ptr<DialectReader> dialectReader(Protocol protocol);

/// Each in a file of its own, `PROTOCOLrequest.cpp`:
[[nodiscard]] std::string openAiChatBody(const ChatRequest& request);
[[nodiscard]] std::string openAiResponsesBody(const ChatRequest& request);
[[nodiscard]] std::string anthropicMessagesBody(const ChatRequest& request);
[[nodiscard]] std::string ollamaChatBody(const ChatRequest& request);

/// And `PROTOCOLreply.cpp`:
[[nodiscard]] std::unique_ptr<DialectReader> openAiChatReader();
[[nodiscard]] std::unique_ptr<DialectReader> openAiResponsesReader();
[[nodiscard]] std::unique_ptr<DialectReader> anthropicMessagesReader();
[[nodiscard]] std::unique_ptr<DialectReader> ollamaChatReader();

} // namespace tokenpace::wire
