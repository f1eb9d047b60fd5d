// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace tokenpace {

class SeriesModel;

/// Sorts and filters a table of requests or of their summary: by typed words, each of which must stand somewhere in
/// the row, and by the series that are shown. Unknown values sort last in both directions. GUI thread.
class TableFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    TableFilter(SeriesModel& series, int seriesRole, int rawRole, QObject* parent = nullptr);

    void setWords(const QString& text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    SeriesModel& m_series; // not owned
    int m_seriesRole;
    QStringList m_words;
};

} // namespace tokenpace
