// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "definitions.h"

#include <QCoreApplication>

#include "measure/metrics.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::definitions", source);
}

QString counted(int count, const char* one, const char* many)
{
    return count == 1 ? text(one) : text(many).arg(countText(count));
}

} // namespace

QString definition(Figure figure)
{
    switch (figure) {
    case Figure::PromptTokens:
        return text("Tokens of the whole prompt, cached ones included, as the server's usage counts them. Where usage "
                    "is silent: an estimate, marked ≈.");
    case Figure::OutputTokens:
        return text("Output tokens: the last usage count of the reply. Without usage the number of output events "
                    "(chunks), marked ≈.");
    case Figure::Ttft:
        return text("Time to first token: from time zero (the last byte of the request was handed to a ready "
                    "connection) to the first output event of any channel: text, reasoning, refusal or tool call. "
                    "Steady clock. Queueing, look-up, connecting and TLS come before time zero. A reply that came "
                    "whole has none.");
    case Figure::Tpot:
        return text("Time per output token: (last output - first output) / (tokens - 1). Steady clock. It needs two "
                    "tokens in two output events, and a reply that was not buffered on its way.");
    case Figure::Itl:
        return text("Inter-token latency: gaps between output events (chunks) of a request, on the steady clock. They "
                    "are gaps between tokens only where each event carries one.");
    case Figure::E2e:
        return text("End-to-end latency: from time zero (the request was written to a ready connection) to the last "
                    "output event. Steady clock. A reply that came whole: to its last byte.");
    case Figure::Throughput:
        return text("Tokens per second of one request: output tokens / E2E. Not the throughput of the system.");
    case Figure::OutputTps:
        return text("System throughput: output tokens of all measured requests of the row / (last output - first "
                    "time zero among them).");
    case Figure::TimeoutRate:
        return text("Time-outs / measured requests sent.");
    case Figure::Goodput:
        return text("Requests that meet every limit set / all measured requests sent. A failed request misses; an "
                    "unknown number misses unless the reply has fewer than two tokens.");
    case Figure::Interval:
        return text("95 % interval of the median: equal-tailed, from order statistics, free of any assumption about "
                    "the distribution. It exists from 6 requests on; below it is open.");
    }
    return {};
}

QString flagWord(Flag flag)
{
    const std::string_view word = name(flag);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

QString flagDefinition(Flag flag)
{
    switch (flag) {
    case Flag::Buffered:
        return text("buffered: nearly all output came in one read or one burst; something on the way held it back. "
                    "TPOT cannot be measured; TTFT does not count.");
    case Flag::Bursty:
        return text("bursty: output came in few reads, several events each.");
    case Flag::Coalesced:
        return text("coalesced: at least two output events share a stamp.");
    case Flag::Retried:
        return text("retried: an earlier attempt failed. Not counted.");
    case Flag::Resent:
        return text("resent: the network layer sent it again by itself. Not counted.");
    case Flag::WarmUp:
        return text("warm-up: not part of the measurement.");
    case Flag::Cached:
        return text("cached: part of the prompt came from the server's prefix cache. TTFT does not count.");
    case Flag::ClientBusy:
        return text("client-busy: the thread that stamps was late by more than 5 ms. Not counted.");
    case Flag::ClockJump:
        return text("clock-jump: the machine slept or its clock jumped. Not counted.");
    case Flag::OtherModel:
        return text("other-model: the reply names another model than the rest of its series. Not counted.");
    case Flag::NoUsage:
        return text("no-usage: the reply gave no token counts.");
    case Flag::CoarseStamp:
        return text("coarse-stamp: a large body on a reused connection; its time zero may be some 40 ms off. TTFT "
                    "does not count.");
    case Flag::Stall:
        return text("stall: a gap above 250 ms and above ten times this request's median gap.");
    case Flag::MultiTokenFirst:
        return text("multi-token-first: the first output event carried several tokens.");
    case Flag::AfterDone:
        return text("after-done: events came after the terminal one.");
    case Flag::Repaired:
        return text("repaired: broken event data was read all the same.");
    case Flag::Compressed:
        return text("compressed: the body came compressed, though none was asked for.");
    case Flag::ViaProxy:
        return text("via-proxy: a proxy was in the way; its delay is inside TTFT.");
    case Flag::Cold:
        return text("cold: the server reports that it loaded the model for this request.");
    case Flag::Excluded:
        return text("excluded: left out by hand. Not counted.");
    }
    return {};
}

QString statusText(Status status)
{
    switch (status) {
    case Status::Ok:
        return text("ok");
    case Status::Truncated:
        return text("truncated");
    case Status::Timeout:
        return text("time-out");
    case Status::Cancelled:
        return text("cancelled");
    case Status::Error:
        return text("error");
    }
    return {};
}

QString phaseText(Phase phase)
{
    switch (phase) {
    case Phase::Queued:
        return text("while queued");
    case Phase::Dns:
        return text("while looking up the host");
    case Phase::Connect:
        return text("while connecting");
    case Phase::Tls:
        return text("during the TLS handshake");
    case Phase::Send:
        return text("while sending");
    case Phase::Ttft:
        return text("before the first output");
    case Phase::Idle:
        return text("between bytes");
    case Phase::Total:
        return text("past the total limit");
    }
    return {};
}

QString errorCountText(ErrorKind kind, int count)
{
    switch (kind) {
    case ErrorKind::NotSent:
        return text("%1 not sent").arg(countText(count));
    case ErrorKind::Transport:
        return counted(count, "1 connection error", "%1 connection errors");
    case ErrorKind::Http:
        return counted(count, "1 HTTP error", "%1 HTTP errors");
    case ErrorKind::Stream:
        return counted(count, "1 error in the reply", "%1 errors in the reply");
    case ErrorKind::Parse:
        return counted(count, "1 unreadable reply", "%1 unreadable replies");
    case ErrorKind::Timeout:
        return counted(count, "1 time-out", "%1 time-outs");
    case ErrorKind::Truncated:
        return text("%1 truncated").arg(countText(count));
    case ErrorKind::Cancelled:
        return text("%1 cancelled").arg(countText(count));
    }
    return {};
}

QString noTtftReason(const Timeline& timeline)
{
    if (ttftMs(timeline)) {
        return {};
    }
    return timeline.streamed && !*timeline.streamed ? text("The reply came whole: it has no first token to time.")
                                                    : text("No output was seen.");
}

QString noTpotReason(const Timeline& timeline)
{
    if (tpotMs(timeline)) {
        return {};
    }
    if (timeline.streamed && !*timeline.streamed) {
        return text("The reply came whole: its tokens have no times of their own.");
    }
    if (timeline.flags.has(Flag::Buffered)) {
        return text("The reply was buffered on its way: TPOT is not measurable.");
    }
    if (timeline.arrivals.empty()) {
        return text("No output was seen.");
    }
    return text("TPOT needs two tokens, in two output events that came apart.");
}

QString noE2eReason(const Timeline& timeline)
{
    return e2eMs(timeline) ? QString() : text("No output was seen.");
}

bool tokensAreChunks(const Timeline& timeline)
{
    return tokenSource(timeline) == TokenSource::Chunks;
}

QString chunksNote()
{
    return text("≈: the reply gave no usage; tokens are counted as output events (chunks).");
}

} // namespace tokenpace
