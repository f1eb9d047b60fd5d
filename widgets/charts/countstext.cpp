// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/countstext.h"

#include <QStringList>

#include "charts/charttext.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

const QString comma = QStringLiteral(", ");

QStringList failures(const ChartCounts& counts)
{
    QStringList parts;
    if (counts.timeouts > 0) {
        parts << (counts.timeouts == 1 ? Charts::tr("1 time-out")
                                       : Charts::tr("%1 time-outs").arg(countText(counts.timeouts)));
    }
    if (counts.failed > 0) {
        parts << Charts::tr("%1 failed").arg(countText(counts.failed));
    }
    if (counts.cancelled > 0) {
        parts << Charts::tr("%1 cancelled").arg(countText(counts.cancelled));
    }
    return parts;
}

QString hollow(const ChartCounts& counts)
{
    QStringList parts;
    for (const auto& [flag, count] : counts.hollow) {
        const std::string_view word = name(flag);
        parts << QStringLiteral("%1 %2").arg(countText(count),
                                             QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
    }
    return parts.isEmpty() ? QString() : Charts::tr("%1 (hollow)").arg(parts.join(comma));
}

QString joined(QStringList parts, const ChartCounts& counts)
{
    const QStringList bad = failures(counts);
    const QString flagged = hollow(counts);
    parts << bad;
    if (counts.undrawn > 0) {
        parts << Charts::tr("%1 without a value").arg(countText(counts.undrawn));
    }
    if (!flagged.isEmpty()) {
        parts << flagged;
    } else if (bad.isEmpty()) {
        parts << Charts::tr("0 failed");
    }
    return parts.join(comma);
}

} // namespace

QString countsText(const ChartCounts& counts)
{
    return joined({Charts::tr("%1 ok").arg(countText(counts.ok))}, counts);
}

QString countsOfShownText(const ChartCounts& counts)
{
    return joined(
        {counts.shown == 1 ? Charts::tr("1 request") : Charts::tr("%1 requests").arg(countText(counts.shown))}, counts);
}

} // namespace tokenpace
