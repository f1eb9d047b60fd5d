// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartspec.h"

#include <QLocale>

#include "charts/charttext.h"

namespace tokenpace {

QString chartTitle(ChartKind kind)
{
    return kind == ChartKind::TtftByLength ? Charts::tr("Time to first token vs prompt length")
                                           : Charts::tr("Time per output token by model");
}

QString chartFileStem(ChartKind kind)
{
    return kind == ChartKind::TtftByLength ? QStringLiteral("ttft-by-length") : QStringLiteral("tpot-by-model");
}

QStringList provenanceLines(const ChartProvenance& provenance)
{
    const QString dot = QStringLiteral(" · ");
    QStringList first;
    if (provenance.showDate && provenance.date.isValid()) {
        // English month names whatever the locale: the same file everywhere.
        first << QLocale(QLocale::English).toString(provenance.date.toUTC(), QStringLiteral("d MMM yyyy HH:mm 'UTC'"));
    }
    if (provenance.simulated) {
        first << Charts::tr("simulated endpoint");
    }
    if (!provenance.endpoints.isEmpty()) {
        first << provenance.endpoints.join(QStringLiteral(", "));
    }
    if (!provenance.settingsHash.isEmpty()) {
        first << Charts::tr("settings %1").arg(provenance.settingsHash);
    }
    QStringList second;
    if (!provenance.view.isEmpty()) {
        second << Charts::tr("View: %1").arg(provenance.view);
    }
    if (!provenance.stampError.isEmpty()) {
        second << provenance.stampError;
    }
    QStringList lines{first.join(dot), second.join(dot)};
    if (!provenance.prompt.isEmpty()) {
        lines << Charts::tr("Prompt: %1").arg(provenance.prompt.simplified());
    }
    lines.removeAll(QString());
    return lines;
}

} // namespace tokenpace
