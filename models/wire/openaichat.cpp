// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/openaichat.h"

#include <nlohmann/json.hpp>

namespace tokenpace::wire {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A wrong type is the same as absent, everywhere: servers leave out, null and misspell what they like.
const json* member(const json& object, const char* key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string_view textOf(const json& object, const char* key)
{
    const json* value = member(object, key);
    return value != nullptr && value->is_string() ? std::string_view(value->get_ref<const std::string&>())
                                                  : std::string_view{};
}

std::optional<std::int64_t> countOf(const json* object, const char* key)
{
    const json* value = object != nullptr ? member(*object, key) : nullptr;
    if (value == nullptr || !value->is_number()) {
        return std::nullopt;
    }
    const auto count =
        value->is_number_float() ? static_cast<std::int64_t>(value->get<double>()) : value->get<std::int64_t>();
    return count < 0 ? std::nullopt : std::optional(count);
}

void readUsage(const json& holder, ReplySink& sink)
{
    const json* usage = member(holder, "usage");
    if (usage == nullptr || !usage->is_object()) {
        return;
    }
    Usage counts;
    counts.promptTokens = countOf(usage, "prompt_tokens");
    counts.completionTokens = countOf(usage, "completion_tokens");
    counts.cachedTokens = countOf(member(*usage, "prompt_tokens_details"), "cached_tokens");
    if (!counts.cachedTokens) {
        counts.cachedTokens = countOf(usage, "prompt_cache_hit_tokens");
    }
    counts.reasoningTokens = countOf(member(*usage, "completion_tokens_details"), "reasoning_tokens");
    sink.usage(counts);
}

/// `content` is a text, or a list of typed parts as reasoning models of some servers send it.
void readContent(const json& delta, ReplySink& sink)
{
    const json* content = member(delta, "content");
    if (content == nullptr) {
        return;
    }
    if (content->is_string()) {
        sink.text(content->get_ref<const std::string&>());
        return;
    }
    if (!content->is_array()) {
        return;
    }
    for (const json& part : *content) {
        const std::string_view type = textOf(part, "type");
        if (type == "text" || type == "output_text") {
            sink.text(textOf(part, "text"));
        } else if (type == "refusal") {
            sink.refusal(textOf(part, "refusal"));
        } else if (type == "thinking" || type == "reasoning") {
            const json* thinking = member(part, "thinking");
            if (thinking != nullptr && thinking->is_array()) {
                for (const json& piece : *thinking) {
                    sink.reasoning(textOf(piece, "text"));
                }
            } else {
                sink.reasoning(textOf(part, thinking != nullptr ? "thinking" : "text"));
            }
        }
    }
}

void readReasoning(const json& delta, ReplySink& sink)
{
    // Some gateways send the same words under both names: one of them is enough.
    for (const char* key : {"reasoning_content", "reasoning"}) {
        const std::string_view piece = textOf(delta, key);
        if (!piece.empty()) {
            sink.reasoning(piece);
            return;
        }
    }
    const json* details = member(delta, "reasoning_details");
    for (std::size_t i = 0; details != nullptr && details->is_array() && i < details->size(); ++i) {
        sink.reasoning(textOf((*details)[i], "text"));
    }
}

void readToolCalls(const json& delta, ReplySink& sink)
{
    const json* calls = member(delta, "tool_calls");
    if (calls != nullptr && calls->is_array()) {
        for (std::size_t i = 0; i < calls->size(); ++i) {
            const json& call = (*calls)[i];
            const json* function = member(call, "function");
            if (function != nullptr) {
                sink.tool(countOf(&call, "index").value_or(static_cast<std::int64_t>(i)), textOf(*function, "name"),
                          textOf(*function, "arguments"));
            }
        }
    }
    if (const json* function = member(delta, "function_call")) {
        sink.tool(0, textOf(*function, "name"), textOf(*function, "arguments"));
    }
}

void readDelta(const json& delta, ReplySink& sink)
{
    readContent(delta, sink);
    readReasoning(delta, sink);
    sink.refusal(textOf(delta, "refusal"));
    readToolCalls(delta, sink);
}

void readServerTimes(const json& reply, ReplySink& sink)
{
    json times = json::object();
    if (const json* timings = member(reply, "timings"); timings != nullptr && timings->is_object()) {
        times["timings"] = *timings;
    }
    if (const json* usage = member(reply, "usage")) {
        for (const char* key : {"queue_time", "prompt_time", "completion_time", "total_time"}) {
            if (const json* value = member(*usage, key); value != nullptr && value->is_number()) {
                times["usage"][key] = *value;
            }
        }
    }
    if (!times.empty()) {
        sink.serverTimes(times.dump());
    }
}

class OpenAiChatReader final : public DialectReader {
public:
    void event(std::string_view, const json& event, ReplySink& sink) override { read(event, sink); }

    void whole(const json& reply, ReplySink& sink) override { read(reply, sink); }

private:
    static void read(const json& reply, ReplySink& sink)
    {
        sink.servedModel(textOf(reply, "model"));
        sink.systemFingerprint(textOf(reply, "system_fingerprint"));
        sink.replyId(textOf(reply, "id"));
        const json* choices = member(reply, "choices");
        if (choices != nullptr && choices->is_array() && !choices->empty()) {
            sink.choices();
            for (const json& choice : *choices) {
                // One answer is asked for; a second choice would be another answer.
                if (countOf(&choice, "index").value_or(0) == 0) {
                    readChoice(choice, sink);
                }
            }
        }
        readUsage(reply, sink);
        if (const json* groq = member(reply, "x_groq")) {
            readUsage(*groq, sink);
        }
        readServerTimes(reply, sink);
    }

    static void readChoice(const json& choice, ReplySink& sink)
    {
        if (const json* delta = member(choice, "delta")) {
            readDelta(*delta, sink);
        } else if (const json* message = member(choice, "message")) {
            readDelta(*message, sink);
        } else {
            sink.text(textOf(choice, "text"));
        }
        readUsage(choice, sink);
        const std::string_view reason = textOf(choice, "finish_reason");
        if (!reason.empty()) {
            sink.finish(reason);
        }
    }
};

} // namespace

std::string openAiChatBody(const ChatRequest& request)
{
    ordered_json body;
    body["model"] = request.model;
    body["messages"] = ordered_json::array();
    for (const ChatMessage& message : request.messages) {
        body["messages"].push_back({{"role", message.role}, {"content", message.content}});
    }
    const std::string limitField = request.limitField.empty() ? "max_tokens" : request.limitField;
    if (request.params.maxTokens && limitField != "none") {
        body[limitField] = *request.params.maxTokens;
    }
    if (request.params.temperature) {
        body["temperature"] = *request.params.temperature;
    }
    if (request.params.topP) {
        body["top_p"] = *request.params.topP;
    }
    if (request.params.seed) {
        body["seed"] = *request.params.seed;
    }
    body["stream"] = request.params.stream;
    if (request.params.stream && request.includeUsage) {
        body["stream_options"] = {{"include_usage", true}};
    }
    if (!request.extraBody.empty()) {
        body.merge_patch(ordered_json::parse(request.extraBody));
    }
    // A lone surrogate in a prompt must not keep a request from being sent.
    return body.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::unique_ptr<DialectReader> openAiChatReader()
{
    return std::make_unique<OpenAiChatReader>();
}

} // namespace tokenpace::wire
