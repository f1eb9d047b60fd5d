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
/// kernel, and is sent from a thread that sleeps with clock_nanosleep, never from an event loop. Models named
/// `error-429`, `error-500`, `error-stall`, `error-cut`, ... misbehave as they are called. No Qt: its threads are its
/// own. Started and stopped from one thread.
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
