// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tablespanel.h"

#include <algorithm>

#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/dataheader.h"
#include "controls/datatable.h"
#include "controls/filterfield.h"
#include "controls/tabrow.h"
#include "controls/toolbarparts.h"
#include "tablefilter.h"

namespace tokenpace {

namespace {

constexpr auto rows = QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
// Widths follow the data until this many rows are there; later they would only jump about.
constexpr int fittedRows = 40;
constexpr int fitMs = 400;
constexpr int titleSlack = 8; // of its padding that a column title can do without

QString columnsKey(bool summary)
{
    return summary ? QStringLiteral("tables/summaryHidden") : QStringLiteral("tables/requestsHidden");
}

} // namespace

TablesPanel::TablesPanel(RequestsModel& requests, SummaryModel& summary, QItemSelectionModel& selection,
                         QWidget* parent)
    : QWidget(parent)
    , m_requests(requests)
    , m_summary(summary)
    , m_selection(selection)
    , m_tabs(new TabRow(TabRow::Kind::Pane, this))
    , m_summaryTable(new DataTable)
    , m_requestsTable(new DataTable)
    , m_summaryFilter(new TableFilter(requests.series(), SummaryModel::SeriesRole, SummaryModel::SortRole, this))
    , m_requestsFilter(new TableFilter(requests.series(), RequestsModel::SeriesRole, RequestsModel::SortRole, this))
    , m_filter(new FilterField)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);

    m_summaryFilter->setSourceModel(&m_summary);
    m_summaryTable->setModel(m_summaryFilter);
    m_summaryTable->setSeriesRole(SummaryModel::Model, SummaryModel::SeriesRole);
    m_summaryTable->dataHeader()->setLocked(SummaryModel::Model);
    m_summaryTable->setAccessibleName(tr("Summary by model and prompt length"));
    QList<int> optional;
    for (int column = SummaryModel::firstOptionalColumn; column < SummaryModel::ColumnCount; ++column) {
        optional.append(column);
    }
    m_summaryTable->setHiddenColumns(optional);
    // The order of the model, which is by series and length, until someone sorts.
    m_summaryTable->sortByColumn(-1, Qt::AscendingOrder);

    m_requestsFilter->setSourceModel(&m_requests);
    m_requestsTable->setModel(m_requestsFilter);
    m_requestsTable->setSeriesRole(RequestsModel::Model, RequestsModel::SeriesRole);
    m_requestsTable->dataHeader()->setLocked(RequestsModel::Model);
    m_requestsTable->setHiddenColumns({RequestsModel::Throughput});
    m_requestsTable->setAccessibleName(tr("Requests"));
    m_requestsTable->sortByColumn(-1, Qt::AscendingOrder);

    m_tabs->addTab(m_summaryTable, tr("Summary"));
    m_tabs->addTab(m_requestsTable, tr("Requests"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setKeyText(tr("Ctrl+F"));
    m_filter->setFixedWidth(170);
    m_filter->setAccessibleName(tr("Filter the table"));
    auto* copyButton =
        makeIconButton(QStringLiteral("copy"), tr("Copy as tab-separated text"), IconButtonSize::Pane, this);
    m_float =
        makeIconButton(QStringLiteral("float"), tr("Take this pane out of the window"), IconButtonSize::Pane, this);
    m_tabs->addRight(m_filter);
    m_tabs->addRight(copyButton);
    m_tabs->addRight(m_float);

    connect(copyButton, &QToolButton::clicked, this, &TablesPanel::copy);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &TablesPanel::applyFilter);
    connect(&m_requests.series(), &SeriesModel::shownChanged, this, &TablesPanel::applyFilter);
    connect(m_requestsTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &TablesPanel::onRequestsTableSelection);
    connect(m_summaryTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &TablesPanel::onSummarySelection);
    connect(&m_selection, &QItemSelectionModel::selectionChanged, this, &TablesPanel::onSharedSelection);
    connect(&m_summary, &QAbstractItemModel::modelReset, this, &TablesPanel::onSharedSelection);

    m_fit.setSingleShot(true);
    m_fit.setInterval(fitMs);
    connect(&m_fit, &QTimer::timeout, this, &TablesPanel::fit);
    for (const QAbstractItemModel* model :
         {static_cast<QAbstractItemModel*>(m_summaryFilter), static_cast<QAbstractItemModel*>(m_requestsFilter)}) {
        connect(model, &QAbstractItemModel::rowsInserted, this, &TablesPanel::scheduleFit);
        connect(model, &QAbstractItemModel::dataChanged, this, &TablesPanel::scheduleFit);
        connect(model, &QAbstractItemModel::modelReset, this, &TablesPanel::scheduleFit);
    }
    for (const DataTable* table : {m_summaryTable, m_requestsTable}) {
        connect(table->dataHeader(), &QHeaderView::sectionResized, this, [this] {
            m_ownWidths = m_ownWidths || QGuiApplication::mouseButtons() != Qt::NoButton;
        });
    }
    connect(m_requestsFilter, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar* bar = m_requestsTable->verticalScrollBar();
        m_atEnd = bar->value() >= bar->maximum();
    });
    connect(m_requestsFilter, &QAbstractItemModel::rowsInserted, this, [this] {
        if (m_atEnd && m_requestsFilter->sortColumn() < 0) {
            m_requestsTable->scrollToBottom();
        }
    });
    fit();
}

