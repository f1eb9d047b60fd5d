// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "wire/replyrecorder.h"

#include <algorithm>
#include <utility>

namespace tokenpace::wire {

ReplyRecorder::ReplyRecorder(Timeline& timeline, ErrorHandler onError)
    : m_timeline(timeline)
    , m_onError(std::move(onError))
{
}

void ReplyRecorder::beginEvent(Stamp at)
{
    m_streaming = true;
    m_now = at;
    m_eventChannel.reset();
    m_eventTokens.reset();
}

void ReplyRecorder::beginWhole(Stamp at)
{
    m_streaming = false;
    m_now = at;
}

void ReplyRecorder::endWhole()
{
    m_mayEndSeen = true;
    m_timeline.marks.terminal = m_now;
}

bool ReplyRecorder::outputAllowed(std::string_view piece, Channel channel)
{
    if (piece.empty() || m_terminalSeen) {
        return false;
    }
    constexpr std::string_view order = "trfc";
    const auto rank = [&](Channel c) {
        return order.find(static_cast<char>(c));
    };
    if (!m_eventChannel || rank(channel) < rank(*m_eventChannel)) {
        m_eventChannel = channel;
    }
    return true;
}

void ReplyRecorder::keep(Channel channel, std::string_view piece)
{
    if (!m_timeline.keepsText) {
        return;
    }
    switch (channel) {
    case Channel::Text:
        m_timeline.text.append(piece);
        break;
    case Channel::Reasoning:
        m_timeline.reasoning.append(piece);
        break;
    case Channel::Refusal:
        m_timeline.refusal.append(piece);
        break;
    case Channel::Tool:
        break; // by keepTool()
    }
}

void ReplyRecorder::keepTool(std::int64_t index, std::string_view name, std::string_view arguments)
{
    if (!m_timeline.keepsText) {
        return;
    }
    const auto known = std::find(m_toolIndex.begin(), m_toolIndex.end(), index);
    const auto place = static_cast<std::size_t>(known - m_toolIndex.begin());
    if (known == m_toolIndex.end()) {
        m_toolIndex.push_back(index);
        m_timeline.tools.emplace_back();
    }
    ToolCall& call = m_timeline.tools[place];
    // Some servers repeat the whole name with each piece of the arguments.
    if (call.name != name) {
        call.name.append(name);
    }
    call.arguments.append(arguments);
}

void ReplyRecorder::text(std::string_view piece)
{
    if (!outputAllowed(piece, Channel::Text)) {
        return;
    }
    if (m_streaming && !m_timeline.marks.firstText) {
        m_timeline.marks.firstText = m_now;
    }
    keep(Channel::Text, piece);
}

void ReplyRecorder::reasoning(std::string_view piece)
{
    if (outputAllowed(piece, Channel::Reasoning)) {
        keep(Channel::Reasoning, piece);
    }
}

void ReplyRecorder::refusal(std::string_view piece)
{
    if (outputAllowed(piece, Channel::Refusal)) {
        keep(Channel::Refusal, piece);
    }
}

void ReplyRecorder::tool(std::int64_t index, std::string_view name, std::string_view arguments)
{
    const bool named = outputAllowed(name, Channel::Tool);
    const bool argued = outputAllowed(arguments, Channel::Tool);
    if (named || argued) {
        keepTool(index, name, arguments);
    }
}

void ReplyRecorder::aside(Channel channel, std::string_view piece)
{
    if (!m_terminalSeen) {
        keep(channel, piece);
    }
}

void ReplyRecorder::toolAside(std::int64_t index, std::string_view name, std::string_view arguments)
{
    if (!m_terminalSeen) {
        keepTool(index, name, arguments);
    }
}

void ReplyRecorder::choices()
{
    if (!m_timeline.marks.firstChoices && m_streaming) {
        m_timeline.marks.firstChoices = m_now;
    }
}

void ReplyRecorder::finish(std::string_view reason)
{
    if (m_terminalSeen) {
        return;
    }
    m_timeline.finishReason = std::string(reason);
    m_timeline.marks.finish = m_now;
}

void ReplyRecorder::mayEnd()
{
    m_mayEndSeen = true;
}

void ReplyRecorder::usage(const Usage& usage)
{
    const auto replace = [](std::optional<std::int64_t>& known, const std::optional<std::int64_t>& told) {
        if (told) {
            known = told;
        }
    };
    replace(m_timeline.usage.promptTokens, usage.promptTokens);
    replace(m_timeline.usage.cachedTokens, usage.cachedTokens);
    replace(m_timeline.usage.reasoningTokens, usage.reasoningTokens);
    replace(m_timeline.usage.completionTokens, usage.completionTokens);
    if (usage.completionTokens) {
        m_eventTokens = usage.completionTokens;
    }
    if (usage.completionTokens || usage.promptTokens) {
        m_timeline.marks.usage = m_now;
    }
}

void ReplyRecorder::servedModel(std::string_view model)
{
    if (!model.empty()) {
        m_timeline.servedModel = std::string(model);
    }
}

void ReplyRecorder::systemFingerprint(std::string_view fingerprint)
{
    if (!fingerprint.empty()) {
        m_timeline.systemFingerprint = std::string(fingerprint);
    }
}

void ReplyRecorder::replyId(std::string_view id)
{
    if (!id.empty() && !m_timeline.requestId) {
        m_timeline.requestId = std::string(id);
    }
}

void ReplyRecorder::serverTimes(std::string json)
{
    if (!json.empty()) {
        m_timeline.serverTimes = std::move(json);
    }
}

void ReplyRecorder::loadTime(double ms)
{
    constexpr double coldMs = 500;
    m_timeline.flags.set(Flag::Cold, ms > coldMs);
}

void ReplyRecorder::terminal()
{
    if (!m_terminalSeen) {
        m_terminalSeen = true;
        m_timeline.marks.terminal = m_now;
    }
}

void ReplyRecorder::endEvent()
{
    if (!m_eventChannel) {
        return;
    }
    if (m_timeline.arrivals.empty()) {
        m_timeline.firstUsageTokens = m_eventTokens;
    }
    m_timeline.arrivals.push_back(m_now);
    m_timeline.channels.push_back(static_cast<char>(*m_eventChannel));
}

void ReplyRecorder::error(std::string message, std::optional<std::string> param)
{
    if (m_terminalSeen) {
        return;
    }
    m_onError(std::move(message), std::move(param));
    terminal();
}

} // namespace tokenpace::wire
