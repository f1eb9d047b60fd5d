// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "summarycolumn.h"

#include <algorithm>

#include <QCoreApplication>

namespace tokenpace {

namespace {

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::SummaryModel", source);
}

constexpr PercentileColumn percentileColumns[] = {
    {SummaryModel::TtftP50, &SummaryRow::ttft, &Distribution::p50, 0.50, Figure::Ttft},
    {SummaryModel::TtftP90, &SummaryRow::ttft, &Distribution::p90, 0.90, Figure::Ttft},
    {SummaryModel::TtftP95, &SummaryRow::ttft, &Distribution::p95, 0.95, Figure::Ttft},
    {SummaryModel::TtftP99, &SummaryRow::ttft, &Distribution::p99, 0.99, Figure::Ttft},
    {SummaryModel::TpotP50, &SummaryRow::tpot, &Distribution::p50, 0.50, Figure::Tpot},
    {SummaryModel::TpotP90, &SummaryRow::tpot, &Distribution::p90, 0.90, Figure::Tpot},
    {SummaryModel::TpotP95, &SummaryRow::tpot, &Distribution::p95, 0.95, Figure::Tpot},
    {SummaryModel::TpotP99, &SummaryRow::tpot, &Distribution::p99, 0.99, Figure::Tpot},
    {SummaryModel::ItlP50, &SummaryRow::itl, &Distribution::p50, 0.50, Figure::Itl},
    {SummaryModel::ItlP99, &SummaryRow::itl, &Distribution::p99, 0.99, Figure::Itl},
    {SummaryModel::E2eP50, &SummaryRow::e2e, &Distribution::p50, 0.50, Figure::E2e},
    {SummaryModel::E2eP95, &SummaryRow::e2e, &Distribution::p95, 0.95, Figure::E2e},
    {SummaryModel::ThroughputP50, &SummaryRow::throughput, &Distribution::p50, 0.50, Figure::Throughput},
};

} // namespace

const PercentileColumn* percentileColumn(SummaryModel::Column column)
{
    const auto* found =
        std::find_if(std::begin(percentileColumns), std::end(percentileColumns), [column](const PercentileColumn& one) {
            return one.column == column;
        });
    return found == std::end(percentileColumns) ? nullptr : found;
}

QString percentileName(double p)
{
    return QStringLiteral("P%1").arg(qRound(p * 100));
}

/// Does the figure rest on token counts?

QString summaryColumnTitle(SummaryModel::Column column)
{
    switch (column) {
    case SummaryModel::Model:
        return text("Model");
    case SummaryModel::PromptTokens:
        return text("Prompt, tokens");
    case SummaryModel::N:
        return text("n");
    case SummaryModel::NotCounted:
        return text("Not counted");
    case SummaryModel::TtftP50:
        return text("TTFT P50, ms");
    case SummaryModel::TtftInterval:
        return text("95 % interval, ms");
    case SummaryModel::TtftP90:
        return text("TTFT P90, ms");
    case SummaryModel::TpotP50:
        return text("TPOT P50, ms");
    case SummaryModel::E2eP50:
        return text("E2E P50, ms");
    case SummaryModel::ThroughputP50:
        return text("Tokens/s");
    case SummaryModel::TtftP95:
        return text("TTFT P95, ms");
    case SummaryModel::TtftP99:
        return text("TTFT P99, ms");
    case SummaryModel::TpotP90:
        return text("TPOT P90, ms");
    case SummaryModel::TpotP95:
        return text("TPOT P95, ms");
    case SummaryModel::TpotP99:
        return text("TPOT P99, ms");
    case SummaryModel::ItlP50:
        return text("ITL P50, ms");
    case SummaryModel::ItlP99:
        return text("ITL P99, ms");
    case SummaryModel::E2eP95:
        return text("E2E P95, ms");
    case SummaryModel::Sent:
        return text("Sent");
    case SummaryModel::Failed:
        return text("Failed");
    case SummaryModel::TimeoutRate:
        return text("Time-outs, %");
    case SummaryModel::OutputTps:
        return text("System tokens/s");
    case SummaryModel::Goodput:
        return text("Goodput, %");
    case SummaryModel::ColumnCount:
        break;
    }
    return {};
}

QString summaryColumnToolTip(SummaryModel::Column column)
{
    if (const auto* percentile = percentileColumn(column)) {
        return definition(percentile->figure) + QLatin1Char('\n')
            + text("%1: by linear interpolation between order statistics, over the requests that count.")
                  .arg(percentileName(percentile->p));
    }
    switch (column) {
    case SummaryModel::Model:
        return text("The model asked for. One colour per endpoint and model, in every chart and table.");
    case SummaryModel::PromptTokens:
        return text("The prompt length that the plan asked for; without a plan, the lengths measured. Figures are "
                    "never pooled over planned lengths.");
    case SummaryModel::N:
        return text("Requests that count: ended ok, one attempt, no warm-up, and no flag that keeps them out.");
    case SummaryModel::NotCounted:
        return text("Requests that are in none of the figures, or not in TTFT, and why.");
    case SummaryModel::TtftInterval:
        return definition(Figure::Interval);
    case SummaryModel::Sent:
        return text("Measured requests sent; warm-ups are none.");
    case SummaryModel::Failed:
        return text("Measured requests that were sent and did not end ok.");
    case SummaryModel::TimeoutRate:
        return definition(Figure::TimeoutRate);
    case SummaryModel::OutputTps:
        return definition(Figure::OutputTps);
    case SummaryModel::Goodput:
        return definition(Figure::Goodput);
    default:
        return {};
    }
}

} // namespace tokenpace
