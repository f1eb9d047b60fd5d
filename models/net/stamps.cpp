// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/stamps.h"

#include <QNetworkReply>

namespace tokenpace {

namespace {

const Stamped* stamped(const QNetworkReply& reply)
{
    // a reply class of ours has no Q_OBJECT, so qobject_cast would not find it
    return dynamic_cast<const Stamped*>(&reply);
}

} // namespace

Stamp arrivalOf(const QNetworkReply& reply, Stamp fallback)
{
    const Stamped* const own = stamped(reply);
    return own ? own->arrival() : fallback;
}

Stamp sentOf(const QNetworkReply& reply, Stamp fallback)
{
    const Stamped* const own = stamped(reply);
    return own ? own->sentAt().value_or(fallback) : fallback;
}

bool hasKernelStamps(const QNetworkReply& reply)
{
    const Stamped* const own = stamped(reply);
    return own && own->kernelStamp();
}

std::optional<PhaseDurations> phasesOf(const QNetworkReply& reply)
{
    const Stamped* const own = stamped(reply);
    return own ? std::optional(own->phases()) : std::nullopt;
}

} // namespace tokenpace
