// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/simmodel.h"

namespace tokenpace::sim {

struct SimOptions {
    std::uint16_t port = 0; ///< 0: the system chooses
    std::vector<SimModel> models;
    std::uint64_t seed = 1;
    std::string logPath; ///< one line a request with the true send times, or empty: no log
};

/// The simulated endpoint: a real HTTP/1.1 server on 127.0.0.1 that speaks OpenAI chat completions (streamed and
/// whole), /v1/models and /health. Each event carries `sent_ns`, the steady clock just before it was handed to the
/// kernel, and is sent by its model's own thread, which sleeps on a timerfd, never by an event loop. Order of events
/// and of prefills: see SimReply and SimScheduler. Models named `error-429`, `error-500`, `error-stall`, `error-cut`,
/// ... misbehave as they are called (see SimFault), whether listed or not; those not listed work at the pace of the
/// first model. No Qt. Started and stopped from one thread; may be started again.
///
/// Threads: one event loop (SimLoop: accepts, reads, refuses, closes) and one engine a model (SimEngine: physics,
/// tokens). What they share: SimConnection (its mutex: the socket and what waits to be sent), SimMailbox (its mutex:
/// letters to the loop), SimEngine's list of new requests (its mutex), SimLog (its mutex: the file). A reply belongs to
/// one thread at a time: the loop's until it is submitted, the engine's until it is posted back.
///
/// The log has a line per chat request, with the fields of SimRecord; a request whose client went away is `aborted`.
class SimServer {
public:
    explicit SimServer(SimOptions options);
    ~SimServer();
    SimServer(const SimServer&) = delete;
    SimServer& operator=(const SimServer&) = delete;

    /// False when it cannot listen; error() then says why.
    [[nodiscard]] bool start();
    void stop();

    [[nodiscard]] std::string baseUrl() const; ///< such as http://127.0.0.1:40123/v1
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::string error() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace tokenpace::sim
