// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/simmailbox.h"
#include "sim/simmodel.h"
#include "sim/simreply.h"
#include "sim/simscheduler.h"
#include "sim/simtext.h"
#include "sim/steptimer.h"

namespace tokenpace::sim {

/// One request on its way through an engine.
struct SimSequence : SimJob {
    SimSequence(std::shared_ptr<SimReply> sequenceReply, std::vector<std::uint64_t> tokens, std::uint64_t textSeed)
        : reply(std::move(sequenceReply))
        , writer(textSeed)
    {
        prompt = std::move(tokens);
    }

    std::shared_ptr<SimReply> reply;
    SimWriter writer;
    int limit = 1; ///< tokens of the answer
    bool natural = false; ///< the answer ends there by itself, not by a limit
    std::string chunk; ///< tokens generated, not sent yet
    int chunkTokens = 0;
};

/// One simulated model at work: a thread that lays out steps with a SimScheduler, sleeps until each one's end and
/// sends the tokens itself. submit() from any thread; started and stopped from one.
class SimEngine {
public:
    SimEngine(const SimModel& model, std::uint64_t seed, SimMailbox& mailbox);
    ~SimEngine();
    SimEngine(const SimEngine&) = delete;
    SimEngine& operator=(const SimEngine&) = delete;

    [[nodiscard]] const SimModel& model() const { return m_model; }

    void submit(std::unique_ptr<SimSequence> sequence);
    /// Ends at once whatever runs; those replies stay without an end.
    void stop();

private:
    void run();
    [[nodiscard]] bool takeSubmitted();
    void dropGone();
    void deliver(const SimStep& step);
    [[nodiscard]] bool deliverToken(SimSequence& sequence, std::int64_t dueNs);
    [[nodiscard]] bool misbehave(SimSequence& sequence);
    void retire(SimJob* job);

    const SimModel m_model;
    SimMailbox& m_mailbox;
    StepTimer m_timer;

    std::mutex m_mutex; ///< protects m_submitted and m_stop
    std::condition_variable m_changed;
    std::vector<std::unique_ptr<SimSequence>> m_submitted;
    bool m_stop = false;

    SimScheduler m_scheduler; ///< this and m_sequences: the engine's thread only
    std::vector<std::unique_ptr<SimSequence>> m_sequences;
    std::int64_t m_sentNs = 0; ///< of the step's last event; 0: none was sent
    std::thread m_thread;
};

} // namespace tokenpace::sim
