// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <vector>

#include "wire/dialects.h"
#include "wire/jsonfields.h"

namespace tokenpace::wire {

namespace {

class AnthropicMessagesReader final : public DialectReader {
public:
    void event(std::string_view name, const JsonValue& event, ReplySink& sink) override
    {
        const std::string_view said = textOf(event, "type");
        const std::string_view type = said.empty() ? name : said;
        if (type == "content_block_delta") {
            if (const JsonValue* delta = member(event, "delta")) {
                readDelta(countOf(&event, "index").value_or(0), *delta, sink);
            }
        } else if (type == "content_block_start") {
            if (const JsonValue* block = member(event, "content_block")) {
                beginBlock(countOf(&event, "index").value_or(0), *block, sink);
            }
        } else if (type == "content_block_stop") {
            endBlock(countOf(&event, "index").value_or(0), sink);
        } else if (type == "message_start") {
            if (const JsonValue* message = member(event, "message")) {
                readHead(*message, sink);
                // Its output count is that of a reply not yet written: no count.
                readUsage(*message, false, sink);
            }
        } else if (type == "message_delta") {
            if (const JsonValue* delta = member(event, "delta")) {
                readEnding(*delta, sink);
            }
            readUsage(event, true, sink);
        } else if (type == "message_stop") {
            sink.terminal();
        }
        readTimes(event, sink);
    }

    bool whole(const JsonValue& reply, ReplySink& sink) override
    {
        const JsonValue& content = listOf(reply, "content");
        if (content.empty() && textOf(reply, "type") != "message") {
            return false;
        }
        readHead(reply, sink);
        std::int64_t index = 0;
        for (const JsonValue& block : content) {
            sink.text(textOf(block, "text"));
            sink.reasoning(textOf(block, "thinking"));
            if (isCall(block)) {
                sink.tool(index, textOf(block, "name"), argumentsText(member(block, "input")));
            }
            ++index;
        }
        readEnding(reply, sink);
        readUsage(reply, true, sink);
        readTimes(reply, sink);
        return true;
    }

private:
    /// A tool call that has begun: some servers give its arguments at once and no pieces of them.
    struct OpenCall {
        std::int64_t index;
        std::string arguments; ///< given with the beginning, until a piece comes
    };

    static bool isCall(const JsonValue& block)
    {
        const std::string_view type = textOf(block, "type");
        return type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use";
    }

    static void readHead(const JsonValue& message, ReplySink& sink)
    {
        sink.servedModel(textOf(message, "model"));
        sink.replyId(textOf(message, "id"));
    }

    static void readEnding(const JsonValue& holder, ReplySink& sink)
    {
        if (const std::string_view reason = textOf(holder, "stop_reason"); !reason.empty()) {
            sink.finish(reason);
        }
    }

    void readDelta(std::int64_t index, const JsonValue& delta, ReplySink& sink)
    {
        const std::string_view type = textOf(delta, "type");
        if (type == "text_delta") {
            sink.text(textOf(delta, "text"));
        } else if (type == "thinking_delta") {
            sink.reasoning(textOf(delta, "thinking"));
        } else if (type == "input_json_delta") {
            const std::string_view piece = textOf(delta, "partial_json");
            if (!piece.empty()) {
                forget(index);
            }
            sink.tool(index, {}, piece);
        }
    }

    void beginBlock(std::int64_t index, const JsonValue& block, ReplySink& sink)
    {
        sink.aside(Channel::Text, textOf(block, "text"));
        sink.aside(Channel::Reasoning, textOf(block, "thinking"));
        if (!isCall(block)) {
            return;
        }
        sink.toolAside(index, textOf(block, "name"), {});
        if (const JsonValue* input = member(block, "input");
            input != nullptr && !(input->isObject() && input->empty())) {
            m_calls.push_back({index, argumentsText(input)});
        }
    }

    void endBlock(std::int64_t index, ReplySink& sink)
    {
        for (const OpenCall& call : m_calls) {
            if (call.index == index) {
                sink.toolAside(index, {}, call.arguments);
            }
        }
        forget(index);
    }

    void forget(std::int64_t index)
    {
        std::erase_if(m_calls, [index](const OpenCall& call) {
            return call.index == index;
        });
    }

    void readUsage(const JsonValue& holder, bool counted, ReplySink& sink)
    {
        const JsonValue* usage = member(holder, "usage");
        if (usage == nullptr || !usage->isObject()) {
            return;
        }
        const auto replace = [usage](std::optional<std::int64_t>& known, std::string_view key) {
            if (const auto told = countOf(usage, key)) {
                known = told;
            }
        };
        replace(m_input, "input_tokens");
        replace(m_read, "cache_read_input_tokens");
        replace(m_created, "cache_creation_input_tokens");
        Usage counts;
        if (m_input) {
            counts.promptTokens = *m_input + m_read.value_or(0) + m_created.value_or(0);
        }
        counts.cachedTokens = m_read;
        if (counted) {
            counts.completionTokens = countOf(usage, "output_tokens");
            counts.reasoningTokens = countOf(member(*usage, "output_tokens_details"), "thinking_tokens");
        }
        sink.usage(counts);
    }

    static void readTimes(const JsonValue& event, ReplySink& sink)
    {
        JsonObjectText times;
        for (const char* key : {"timings", "amazon-bedrock-invocationMetrics"}) {
            if (const JsonValue* told = member(event, key); told != nullptr && told->isObject()) {
                times.add(key, told->compact());
            }
        }
        sink.serverTimes(times.text());
    }

    std::optional<std::int64_t> m_input; ///< the latest counts, each from whichever event gave it
    std::optional<std::int64_t> m_read;
    std::optional<std::int64_t> m_created;
    std::vector<OpenCall> m_calls;
};

} // namespace

std::unique_ptr<DialectReader> anthropicMessagesReader()
{
    return std::make_unique<AnthropicMessagesReader>();
}

} // namespace tokenpace::wire
