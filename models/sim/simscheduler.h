// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/prefixcache.h"
#include "sim/simmodel.h"

namespace tokenpace::sim {

/// The formulas of SimModel, without jitter, in ms.
[[nodiscard]] double prefillMs(const SimModel& model, std::int64_t uncachedTokens);
[[nodiscard]] double decodeMs(const SimModel& model, int sequences, std::int64_t contextTokens);

/// The log-normal factor, of median 1, of the n-th decode step or the n-th request's prefill. Half of the variance
/// of decode steps stays the same for 64 steps, as the noise of real machines comes in spells: without it the TPOT of
/// all requests would be the same to a fraction of a percent.
[[nodiscard]] double decodeJitter(double sigma, std::uint64_t seed, std::uint64_t step);
[[nodiscard]] double prefillJitter(double sigma, std::uint64_t seed, std::uint64_t request);

/// What the scheduler knows of a request. Whoever submits it owns it and keeps it until remove().
struct SimJob {
    std::vector<std::uint64_t> prompt; ///< a hash per token
    std::int64_t receivedNs = 0; ///< when the request was whole
    std::uint64_t ordinal = 0; ///< set by submit(): its place among this model's requests
    int cachedTokens = 0; ///< set when its prefill is laid out
    int generated = 0; ///< tokens, set when a step is laid out: true at the step's end
};

/// One thing that the engine does, with its place in time (CLOCK_MONOTONIC ns).
struct SimStep {
    enum class Kind { Idle, Prefill, Decode };
    Kind kind = Kind::Idle;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::vector<SimJob*> jobs; ///< each gets one token at the end: the one prefilled, or all that run
};

/// Continuous batching as plain arithmetic: no clock, no thread. A round admits waiting requests in order of arrival
/// while there is room, prefills the admitted ones one after the other (each has its first token at the end of its own
/// prefill; the running ones wait meanwhile, as in servers without chunked prefill), and then decodes one token for
/// every running sequence. One thread.
class SimScheduler {
public:
    SimScheduler(SimModel model, std::uint64_t seed);

    void submit(SimJob& job);
    /// Finished or given up: it leaves the batch or the queue.
    void remove(SimJob& job);
    /// To be called before next(): those that entered the batch now.
    [[nodiscard]] std::vector<SimJob*> admit();
    [[nodiscard]] SimStep next();
    /// The last step was delivered at `nowNs`. A little lateness is made up for by the following steps, so that the
    /// delays of the machine do not add up; from 5 ms on the model goes on from now.
    void settle(std::int64_t nowNs);

    [[nodiscard]] bool idle() const { return m_waiting.empty() && m_admitted.empty() && m_running.empty(); }
    [[nodiscard]] std::size_t inBatch() const { return m_admitted.size() + m_running.size(); }
    [[nodiscard]] std::size_t waiting() const { return m_waiting.size(); }

private:
    [[nodiscard]] SimStep prefill();
    [[nodiscard]] SimStep decode();

    SimModel m_model;
    std::uint64_t m_seed;
    PrefixCache m_cache;
    std::deque<SimJob*> m_waiting;
    std::deque<SimJob*> m_admitted; ///< in the batch, prefill still to come
    std::vector<SimJob*> m_running;
    std::int64_t m_freeNs = 0; ///< end of the last step
    std::uint64_t m_requests = 0;
    std::uint64_t m_decodeSteps = 0;
    bool m_owesDecode = false; ///< the running ones get a token before anyone else is admitted
};

} // namespace tokenpace::sim
