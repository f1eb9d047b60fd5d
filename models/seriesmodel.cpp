// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "seriesmodel.h"

#include <algorithm>
#include <map>

namespace tokenpace {

int SeriesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant SeriesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Series& series = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return series.label;
    case Qt::ToolTipRole:
        return series.endpoint.isEmpty() ? series.model : tr("%1 at %2").arg(series.model, series.endpoint);
    case EndpointRole:
        return series.endpoint;
    case ModelRole:
        return series.model;
    case ShownRole:
        return series.shown;
    default:
        return {};
    }
}

int SeriesModel::seriesFor(const QString& endpoint, const QString& model, const QString& alias)
{
    const int known = find(endpoint, model);
    if (known >= 0) {
        QString& kept = m_aliases[static_cast<std::size_t>(known)];
        if (!alias.isEmpty() && kept != alias) {
            kept = alias;
            relabel();
        }
        return known;
    }
    const int row = count();
    beginInsertRows({}, row, row);
    m_series.push_back({endpoint, model, alias.isEmpty() ? model : alias, true});
    m_aliases.push_back(alias);
    endInsertRows();
    relabel();
    return row;
}

int SeriesModel::find(const QString& endpoint, const QString& model) const
{
    const auto found = std::find_if(m_series.begin(), m_series.end(), [&](const Series& series) {
        return series.model == model && series.endpoint == endpoint;
    });
    return found == m_series.end() ? -1 : static_cast<int>(found - m_series.begin());
}

void SeriesModel::setShown(int series, bool shown)
{
    if (series < 0 || series >= count() || at(series).shown == shown) {
        return;
    }
    m_series[static_cast<std::size_t>(series)].shown = shown;
    emit dataChanged(index(series), index(series), {ShownRole});
    emit shownChanged(series);
}

void SeriesModel::clear()
{
    beginResetModel();
    m_series.clear();
    m_aliases.clear();
    endResetModel();
}

void SeriesModel::relabel()
{
    std::vector<QString> labels;
    std::map<QString, int> sharing;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const QString name = m_aliases[i].isEmpty() ? m_series[i].model : m_aliases[i];
        labels.push_back(name.isEmpty() ? tr("unnamed model") : name);
        ++sharing[labels.back()];
    }
    std::map<QString, int> sharingWithEndpoint;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (sharing[labels[i]] > 1 && !m_series[i].endpoint.isEmpty()) {
            labels[i] = m_series[i].endpoint + u'/' + labels[i];
        }
        ++sharingWithEndpoint[labels[i]];
    }
    // One alias for two models of an endpoint: only the model's own name tells them apart.
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (sharingWithEndpoint[labels[i]] > 1 && !m_aliases[i].isEmpty()) {
            labels[i] = QStringLiteral("%1 (%2)").arg(labels[i], m_series[i].model);
        }
    }
    bool changed = false;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (m_series[i].label != labels[i]) {
            m_series[i].label = labels[i];
            const QModelIndex cell = index(static_cast<int>(i));
            emit dataChanged(cell, cell, {Qt::DisplayRole});
            changed = true;
        }
    }
    if (changed) {
        emit labelsChanged();
    }
}

} // namespace tokenpace
