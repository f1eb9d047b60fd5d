// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "summarycell.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "definitions.h"
#include "numbertext.h"
#include "summarycolumn.h"

namespace tokenpace {

namespace {

using Group = SummaryModel::Group;

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::SummaryModel", source);
}

QString lines(QStringList all)
{
    all.removeAll(QString());
    return all.join(u'\n');
}

bool restsOnTokens(Figure figure)
{
    return figure == Figure::Tpot || figure == Figure::Throughput;
}

int counted(const SummaryRow& row)
{
    return row.ok - row.notCounted;
}

int failed(const SummaryRow& row)
{
    return row.sent - row.ok;
}

/// Parts of "1 time-out, 1 cached", and how many requests they are in all.
struct LeftOut {
    QStringList parts;
    int requests = 0;
};

LeftOut failures(const SummaryRow& row)
{
    LeftOut result;
    const auto note = [&result](int count, const QString& part) {
        if (count > 0) {
            result.parts.append(part);
            result.requests += count;
        }
    };
    int explained = row.timeouts;
    note(row.timeouts, errorCountText(ErrorKind::Timeout, row.timeouts));
    for (const auto& [kind, count] : row.errors) {
        // Time-outs are counted above; the other two were never sent to the end, and are no failures of the server.
        if (kind != ErrorKind::Timeout && kind != ErrorKind::Cancelled && kind != ErrorKind::NotSent) {
            explained += count;
            note(count, errorCountText(kind, count));
        }
    }
    const int unexplained = failed(row) - explained;
    note(unexplained, text("%1 failed").arg(countText(unexplained)));
    return result;
}

LeftOut leftOut(const SummaryRow& row)
{
    LeftOut result = failures(row);
    for (const ErrorKind kind : {ErrorKind::Cancelled, ErrorKind::NotSent}) {
        if (const auto found = row.errors.find(kind); found != row.errors.end()) {
            result.parts.append(errorCountText(kind, found->second));
            result.requests += found->second;
        }
    }
    for (const auto& [flag, count] : row.notCountedBy) {
        result.parts.append(QStringLiteral("%1 %2").arg(countText(count), flagWord(flag)));
        result.requests += flag == Flag::Excluded ? count : 0;
    }
    result.requests += row.notCounted;
    return result;
}

std::optional<double> timeoutRate(const SummaryRow& row)
{
    return row.sent > 0 ? std::optional(static_cast<double>(row.timeouts) / row.sent) : std::nullopt;
}

std::optional<double> number(const SummaryRow& row, SummaryModel::Column column)
{
    if (const auto* percentile = percentileColumn(column)) {
        return row.*(percentile->distribution).*(percentile->percentile);
    }
    switch (column) {
    case SummaryModel::TimeoutRate:
        return timeoutRate(row);
    case SummaryModel::OutputTps:
        return row.outputTps;
    case SummaryModel::Goodput:
        return row.goodputShare;
    default:
        return std::nullopt;
    }
}

/// Replies behind a figure whose tokens are counted as chunks; a request that is not in the figure marks nothing.
int chunksBehind(const Group& group, SummaryModel::Column column)
{
    if (column == SummaryModel::OutputTps) {
        return group.chunkSent;
    }
    const auto* percentile = percentileColumn(column);
    return percentile && restsOnTokens(percentile->figure) ? group.chunkCounted : 0;
}

bool isMarked(const Group& group, SummaryModel::Column column)
{
    return chunksBehind(group, column) > 0;
}

QString chunksOfGroup(const Group& group, SummaryModel::Column column)
{
    if (!isMarked(group, column)) {
        return {};
    }
    return text("≈: %1 of %2 replies gave no usage; their tokens are counted as output events (chunks).")
        .arg(countText(chunksBehind(group, column)), countText(static_cast<qint64>(group.members.size())));
}

QString percentileToolTip(const Group& group, const PercentileColumn& column)
{
    const Distribution& distribution = group.row.*(column.distribution);
    const auto value = distribution.*(column.percentile);
    const QString nText = countText(static_cast<qint64>(distribution.n));
    const bool isItl = column.figure == Figure::Itl;
    if (!value) {
        if (distribution.n == 0) {
            return text("No request that counts has this number.");
        }
        const QString reason = isItl ? text("%1 is shown from %2 gaps on; there are %3.")
                                     : text("%1 is shown from %2 requests on; there are %3.");
        return reason.arg(percentileName(column.p), countText(static_cast<qint64>(smallestN(column.p))), nText);
    }
    const QString n = isItl ? text("n = %1 gaps").arg(nText) : text("n = %1").arg(nText);
    const QString exact =
        column.figure == Figure::Throughput ? text("%1 tokens/s, per request").arg(exactNumber(value)) : exactMs(value);
    QString interval;
    if (column.p == 0.5 && distribution.p50Interval) {
        const auto [low, high] = *distribution.p50Interval;
        const bool inMs = column.figure != Figure::Throughput;
        interval = text("95 % interval: %1 to %2")
                       .arg(inMs ? exactMs(low) : exactNumber(low), inMs ? exactMs(high) : exactNumber(high));
    }
    return lines({QStringLiteral("%1: %2").arg(percentileName(column.p), exact), n, interval,
                  chunksOfGroup(group, column.column)});
}

QString promptText(const Group& group)
{
    if (group.row.key.promptTokensTarget) {
        return countText(*group.row.key.promptTokensTarget);
    }
    if (!group.promptMin || !group.promptMax) {
        return dashText;
    }
    const QString least = countText(qRound64(*group.promptMin));
    const QString most = countText(qRound64(*group.promptMax));
    const QString range = least == most ? least : QStringLiteral("%1 – %2").arg(least, most);
    return group.promptsEstimated > 0 ? approximately(range) : range;
}

QString promptToolTip(const Group& group)
{
    const auto& target = group.row.key.promptTokensTarget;
    const QString asked = target ? text("asked for: %1 tokens").arg(countText(*target)) : text("no length was planned");
    if (!group.promptMin || !group.promptMax) {
        return lines({asked, text("The prompts' lengths are unknown: no usage, no estimate.")});
    }
    const QString sent = text("prompts: %1 to %2 tokens")
                             .arg(countText(qRound64(*group.promptMin)), countText(qRound64(*group.promptMax)));
    const QString estimates = group.promptsEstimated > 0
        ? text("estimates, for want of usage: %1 of %2")
              .arg(countText(group.promptsEstimated), countText(static_cast<qint64>(group.members.size())))
        : text("by usage");
    return lines({asked, sent, estimates});
}

QString intervalCell(const Distribution& ttft)
{
    if (ttft.n == 0) {
        return dashText;
    }
    return ttft.p50Interval ? intervalText(ttft.p50Interval) : text("open");
}

QString intervalToolTip(const Distribution& ttft)
{
    if (ttft.n == 0) {
        return text("No request that counts has this number.");
    }
    const QString n = countText(static_cast<qint64>(ttft.n));
    if (!ttft.p50Interval) {
        return text("Open: a 95 % interval of the median exists from 6 requests on; there are %1.").arg(n);
    }
    return lines({text("%1 to %2").arg(exactMs(ttft.p50Interval->first), exactMs(ttft.p50Interval->second)),
                  text("n = %1").arg(n)});
}

QString nToolTip(const SummaryRow& row)
{
    const auto of = [](const Distribution& distribution) {
        return countText(static_cast<qint64>(distribution.n));
    };
    return lines({text("requests that count: %1 of %2 sent").arg(countText(counted(row)), countText(row.sent)),
                  text("with TTFT %1, with TPOT %2, with E2E %3").arg(of(row.ttft), of(row.tpot), of(row.e2e))});
}

QString notCountedToolTip(const SummaryRow& row)
{
    QStringList all{leftOut(row).parts.join(QStringLiteral(", "))};
    for (const auto& [flag, count] : row.notCountedBy) {
        all.append(flagDefinition(flag));
    }
    const QString joined = lines(all);
    return joined.isEmpty() ? text("Every request counts.") : joined;
}

QString rateToolTip(const SummaryRow& row)
{
    if (row.sent == 0) {
        return text("No measured request was sent.");
    }
    const double wide = static_cast<double>(row.timeouts + row.tooBusy) / row.sent;
    return lines({text("%1 of %2 sent timed out").arg(countText(row.timeouts), countText(row.sent)),
                  text("with HTTP 429, 503 and 529: %1 %").arg(percentText(wide))});
}

QString goodputToolTip(const SummaryRow& row)
{
    if (!row.goodputShare) {
        return text("No measured request was sent.");
    }
    const QString rate =
        row.goodputPerS ? text("%1 good requests per second").arg(exactNumber(row.goodputPerS)) : QString();
    return lines({text("%1 % of %2 sent").arg(exactNumber(*row.goodputShare * 100), countText(row.sent)), rate});
}

QString outputTpsToolTip(const Group& group)
{
    const SummaryRow& row = group.row;
    if (!row.outputTps) {
        return text("No output was seen.");
    }
    const QString requests = row.requestsPerS ? text("%1 requests/s").arg(exactNumber(row.requestsPerS)) : QString();
    const QString total =
        row.totalTps ? text("%1 prompt and output tokens/s").arg(exactNumber(row.totalTps)) : QString();
    return lines({text("%1 output tokens/s").arg(exactNumber(row.outputTps)), total, requests,
                  chunksOfGroup(group, SummaryModel::OutputTps)});
}

} // namespace

