// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "livefeed.h"

#include <chrono>
#include <mutex>

namespace tokenpace {

namespace {
using namespace std::chrono_literals;
constexpr auto drainInterval = 33ms; // two frames at 60 Hz
} // namespace

/// Keeps a pushing thread from calling a feed that is being destroyed.
struct LiveFeed::Gate {
    std::mutex mutex; // protects feed
    LiveFeed* feed = nullptr; // not owned; null once it is gone
};

LiveFeed::LiveFeed(ClientMailbox& mailbox, RequestsModel& requests, QObject* parent)
    : QObject(parent)
    , m_mailbox(mailbox)
    , m_requests(requests)
    , m_gate(std::make_shared<Gate>())
{
    m_clock.setSingleShot(true);
    m_clock.setTimerType(Qt::PreciseTimer);
    m_clock.setInterval(drainInterval);
    connect(&m_clock, &QTimer::timeout, this, &LiveFeed::drain);

    m_gate->feed = this;
    m_mailbox.setNotify([gate = m_gate] {
        const std::lock_guard lock(gate->mutex);
        if (gate->feed) {
            QMetaObject::invokeMethod(gate->feed, &LiveFeed::armClock, Qt::QueuedConnection);
        }
    });
    // What was pushed before anybody listened has had its only notification.
    armClock();
}

LiveFeed::~LiveFeed()
{
    const std::lock_guard lock(m_gate->mutex);
    m_gate->feed = nullptr;
}

void LiveFeed::armClock()
{
    if (!m_clock.isActive()) {
        m_clock.start();
    }
}

void LiveFeed::drain()
{
    const std::vector<ClientUpdate> batch = m_mailbox.take();
    if (batch.empty()) {
        return;
    }
    QString failure;
    for (const ClientUpdate& update : batch) {
        if (const auto* finished = std::get_if<RequestFinished>(&update)) {
            if (finished->logError.isEmpty()) {
                ++m_written;
            } else {
                ++m_lost;
                failure = finished->logError;
            }
        }
    }
    m_requests.apply(batch);
    if (!failure.isEmpty()) {
        m_logError = failure;
        emit logFailed(failure);
    }
    emit drained(static_cast<int>(batch.size()));
}

} // namespace tokenpace
