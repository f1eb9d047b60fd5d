// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lagprobe.h"

#include <algorithm>
#include <vector>

#include "measure/statistics.h"

namespace tokenpace {

namespace {
constexpr std::chrono::milliseconds beatEvery{50};
constexpr std::size_t keptBeats = 200; // ten seconds of them
constexpr int tellEveryMs = 1000;
} // namespace

LagProbe::LagProbe(QObject* parent)
    : QObject(parent)
{
    m_tell.setInterval(tellEveryMs);
    connect(&m_tell, &QTimer::timeout, this, &LagProbe::measured);
    m_tell.start();
    m_thread = std::thread([this] {
        beat();
    });
}

LagProbe::~LagProbe()
{
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

// On the probe's thread.
void LagProbe::beat()
{
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, beatEvery, [this] {
        return m_quit;
    })) {
        if (m_pending) {
            continue;
        }
        m_pending = true;
        lock.unlock();
        const Stamp sent = steadyNow();
        QMetaObject::invokeMethod(
            this,
            [this, sent] {
                onBeat(sent);
            },
            Qt::QueuedConnection);
        lock.lock();
    }
}

void LagProbe::onBeat(Stamp sent)
{
    m_lagsMs.push_back(toMs(steadyNow() - sent));
    if (m_lagsMs.size() == 1) {
        emit measured();
    }
    if (m_lagsMs.size() > keptBeats) {
        m_lagsMs.pop_front();
    }
    const std::lock_guard lock(m_mutex);
    m_pending = false;
}

std::optional<double> LagProbe::medianMs() const
{
    return percentile(std::vector<double>(m_lagsMs.begin(), m_lagsMs.end()), 0.5);
}

std::optional<double> LagProbe::worstMs() const
{
    const auto worst = std::max_element(m_lagsMs.begin(), m_lagsMs.end());
    return worst == m_lagsMs.end() ? std::nullopt : std::optional(*worst);
}

} // namespace tokenpace
