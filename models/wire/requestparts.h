// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "wire/chatrequest.h"

namespace tokenpace::wire {

/// A body in the order in which it was put together.
using Json = nlohmann::ordered_json;

/// What the bodies of several dialects have in common. Parameters that are not set are absent; numbers are written in
/// their shortest form.

[[nodiscard]] Json messageList(const std::vector<ChatMessage>& messages);

struct SplitMessages {
    std::string system; ///< the system messages, parted by blank lines
    std::vector<ChatMessage> others;
};
/// For dialects that have a field of its own for the system prompt.
[[nodiscard]] SplitMessages splitSystem(const std::vector<ChatMessage>& messages);

/// The limit of the output under the endpoint's name for it, else under `usual`.
void setLimit(Json& body, const ChatRequest& request, const char* usual);
/// temperature and top_p.
void setSampling(Json& holder, const SentParams& params);

/// The body as text, with the extra body merged in: a null there takes a field out.
[[nodiscard]] std::string finished(Json body, const std::string& extraBody);

} // namespace tokenpace::wire
