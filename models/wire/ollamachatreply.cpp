// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <nlohmann/json.hpp>

#include "wire/dialects.h"
#include "wire/jsonfields.h"

namespace tokenpace::wire {

namespace {

class OllamaChatReader final : public DialectReader {
public:
    void event(std::string_view, const JsonValue& line, ReplySink& sink) override { read(line, sink); }

    bool whole(const JsonValue& reply, ReplySink& sink) override
    {
        if (member(reply, "message") == nullptr && member(reply, "done") == nullptr) {
            return false;
        }
        read(reply, sink);
        return true;
    }

private:
    void read(const JsonValue& line, ReplySink& sink)
    {
        sink.servedModel(textOf(line, "model"));
        if (const JsonValue* message = member(line, "message")) {
            sink.text(textOf(*message, "content"));
            sink.reasoning(textOf(*message, "thinking"));
            for (const JsonValue& call : listOf(*message, "tool_calls")) {
                if (const JsonValue* function = member(call, "function")) {
                    // Each call comes whole, in a line of its own or beside others.
                    sink.tool(m_calls++, textOf(*function, "name"), argumentsText(member(*function, "arguments")));
                }
            }
        }
        Usage counts;
        counts.promptTokens = countOf(&line, "prompt_eval_count");
        counts.completionTokens = countOf(&line, "eval_count");
        sink.usage(counts);
        readTimes(line, sink);
        if (isTrue(line, "done")) {
            if (const std::string_view reason = textOf(line, "done_reason"); !reason.empty()) {
                sink.finish(reason);
            }
            sink.terminal();
        }
    }

    static void readTimes(const JsonValue& line, ReplySink& sink)
    {
        JsonObjectText times;
        for (const char* key : {"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"}) {
            if (const JsonValue* value = member(line, key); value != nullptr && value->isNumber()) {
                times.add(key, value->compact());
            }
        }
        constexpr double nsPerMs = 1e6;
        if (const auto load = countOf(&line, "load_duration")) {
            const double loadMs = static_cast<double>(*load) / nsPerMs;
            sink.loadTime(loadMs);
            times.add("load_ms",
                      nlohmann::json(loadMs)
                          .dump()); // beside what was sent: the one of them that explains a slow first token
        }
        sink.serverTimes(times.text());
    }

    std::int64_t m_calls = 0; ///< so many were read
};

} // namespace

std::unique_ptr<DialectReader> ollamaChatReader()
{
    return std::make_unique<OllamaChatReader>();
}

} // namespace tokenpace::wire
