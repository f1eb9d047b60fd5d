// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simscheduler.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/simtext.h"

namespace tokenpace::sim {
namespace {

constexpr std::uint64_t stepsPerSpell = 64;
constexpr std::int64_t maxLatenessNs = 5'000'000;

double uniform(std::uint64_t value) // in (0, 1]
{
    return (static_cast<double>(value >> 11) + 1.0) * 0x1.0p-53;
}

double normal(std::uint64_t seed, std::uint64_t n)
{
    const double radius = std::sqrt(-2.0 * std::log(uniform(mix(seed, 2 * n))));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(mix(seed, 2 * n + 1)));
}

std::int64_t toNs(double ms)
{
    return std::llround(ms * 1e6);
}

} // namespace

double prefillMs(const SimModel& model, std::int64_t uncachedTokens)
{
    const auto tokens = static_cast<double>(uncachedTokens);
    return model.prefillFixedMs + model.prefillMsPerToken * tokens + model.prefillMsPerTokenSquared * tokens * tokens;
}

double decodeMs(const SimModel& model, int sequences, std::int64_t contextTokens)
{
    return model.decodeFloorMs + model.decodeMsPerSequence * (sequences - 1)
        + model.decodeMsPerContextToken * static_cast<double>(contextTokens);
}

double decodeJitter(double sigma, std::uint64_t seed, std::uint64_t step)
{
    const double spell = normal(mix(seed, 1), step / stepsPerSpell);
    const double own = normal(mix(seed, 2), step);
    return std::exp(sigma * std::numbers::sqrt2 / 2 * (spell + own));
}

double prefillJitter(double sigma, std::uint64_t seed, std::uint64_t request)
{
    return std::exp(sigma * normal(mix(seed, 3), request));
}

SimScheduler::SimScheduler(SimModel model, std::uint64_t seed)
    : m_model(std::move(model))
    , m_seed(mix(seed, hashText(m_model.name)))
    , m_cache(m_model.cacheBlockTokens, m_model.cacheBlocks)
{
}

void SimScheduler::submit(SimJob& job)
{
    job.ordinal = m_requests++;
    m_waiting.push_back(&job);
}

void SimScheduler::remove(SimJob& job)
{
    std::erase(m_waiting, &job);
    std::erase(m_admitted, &job);
    std::erase(m_running, &job);
}

std::vector<SimJob*> SimScheduler::admit()
{
    std::vector<SimJob*> entered;
    if (!m_admitted.empty() || (m_owesDecode && !m_running.empty())) {
        return entered;
    }
    while (!m_waiting.empty() && m_running.size() + m_admitted.size() < static_cast<std::size_t>(m_model.maxBatch)) {
        entered.push_back(m_waiting.front());
        m_admitted.push_back(m_waiting.front());
        m_waiting.pop_front();
    }
    return entered;
}

SimStep SimScheduler::next()
{
    SimStep step = !m_admitted.empty() ? prefill() : !m_running.empty() ? decode() : SimStep{};
    if (step.kind != SimStep::Kind::Idle) {
        m_freeNs = step.endNs;
    }
    return step;
}

SimStep SimScheduler::prefill()
{
    SimJob& job = *m_admitted.front();
    m_admitted.pop_front();
    m_running.push_back(&job);
    m_owesDecode = true;
    job.cachedTokens = m_cache.cachedTokens(job.prompt);
    m_cache.insert(job.prompt);
    job.generated = 1;
    const double ms = prefillMs(m_model, static_cast<std::int64_t>(job.prompt.size()) - job.cachedTokens)
        * prefillJitter(m_model.jitterSigma, m_seed, job.ordinal);
    const std::int64_t start = std::max(m_freeNs, job.receivedNs);
    return {SimStep::Kind::Prefill, start, start + toNs(ms), {&job}};
}

SimStep SimScheduler::decode()
{
    m_owesDecode = false;
    std::int64_t context = 0;
    for (SimJob* job : m_running) {
        context += static_cast<std::int64_t>(job->prompt.size()) + job->generated;
        ++job->generated;
    }
    const double ms = decodeMs(m_model, static_cast<int>(m_running.size()), context)
        * decodeJitter(m_model.jitterSigma, m_seed, m_decodeSteps++);
    return {SimStep::Kind::Decode, m_freeNs, m_freeNs + toNs(ms), m_running};
}

void SimScheduler::settle(std::int64_t nowNs)
{
    if (nowNs - m_freeNs > maxLatenessNs) {
        m_freeNs = nowNs;
    }
}

} // namespace tokenpace::sim
