// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "measure/timeline.h"

#include <array>
#include <cmath>

namespace tokenpace {

namespace {

template <typename Enum, std::size_t N> using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<Status, 5> statusWords{{
    {Status::Ok, "ok"},
    {Status::Truncated, "truncated"},
    {Status::Timeout, "timeout"},
    {Status::Cancelled, "cancelled"},
    {Status::Error, "error"},
}};

constexpr Words<ErrorKind, 8> errorKindWords{{
    {ErrorKind::NotSent, "not_sent"},
    {ErrorKind::Transport, "transport"},
    {ErrorKind::Http, "http"},
    {ErrorKind::Stream, "stream"},
    {ErrorKind::Parse, "parse"},
    {ErrorKind::Timeout, "timeout"},
    {ErrorKind::Truncated, "truncated"},
    {ErrorKind::Cancelled, "cancelled"},
}};

constexpr Words<Phase, 8> phaseWords{{
    {Phase::Queued, "queued"},
    {Phase::Dns, "dns"},
    {Phase::Connect, "connect"},
    {Phase::Tls, "tls"},
    {Phase::Send, "send"},
    {Phase::Ttft, "ttft"},
    {Phase::Idle, "idle"},
    {Phase::Total, "total"},
}};

constexpr Words<TokenSource, 2> tokenSourceWords{{
    {TokenSource::Usage, "usage"},
    {TokenSource::Chunks, "chunks"},
}};

constexpr Words<Protocol, 4> protocolWords{{
    {Protocol::OpenAiChat, "openai-chat"},
    {Protocol::OpenAiResponses, "openai-responses"},
    {Protocol::AnthropicMessages, "anthropic-messages"},
    {Protocol::OllamaChat, "ollama-chat"},
}};

constexpr Words<Flag, 20> flagWords{{
    {Flag::Buffered, "buffered"},
    {Flag::Bursty, "bursty"},
    {Flag::Coalesced, "coalesced"},
    {Flag::Retried, "retried"},
    {Flag::Resent, "resent"},
    {Flag::WarmUp, "warm-up"},
    {Flag::Cached, "cached"},
    {Flag::ClientBusy, "client-busy"},
    {Flag::ClockJump, "clock-jump"},
    {Flag::OtherModel, "other-model"},
    {Flag::NoUsage, "no-usage"},
    {Flag::CoarseStamp, "coarse-stamp"},
    {Flag::Stall, "stall"},
    {Flag::MultiTokenFirst, "multi-token-first"},
    {Flag::AfterDone, "after-done"},
    {Flag::Repaired, "repaired"},
    {Flag::Compressed, "compressed"},
    {Flag::ViaProxy, "via-proxy"},
    {Flag::Cold, "cold"},
    {Flag::Excluded, "excluded"},
}};

template <typename Enum, std::size_t N> std::string_view wordOf(const Words<Enum, N>& words, Enum value)
{
    for (const auto& [candidate, word] : words) {
        if (candidate == value) {
            return word;
        }
    }
    return {};
}

template <typename Enum, std::size_t N> std::optional<Enum> valueOf(const Words<Enum, N>& words, std::string_view word)
{
    for (const auto& [value, candidate] : words) {
        if (candidate == word) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace

Stamp fromMs(double ms)
{
    return Stamp{std::llround(ms * 1e6)};
}

std::string_view name(Status status)
{
    return wordOf(statusWords, status);
}

std::string_view name(ErrorKind kind)
{
    return wordOf(errorKindWords, kind);
}

std::string_view name(Phase phase)
{
    return wordOf(phaseWords, phase);
}

std::string_view name(TokenSource source)
{
    return wordOf(tokenSourceWords, source);
}

std::string_view name(Protocol protocol)
{
    return wordOf(protocolWords, protocol);
}

std::string_view name(Flag flag)
{
    return wordOf(flagWords, flag);
}

std::vector<std::string_view> names(Flags flags)
{
    std::vector<std::string_view> words;
    for (const auto& [flag, word] : flagWords) {
        if (flags.has(flag)) {
            words.push_back(word);
        }
    }
    return words;
}

std::optional<Status> statusFromName(std::string_view word)
{
    return valueOf(statusWords, word);
}

std::optional<ErrorKind> errorKindFromName(std::string_view word)
{
    return valueOf(errorKindWords, word);
}

std::optional<Phase> phaseFromName(std::string_view word)
{
    return valueOf(phaseWords, word);
}

std::optional<TokenSource> tokenSourceFromName(std::string_view word)
{
    return valueOf(tokenSourceWords, word);
}

std::optional<Protocol> protocolFromName(std::string_view word)
{
    return valueOf(protocolWords, word);
}

std::optional<Flag> flagFromName(std::string_view word)
{
    return valueOf(flagWords, word);
}

} // namespace tokenpace
