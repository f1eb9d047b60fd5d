// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <string>

#include "wire/chatrequest.h"
#include "wire/dialectreader.h"

namespace tokenpace::wire {

/// The JSON body of POST /v1/chat/completions. Unset parameters are absent; numbers are written in shortest form.
[[nodiscard]] std::string openAiChatBody(const ChatRequest& request);

/// Reads chat.completion.chunk events and whole chat.completion replies.
[[nodiscard]] std::unique_ptr<DialectReader> openAiChatReader();

} // namespace tokenpace::wire