QSize TablesPanel::minimumSizeHint() const
{
    return {420, 30 + 26 + 2 * 24};
}

bool TablesPanel::eventFilter(QObject* watched, QEvent* event)
{
    // Esc in a filter that holds words clears those; only then is it the window's key.
    if (watched == m_filter && event->type() == QEvent::ShortcutOverride && !m_filter->text().isEmpty()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TablesPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TablesPanel::copy() const
{
    (m_tabs->currentIndex() == Summary ? m_summaryTable : m_requestsTable)->copySelection();
}

void TablesPanel::applyFilter()
{
    {
        // Rows that leave the table take their selection in the table along, not the one that charts share.
        const QScopedValueRollback guard(m_linking, true);
        m_summaryFilter->setWords(m_filter->text());
        m_requestsFilter->setWords(m_filter->text());
        m_summaryFilter->invalidate();
        m_requestsFilter->invalidate();
    }
    onSharedSelection();
}

void TablesPanel::onRequestsTableSelection()
{
    if (m_linking) {
        return;
    }
    const QScopedValueRollback guard(m_linking, true);
    const QItemSelectionModel* own = m_requestsTable->selectionModel();
    m_selection.select(m_requestsFilter->mapSelectionToSource(own->selection()), rows);
    const QModelIndex current = m_requestsFilter->mapToSource(own->currentIndex());
    if (m_selection.isRowSelected(current.row())) {
        m_selection.setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    }
}

void TablesPanel::onSummarySelection()
{
    if (m_linking) {
        return;
    }
    QItemSelection selection;
    int first = -1;
    for (const QModelIndex& index : m_summaryTable->selectionModel()->selectedRows()) {
        for (const int row : m_summary.requestRows(m_summaryFilter->mapToSource(index).row())) {
            selection.select(m_requests.index(row, 0), m_requests.index(row, 0));
            first = first < 0 ? row : first;
        }
    }
    // Not guarded: the requests of these rows are to be selected in the other table too.
    m_selection.select(selection, rows);
    if (first >= 0) {
        m_selection.setCurrentIndex(m_requests.index(first, 0), QItemSelectionModel::NoUpdate);
    }
}

void TablesPanel::onSharedSelection()
{
    QItemSelection inSummary;
    for (int i = 0; i < m_summary.rowCount() && m_selection.hasSelection(); ++i) {
        const QList<int> members = m_summary.requestRows(i);
        const bool touched = std::any_of(members.begin(), members.end(), [this](int row) {
            return m_selection.isRowSelected(row);
        });
        const QModelIndex index = m_summaryFilter->mapFromSource(m_summary.index(i, 0));
        if (touched && index.isValid()) {
            inSummary.select(index, index);
        }
    }
    const bool echo = m_linking;
    const QScopedValueRollback guard(m_linking, true);
    m_summaryTable->selectionModel()->select(inSummary, rows);
    if (echo) {
        return;
    }
    const QItemSelection selected = m_requestsFilter->mapSelectionFromSource(m_selection.selection());
    m_requestsTable->selectionModel()->select(selected, rows);
    const QModelIndex current = m_requestsFilter->mapFromSource(m_selection.currentIndex());
    if (current.isValid() && !selected.isEmpty()) {
        m_requestsTable->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        m_requestsTable->scrollTo(current);
    }
}

void TablesPanel::scheduleFit()
{
    if (m_ownWidths) {
        return;
    }
    // What comes into an empty table is fitted at once; later widths follow in larger steps.
    const bool first = m_fittedRows == 0 || m_resized;
    if (first || !m_fit.isActive()) {
        m_fit.start(first ? 0 : fitMs);
    }
}

void TablesPanel::fit()
{
    if (m_ownWidths) {
        return;
    }
    m_fittedRows = m_requestsFilter->rowCount();
    if (m_fittedRows <= fittedRows || m_resized) {
        m_requestsTable->fitColumns();
        spread(m_requestsTable);
    }
    m_resized = false;
    m_summaryTable->fitColumns();
    spread(m_summaryTable);
}

// Room that the columns leave goes to all of them alike. Where a little is missing, titles that are wider than their
// cells give of the padding at their far side.
void TablesPanel::spread(DataTable* table)
{
    const DataHeader* header = table->dataHeader();
    const QAbstractItemView* view = table; // the hint is public there only
    const int spare = table->viewport()->width() - header->length();
    QList<int> columns;
    QList<int> slack;
    int slackSum = 0;
    for (int column = 0; column < header->count(); ++column) {
        if (!header->isSectionHidden(column)) {
            columns.append(column);
            // Asked for only where it matters: it measures every cell of the column that the header samples.
            const int spareOfTitle = spare < 0 ? header->sectionSize(column) - view->sizeHintForColumn(column) : 0;
            slack.append(std::clamp(spareOfTitle, 0, titleSlack));
            slackSum += slack.last();
        }
    }
    if (columns.isEmpty() || spare == 0 || -spare > slackSum) {
        return;
    }
    const int shares = spare > 0 ? static_cast<int>(columns.size()) : slackSum;
    int given = 0;
    int sharesSoFar = 0;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        sharesSoFar += spare > 0 ? 1 : slack.at(i);
        const int upToHere = spare * sharesSoFar / shares;
        table->setColumnWidth(columns.at(i), header->sectionSize(columns.at(i)) + upToHere - given);
        given = upToHere;
    }
}

void TablesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_resized = true;
    scheduleFit();
}

void TablesPanel::saveColumns(QSettings& settings) const
{
    for (const DataTable* table : {m_summaryTable, m_requestsTable}) {
        QStringList hidden;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            if (table->isColumnHidden(column)) {
                hidden.append(QString::number(column));
            }
        }
        settings.setValue(columnsKey(table == m_summaryTable), hidden);
    }
}

void TablesPanel::restoreColumns(const QSettings& settings)
{
    for (DataTable* table : {m_summaryTable, m_requestsTable}) {
        const QVariant stored = settings.value(columnsKey(table == m_summaryTable));
        for (int column = 0; stored.isValid() && column < table->model()->columnCount(); ++column) {
            table->setColumnHidden(column, stored.toStringList().contains(QString::number(column)));
        }
    }
    fit();
}

} // namespace tokenpace
