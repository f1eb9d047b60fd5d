// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "chartdata.h"

#include <algorithm>

#include "definitions.h"
#include "measure/metrics.h"

namespace tokenpace {

namespace {

// Up to here figures use raw values; beyond, the histogram, whose cost does not grow.
constexpr std::size_t mostRawValues = 100'000;
// Fewer gaps are drawn as dots; from there on a violin stands for them.
constexpr std::uint64_t fewGaps = 50;

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
    if (timeline.flags.has(Flag::Excluded)) {
        ++counts.hollow[Flag::Excluded];
        return;
    }
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
    connect(&m_requests, &RequestsModel::requestsChanged, this, &ChartData::onReset);
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
    m_tpot = {};
    m_gaps = {};
    m_gapsOfChunks = 0;
    m_ttftCounts.clear();
    m_tpotCounts.clear();
    m_touchedLevels.clear();
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
    TpotSeries& its = m_tpot.bySeries[series];
    its.series = series;
    if (!tpot) {
        return;
    }
    its.dots.push_back({row, 0, *tpot, !counted});
    if (counted) {
        m_tpot.add(series, *tpot);
        addGaps(row, timeline, series);
    }
}

void ChartData::addGaps(int row, const Timeline& timeline, int series)
{
    TpotSeries& its = m_gaps.bySeries[series];
    const std::vector<double> gaps = itlMs(timeline);
    for (const double gap : gaps) {
        m_gaps.add(series, gap);
        if (its.histogram.count() < fewGaps) {
            its.dots.push_back({row, 0, gap, false});
        }
    }
    if (its.histogram.count() >= fewGaps) {
        its.dots = {};
    }
    const bool ofTokens =
        outputTokens(timeline) == static_cast<std::int64_t>(timeline.arrivals.size()) && !tokensAreChunks(timeline);
    m_gapsOfChunks += gaps.empty() || ofTokens ? 0 : 1;
}

void ChartData::Distributions::add(int series, double ms)
{
    TpotSeries& its = bySeries[series];
    its.series = series;
    TpotValues& raw = values[series];
    const bool isFirst = its.histogram.count() == 0;
    its.histogram.add(ms);
    raw.sum += ms;
    raw.min = isFirst ? ms : std::min(raw.min, ms);
    raw.max = isFirst ? ms : std::max(raw.max, ms);
    if (its.histogram.count() <= mostRawValues) {
        raw.fresh.push_back(ms);
    }
    if (touched.empty() || touched.back() != series) {
        touched.push_back(series);
    }
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

void ChartData::Distributions::bringUpToDate()
{
    sortUnique(touched);
    for (const int series : touched) {
        TpotSeries& its = bySeries[series];
        TpotValues& raw = values[series];
        if (its.histogram.count() > mostRawValues) {
            raw.sorted = {};
            raw.fresh = {};
            describe(its, raw.sum, raw.min, raw.max);
            continue;
        }
        std::sort(raw.fresh.begin(), raw.fresh.end());
        const auto middle = static_cast<std::ptrdiff_t>(raw.sorted.size());
        raw.sorted.insert(raw.sorted.end(), raw.fresh.begin(), raw.fresh.end());
        std::inplace_merge(raw.sorted.begin(), raw.sorted.begin() + middle, raw.sorted.end());
        raw.fresh.clear();
        its.figures = tokenpace::describe(raw.sorted);
        its.box = boxOf(raw.sorted);
    }
    touched.clear();
}

const std::map<int, TpotSeries>& ChartData::tpot() const
{
    m_tpot.bringUpToDate();
    return m_tpot.bySeries;
}

const std::map<int, TpotSeries>& ChartData::gaps() const
{
    m_gaps.bringUpToDate();
    return m_gaps.bySeries;
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
