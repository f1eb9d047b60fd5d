// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "heartbeat.h"

#include <QCoreApplication>
#include <QEvent>

namespace tokenpace::bench {

namespace {

using namespace std::chrono_literals;
constexpr auto beatInterval = 5ms;

const QEvent::Type beatType = static_cast<QEvent::Type>(QEvent::registerEventType());

class Beat final : public QEvent {
public:
    Beat()
        : QEvent(beatType)
    {
    }
    const Stamp posted = steadyNow();
};

} // namespace

Heartbeat::Heartbeat()
    : m_since(steadyNow())
{
    m_thread = std::thread([this] {
        auto next = std::chrono::steady_clock::now();
        while (!m_quit) {
            next += beatInterval;
            std::this_thread::sleep_until(next);
            QCoreApplication::postEvent(this, new Beat);
        }
    });
}

Heartbeat::~Heartbeat()
{
    m_quit = true;
    m_thread.join();
}

void Heartbeat::restart()
{
    m_latenessMs.clear();
    m_since = steadyNow();
}

bool Heartbeat::event(QEvent* event)
{
    if (event->type() != beatType) {
        return QObject::event(event);
    }
    const Stamp posted = static_cast<const Beat*>(event)->posted;
    if (posted >= m_since) {
        m_latenessMs.push_back(toMs(steadyNow() - posted));
    }
    return true;
}

} // namespace tokenpace::bench
