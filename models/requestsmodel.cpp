// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "requestsmodel.h"

#include <algorithm>
#include <iterator>

#include "definitions.h"
#include "requestcell.h"

namespace tokenpace {

/// Takes the updates of one batch: rows that exist change at once, new ones wait until the model may insert them all
/// together.
class RequestsModel::Batch {
public:
    explicit Batch(RequestsModel& model)
        : m_model(model)
        , m_firstNew(static_cast<int>(model.m_rows.size()))
    {
    }

    void take(const RequestStarted& started)
    {
        const auto found = m_model.m_runs.find(started.run);
        if (found == m_model.m_runs.end()) {
            return;
        }
        Run& run = found->second;
        const auto known = run.rowBySeq.find(started.seq);
        if (known == run.rowBySeq.end()) {
            const auto seq = static_cast<std::size_t>(started.seq);
            if (started.seq < 0 || seq >= run.announced.size() || !isSeries(run.announced[seq].series)) {
                return;
            }
            const Announced& announced = run.announced[seq];
            Row row;
            row.run = started.run;
            row.seq = started.seq;
            row.series = announced.series;
            row.promptTokensTarget = announced.promptTokensTarget;
            row.expectedTokens = announced.expectedTokens;
            row.zero = started.zero;
            add(run, std::move(row));
            m_arrivals = true;
            return;
        }
        Row& row = at(known->second);
        if (!row.finished()) {
            row.zero = started.zero;
            row.liveArrivals.clear();
            touch(known->second);
            m_arrivals = true;
        }
    }

    void take(const OutputsArrived& outputs)
    {
        const int index = m_model.rowOf(outputs.run, outputs.seq);
        if (index < 0 || at(index).finished() || outputs.count <= 0) {
            return;
        }
        auto& arrivals = at(index).liveArrivals;
        arrivals.insert(arrivals.end(), static_cast<std::size_t>(outputs.count), outputs.at);
        touch(index);
        m_arrivals = true;
    }

    void take(const RequestFinished& finished) { finish(finished.timeline); }

    void finish(const TimelinePtr& timeline)
    {
        if (!timeline) {
            return;
        }
        const QString runId = QString::fromStdString(timeline->run);
        Run& run = m_model.m_runs[runId];
        const auto known = run.rowBySeq.find(timeline->seq);
        // Lines of other programs carry neither run nor seq: each is a request of its own all the same.
        if (known != run.rowBySeq.end() && !at(known->second).finished()) {
            Row& row = at(known->second);
            row.timeline = timeline;
            row.promptTokensTarget = timeline->promptTokensTarget;
            row.liveArrivals = {};
            touch(known->second);
            m_finished.push_back(known->second);
            return;
        }
        Row row;
        row.run = runId;
        row.seq = timeline->seq;
        row.series = seriesOf(*timeline, run);
        row.promptTokensTarget = timeline->promptTokensTarget;
        row.timeline = timeline;
        m_finished.push_back(add(run, std::move(row)));
    }

    std::vector<Row> added;

    [[nodiscard]] const std::vector<int>& touched() const { return m_touched; }
    [[nodiscard]] const QList<int>& finished() const { return m_finished; }
    [[nodiscard]] bool hasArrivals() const { return m_arrivals; }

private:
    [[nodiscard]] Row& at(int index)
    {
        return index < m_firstNew ? m_model.m_rows[static_cast<std::size_t>(index)]
                                  : added[static_cast<std::size_t>(index - m_firstNew)];
    }

    int add(Run& run, Row row)
    {
        const int index = m_firstNew + static_cast<int>(added.size());
        run.rowBySeq.try_emplace(row.seq, index);
        added.push_back(std::move(row));
        return index;
    }

    void touch(int index)
    {
        if (index < m_firstNew && (m_touched.empty() || m_touched.back() != index)) {
            m_touched.push_back(index);
        }
    }

    [[nodiscard]] bool isSeries(int series) const { return series >= 0 && series < m_model.m_series.count(); }

    [[nodiscard]] int seriesOf(const Timeline& timeline, const Run& run) const
    {
        const auto seq = static_cast<std::size_t>(timeline.seq);
        if (timeline.seq >= 0 && seq < run.announced.size() && isSeries(run.announced[seq].series)) {
            return run.announced[seq].series;
        }
        return m_model.m_series.seriesFor(QString::fromStdString(timeline.endpoint),
                                          QString::fromStdString(timeline.model));
    }

