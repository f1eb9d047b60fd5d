// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/plannedrequest.h"

#include "experiment/prompts.h"

namespace tokenpace {

namespace {
constexpr int defaultOutputTokens = 128; // of generated prompts, which say how long an answer they want
}

BuiltRequest buildPlanned(const RunSpec& spec, const PlannedRequest& planned, const QString& run, int words)
{
    const Target& target = spec.targets.at(planned.target);
    wire::ChatRequest chat;
    chat.model = target.model.toStdString();
    if (!spec.system.isEmpty()) {
        chat.messages.push_back({"system", spec.system.toStdString()});
    }
    if (planned.promptTokens) {
        const std::string nonce = promptNonce(spec.seed, run.toStdString(), planned.seq);
        chat.messages.push_back(
            {"user", lengthPrompt(words, nonce, spec.seed, spec.maxTokens.value_or(defaultOutputTokens))});
    } else {
        chat.messages.push_back({"user", spec.prompt.toStdString()});
    }
    const RequestSettings& defaults = target.endpoint.request;
    chat.params.maxTokens = spec.maxTokens;
    chat.params.temperature = spec.temperature ? spec.temperature : defaults.temperature;
    chat.params.topP = defaults.topP;
    chat.params.seed = defaults.seed;
    chat.params.stream = spec.stream;
    chat.params.concurrency = spec.concurrency;
    return buildRequest(target.endpoint, chat);
}

} // namespace tokenpace
