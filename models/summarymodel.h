// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QThreadPool>

#include "measure/summary.h"
#include "requestsmodel.h"

namespace tokenpace {

/// A row per model and level, by series, then length; a request without a planned length is in its model's first row.
/// Figures follow the smallest-n rules: one that is withheld is a dash, its reason the tooltip. Warm-ups are in no
/// row. GUI thread; follows a RequestsModel and recomputes only the groups that a batch touched: small ones at once,
/// large ones on a thread of its own, at most as often as leaves that thread mostly idle.
class SummaryModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Model,
        PromptTokens,
        N,
        NotCounted,
        TtftP50,
        TtftInterval,
        TtftP90,
        TpotP50,
        E2eP50,
        ThroughputP50,
        // From here on hidden until the header's menu shows them.
        TtftP95,
        TtftP99,
        TpotP90,
        TpotP95,
        TpotP99,
        ItlP50,
        ItlP99,
        E2eP95,
        Sent,
        Failed,
        TimeoutRate,
        OutputTps,
        Goodput,
        ColumnCount
    };
    static constexpr int firstOptionalColumn = TtftP95;
    enum Role { SortRole = Qt::UserRole, SeriesRole };

    /// A group of requests of one model and length with its figures.
    struct Group {
        int series = -1;
        SummaryRow row;
        bool computed = false; ///< false while its first figures are being computed
        std::vector<int> members; ///< rows of the RequestsModel
        std::size_t arrivals = 0; ///< output events of all members: what the figures cost
        int chunkCounted = 0; ///< members of the per-request figures whose tokens are counted as chunks
        int chunkSent = 0; ///< the same of all that were sent, which system throughput rests on
        int promptsEstimated = 0; ///< members whose prompt length is an estimate
        std::optional<double> promptMin; ///< prompt tokens of the members
        std::optional<double> promptMax;
        int revision = 0; ///< counts changes of the members and of the limits
        bool inFlight = false; ///< being computed, or resting after it
    };

    explicit SummaryModel(RequestsModel& requests, GoodputLimits limits, QObject* parent = nullptr);
    ~SummaryModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const SummaryRow& row(int index) const { return group(index).row; }
    [[nodiscard]] const Group& group(int index) const { return m_groups[static_cast<std::size_t>(index)]; }
    /// Rows of the RequestsModel that a summary row rests on.
    [[nodiscard]] QList<int> requestRows(int index) const;
    void setLimits(GoodputLimits limits);
    /// Notes a finished request as a member of a group; the figures are not computed.
    static void addMember(Group& group, int row, const Timeline& timeline);

private:
    /// What may still be computed before the event loop goes on: about 0.5 ms of sorting gaps. The rest goes to the
    /// pool.
    struct Allowance {
        std::size_t arrivals = 6'000;
        std::size_t members = 1'000;
    };
    /// Series, then length.
    using Place = std::pair<int, std::optional<std::int64_t>>;
    [[nodiscard]] static Place placeOf(const Group& group);

    void onRequestsFinished(const QList<int>& rows);
    void onRequestsChanged(const QList<int>& rows);
    void onLabelsChanged();
    void rebuild();
    void refresh(Group& group, Allowance& allowance);
    void computeInPool(Group& group);
    void onComputed(const Place& place, int generation, int revision, SummaryRow row, int tookMs);
    void onRested(const Place& place, int generation);
    void insertGroups(std::vector<Group> groups, Allowance& allowance);
    void emitChanged(const std::vector<Place>& places);
    [[nodiscard]] std::vector<Group>::iterator lowerBound(const Place& place);
    [[nodiscard]] Group* find(const Place& place);
    [[nodiscard]] std::vector<TimelinePtr> timelines(const Group& group) const;

    RequestsModel& m_requests; // not owned
    GoodputLimits m_limits;
    std::vector<Group> m_groups; ///< by place
    int m_generation = 0; ///< counts resets, so that figures of before are dropped
    QThreadPool m_pool; // one thread; waited for in the destructor
};

} // namespace tokenpace
