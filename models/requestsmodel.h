// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <QAbstractTableModel>
#include <QItemSelection>

#include "measure/summary.h"
#include "net/clientrequest.h"
#include "seriesmodel.h"

namespace tokenpace {

/// Every request of the window: a row each, in the order in which they were written to the network; those still
/// running show what has arrived. GUI thread; does not own the series.
class RequestsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Seq,
        Model,
        PromptTokens,
        Ttft,
        Tpot,
        E2e,
        OutputTokens,
        Throughput,
        FinishReason,
        StatusText,
        FlagsText,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole, ///< raw value; invalid when unknown
        SeriesRole, ///< number in the SeriesModel
        TimelineRole ///< TimelinePtr; no value while running
    };

    /// A request as charts, raster and inspector read it.
    struct Row {
        QString run;
        int seq = 0;
        int series = -1; ///< of a row in the model never -1
        std::optional<std::int64_t> promptTokensTarget;
        Stamp zero{}; ///< while running
        std::vector<Stamp> liveArrivals; ///< while running
        int expectedTokens = 0; ///< the limit sent, or 0
        TimelinePtr timeline; ///< null while running

        [[nodiscard]] bool finished() const { return timeline != nullptr; }
        [[nodiscard]] const std::vector<Stamp>& arrivals() const
        {
            return timeline ? timeline->arrivals : liveArrivals;
        }
        [[nodiscard]] Stamp zeroStamp() const { return timeline ? timeline->zero.value_or(Stamp{}) : zero; }
    };

    explicit RequestsModel(SeriesModel& series, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    /// -1 when there is none. Where a log holds several records of one run and seq, the first.
    [[nodiscard]] int rowOf(const QString& run, int seq) const;
    [[nodiscard]] SeriesModel& series() const { return m_series; }
    [[nodiscard]] int finishedCount() const { return m_finished; }

    /// What a started row is, since the client tells only run and seq: set before its run starts. Requests that start
    /// unannounced get their row when they finish.
    struct Announced {
        int series = -1;
        std::optional<std::int64_t> promptTokensTarget;
        int expectedTokens = 0;
    };
    void announce(const QString& run, std::vector<Announced> bySeq);

    /// One batch from the mailbox: at most one rowsInserted, one dataChanged per contiguous range of rows that it
    /// touched.
    void apply(const std::vector<ClientUpdate>& batch);
    /// Finished requests from a log, as one batch.
    void append(const std::vector<TimelinePtr>& timelines);
    /// Whole rows, given in ascending order, as ranges: a selection of 100,000 single rows takes seconds.
    [[nodiscard]] QItemSelection selectionOf(const std::vector<int>& rows) const;
    /// Leaves finished requests out of every aggregate, or takes them back in: each gets, or loses, the flag `excluded`
    /// in a record of its own. What the log holds stays as it is.
    void setExcluded(const QList<int>& rows, bool excluded);
    [[nodiscard]] bool isExcluded(int row) const;
    /// Forgets all rows and what was announced; series stay.
    void clear();

signals:
    void requestsFinished(const QList<int>& rows); ///< once per batch, in the order in which they finished
    void requestsChanged(const QList<int>& rows); ///< finished ones count otherwise than before
    void arrivalsChanged(); ///< once per batch in which rows started (again) or output arrived

private:
    struct Run {
        std::vector<Announced> announced; ///< by seq
        std::unordered_map<int, int> rowBySeq;
    };
    class Batch;

    void commit(Batch& batch);
    void emitChanged(std::vector<int> rows);
    void onLabelsChanged();

    std::vector<Row> m_rows;
    std::unordered_map<QString, Run> m_runs; ///< by id
    SeriesModel& m_series; // not owned
    int m_finished = 0;
};

} // namespace tokenpace
