// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tokenpace {

/// A reading of one clock, as nanoseconds since that clock's own epoch. Live timelines hold readings of
/// std::chrono::steady_clock; timelines loaded from a log count from 1970, to the ms, so that requests of one log
/// stand in order; tests use a fake clock. Only differences within one run mean something.
using Stamp = std::chrono::nanoseconds;

[[nodiscard]] inline Stamp steadyNow()
{
    return std::chrono::steady_clock::now().time_since_epoch();
}

[[nodiscard]] constexpr double toMs(Stamp duration)
{
    return static_cast<double>(duration.count()) / 1e6;
}

[[nodiscard]] Stamp fromMs(double ms);

/// The channel of an output event; the value is its letter in a record's `channels`.
enum class Channel : char { Text = 't', Reasoning = 'r', Refusal = 'f', Tool = 'c' };

enum class Status { Ok, Truncated, Timeout, Cancelled, Error };
enum class ErrorKind { NotSent, Transport, Http, Stream, Parse, Timeout, Truncated, Cancelled };
enum class Phase { Queued, Dns, Connect, Tls, Send, Ttft, Idle, Total };
enum class TokenSource { Usage, Chunks };
enum class Protocol { OpenAiChat, OpenAiResponses, AnthropicMessages, OllamaChat };

enum class Flag : std::uint32_t {
    Buffered = 1u << 0,
    Bursty = 1u << 1,
    Coalesced = 1u << 2,
    Retried = 1u << 3,
    Resent = 1u << 4,
    WarmUp = 1u << 5,
    Cached = 1u << 6,
    ClientBusy = 1u << 7,
    ClockJump = 1u << 8,
    OtherModel = 1u << 9,
    NoUsage = 1u << 10,
    CoarseStamp = 1u << 11,
    Stall = 1u << 12,
    MultiTokenFirst = 1u << 13,
    AfterDone = 1u << 14,
    Repaired = 1u << 15,
    Compressed = 1u << 16,
    ViaProxy = 1u << 17,
    Cold = 1u << 18,
    Excluded = 1u << 19, ///< by a person who looked at it, never by the program
};

/// A set of flags.
class Flags {
public:
    constexpr Flags() = default;
    constexpr Flags(std::initializer_list<Flag> flags)
    {
        for (const Flag flag : flags) {
            set(flag);
        }
    }
    [[nodiscard]] constexpr bool has(Flag flag) const { return (m_bits & static_cast<std::uint32_t>(flag)) != 0; }
    [[nodiscard]] constexpr bool hasAny(Flags other) const { return (m_bits & other.m_bits) != 0; }
    [[nodiscard]] constexpr bool empty() const { return m_bits == 0; }
    constexpr void set(Flag flag, bool on = true)
    {
        const auto bit = static_cast<std::uint32_t>(flag);
        m_bits = on ? (m_bits | bit) : (m_bits & ~bit);
    }
    friend constexpr bool operator==(Flags, Flags) = default;

private:
    std::uint32_t m_bits = 0;
};

/// The words that records, messages and tables use for the enumerators above; the reverse gives nothing for a word
/// that is none of them. names(Flags) lists them in the order of the enumerators.
[[nodiscard]] std::string_view name(Status status);
[[nodiscard]] std::string_view name(ErrorKind kind);
[[nodiscard]] std::string_view name(Phase phase);
[[nodiscard]] std::string_view name(TokenSource source);
[[nodiscard]] std::string_view name(Protocol protocol);
[[nodiscard]] std::string_view name(Flag flag);
[[nodiscard]] std::vector<std::string_view> names(Flags flags);
[[nodiscard]] std::optional<Status> statusFromName(std::string_view word);
[[nodiscard]] std::optional<ErrorKind> errorKindFromName(std::string_view word);
[[nodiscard]] std::optional<Phase> phaseFromName(std::string_view word);
[[nodiscard]] std::optional<TokenSource> tokenSourceFromName(std::string_view word);
[[nodiscard]] std::optional<Protocol> protocolFromName(std::string_view word);
[[nodiscard]] std::optional<Flag> flagFromName(std::string_view word);

/// What went wrong with a request. `message` is plain text for a person and never holds a secret.
struct RequestError {
    ErrorKind kind = ErrorKind::Transport;
    std::optional<int> httpStatus; ///< set whenever a reply began
    std::string message;
    std::optional<std::string> param; ///< the request parameter that the server refused
    std::optional<double> retryAfterMs;
    std::optional<Phase> phase;
};

/// Durations before time zero; each is unknown where it was not seen (a reused connection has no look-up, connect or
/// TLS). The stock manager cannot split connecting: its sum is in `connect`.
struct PhaseDurations {
    std::optional<Stamp> queued;
    std::optional<Stamp> dns;
    std::optional<Stamp> connect;
    std::optional<Stamp> tls;
    std::optional<Stamp> send;
};

