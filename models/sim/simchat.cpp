// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simchat.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "sim/simtext.h"

namespace tokenpace::sim {
namespace {

using Json = nlohmann::ordered_json;

// Tokens that a chat template puts around each message and before the answer.
constexpr std::uint64_t messageStart = 1;
constexpr std::uint64_t headerEnd = 2;
constexpr std::uint64_t messageEnd = 3;

SimError invalid(std::string param, std::string message)
{
    return {400, std::move(message), "invalid_request_error", std::move(param), {}};
}

std::optional<SimError> appendContent(const Json& content, const std::string& place, std::vector<std::uint64_t>& tokens)
{
    if (content.is_null()) {
        return std::nullopt;
    }
    if (content.is_string()) {
        appendTokens(content.get_ref<const std::string&>(), tokens);
        return std::nullopt;
    }
    if (!content.is_array()) {
        return invalid(place, "'" + place + "' must be a string or a list of parts.");
    }
    for (const Json& part : content) {
        const auto text = part.is_object() ? part.find("text") : part.end();
        if (!part.is_object() || text == part.end() || !text->is_string()) {
            return invalid(place, "'" + place + "' may only hold parts of type 'text'.");
        }
        appendTokens(text->get_ref<const std::string&>(), tokens);
    }
    return std::nullopt;
}

std::optional<SimError> readMessages(const Json& document, std::vector<std::uint64_t>& tokens)
{
    const auto messages = document.find("messages");
    if (messages == document.end()) {
        SimError missing = invalid("messages", "Missing required parameter: 'messages'.");
        missing.code = "missing_required_parameter";
        return missing;
    }
    if (!messages->is_array() || messages->empty()) {
        return invalid("messages", "'messages' must be a list of at least one message.");
    }
    for (std::size_t i = 0; i < messages->size(); ++i) {
        const Json& message = (*messages)[i];
        const std::string place = "messages[" + std::to_string(i) + "]";
        const auto role = message.is_object() ? message.find("role") : message.end();
        if (!message.is_object() || role == message.end() || !role->is_string()) {
            return invalid(place + ".role", "'" + place + "' must be an object with a 'role'.");
        }
        tokens.push_back(messageStart);
        tokens.push_back(hashText(role->get_ref<const std::string&>()));
        tokens.push_back(headerEnd);
        if (const auto content = message.find("content"); content != message.end()) {
            if (auto error = appendContent(*content, place + ".content", tokens)) {
                return error;
            }
        }
        tokens.push_back(messageEnd);
    }
    tokens.insert(tokens.end(), {messageStart, hashText("assistant"), headerEnd});
    return std::nullopt;
}

std::optional<SimError> readLimit(const Json& document, int& limit)
{
    // The newer name wins when both are there.
    for (const char* name : {"max_tokens", "max_completion_tokens"}) {
        const auto value = document.find(name);
        if (value == document.end() || value->is_null()) {
            continue;
        }
        if (!value->is_number_integer() || value->get<std::int64_t>() < 1) {
            return invalid(name, std::string("'") + name + "' must be a whole number of at least 1.");
        }
        limit = static_cast<int>(std::min<std::int64_t>(value->get<std::int64_t>(), std::numeric_limits<int>::max()));
    }
    return std::nullopt;
}

std::optional<SimError> readFlag(const Json& object, const char* name, bool& flag)
{
    const auto value = object.find(name);
    if (value == object.end() || value->is_null()) {
        return std::nullopt;
    }
    if (!value->is_boolean()) {
        return invalid(name, std::string("'") + name + "' must be true or false.");
    }
    flag = value->get<bool>();
    return std::nullopt;
}

Json usageJson(const SimUsage& usage)
{
    Json json;
    json["prompt_tokens"] = usage.promptTokens;
    json["completion_tokens"] = usage.completionTokens;
    json["total_tokens"] = usage.promptTokens + usage.completionTokens;
    json["prompt_tokens_details"]["cached_tokens"] = usage.cachedTokens;
    return json;
}

Json modelJson(const std::string& name)
{
    Json json;
    json["id"] = name;
    json["object"] = "model";
    json["created"] = 0;
    json["owned_by"] = "tokenpace-simulated";
    return json;
}

} // namespace

std::string errorBody(const SimError& error)
{
    Json json;
    json["error"]["message"] = error.message;
    json["error"]["type"] = error.type;
    json["error"]["param"] = error.param.empty() ? Json(nullptr) : Json(error.param);
    json["error"]["code"] = error.code.empty() ? Json(nullptr) : Json(error.code);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SimError errorForStatus(int status)
{
    switch (status) {
    case 400:
        return {status, "Simulated: the request is invalid.", "invalid_request_error", {}, {}};
    case 401:
        return {status, "Simulated: incorrect API key provided.", "invalid_request_error", {}, "invalid_api_key"};
    case 403:
        return {status, "Simulated: no permission for this model.", "permission_error", {}, {}};
    case 404:
        return {status, "Simulated: the model does not exist.", "invalid_request_error", "model", "model_not_found"};
    case 429:
        return {
            status, "Simulated: rate limit reached, try again in 1s.", "rate_limit_error", {}, "rate_limit_exceeded"};
    case 503:
        return {status, "Simulated: the server is overloaded.", "server_error", {}, "service_unavailable"};
    default:
        return {status,
                "Simulated: status " + std::to_string(status) + ".",
                status >= 500 ? "server_error" : "invalid_request_error",
                {},
                {}};
    }
}

std::optional<SimError> parseChatRequest(std::string_view body, SimChatRequest& request)
{
    const Json document = Json::parse(body, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
        return invalid({}, "We could not parse the JSON body of your request: a JSON object was expected.");
    }
    const auto model = document.find("model");
    if (model == document.end() || !model->is_string()) {
        return invalid("model", "You must provide a model parameter.");
    }
    request.model = model->get<std::string>();
    if (auto error = readFlag(document, "stream", request.stream)) {
        return error;
    }
    if (const auto options = document.find("stream_options"); options != document.end() && options->is_object()) {
        if (auto error = readFlag(*options, "include_usage", request.includeUsage)) {
            return error;
        }
    }
    if (const auto n = document.find("n"); n != document.end() && !n->is_null() && *n != 1) {
        return invalid("n", "Only 'n' = 1 is supported.");
    }
    if (auto error = readLimit(document, request.maxTokens)) {
        return error;
    }
    return readMessages(document, request.prompt);
}

std::optional<SimError> checkContext(const SimChatRequest& request, const SimModel& model)
{
    const auto prompt = static_cast<std::int64_t>(request.prompt.size());
    const std::int64_t answer = request.maxTokens > 0 ? request.maxTokens : 1;
    if (prompt + answer <= model.contextTokens) {
        return std::nullopt;
    }
    return SimError{400,
                    "This model's maximum context length is " + std::to_string(model.contextTokens)
                        + " tokens. However, you requested " + std::to_string(prompt + answer) + " tokens ("
                        + std::to_string(prompt) + " in the messages, " + std::to_string(answer)
                        + " in the completion). Please reduce the length of the messages or completion.",
                    "invalid_request_error", "messages", "context_length_exceeded"};
}

std::string modelBody(const std::string& name)
{
    return modelJson(name).dump();
}

std::string modelsBody(const std::vector<SimModel>& models)
{
    Json json;
    json["object"] = "list";
    json["data"] = Json::array();
    for (const SimModel& model : models) {
        json["data"].push_back(modelJson(model.name));
    }
    return json.dump();
}

SimChatWriter::SimChatWriter(const std::string& id, const std::string& model, std::int64_t created, bool includeUsage)
    : m_facts("\"created\":" + std::to_string(created) + ",\"model\":" + Json(model).dump()
              + R"(,"system_fingerprint":"simulated",)")
    , m_usageNull(includeUsage ? R"("usage":null,)" : "")
{
    m_facts.insert(0, R"("id":)" + Json(id).dump() + ",");
}

std::string SimChatWriter::choice(std::string_view delta, std::string_view reason) const
{
    std::string text = R"({"object":"chat.completion.chunk",)";
    text.append(m_facts).append(R"("choices":[{"index":0,"delta":{)").append(delta);
    text.append(R"(},"logprobs":null,"finish_reason":)").append(reason).append("}],");
    return text.append(m_usageNull).append(R"("sent_ns":)");
}

std::string SimChatWriter::role() const
{
    return choice(R"("role":"assistant","content":"")", "null");
}

std::string SimChatWriter::content(std::string_view text) const
{
    std::string delta = R"("content":")";
    return choice(delta.append(text).append("\""), "null");
}

std::string SimChatWriter::finish(std::string_view reason) const
{
    return choice({}, "\"" + std::string(reason) + "\"");
}

std::string SimChatWriter::usage(const SimUsage& usage) const
{
    return R"({"object":"chat.completion.chunk",)" + m_facts + R"("choices":[],"usage":)" + usageJson(usage).dump()
        + R"(,"sent_ns":)";
}

std::string SimChatWriter::error() const
{
    return R"({"error":{"message":"Simulated: the engine failed in the middle of the answer.","type":"server_error",)"
           R"("param":null,"code":500},"sent_ns":)";
}

std::string SimChatWriter::whole(std::string_view text, std::string_view reason, const SimUsage& usage) const
{
    std::string json = R"({"object":"chat.completion",)" + m_facts;
    json.append(R"("choices":[{"index":0,"message":{"role":"assistant","content":")").append(text);
    json.append(R"("},"logprobs":null,"finish_reason":")").append(reason).append("\"}],\"usage\":");
    return json + usageJson(usage).dump() + R"(,"sent_ns":)";
}

} // namespace tokenpace::sim
