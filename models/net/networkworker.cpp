// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/networkworker.h"

#include <algorithm>
#include <utility>

#include <QThread>

namespace tokenpace {

using namespace std::chrono_literals;

namespace {

// Each lane holds a thread of its manager's and a connection; servers close idle ones after seconds to a minute.
constexpr std::chrono::milliseconds longestIdle = 2min;
constexpr std::chrono::milliseconds sweepEvery = 30s;
constexpr std::chrono::milliseconds watchEvery = 5ms; // no delay of twice that escapes

} // namespace

NetworkWorker::NetworkWorker(ClientMailbox& mailbox, Client::FinishedHandler onFinished)
    : m_mailbox(mailbox)
    , m_onFinished(std::move(onFinished))
    , m_sweep(new QTimer(this))
    , m_watch(new QTimer(this))
{
    m_watch->setTimerType(Qt::PreciseTimer);
    m_watch->setSingleShot(true);
    connect(m_watch, &QTimer::timeout, this, &NetworkWorker::watchLateness);
    connect(m_sweep, &QTimer::timeout, this, [this] {
        dropIdle(longestIdle);
    });
}

NetworkWorker::~NetworkWorker() = default;

void NetworkWorker::send(ClientRequest request, Stamp asked, WallClock::time_point askedWall)
{
    if (!m_sweep->isActive()) {
        m_sweep->start(sweepEvery);
    }
    if (!m_pool) {
        m_pool = std::make_unique<ConnectionPool>();
    }
    Lane& lane = laneFor(request);
    lane.start(std::move(request), asked, askedWall);
    if (!m_watch->isActive()) {
        m_watchDue = steadyNow() + watchEvery;
        m_watch->start(watchEvery);
    }
}

void NetworkWorker::watchLateness()
{
    const Stamp now = steadyNow();
    const bool late = now - m_watchDue > m_busyAfter;
    bool runs = false;
    for (const auto& lane : m_lanes) {
        runs = runs || !lane->idle();
        if (late) {
            lane->noteBusy();
        }
    }
    if (runs) {
        m_watchDue = steadyNow() + watchEvery;
        m_watch->start(watchEvery);
    }
}

Lane& NetworkWorker::laneFor(const ClientRequest& request)
{
    Lane* best = nullptr;
    for (const auto& lane : m_lanes) {
        // the one used last: its connection is the least likely to have been closed by the server
        if (lane->idle() && lane->serves(request.url, request.route)
            && (!best || lane->idleSince() > best->idleSince())) {
            best = lane.get();
        }
    }
    if (!best) {
        best = m_lanes.emplace_back(std::make_unique<Lane>(request.url, request.route, m_mailbox, *m_pool)).get();
        connect(best, &Lane::ended, this, &NetworkWorker::onEnded);
    }
    return *best;
}

void NetworkWorker::onEnded(const std::shared_ptr<Timeline>& timeline)
{
    if (m_onFinished) {
        m_onFinished(timeline);
    }
    emit requestEnded(timeline);
}

void NetworkWorker::cancel(const QString& run, int seq)
{
    const auto found = std::find_if(m_lanes.begin(), m_lanes.end(), [&](const auto& lane) {
        return lane->carries(run, seq);
    });
    if (found != m_lanes.end()) {
        (*found)->cancel();
    }
}

void NetworkWorker::cancelAll()
{
    for (const auto& lane : m_lanes) {
        lane->cancel();
    }
}

void NetworkWorker::closeIdleConnections()
{
    dropIdle(0ms);
    if (m_pool) {
        m_pool->resolver().forgetAll();
    }
}

void NetworkWorker::dropIdle(std::chrono::milliseconds longerThan)
{
    const Stamp now = steadyNow();
    std::erase_if(m_lanes, [&](const auto& lane) {
        return lane->idle() && now - lane->idleSince() >= longerThan;
    });
    if (m_pool) {
        m_pool->closeIdle(longerThan);
    }
    if (m_lanes.empty()) {
        m_sweep->stop();
    }
}

void NetworkWorker::shutDown()
{
    cancelAll();
    thread()->quit();
}

} // namespace tokenpace
