// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "summarymodel.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <QElapsedTimer>
#include <QTimer>

#include "definitions.h"
#include "measure/metrics.h"
#include "summarycell.h"
#include "summarycolumn.h"

namespace tokenpace {

namespace {
// After computing for t, a group rests for 4 t: at most a fifth of one core goes into figures that are still moving.
constexpr int restFactor = 4;
constexpr int longestRestMs = 5'000;
} // namespace

SummaryModel::SummaryModel(RequestsModel& requests, GoodputLimits limits, QObject* parent)
    : QAbstractTableModel(parent)
    , m_requests(requests)
    , m_limits(limits)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_requests, &RequestsModel::requestsFinished, this, &SummaryModel::onRequestsFinished);
    connect(&m_requests, &RequestsModel::requestsChanged, this, &SummaryModel::onRequestsChanged);
    connect(&m_requests, &QAbstractItemModel::modelReset, this, &SummaryModel::rebuild);
    connect(&m_requests.series(), &SeriesModel::labelsChanged, this, &SummaryModel::onLabelsChanged);
    rebuild();
}

SummaryModel::~SummaryModel()
{
    m_pool.clear();
    m_pool.waitForDone();
}

int SummaryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int SummaryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Group& its = group(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return summaryCellText(its, column, m_requests.series());
    case Qt::ToolTipRole:
        return summaryCellToolTip(its, column, m_requests.series());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case SortRole:
        return summaryCellValue(its, column, m_requests.series());
    case SeriesRole:
        return its.series;
    default:
        return {};
    }
}