    RequestsModel& m_model;
    int m_firstNew;
    std::vector<int> m_touched; // rows of before, with repetitions
    QList<int> m_finished;
    bool m_arrivals = false;
};

RequestsModel::RequestsModel(SeriesModel& series, QObject* parent)
    : QAbstractTableModel(parent)
    , m_series(series)
{
    connect(&m_series, &SeriesModel::labelsChanged, this, &RequestsModel::onLabelsChanged);
}

int RequestsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RequestsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant RequestsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Row& request = row(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return requestCellText(request, column, m_series);
    case Qt::ToolTipRole:
        return requestCellToolTip(request, column, m_series);
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case SortRole:
        return requestCellValue(request, column, m_series);
    case SeriesRole:
        return request.series;
    case TimelineRole:
        return request.finished() ? QVariant::fromValue(request.timeline) : QVariant();
    default:
        return {};
    }
}

QVariant RequestsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    const auto column = static_cast<Column>(section);
    switch (role) {
    case Qt::DisplayRole:
        return requestColumnTitle(column);
    case Qt::ToolTipRole:
        return requestColumnToolTip(column);
    case Qt::TextAlignmentRole: {
        const bool isText = column == Model || column == FinishReason || column == StatusText || column == FlagsText;
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

int RequestsModel::rowOf(const QString& run, int seq) const
{
    const auto found = m_runs.find(run);
    if (found == m_runs.end()) {
        return -1;
    }
    const auto row = found->second.rowBySeq.find(seq);
    return row == found->second.rowBySeq.end() ? -1 : row->second;
}

void RequestsModel::announce(const QString& run, std::vector<Announced> bySeq)
{
    m_runs[run].announced = std::move(bySeq);
}

void RequestsModel::apply(const std::vector<ClientUpdate>& updates)
{
    Batch batch(*this);
    for (const ClientUpdate& update : updates) {
        std::visit(
            [&batch](const auto& one) {
                batch.take(one);
            },
            update);
    }
    commit(batch);
}

void RequestsModel::append(const std::vector<TimelinePtr>& timelines)
{
    Batch batch(*this);
    batch.added.reserve(timelines.size());
    for (const TimelinePtr& timeline : timelines) {
        batch.finish(timeline);
    }
    commit(batch);
}

void RequestsModel::commit(Batch& batch)
{
    m_finished += static_cast<int>(batch.finished().size());
    // Changes before the insertion: a sorting proxy places new rows among values that it knows.
    emitChanged(batch.touched());
    if (!batch.added.empty()) {
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(batch.added.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(batch.added.begin()),
                      std::make_move_iterator(batch.added.end()));
        endInsertRows();
    }
    if (!batch.finished().empty()) {
        emit requestsFinished(batch.finished());
    }
    if (batch.hasArrivals()) {
        emit arrivalsChanged();
    }
}

void RequestsModel::emitChanged(std::vector<int> rows)
{
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (end < rows.size() && rows[end] == rows[end - 1] + 1) {
            ++end;
        }
        emit dataChanged(index(rows[begin], 0), index(rows[end - 1], ColumnCount - 1));
        begin = end;
    }
}

QItemSelection RequestsModel::selectionOf(const std::vector<int>& rows) const
{
    QItemSelection selection;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (end < rows.size() && rows[end] == rows[end - 1] + 1) {
            ++end;
        }
        selection.append(QItemSelectionRange(index(rows[begin], 0), index(rows[end - 1], ColumnCount - 1)));
        begin = end;
    }
    return selection;
}

void RequestsModel::setExcluded(const QList<int>& rows, bool excluded)
{
    QList<int> changed;
    for (const int index : rows) {
        Row& row = m_rows[static_cast<std::size_t>(index)];
        if (row.finished() && isExcluded(index) != excluded) {
            auto record = std::make_shared<Timeline>(*row.timeline); // others may hold the one that is there
            record->flags.set(Flag::Excluded, excluded);
            row.timeline = std::move(record);
            changed.append(index);
        }
    }
    if (!changed.isEmpty()) {
        emitChanged({changed.begin(), changed.end()});
        emit requestsChanged(changed);
    }
}

bool RequestsModel::isExcluded(int row) const
{
    const TimelinePtr& timeline = this->row(row).timeline;
    return timeline && timeline->flags.has(Flag::Excluded);
}

void RequestsModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_runs.clear();
    m_finished = 0;
    endResetModel();
}

void RequestsModel::onLabelsChanged()
{
    if (!m_rows.empty()) {
        emit dataChanged(index(0, Model), index(rowCount() - 1, Model));
    }
}

} // namespace tokenpace
