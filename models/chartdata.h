// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <QObject>

#include "measure/histogram.h"
#include "measure/statistics.h"
#include "requestsmodel.h"

namespace tokenpace {

/// One request as a dot.
struct ChartDot {
    int row = 0; ///< in the RequestsModel
    double x = 0; ///< prompt tokens (TTFT chart); 0 in the TPOT chart
    double ms = 0;
    bool hollow = false; ///< has the number, but does not count in this chart's median, band, box and violin
};

/// TTFT of one series at one length of the plan, over the requests that count.
struct TtftLevel {
    std::optional<std::int64_t> promptTokensTarget;
    double x = 0; ///< median prompt tokens of its requests
    std::vector<double> values; ///< in any order
    std::vector<double> lengths; ///< prompt tokens, one a value
    Band band;
};

struct TtftSeries {
    int series = 0;
    std::vector<ChartDot> dots; ///< in order of arrival
    std::vector<TtftLevel> levels; ///< by x; a request without a planned length is in none
};

/// Time per output token of a series, a value a request; or the gaps between its output events, a value a gap.
struct TpotSeries {
    int series = 0;
    std::vector<ChartDot> dots; ///< in order of arrival; of gaps only while there are few
    LogHistogram histogram; ///< of the values that count
    Distribution figures; ///< of raw values, beyond 100,000 of them of the histogram
    std::optional<Box> box;
};

/// Counts for a chart's subtitle: "118 ok, 1 time-out, 1 cached (hollow)". Each measured request is in exactly one of
/// ok, undrawn, timeouts, failed, cancelled and hollow. Warm-ups are in none.
struct ChartCounts {
    int shown = 0; ///< requests with a dot, hollow ones included
    int ok = 0; ///< ended ok and count in this chart
    int undrawn = 0; ///< ended ok, but have no such number, or no prompt length to stand at
    int timeouts = 0;
    int failed = 0; ///< errors and truncated replies
    int cancelled = 0;
    std::map<Flag, int> hollow; ///< ended ok and drawn hollow, by the first flag that says why; or left out by hand
    bool xEstimated = false; ///< some prompt lengths of the dots are estimates
};

/// What the two main charts draw: dots, medians, bands and distributions of the finished requests, per series, kept
/// up to date batch by batch. GUI thread; follows a RequestsModel. A batch only stores its values; bands, boxes and
/// figures of what it touched are computed when they are next asked for, so that charts that are drawn less often
/// than batches come cost no more than they draw.
class ChartData final : public QObject {
    Q_OBJECT
public:
    explicit ChartData(RequestsModel& requests, QObject* parent = nullptr);

    /// By number of the series, hidden ones included. The references stay good until the next batch.
    [[nodiscard]] const std::map<int, TtftSeries>& ttft() const;
    [[nodiscard]] const std::map<int, TpotSeries>& tpot() const;
    [[nodiscard]] const std::map<int, TpotSeries>& gaps() const; ///< of the requests that count in tpot()
    /// Is every gap so far one between single tokens? Else they are gaps between chunks.
    [[nodiscard]] bool gapsAreOfTokens() const { return m_gapsOfChunks == 0; }
    [[nodiscard]] ChartCounts ttftCounts() const; ///< over the series shown
    [[nodiscard]] ChartCounts tpotCounts() const;
    [[nodiscard]] RequestsModel& requests() const { return m_requests; }
    [[nodiscard]] SeriesModel& series() const { return m_requests.series(); }

signals:
    void changed(); ///< once per batch, and when series are shown or hidden

private:
    /// What a series' figures are computed from.
    struct TpotValues {
        std::vector<double> sorted; ///< raw values; emptied beyond 100,000
        std::vector<double> fresh; ///< not sorted in yet
        double sum = 0;
        double min = 0;
        double max = 0;
    };
    /// One value a request, or one a gap, with the figures that are computed when they are asked for.
    struct Distributions {
        std::map<int, TpotSeries> bySeries;
        std::map<int, TpotValues> values;
        std::vector<int> touched; ///< series, with repetitions

        void add(int series, double ms);
        void bringUpToDate();
    };

    void onRequestsFinished(const QList<int>& rows);
    void onReset();
    void rebuild();
    void add(int row);
    void addTtft(int row, const Timeline& timeline, int series);
    void addTpot(int row, const Timeline& timeline, int series);
    void addGaps(int row, const Timeline& timeline, int series);
    [[nodiscard]] ChartCounts sum(const std::map<int, ChartCounts>& counts) const;

    RequestsModel& m_requests; // not owned
    std::map<int, ChartCounts> m_ttftCounts; // by series
    std::map<int, ChartCounts> m_tpotCounts;
    // Brought up to date by the const readers above.
    mutable std::map<int, TtftSeries> m_ttft;
    mutable Distributions m_tpot;
    mutable Distributions m_gaps;
    mutable std::vector<std::pair<int, std::int64_t>> m_touchedLevels; // series and length, with repetitions
    int m_gapsOfChunks = 0; // requests whose chunks are not their tokens
};

} // namespace tokenpace
