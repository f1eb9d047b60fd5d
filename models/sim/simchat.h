// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simmodel.h"

namespace tokenpace::sim {

/// An error reply in OpenAI's shape.
struct SimError {
    int status = 400;
    std::string message;
    std::string type = "invalid_request_error";
    std::string param; ///< empty: null
    std::string code; ///< empty: null
};
[[nodiscard]] std::string errorBody(const SimError& error);
/// What a server of this kind would say with this status.
[[nodiscard]] SimError errorForStatus(int status);

/// A chat completions request, as far as the simulated models understand it.
struct SimChatRequest {
    std::string model;
    bool stream = false;
    bool includeUsage = false;
    int maxTokens = 0; ///< 0: none given
    std::vector<std::uint64_t> prompt; ///< a hash per token, those of the chat template included
};
/// Fills `request` in order of the checks, `model` first, so that it is known even when something else is wrong.
[[nodiscard]] std::optional<SimError> parseChatRequest(std::string_view body, SimChatRequest& request);
[[nodiscard]] std::optional<SimError> checkContext(const SimChatRequest& request, const SimModel& model);

[[nodiscard]] std::string modelBody(const std::string& name);
[[nodiscard]] std::string modelsBody(const std::vector<SimModel>& models);

struct SimUsage {
    int promptTokens = 0;
    int cachedTokens = 0;
    int completionTokens = 0;
};

/// The JSON of a reply's events and of a whole reply. Each text ends where the value of `sent_ns` and a closing brace
/// belong, so that nothing is left to do after the clock has been read.
class SimChatWriter {
public:
    SimChatWriter(const std::string& id, const std::string& model, std::int64_t created, bool includeUsage);

    [[nodiscard]] std::string role() const;
    /// `text` needs no escapes, see SimWriter.
    [[nodiscard]] std::string content(std::string_view text) const;
    [[nodiscard]] std::string finish(std::string_view reason) const;
    [[nodiscard]] std::string usage(const SimUsage& usage) const;
    [[nodiscard]] std::string error() const;
    [[nodiscard]] std::string whole(std::string_view text, std::string_view reason, const SimUsage& usage) const;

private:
    [[nodiscard]] std::string choice(std::string_view delta, std::string_view reason) const;

    std::string m_facts; ///< id, created, model
    std::string m_usageNull; ///< with include_usage every event has the field
};

} // namespace tokenpace::sim