QVariant SummaryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    const auto column = static_cast<Column>(section);
    switch (role) {
    case Qt::DisplayRole:
        return summaryColumnTitle(column);
    case Qt::ToolTipRole:
        return summaryColumnToolTip(column);
    case Qt::TextAlignmentRole: {
        const bool isText = column == Model || column == NotCounted;
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QList<int> SummaryModel::requestRows(int index) const
{
    const std::vector<int>& members = group(index).members;
    return {members.begin(), members.end()};
}

void SummaryModel::setLimits(GoodputLimits limits)
{
    m_limits = limits;
    std::vector<Place> places;
    Allowance allowance;
    for (Group& group : m_groups) {
        ++group.revision;
        refresh(group, allowance);
        places.push_back(placeOf(group));
    }
    emitChanged(places);
}

SummaryModel::Place SummaryModel::placeOf(const Group& group)
{
    return {group.series, group.row.key.promptTokensTarget};
}

std::vector<SummaryModel::Group>::iterator SummaryModel::lowerBound(const Place& place)
{
    return std::lower_bound(m_groups.begin(), m_groups.end(), place, [](const Group& group, const Place& sought) {
        return placeOf(group) < sought;
    });
}

SummaryModel::Group* SummaryModel::find(const Place& place)
{
    const auto found = lowerBound(place);
    return found != m_groups.end() && placeOf(*found) == place ? &*found : nullptr;
}

void SummaryModel::onRequestsFinished(const QList<int>& rows)
{
    std::map<Place, Group> fresh;
    std::vector<Place> touched;
    for (const int row : rows) {
        const RequestsModel::Row& request = m_requests.row(row);
        if (request.timeline->flags.has(Flag::WarmUp)) {
            continue;
        }
        const SummaryKey key = summaryKey(*request.timeline);
        const Place place{request.series, key.promptTokensTarget};
        Group* group = find(place);
        if (group) {
            touched.push_back(place);
        } else {
            group = &fresh[place];
            group->series = request.series;
            group->row.key = key;
        }
        addMember(*group, row, *m_requests.row(row).timeline);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    Allowance allowance;
    for (const Place& place : touched) {
        refresh(*find(place), allowance);
    }
    emitChanged(touched);

    std::vector<Group> groups;
    for (auto& [place, group] : fresh) {
        groups.push_back(std::move(group));
    }
    insertGroups(std::move(groups), allowance);
}

void SummaryModel::onRequestsChanged(const QList<int>& rows)
{
    std::set<Place> touched;
    for (const int row : rows) {
        const RequestsModel::Row& request = m_requests.row(row);
        touched.insert({request.series, summaryKey(*request.timeline).promptTokensTarget});
    }
    Allowance allowance;
    std::vector<Place> places;
    for (const Place& place : touched) {
        Group* group = find(place);
        if (!group) {
            continue; // of warm-ups only
        }
        Group anew;
        for (const int member : group->members) {
            addMember(anew, member, *m_requests.row(member).timeline);
        }
        group->chunkCounted = anew.chunkCounted;
        group->chunkSent = anew.chunkSent;
        ++group->revision;
        refresh(*group, allowance);
        places.push_back(place);
    }
    emitChanged(places);
}

void SummaryModel::addMember(Group& group, int row, const Timeline& timeline)
{
    group.members.push_back(row);
    ++group.revision;
    group.arrivals += timeline.arrivals.size();
    if (tokensAreChunks(timeline)) {
        group.chunkCounted += counts(timeline) ? 1 : 0;
        group.chunkSent += timeline.status != Status::Cancelled && !timeline.flags.has(Flag::Excluded) ? 1 : 0;
    }
    if (const auto prompt = promptLength(timeline)) {
        group.promptsEstimated += prompt->estimated ? 1 : 0;
        group.promptMin = std::min(group.promptMin.value_or(prompt->tokens), prompt->tokens);
        group.promptMax = std::max(group.promptMax.value_or(prompt->tokens), prompt->tokens);
    }
}

std::vector<TimelinePtr> SummaryModel::timelines(const Group& group) const
{
    std::vector<TimelinePtr> all;
    all.reserve(group.members.size());
    for (const int member : group.members) {
        all.push_back(m_requests.row(member).timeline);
    }
    return all;
}

void SummaryModel::refresh(Group& group, Allowance& allowance)
{
    if (group.inFlight) {
        return; // computed again when it is back
    }
    if (group.arrivals <= allowance.arrivals && group.members.size() <= allowance.members) {
        allowance.arrivals -= group.arrivals;
        allowance.members -= group.members.size();
        group.row = summarise(group.row.key, timelines(group), m_limits);
        group.computed = true;
    } else {
        computeInPool(group);
    }
}

void SummaryModel::computeInPool(Group& group)
{
    group.inFlight = true;
    auto job = [this, place = placeOf(group), generation = m_generation, revision = group.revision, key = group.row.key,
                requests = timelines(group), limits = m_limits] {
        QElapsedTimer timer;
        timer.start();
        SummaryRow row = summarise(key, requests, limits);
        const auto tookMs = static_cast<int>(timer.elapsed());
        QMetaObject::invokeMethod(this, [this, place, generation, revision, row = std::move(row), tookMs] {
            onComputed(place, generation, revision, row, tookMs);
        });
    };
    m_pool.start(std::move(job));
}

void SummaryModel::onComputed(const Place& place, int generation, int revision, SummaryRow row, int tookMs)
{
    Group* group = generation == m_generation ? find(place) : nullptr;
    if (!group) {
        return;
    }
    group->row = std::move(row);
    group->computed = true;
    emitChanged({place});
    if (revision == group->revision) {
        group->inFlight = false;
        return;
    }
    const int restMs = std::min(restFactor * tookMs, longestRestMs);
    QTimer::singleShot(restMs, this, [this, place, generation] {
        onRested(place, generation);
    });
}

void SummaryModel::onRested(const Place& place, int generation)
{
    Group* group = generation == m_generation ? find(place) : nullptr;
    if (group) {
        computeInPool(*group);
    }
}

void SummaryModel::insertGroups(std::vector<Group> groups, Allowance& allowance)
{
    // Ascending by place, as they come out of a map; what lands in one gap between rows is inserted as one range.
    for (std::size_t begin = 0; begin < groups.size();) {
        const auto at = lowerBound(placeOf(groups[begin]));
        const auto position = at - m_groups.begin();
        std::size_t end = begin + 1;
        while (end < groups.size() && (at == m_groups.end() || placeOf(groups[end]) < placeOf(*at))) {
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) {
            refresh(groups[i], allowance);
        }
        const int first = static_cast<int>(position);
        const auto from = groups.begin();
        beginInsertRows({}, first, first + static_cast<int>(end - begin) - 1);
        m_groups.insert(at, std::make_move_iterator(from + static_cast<std::ptrdiff_t>(begin)),
                        std::make_move_iterator(from + static_cast<std::ptrdiff_t>(end)));
        endInsertRows();
        begin = end;
    }
}

void SummaryModel::emitChanged(const std::vector<Place>& places)
{
    std::vector<int> rows;
    for (const Place& place : places) {
        rows.push_back(static_cast<int>(lowerBound(place) - m_groups.begin()));
    }
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (end < rows.size() && rows[end] == rows[end - 1] + 1) {
            ++end;
        }
        emit dataChanged(index(rows[begin], 0), index(rows[end - 1], ColumnCount - 1));
        begin = end;
    }
}

void SummaryModel::rebuild()
{
    beginResetModel();
    ++m_generation;
    m_groups.clear();
    endResetModel();
    QList<int> finished;
    for (int row = 0; row < m_requests.rowCount(); ++row) {
        if (m_requests.row(row).finished()) {
            finished.append(row);
        }
    }
    onRequestsFinished(finished);
}

void SummaryModel::onLabelsChanged()
{
    if (!m_groups.empty()) {
        emit dataChanged(index(0, Model), index(rowCount() - 1, Model));
    }
}

} // namespace tokenpace
