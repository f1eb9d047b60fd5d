// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/attempt.h"

#include <algorithm>

namespace tokenpace {

namespace {

using namespace std::chrono_literals;

constexpr int firstRedirect = 300;
constexpr int tooManyRequests = 429;
constexpr int serviceUnavailable = 503;
constexpr std::chrono::milliseconds longestWait = 60s;

std::chrono::milliseconds limitOf(Phase phase, const TimeLimits& limits)
{
    switch (phase) {
    case Phase::Connect:
        return limits.connect;
    case Phase::Idle:
        return limits.idle;
    case Phase::Total:
        return limits.total;
    default:
        return limits.ttft;
    }
}

/// The server was reached and is too busy.
bool isBusy(const Timeline& timeline)
{
    return timeline.error && timeline.error->kind == ErrorKind::Http
        && (timeline.error->httpStatus == tooManyRequests || timeline.error->httpStatus == serviceUnavailable);
}

} // namespace

std::optional<Deadline> nextDeadline(const TimeLimits& limits, const AttemptProgress& progress,
                                     const Timeline& timeline, bool hasEnding, std::optional<Stamp> readerWait)
{
    std::optional<Deadline> next;
    const auto consider = [&next](Stamp at, std::optional<Phase> phase) {
        if (!next || at < next->at) {
            next = Deadline{at, phase};
        }
    };
    const auto limit = [&](Stamp begin, Phase phase) {
        const auto length = limitOf(phase, limits);
        if (length > 0ms) {
            consider(begin + length, phase);
        }
    };
    if (!progress.sent && progress.httpStatus == 0) {
        if (progress.writing) {
            limit(*progress.writing, Phase::Send);
        } else {
            limit(progress.posted, Phase::Connect);
        }
        return next;
    }
    const Stamp begin = timeline.zero.value_or(progress.sent.value_or(progress.posted));
    const bool outputDue =
        timeline.params.stream && timeline.arrivals.empty() && !hasEnding && progress.httpStatus < firstRedirect;
    if (outputDue) {
        limit(begin, timeline.zero ? Phase::Ttft : Phase::Send);
    }
    if (timeline.marks.lastByte) {
        limit(*timeline.marks.lastByte, Phase::Idle);
    }
    limit(begin, Phase::Total);
    if (readerWait) {
        consider(*readerWait, {});
    }
    return next;
}

RequestError timeOutError(Phase phase, const TimeLimits& limits, const QString& place)
{
    const QString ms = QString::number(limitOf(phase, limits).count());
    QString message;
    switch (phase) {
    case Phase::Connect:
        message = QStringLiteral("no connection to %1 within %2 ms; check host, port, proxy and firewall");
        break;
    case Phase::Send:
        message = QStringLiteral("%1 did not take the whole request within %2 ms");
        break;
    case Phase::Ttft:
        message = QStringLiteral("no output from %1 within %2 ms of the request");
        break;
    case Phase::Idle:
        message = QStringLiteral("%1 was silent for %2 ms in the middle of the reply");
        break;
    default:
        message = QStringLiteral("the reply from %1 was not over within %2 ms");
        break;
    }
    RequestError error;
    error.kind = ErrorKind::Timeout;
    error.message = message.arg(place, ms).toStdString();
    error.phase = phase;
    return error;
}

PhaseDurations phasesFrom(const AttemptProgress& progress, Stamp asked, std::optional<Stamp> zero)
{
    PhaseDurations phases;
    phases.queued = progress.posted - asked;
    if (!progress.sent || progress.resentUnseen) {
        return phases;
    }
    std::optional<Stamp> ready = progress.posted;
    if (progress.connecting) {
        // The look-up begins when the manager gets the request, and socketStartedConnecting comes after it.
        phases.connect = progress.secured.value_or(*progress.sent) - progress.posted;
        ready = progress.secured;
        if (!ready && progress.sliced) {
            ready = progress.sent; // without TLS nothing tells when the connection was ready, but the rest was sent
        }
    }
    if (ready && zero) {
        phases.send = *zero - *ready;
    }
    return phases;
}

std::optional<std::chrono::milliseconds> retryWait(const Timeline& timeline, const AttemptProgress& progress,
                                                   int attempts, int maxRetries, double chance)
{
    const bool busy = isBusy(timeline);
    if (attempts > maxRetries || !(busy || progress.passing)) {
        return std::nullopt;
    }
    if (busy && timeline.error->retryAfterMs) {
        const auto asked = std::chrono::ceil<std::chrono::milliseconds>(fromMs(*timeline.error->retryAfterMs));
        return std::clamp(asked, std::chrono::milliseconds(0), longestWait);
    }
    constexpr int lastDoubling = 6; // 64 s, over the longest wait
    const std::chrono::duration<double, std::milli> base = 1000ms * (1 << std::clamp(attempts - 1, 0, lastDoubling));
    constexpr double spread = 0.2; // so that parallel requests do not come back all at once
    const auto wait = base * (1 - spread + 2 * spread * chance);
    return std::min(longestWait, std::chrono::round<std::chrono::milliseconds>(wait));
}

} // namespace tokenpace
