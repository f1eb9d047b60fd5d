// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

#include <QAbstractListModel>
#include <QString>

namespace tokenpace {

/// The series that charts draw, tables name and chips toggle: one per endpoint and model, in order of appearance. A
/// series keeps its number, and with it its colour, for as long as the model lives. GUI thread.
class SeriesModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { EndpointRole = Qt::UserRole, ModelRole, ShownRole };

    struct Series {
        QString endpoint;
        QString model; ///< as in the records
        QString label; ///< what people see: the alias or the model, with the endpoint where two share a name
        bool shown = true;
    };

    using QAbstractListModel::QAbstractListModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// Number of the series, added when new. A later alias that is not empty replaces an earlier one.
    int seriesFor(const QString& endpoint, const QString& model, const QString& alias = {});
    /// -1 when there is none.
    [[nodiscard]] int find(const QString& endpoint, const QString& model) const;
    [[nodiscard]] const Series& at(int series) const { return m_series[static_cast<std::size_t>(series)]; }
    [[nodiscard]] int count() const { return static_cast<int>(m_series.size()); }
    [[nodiscard]] bool isShown(int series) const { return at(series).shown; }
    void setShown(int series, bool shown);
    /// Forgets all of them; whoever holds numbers of series must be cleared first.
    void clear();

signals:
    void shownChanged(int series);
    void labelsChanged(); ///< of series that were there before

private:
    void relabel();
    std::vector<Series> m_series;
    std::vector<QString> m_aliases; ///< one a series, or empty
};

} // namespace tokenpace
