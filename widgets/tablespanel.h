// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QTimer>
#include <QWidget>

#include "requestsmodel.h"
#include "summarymodel.h"

class QItemSelectionModel;
class QSettings;
class QToolButton;

namespace tokenpace {

class DataTable;
class FilterField;
class TableFilter;
class TabRow;

/// The tables: Summary and Requests, sortable, filterable, copyable, with their selection tied to the shared one over
/// the RequestsModel. GUI thread; owns neither model.
class TablesPanel final : public QWidget {
    Q_OBJECT
public:
    TablesPanel(RequestsModel& requests, SummaryModel& summary, QItemSelectionModel& selection,
                QWidget* parent = nullptr);

    enum Tab { Summary, Requests };

    [[nodiscard]] TabRow* tabs() const { return m_tabs; }
    [[nodiscard]] DataTable* summaryTable() const { return m_summaryTable; }
    [[nodiscard]] DataTable* requestsTable() const { return m_requestsTable; }
    [[nodiscard]] FilterField* filterField() const { return m_filter; }
    [[nodiscard]] QToolButton* floatButton() const { return m_float; }

    void focusFilter();
    void copy() const;

    /// Which columns are hidden.
    void saveColumns(QSettings& settings) const;
    void restoreColumns(const QSettings& settings);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyFilter();
    void onRequestsTableSelection();
    void onSummarySelection();
    void onSharedSelection();
    void scheduleFit();
    void fit();
    void spread(DataTable* table);

    RequestsModel& m_requests; // not owned
    SummaryModel& m_summary; // not owned
    QItemSelectionModel& m_selection; // not owned
    TabRow* m_tabs = nullptr;
    DataTable* m_summaryTable = nullptr;
    DataTable* m_requestsTable = nullptr;
    TableFilter* m_summaryFilter = nullptr;
    TableFilter* m_requestsFilter = nullptr;
    FilterField* m_filter = nullptr;
    QToolButton* m_float = nullptr;
    bool m_linking = false; // a selection is being carried over: its echo is not an order
    int m_fittedRows = 0; // requests that were there when widths were last fitted
    bool m_resized = false; // since the last fit
    QTimer m_fit; // single shot: widths follow the data, yet not in every batch
    bool m_atEnd = true; // of the requests before a batch: then the newest stay in sight
    bool m_ownWidths = false; // someone dragged a column: widths are theirs from then on
};

} // namespace tokenpace
