// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "wire/dialects.h"
#include "wire/errortext.h"
#include "wire/jsonfields.h"
#include "wire/openaiparts.h"

namespace tokenpace::wire {

namespace {

bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Which channel the pieces of an event type belong to; none for those that carry no output.
std::optional<Channel> channelOf(std::string_view stem)
{
    if (stem == "response.output_text") {
        return Channel::Text;
    }
    if (stem == "response.refusal") {
        return Channel::Refusal;
    }
    if (startsWith(stem, "response.reasoning")) {
        return Channel::Reasoning; // reasoning_text, reasoning_summary_text, and older spellings
    }
    if (endsWith(stem, "_call_arguments") || stem == "response.custom_tool_call_input"
        || stem == "response.code_interpreter_call_code") {
        return Channel::Tool;
    }
    return std::nullopt;
}

bool isCall(const JsonValue& item)
{
    const std::string_view type = textOf(item, "type");
    return type == "function_call" || type == "custom_tool_call" || type == "mcp_call";
}

const JsonValue* argumentsOf(const JsonValue& item)
{
    const JsonValue* arguments = member(item, "arguments");
    return arguments != nullptr ? arguments : member(item, "input");
}

class OpenAiResponsesReader final : public DialectReader {
public:
    void event(std::string_view name, const JsonValue& event, ReplySink& sink) override
    {
        const std::string_view said = textOf(event, "type");
        const std::string_view type = said.empty() ? name : said;
        if (endsWith(type, ".delta")) {
            constexpr std::size_t ending = 6;
            readPiece(type.substr(0, type.size() - ending), event, sink);
        } else if (endsWith(type, ".done")) {
            constexpr std::size_t ending = 5;
            readDone(type.substr(0, type.size() - ending), event, sink);
        } else if (type == "response.output_item.added") {
            if (const JsonValue* item = member(event, "item"); item != nullptr && isCall(*item)) {
                sink.toolAside(numberOf(event, textOf(*item, "id")), textOf(*item, "name"), {});
            }
        }
        sink.serverTimes(openAiServerTimes(event)); // llama.cpp puts them beside the response
        if (const JsonValue* response = member(event, "response")) {
            readResponse(*response, sink);
            readEnding(type, *response, sink);
        }
    }

    bool whole(const JsonValue& reply, ReplySink& sink) override
    {
        if (textOf(reply, "object") != "response" && member(reply, "output") == nullptr) {
            return false;
        }
        readResponse(reply, sink);
        const JsonValue& output = listOf(reply, "output");
        std::int64_t index = 0;
        for (const JsonValue& item : output) {
            readItem(index++, item, sink);
        }
        const std::string_view status = textOf(reply, "status");
        readEnding(status.empty() ? "response.completed" : "response." + std::string(status), reply, sink);
        return true;
    }

private:
    /// A part of the output: channel, then the indices of item, content and summary.
    using Place = std::tuple<Channel, std::int64_t, std::int64_t, std::int64_t>;

    void readPiece(std::string_view stem, const JsonValue& event, ReplySink& sink)
    {
        const auto channel = channelOf(stem);
        if (!channel) {
            return;
        }
        const JsonValue* delta = member(event, "delta");
        if (delta == nullptr) {
            return;
        }
        const std::string_view piece = delta->isString() ? delta->text() : textOf(*delta, "text");
        if (!piece.empty()) {
            m_streamed.insert(placeOf(*channel, event));
        }
        switch (*channel) {
        case Channel::Text:
            sink.text(piece);
            break;
        case Channel::Reasoning:
            sink.reasoning(piece);
            break;
        case Channel::Refusal:
            sink.refusal(piece);
            break;
        case Channel::Tool:
            sink.tool(numberOf(event, textOf(event, "item_id")), {}, piece);
            break;
        }
    }

    /// The end of a part repeats it whole. Where no piece of it came, that is all there is: kept, yet it is no arrival.
    void readDone(std::string_view stem, const JsonValue& event, ReplySink& sink)
    {
        const auto channel = channelOf(stem);
        if (!channel || m_streamed.count(placeOf(*channel, event)) > 0) {
            return;
        }
        if (*channel == Channel::Tool) {
            sink.toolAside(numberOf(event, textOf(event, "item_id")), textOf(event, "name"),
                           argumentsText(argumentsOf(event)));
        } else {
            sink.aside(*channel, textOf(event, *channel == Channel::Refusal ? "refusal" : "text"));
        }
    }

    static void readItem(std::int64_t index, const JsonValue& item, ReplySink& sink)
    {
        if (isCall(item)) {
            sink.tool(index, textOf(item, "name"), argumentsText(argumentsOf(item)));
            return;
        }
        const bool reasoning = textOf(item, "type") == "reasoning";
        for (const char* key : {"summary", "content"}) {
            for (const JsonValue& part : listOf(item, key)) {
                reasoning ? sink.reasoning(textOf(part, "text")) : sink.text(textOf(part, "text"));
                sink.refusal(textOf(part, "refusal"));
            }
        }
    }

    static void readResponse(const JsonValue& response, ReplySink& sink)
    {
        sink.servedModel(textOf(response, "model"));
        sink.systemFingerprint(textOf(response, "system_fingerprint"));
        sink.replyId(textOf(response, "id"));
        if (const JsonValue* usage = member(response, "usage"); usage != nullptr && usage->isObject()) {
            sink.usage(openAiUsage(*usage));
        }
        sink.serverTimes(openAiServerTimes(response));
    }

    static void readEnding(std::string_view type, const JsonValue& response, ReplySink& sink)
    {
        if (type == "response.completed") {
            sink.finish("stop");
            sink.terminal();
        } else if (type == "response.incomplete") {
            const std::string_view reason = reasonOf(response);
            sink.finish(reason.empty() ? "incomplete" : reason);
            sink.terminal();
        } else if (type == "response.failed" || type == "response.cancelled") {
            const JsonValue* error = member(response, "error");
            const auto found = error != nullptr ? findError(*error) : std::nullopt;
            sink.error(found                           ? found->message
                           : type == "response.failed" ? "the server says that the response failed"
                                                       : "the server cancelled the response",
                       found ? found->param : std::nullopt);
        }
    }

    static std::string_view reasonOf(const JsonValue& response)
    {
        const JsonValue* details = member(response, "incomplete_details");
        return details != nullptr ? textOf(*details, "reason") : std::string_view{};
    }

    /// The number of a tool call: its place in the output, else the order in which its id was met.
    std::int64_t numberOf(const JsonValue& event, std::string_view itemId)
    {
        if (const auto index = countOf(&event, "output_index")) {
            return *index;
        }
        constexpr std::int64_t firstOfIds = 1'000'000; // beyond every index
        const auto known = std::find(m_ids.begin(), m_ids.end(), itemId);
        const auto place = known - m_ids.begin();
        if (known == m_ids.end()) {
            m_ids.emplace_back(itemId);
        }
        return firstOfIds + place;
    }

    static Place placeOf(Channel channel, const JsonValue& event)
    {
        return {channel, countOf(&event, "output_index").value_or(0), countOf(&event, "content_index").value_or(0),
                countOf(&event, "summary_index").value_or(0)};
    }

    std::set<Place> m_streamed; ///< parts of which pieces came
    std::vector<std::string> m_ids;
};

} // namespace

std::unique_ptr<DialectReader> openAiResponsesReader()
{
    return std::make_unique<OpenAiResponsesReader>();
}

} // namespace tokenpace::wire
