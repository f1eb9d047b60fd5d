// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

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
    double x = 0; ///< prompt tokens (TTFT chart); unused in the TPOT chart
    double ms = 0;
    bool hollow = false; ///< flagged or not counted
};

/// TTFT of one series at one length of the plan.
struct TtftLevel {
    double x = 0; ///< median prompt tokens of its requests
    std::vector<double> values;
    Band band;
};

struct TtftSeries {
    int series = 0;
    std::vector<ChartDot> dots; ///< in order of arrival
    std::vector<TtftLevel> levels; ///< by x
};

struct TpotSeries {
    int series = 0;
    std::vector<ChartDot> dots;
    LogHistogram histogram; ///< of the values that count
    Distribution figures;
    std::optional<Box> box;
};

/// Counts for a chart's subtitle: "118 ok, 1 time-out, 1 cached (hollow)".
struct ChartCounts {
    int shown = 0; ///< requests with a dot
    int ok = 0;
    int timeouts = 0;
    int failed = 0; ///< errors and truncated replies
    int cancelled = 0;
    std::map<Flag, int> hollow; ///< drawn hollow, by the first flag that says why
    bool xEstimated = false; ///< some prompt lengths are estimates
};

/// What the two main charts draw: dots, medians, bands and distributions of the finished requests, per series, kept
/// up to date batch by batch. GUI thread; follows a RequestsModel.
class ChartData final : public QObject {
    Q_OBJECT
public:
    explicit ChartData(RequestsModel& requests, QObject* parent = nullptr);

    [[nodiscard]] const std::map<int, TtftSeries>& ttft() const { return m_ttft; }
    [[nodiscard]] const std::map<int, TpotSeries>& tpot() const { return m_tpot; }
    [[nodiscard]] ChartCounts ttftCounts() const; ///< over the series shown
    [[nodiscard]] ChartCounts tpotCounts() const;
    [[nodiscard]] RequestsModel& requests() const { return m_requests; }
    [[nodiscard]] SeriesModel& series() const { return m_requests.series(); }

signals:
    void changed(); ///< once per batch, and when series are shown or hidden

private:
    void onRequestsFinished(const QList<int>& rows);
    void rebuild();
    void add(int row);

    RequestsModel& m_requests; // not owned
    std::map<int, TtftSeries> m_ttft;
    std::map<int, TpotSeries> m_tpot;
};

} // namespace tokenpace
