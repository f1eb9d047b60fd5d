// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "eventcosts.h"

#include <algorithm>

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <QTimer>

namespace tokenpace::bench {

namespace {

QString nameOf(const QObject& receiver)
{
    QString name = QString::fromLatin1(receiver.metaObject()->className());
    if (const auto* timer = qobject_cast<const QTimer*>(&receiver)) {
        name += QStringLiteral("(%1 ms)").arg(timer->interval());
    }
    if (!receiver.objectName().isEmpty()) {
        name += u' ' + receiver.objectName();
    }
    return name;
}

QString nameOf(const QEvent& event)
{
    const char* key = QMetaEnum::fromType<QEvent::Type>().valueToKey(event.type());
    return key ? QString::fromLatin1(key) : QString::number(event.type());
}

} // namespace

bool EventCosts::notify(QObject* receiver, QEvent* event)
{
    // Other threads deliver their events through here too.
    if (QThread::currentThread() != thread()) {
        return QApplication::notify(receiver, event);
    }
    const bool inside = m_depth > 0;
    if (inside && event->type() != QEvent::Paint) {
        return QApplication::notify(receiver, event);
    }
    // Taken before: the receiver may be gone afterwards.
    const QString what =
        QStringLiteral("%1%2 %3").arg(inside ? QStringLiteral("  ") : QString(), nameOf(*receiver), nameOf(*event));
    ++m_depth;
    const Stamp begin = steadyNow();
    const bool handled = QApplication::notify(receiver, event);
    const double tookMs = toMs(steadyNow() - begin);
    --m_depth;
    Cost& cost = m_costs[what];
    cost.what = what;
    ++cost.count;
    cost.totalMs += tookMs;
    cost.worstMs = std::max(cost.worstMs, tookMs);
    return handled;
}

std::vector<EventCosts::Cost> EventCosts::costs() const
{
    std::vector<Cost> all;
    for (const auto& [what, cost] : m_costs) {
        all.push_back(cost);
    }
    std::sort(all.begin(), all.end(), [](const Cost& a, const Cost& b) {
        return a.totalMs > b.totalMs;
    });
    return all;
}

} // namespace tokenpace::bench
