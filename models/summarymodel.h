// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <vector>

#include <QAbstractTableModel>

#include "measure/summary.h"
#include "requestsmodel.h"

namespace tokenpace {

/// A row per model and level. Figures follow the smallest-n rules: one that is withheld is a dash, its reason the
/// tooltip. GUI thread; follows a RequestsModel and recomputes only the groups that a batch touched.
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

    explicit SummaryModel(RequestsModel& requests, GoodputLimits limits, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const SummaryRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    /// Rows of the RequestsModel that a summary row rests on.
    [[nodiscard]] QList<int> requestRows(int index) const;
    void setLimits(GoodputLimits limits);

private:
    void onRequestsFinished(const QList<int>& rows);
    void rebuild();

    RequestsModel& m_requests; // not owned
    GoodputLimits m_limits;
    std::vector<SummaryRow> m_rows; ///< by series, then length
    std::map<SummaryKey, std::vector<int>> m_members; ///< rows of m_requests
};

} // namespace tokenpace