/// When each thing happened, on the timeline's clock (time zero not yet taken off).
struct Marks {
    std::optional<Stamp> asked; ///< the client was asked to send it; before time zero
    std::optional<Stamp> intended; ///< when an open-loop plan wanted it sent
    std::optional<Stamp> headers;
    std::optional<Stamp> firstByte; ///< of the body
    std::optional<Stamp> firstEvent; ///< any dispatched event, `[DONE]` included, comments apart
    std::optional<Stamp> firstChoices; ///< first event that carries choices, role-only ones included
    std::optional<Stamp> firstText;
    std::optional<Stamp> lastEvent;
    std::optional<Stamp> finish; ///< the event that named a finish reason
    std::optional<Stamp> usage;
    std::optional<Stamp> terminal; ///< `[DONE]` and its like, or the finish reason where no more came
    std::optional<Stamp> lastByte;
    std::optional<Stamp> end; ///< end of the body
};

/// One earlier attempt of a request that was retried.
struct Attempt {
    Status status = Status::Error;
    std::optional<int> httpStatus;
    double waitMs = 0; ///< the wait after it
};

struct ToolCall {
    std::string name;
    std::string arguments;
};

/// Token counts as the server reported them; each may be unknown.
struct Usage {
    std::optional<std::int64_t> promptTokens; ///< the whole prompt, cached tokens included
    std::optional<std::int64_t> cachedTokens;
    std::optional<std::int64_t> reasoningTokens;
    std::optional<std::int64_t> completionTokens;
};

/// The parameters that were sent; an unset one was not in the body.
struct SentParams {
    std::optional<int> maxTokens;
    std::optional<double> temperature;
    std::optional<double> topP;
    std::optional<std::int64_t> seed;
    bool stream = true;
    int concurrency = 1;
};

/// Figures that a foreign log line states without the stamps that they come from.
struct ReportedFigures {
    std::optional<double> ttftMs;
    std::optional<double> ttftAnswerMs;
    std::optional<double> tpotMs;
    std::optional<double> e2eMs;
    std::optional<double> totalMs;
    std::optional<double> throughputTps;
};

/// The plain record of one request: when each thing happened, and what the reply said. Every metric is a function of
/// it (metrics.h). A value: built on the network thread, then shared as std::shared_ptr<const Timeline>.
struct Timeline {
    std::string run;
    int seq = 0; ///< place in the plan, from 0
    std::string model;
    std::string endpoint;
    Protocol protocol = Protocol::OpenAiChat;
    std::optional<std::string> servedModel;
    std::optional<std::string> systemFingerprint;
    std::optional<std::string> requestId;
    std::int64_t startedAtMs = 0; ///< wall clock, ms since 1970 UTC; never used for a duration

    Status status = Status::Ok;
    std::optional<RequestError> error;
    std::optional<std::string> finishReason;

    Usage usage;
    std::optional<std::int64_t> promptTokensTarget; ///< the length that the plan asked for
    std::optional<std::int64_t> promptTokensEstimate; ///< from the calibrated words; used where usage is silent
    int badEvents = 0; ///< events whose data is neither empty, nor `[DONE]`, nor a JSON object
    int events = 0; ///< events dispatched, comments apart
    int afterDone = 0; ///< events after the terminal one
    std::optional<bool> streamed; ///< unknown where nothing was received
    std::optional<std::int64_t> firstUsageTokens; ///< completion count beside the first output event

    std::optional<Stamp> zero; ///< time zero: the request was written to a ready connection
    PhaseDurations phases;
    std::optional<bool> reused; ///< was the connection an idle one?
    Marks marks;
    std::vector<Stamp> arrivals; ///< arrival of each output event
    std::string channels; ///< one letter an arrival

    std::string serverTimes; ///< a JSON object as the server sent it, or empty
    std::vector<std::pair<std::string, std::string>> headers; ///< allow-listed response headers, names in lower case
    Flags flags;
    int attempts = 1;
    std::vector<Attempt> attemptLog;
    std::string manager; ///< `stock` or `measuring`
    bool kernelStamps = false;
    SentParams params;

    std::string text;
    std::string reasoning;
    std::string refusal;
    std::vector<ToolCall> tools;
    bool keepsText = false; ///< the four above are written to the log and to JSON

    ReportedFigures reported;
    std::optional<std::int64_t> reportedTokens; ///< of a line without arrivals
    std::optional<TokenSource> reportedTokenSource;
    std::optional<int> reportedChunks;
    std::string unknownFields; ///< a JSON object of a loaded line's fields that this version does not know, or empty
};

} // namespace tokenpace