QString summaryCellText(const Group& group, SummaryModel::Column column, const SeriesModel& series)
{
    if (column == SummaryModel::Model) {
        return series.at(group.series).label;
    }
    if (column == SummaryModel::PromptTokens) {
        return promptText(group);
    }
    if (!group.computed) {
        return dashText;
    }
    const SummaryRow& row = group.row;
    switch (column) {
    case SummaryModel::N:
        return countText(counted(row));
    case SummaryModel::NotCounted: {
        const LeftOut left = leftOut(row);
        return left.parts.isEmpty() ? dashText : left.parts.join(QStringLiteral(", "));
    }
    case SummaryModel::TtftInterval:
        return intervalCell(row.ttft);
    case SummaryModel::Sent:
        return countText(row.sent);
    case SummaryModel::Failed:
        return countText(failed(row));
    case SummaryModel::TimeoutRate:
    case SummaryModel::Goodput:
        return percentText(number(row, column));
    default: {
        const QString figure = threeDigits(number(row, column));
        return isMarked(group, column) ? approximately(figure) : figure;
    }
    }
}

QString summaryCellToolTip(const Group& group, SummaryModel::Column column, const SeriesModel& series)
{
    if (column == SummaryModel::Model) {
        const SeriesModel::Series& its = series.at(group.series);
        return its.endpoint.isEmpty() ? its.model : lines({its.model, text("endpoint %1").arg(its.endpoint)});
    }
    if (column == SummaryModel::PromptTokens) {
        return promptToolTip(group);
    }
    if (!group.computed) {
        return text("The figures of this row are being computed.");
    }
    if (const auto* percentile = percentileColumn(column)) {
        return percentileToolTip(group, *percentile);
    }
    switch (column) {
    case SummaryModel::N:
    case SummaryModel::Sent:
        return nToolTip(group.row);
    case SummaryModel::NotCounted:
        return notCountedToolTip(group.row);
    case SummaryModel::TtftInterval:
        return intervalToolTip(group.row.ttft);
    case SummaryModel::Failed: {
        const QString joined = failures(group.row).parts.join(QStringLiteral(", "));
        return joined.isEmpty() ? text("No request failed.") : joined;
    }
    case SummaryModel::TimeoutRate:
        return rateToolTip(group.row);
    case SummaryModel::OutputTps:
        return outputTpsToolTip(group);
    case SummaryModel::Goodput:
        return goodputToolTip(group.row);
    default:
        return {};
    }
}

QVariant summaryCellValue(const Group& group, SummaryModel::Column column, const SeriesModel& series)
{
    const auto orInvalid = [](const std::optional<double>& value) {
        return value ? QVariant(*value) : QVariant();
    };
    switch (column) {
    case SummaryModel::Model:
        return series.at(group.series).label;
    case SummaryModel::PromptTokens:
        return group.row.key.promptTokensTarget ? QVariant(static_cast<double>(*group.row.key.promptTokensTarget))
                                                : orInvalid(group.promptMin);
    default:
        break;
    }
    if (!group.computed) {
        return {};
    }
    const SummaryRow& row = group.row;
    switch (column) {
    case SummaryModel::N:
        return counted(row);
    case SummaryModel::NotCounted:
        return leftOut(row).requests;
    case SummaryModel::TtftInterval:
        return row.ttft.p50Interval ? QVariant(row.ttft.p50Interval->first) : QVariant();
    case SummaryModel::Sent:
        return row.sent;
    case SummaryModel::Failed:
        return failed(row);
    default:
        return orInvalid(number(row, column));
    }
}

} // namespace tokenpace
