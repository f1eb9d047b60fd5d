// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simengine.h"

#include <algorithm>
#include <utility>

namespace tokenpace::sim {

SimEngine::SimEngine(const SimModel& model, std::uint64_t seed, SimMailbox& mailbox)
    : m_model(model)
    , m_mailbox(mailbox)
    , m_scheduler(model, seed)
    , m_thread([this] {
        run();
    })
{
}

SimEngine::~SimEngine()
{
    stop();
}

void SimEngine::submit(std::unique_ptr<SimSequence> sequence)
{
    const std::lock_guard lock(m_mutex);
    m_submitted.push_back(std::move(sequence));
    m_changed.notify_one();
}

void SimEngine::stop()
{
    if (!m_thread.joinable()) {
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_changed.notify_one();
    }
    m_timer.cancel();
    m_thread.join();
    m_sequences.clear();
    m_submitted.clear();
}

void SimEngine::run()
{
    while (takeSubmitted()) {
        dropGone();
        for (SimJob* job : m_scheduler.admit()) {
            static_cast<SimSequence*>(job)->reply->begin();
        }
        const SimStep step = m_scheduler.next();
        if (step.kind == SimStep::Kind::Idle) {
            continue;
        }
        if (!m_timer.sleepUntil(step.endNs)) {
            return;
        }
        m_sentNs = 0;
        deliver(step);
        // By the stamp in the log, so that whoever reads the log can follow the physics to the nanosecond.
        m_scheduler.settle(m_sentNs == 0 ? steadyNs() : m_sentNs);
    }
}

bool SimEngine::takeSubmitted()
{
    std::vector<std::unique_ptr<SimSequence>> submitted;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] {
            return m_stop || !m_submitted.empty() || !m_scheduler.idle();
        });
        if (m_stop) {
            return false;
        }
        submitted.swap(m_submitted);
    }
    for (auto& sequence : submitted) {
        m_scheduler.submit(*sequence);
        m_sequences.push_back(std::move(sequence));
    }
    return true;
}

void SimEngine::dropGone()
{
    std::vector<SimJob*> gone;
    for (const auto& sequence : m_sequences) {
        if (sequence->reply->gone()) {
            gone.push_back(sequence.get());
        }
    }
    std::for_each(gone.begin(), gone.end(), [this](SimJob* job) {
        retire(job);
    });
}

void SimEngine::deliver(const SimStep& step)
{
    for (SimJob* job : step.jobs) {
        auto& sequence = *static_cast<SimSequence*>(job);
        SimRecord& record = sequence.reply->record();
        record.promptTokens = static_cast<int>(sequence.prompt.size());
        record.cachedTokens = sequence.cachedTokens;
        record.tokens = sequence.generated;
        if (!deliverToken(sequence, step.endNs)) {
            retire(job);
        }
    }
}

bool SimEngine::deliverToken(SimSequence& sequence, std::int64_t dueNs)
{
    const bool last = sequence.generated >= sequence.limit;
    sequence.chunk += sequence.writer.next(last && sequence.natural);
    ++sequence.chunkTokens;
    if (last || sequence.generated == 1 || sequence.chunkTokens >= m_model.tokensPerChunk) {
        m_sentNs = sequence.reply->content(sequence.chunk, dueNs);
        sequence.chunk.clear();
        sequence.chunkTokens = 0;
    }
    if (sequence.generated >= std::min(tokensBeforeFault, sequence.limit) && misbehave(sequence)) {
        return false;
    }
    if (last) {
        sequence.reply->finish(sequence.natural ? "stop" : "length");
    }
    return !last;
}

bool SimEngine::misbehave(SimSequence& sequence)
{
    switch (sequence.reply->fault().kind) {
    case SimFault::Kind::Stall:
        return true;
    case SimFault::Kind::Cut:
        sequence.reply->cut();
        return true;
    case SimFault::Kind::Reset:
        sequence.reply->reset();
        return true;
    case SimFault::Kind::Inband:
        sequence.reply->failInband();
        return true;
    default:
        return false;
    }
}

void SimEngine::retire(SimJob* job)
{
    m_scheduler.remove(*job);
    const auto place = std::find_if(m_sequences.begin(), m_sequences.end(), [&](const auto& sequence) {
        return sequence.get() == job;
    });
    const std::uint64_t connection = (*place)->reply->connectionId();
    m_mailbox.post({connection, std::move((*place)->reply)});
    m_sequences.erase(place);
}

} // namespace tokenpace::sim
