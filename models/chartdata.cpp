// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "chartdata.h"

#include <algorithm>

#include "measure/metrics.h"

namespace tokenpace {

namespace {

// Up to here figures use raw values; beyond, the histogram, whose cost does not grow.
constexpr std::size_t mostRawValues = 100'000;

/// Why a request that ended ok does not count, as the first flag that says so.
std::optional<Flag> firstReason(const Timeline& timeline, std::initializer_list<Flag> reasons)
{
    if (timeline.attempts > 1) {
        return Flag::Retried;
    }
    for (const Flag flag : reasons) {
        if (timeline.flags.has(flag)) {
            return flag;
        }
    }
    return std::nullopt;
}

std::optional<Flag> whyNotCounted(const Timeline& timeline)
{
    return firstReason(timeline, {Flag::Resent, Flag::ClockJump, Flag::ClientBusy, Flag::OtherModel});
}

std::optional<Flag> whyTtftNotCounted(const Timeline& timeline)
{
    const auto reason = whyNotCounted(timeline);
    return reason ? reason : firstReason(timeline, {Flag::Buffered, Flag::CoarseStamp, Flag::Cached});
}

void count(ChartCounts& counts, const Timeline& timeline, bool drawn, bool counted, std::optional<Flag> why)
{
    counts.shown += drawn ? 1 : 0;
    switch (timeline.status) {
    case Status::Ok:
        if (counted && drawn) {
            ++counts.ok;
        } else if (drawn && why) {
            ++counts.hollow[*why];
        } else {
            ++counts.undrawn;
        }
        break;
    case Status::Timeout:
        ++counts.timeouts;
        break;
    case Status::Cancelled:
        ++counts.cancelled;
        break;
    case Status::Truncated:
    case Status::Error:
        ++counts.failed;
        break;
    }
}

template <typename Value> void sortUnique(std::vector<Value>& values)
{
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Figures and box of more values than are kept raw.
void describe(TpotSeries& series, double sum, double min, double max)
{
    const LogHistogram& histogram = series.histogram;
    const auto n = static_cast<std::size_t>(histogram.count());
    const auto at = [&histogram](double p) {
        return histogram.quantileMs(p);
    };
    Distribution figures;
    figures.n = n;
    figures.min = min;
    figures.max = max;
    figures.p50 = at(0.5);
    figures.p90 = at(0.9);
    figures.p95 = at(0.95);
    figures.p99 = at(0.99);
    figures.mean = sum / static_cast<double>(n);
    if (const auto ranks = percentileInterval(n, 0.5)) {
        const auto last = static_cast<double>(n - 1);
        const auto low = at(static_cast<double>(ranks->low) / last);
        const auto high = at(static_cast<double>(ranks->high) / last);
        if (low && high) {
            figures.p50Interval = {*low, *high};
        }
    }
    series.figures = figures;
    series.box = Box{at(0.05).value_or(min), at(0.25).value_or(min), at(0.5).value_or(min),
                     at(0.75).value_or(max), at(0.95).value_or(max), false};
}

} // namespace

ChartData::ChartData(RequestsModel& requests, QObject* parent)
    : QObject(parent)
    , m_requests(requests)
{
    connect(&m_requests, &RequestsModel::requestsFinished, this, &ChartData::onRequestsFinished);
    connect(&m_requests, &QAbstractItemModel::modelReset, this, &ChartData::onReset);
    connect(&m_requests.series(), &SeriesModel::shownChanged, this, &ChartData::changed);
    rebuild();
}

void ChartData::onRequestsFinished(const QList<int>& rows)
{
    for (const int row : rows) {
        add(row);
    }
    emit changed();
}

void ChartData::onReset()
{
    rebuild();
    emit changed();
}

void ChartData::rebuild()
{
    m_ttft.clear();
    m_tpot.clear();
    m_tpotValues.clear();
    m_ttftCounts.clear();
    m_tpotCounts.clear();
    m_touchedLevels.clear();
    m_touchedTpot.clear();
    for (int row = 0; row < m_requests.rowCount(); ++row) {
        if (m_requests.row(row).finished()) {
            add(row);
        }
    }
}

void ChartData::add(int row)
{
    const RequestsModel::Row& request = m_requests.row(row);
    if (!request.timeline->flags.has(Flag::WarmUp)) {
        addTtft(row, *request.timeline, request.series);
        addTpot(row, *request.timeline, request.series);
    }
}

void ChartData::addTtft(int row, const Timeline& timeline, int series)
{
    const auto ttft = ttftMs(timeline);
    const auto length = promptLength(timeline);
    const bool drawn = ttft && length;
    const bool counted = tokenpace::ttftCounts(timeline);
    ChartCounts& counts = m_ttftCounts[series];
    count(counts, timeline, drawn, counted, whyTtftNotCounted(timeline));
    TtftSeries& its = m_ttft[series];
    its.series = series;
    if (!drawn) {
        return;
    }
    counts.xEstimated = counts.xEstimated || length->estimated;
    its.dots.push_back({row, length->tokens, *ttft, !counted});
    if (!counted || !timeline.promptTokensTarget) {
        return;
    }
    const auto target = *timeline.promptTokensTarget;
    auto level = std::find_if(its.levels.begin(), its.levels.end(), [target](const TtftLevel& one) {
        return one.promptTokensTarget == target;
    });
    if (level == its.levels.end()) {
        level = its.levels.insert(its.levels.end(), TtftLevel{});
        level->promptTokensTarget = target;
    }
    level->values.push_back(*ttft);
    level->lengths.push_back(length->tokens);
    m_touchedLevels.emplace_back(series, target);
}

void ChartData::addTpot(int row, const Timeline& timeline, int series)
{
    const auto tpot = tpotMs(timeline);
    const bool counted = tokenpace::tpotCounts(timeline);
    count(m_tpotCounts[series], timeline, tpot.has_value(), counted, whyNotCounted(timeline));
    TpotSeries& its = m_tpot[series];
    its.series = series;
    if (!tpot) {
        return;
    }
    its.dots.push_back({row, 0, *tpot, !counted});
    if (!counted) {
        return;
    }
    TpotValues& values = m_tpotValues[series];
    const bool isFirst = its.histogram.count() == 0;
    its.histogram.add(*tpot);
    values.sum += *tpot;
    values.min = isFirst ? *tpot : std::min(values.min, *tpot);
    values.max = isFirst ? *tpot : std::max(values.max, *tpot);
    if (its.histogram.count() <= mostRawValues) {
        values.fresh.push_back(*tpot);
    }
    m_touchedTpot.push_back(series);
}

const std::map<int, TtftSeries>& ChartData::ttft() const
{
    sortUnique(m_touchedLevels);
    for (const auto& [series, target] : m_touchedLevels) {
        for (TtftLevel& level : m_ttft[series].levels) {
            if (level.promptTokensTarget == target) {
                level.x = percentile(level.lengths, 0.5).value_or(0);
                level.band = bandOf(level.values).value_or(Band{});
            }
        }
    }
    for (const auto& [series, target] : m_touchedLevels) {
        auto& levels = m_ttft[series].levels;
        std::sort(levels.begin(), levels.end(), [](const TtftLevel& a, const TtftLevel& b) {
            return a.x < b.x;
        });
    }
    m_touchedLevels.clear();
    return m_ttft;
}

const std::map<int, TpotSeries>& ChartData::tpot() const
{
    sortUnique(m_touchedTpot);
    for (const int series : m_touchedTpot) {
        TpotSeries& its = m_tpot[series];
        TpotValues& values = m_tpotValues[series];
        if (its.histogram.count() > mostRawValues) {
            values.sorted = {};
            values.fresh = {};
            describe(its, values.sum, values.min, values.max);
            continue;
        }
        std::sort(values.fresh.begin(), values.fresh.end());
        const auto middle = static_cast<std::ptrdiff_t>(values.sorted.size());
        values.sorted.insert(values.sorted.end(), values.fresh.begin(), values.fresh.end());
        std::inplace_merge(values.sorted.begin(), values.sorted.begin() + middle, values.sorted.end());
        values.fresh.clear();
        its.figures = tokenpace::describe(values.sorted);
        its.box = boxOf(values.sorted);
    }
    m_touchedTpot.clear();
    return m_tpot;
}

ChartCounts ChartData::ttftCounts() const
{
    return sum(m_ttftCounts);
}

ChartCounts ChartData::tpotCounts() const
{
    return sum(m_tpotCounts);
}

ChartCounts ChartData::sum(const std::map<int, ChartCounts>& counts) const
{
    ChartCounts total;
    for (const auto& [series, one] : counts) {
        if (!m_requests.series().isShown(series)) {
            continue;
        }
        total.shown += one.shown;
        total.ok += one.ok;
        total.undrawn += one.undrawn;
        total.timeouts += one.timeouts;
        total.failed += one.failed;
        total.cancelled += one.cancelled;
        total.xEstimated = total.xEstimated || one.xEstimated;
        for (const auto& [flag, requests] : one.hollow) {
            total.hollow[flag] += requests;
        }
    }
    return total;
}

} // namespace tokenpace
