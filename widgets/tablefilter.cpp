// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tablefilter.h"

#include <algorithm>

#include "seriesmodel.h"

namespace tokenpace {

TableFilter::TableFilter(SeriesModel& series, int seriesRole, int rawRole, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_series(series)
    , m_seriesRole(seriesRole)
{
    setSortRole(rawRole);
}

void TableFilter::setWords(const QString& text)
{
    QStringList words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words != m_words) {
        m_words = std::move(words);
        invalidateFilter();
    }
}

bool TableFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QAbstractItemModel* model = sourceModel();
    const QVariant series = model->index(row, 0, parent).data(m_seriesRole);
    const int number = series.isValid() ? series.toInt() : -1;
    if (number >= 0 && number < m_series.count() && !m_series.isShown(number)) {
        return false;
    }
    if (m_words.isEmpty()) {
        return true;
    }
    QString text;
    for (int column = 0; column < model->columnCount(parent); ++column) {
        text += model->index(row, column, parent).data().toString() + QLatin1Char('\n');
    }
    return std::all_of(m_words.begin(), m_words.end(), [&text](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

bool TableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    const bool knownA = a.isValid() && !a.isNull();
    const bool knownB = b.isValid() && !b.isNull();
    if (knownA && knownB) {
        return QSortFilterProxyModel::lessThan(left, right);
    }
    if (knownA == knownB) {
        return false;
    }
    return sortOrder() == Qt::AscendingOrder ? knownA : knownB;
}

} // namespace tokenpace
