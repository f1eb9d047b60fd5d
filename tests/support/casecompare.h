// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>

#include <QTest>

#include <nlohmann/json.hpp>

#include "measure/metrics.h"

namespace tokenpace::test {

/// The protocol that the cases call by a short word.
inline Protocol protocolOf(const std::string& word)
{
    if (word == "anthropic") {
        return Protocol::AnthropicMessages;
    }
    if (word == "responses") {
        return Protocol::OpenAiResponses;
    }
    return word == "ollama" ? Protocol::OllamaChat : Protocol::OpenAiChat;
}

inline std::string toolText(const Timeline& timeline)
{
    std::string text;
    for (const ToolCall& call : timeline.tools) {
        text += call.name + call.arguments;
    }
    return text;
}

inline QString text(const nlohmann::json& json)
{
    return QString::fromStdString(json.dump());
}

template <typename Value> nlohmann::json orNull(const std::optional<Value>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json();
}

/// What stays the same however the bytes are cut.
inline void compareContent(const Timeline& timeline, const nlohmann::json& expected)
{
    QCOMPARE(QString::fromUtf8(name(timeline.status).data()), QString::fromStdString(expected.at("status")));
    QCOMPARE(text(orNull(timeline.finishReason)), text(expected.at("finish")));
    const bool inBand = timeline.error && timeline.error->kind == ErrorKind::Stream;
    QCOMPARE(text(inBand ? nlohmann::json(timeline.error->message) : nlohmann::json()), text(expected.at("error")));
    QCOMPARE(timeline.text, expected.at("text").get<std::string>());
    QCOMPARE(timeline.reasoning, expected.at("reasoning").get<std::string>());
    QCOMPARE(timeline.refusal, expected.at("refusal").get<std::string>());
    QCOMPARE(toolText(timeline), expected.at("tools").get<std::string>());
    QCOMPARE(text(orNull(outputTokens(timeline))), text(expected.at("tokens")));
    QVERIFY(tokenSource(timeline));
    QCOMPARE(QString::fromUtf8(name(*tokenSource(timeline)).data()),
             QString::fromStdString(expected.at("token_source")));
    QCOMPARE(chunkCount(timeline), expected.at("chunks").get<int>());
    QCOMPARE(timeline.badEvents, expected.value("bad_events", 0));
}

} // namespace tokenpace::test
