// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <vector>

#include "wire/dialects.h"
#include "wire/errortext.h"
#include "wire/jsonfields.h"
#include "wire/openaiparts.h"

namespace tokenpace::wire {

namespace {

void readUsage(const JsonValue& holder, ReplySink& sink)
{
    if (const JsonValue* usage = member(holder, "usage"); usage != nullptr && usage->isObject()) {
        sink.usage(openAiUsage(*usage));
    }
}

/// `content` is a text, or a list of typed parts as reasoning models of some servers send it.
void readContent(const JsonValue& delta, ReplySink& sink)
{
    sink.text(textOf(delta, "content"));
    for (const JsonValue& part : listOf(delta, "content")) {
        const std::string_view type = textOf(part, "type");
        if (type == "text" || type == "output_text") {
            sink.text(textOf(part, "text"));
        } else if (type == "refusal") {
            sink.refusal(textOf(part, "refusal"));
        } else if (type == "thinking" || type == "reasoning") {
            const JsonValue* thinking = member(part, "thinking");
            if (thinking != nullptr && thinking->isArray()) {
                for (const JsonValue& piece : *thinking) {
                    sink.reasoning(textOf(piece, "text"));
                }
            } else {
                sink.reasoning(textOf(part, thinking != nullptr ? "thinking" : "text"));
            }
        }
    }
}

void readReasoning(const JsonValue& delta, ReplySink& sink)
{
    // Some gateways send the same words under several names: one of them is enough.
    for (const char* key : {"reasoning_content", "reasoning", "thinking"}) {
        const std::string_view piece = textOf(delta, key);
        if (!piece.empty()) {
            sink.reasoning(piece);
            return;
        }
    }
    for (const JsonValue& detail : listOf(delta, "reasoning_details")) {
        const std::string_view piece = textOf(detail, "text");
        sink.reasoning(piece.empty() ? textOf(detail, "summary") : piece);
    }
}

class OpenAiChatReader final : public DialectReader {
public:
    void event(std::string_view, const JsonValue& event, ReplySink& sink) override { read(event, sink); }

    bool whole(const JsonValue& reply, ReplySink& sink) override
    {
        read(reply, sink);
        return !listOf(reply, "choices").empty();
    }

private:
    void read(const JsonValue& reply, ReplySink& sink)
    {
        sink.servedModel(textOf(reply, "model"));
        sink.systemFingerprint(textOf(reply, "system_fingerprint"));
        sink.replyId(textOf(reply, "id"));
        const JsonValue& choices = listOf(reply, "choices");
        if (!choices.empty()) {
            sink.choices();
        }
        for (const JsonValue& choice : choices) {
            // One answer is asked for; a second choice would be another answer.
            if (countOf(&choice, "index").value_or(0) == 0) {
                readChoice(choice, sink);
            }
        }
        readUsage(reply, sink);
        if (const JsonValue* groq = member(reply, "x_groq")) {
            readUsage(*groq, sink);
        }
        sink.serverTimes(openAiServerTimes(reply));
    }

    void readChoice(const JsonValue& choice, ReplySink& sink)
    {
        if (const JsonValue* delta = member(choice, "delta")) {
            readDelta(*delta, sink);
        } else if (const JsonValue* message = member(choice, "message")) {
            readDelta(*message, sink);
        } else {
            sink.text(textOf(choice, "text"));
        }
        readUsage(choice, sink);
        const std::string_view reason = textOf(choice, "finish_reason");
        if (!reason.empty()) {
            sink.finish(reason);
            sink.mayEnd();
        }
        if (const auto error = findInBandError(choice)) {
            sink.error(error->message, error->param);
        }
    }

    void readDelta(const JsonValue& delta, ReplySink& sink)
    {
        readContent(delta, sink);
        readReasoning(delta, sink);
        sink.refusal(textOf(delta, "refusal"));
        const JsonValue& calls = listOf(delta, "tool_calls");
        const bool several = !calls.empty() && ++calls.begin() != calls.end();
        std::int64_t place = 0;
        for (const JsonValue& call : calls) {
            if (const JsonValue* function = member(call, "function")) {
                m_call = numberOf(call, several ? place : m_call);
                sink.tool(m_call, textOf(*function, "name"), argumentsText(member(*function, "arguments")));
            }
            ++place;
        }
        if (const JsonValue* function = member(delta, "function_call")) {
            sink.tool(0, textOf(*function, "name"), argumentsText(member(*function, "arguments")));
        }
    }

    /// Which call a piece belongs to: by its index, else by its id, which some servers send alone.
    std::int64_t numberOf(const JsonValue& call, std::int64_t otherwise)
    {
        if (const auto index = countOf(&call, "index")) {
            return *index;
        }
        const std::string_view id = textOf(call, "id");
        if (id.empty()) {
            return otherwise;
        }
        constexpr std::int64_t firstOfIds = 1'000'000; // beyond every index
        const auto known = std::find(m_ids.begin(), m_ids.end(), id);
        const auto place = known - m_ids.begin();
        if (known == m_ids.end()) {
            m_ids.emplace_back(id);
        }
        return firstOfIds + place;
    }

    std::vector<std::string> m_ids; ///< of calls without an index, in order of appearance
    std::int64_t m_call = 0; ///< the call that was read last
};

} // namespace

std::unique_ptr<DialectReader> openAiChatReader()
{
    return std::make_unique<OpenAiChatReader>();
}

} // namespace tokenpace::wire
