// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/datatable.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include "controls/dataheader.h"
#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int rowPitch = 24; // its line included
constexpr int cellPadding = 12;
constexpr int dotSize = 9;
constexpr int dotToText = 8;
constexpr int barWidth = 10;
constexpr int barInset = 1;
constexpr int sampledRows = 200; // enough to see how wide values get, and cheap with 10,000 rows

bool rightAligned(const QModelIndex& index)
{
    return index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

bool isUnknown(const QString& text)
{
    return text == QLatin1String("–") || text == QLatin1String("-");
}

QFont cellFont(const QModelIndex& index)
{
    return rightAligned(index) ? numberFont(12) : textFont(12);
}

/// One line a cell: a tab or a line end in a text would shift what follows.
QString plainCell(QString text)
{
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

void DataDelegate::setSeriesRole(int column, int role)
{
    m_seriesRoles.insert(column, role);
}

void DataDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = activeTheme();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRect rect = option.rect;
    painter->fillRect(rect.adjusted(0, 0, 0, -1), selected ? theme.selection : QColor(Qt::transparent));
    painter->fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.line);

    QRectF inner = QRectF(rect).adjusted(cellPadding, 0, -cellPadding, -1);
    const auto seriesRole = m_seriesRoles.constFind(index.column());
    if (seriesRole != m_seriesRoles.constEnd()) {
        bool hasSeries = false;
        const int series = index.data(*seriesRole).toInt(&hasSeries);
        if (hasSeries && series >= 0) {
            drawDot(*painter, QPointF(inner.left() + dotSize / 2.0, inner.center().y()), dotSize, theme.series(series));
        }
        inner.adjust(dotSize + dotToText, 0, 0, 0);
    }
    const QString text = index.data(Qt::DisplayRole).toString();
    const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
    const QColor colour = !enabled || isUnknown(text) ? theme.muted : theme.text;
    drawTextLine(*painter, inner, cellFont(index), colour, text, rightAligned(index) ? Qt::AlignRight : Qt::AlignLeft);
}

QSize DataDelegate::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const
{
    int width = textWidth(cellFont(index), index.data(Qt::DisplayRole).toString()) + 2 * cellPadding;
    if (m_seriesRoles.contains(index.column())) {
        width += dotSize + dotToText;
    }
    return {width, rowPitch};
}

DataTable::DataTable(QWidget* parent)
    : QTableView(parent)
    , m_header(new DataHeader(this))
    , m_delegate(new DataDelegate(this))
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setItemDelegate(m_delegate);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    m_header->setResizeContentsPrecision(sampledRows);
    viewport()->setAutoFillBackground(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(rowPitch);
    verticalHeader()->setDefaultSectionSize(rowPitch);
    setHorizontalHeader(m_header);
    setSortingEnabled(true); // after the header, which hides the indicator again
    m_header->setSortIndicator(-1, Qt::AscendingOrder); // in the model's order until somebody asks
    m_header->setSortIndicatorClearable(true);

    QScrollBar* hidden = verticalScrollBar();
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->hide();
    connect(hidden, &QScrollBar::rangeChanged, this, &DataTable::placeBar);
    connect(hidden, &QScrollBar::valueChanged, m_bar, &QScrollBar::setValue);
    connect(m_bar, &QScrollBar::valueChanged, hidden, &QScrollBar::setValue);
}

void DataTable::setSeriesRole(int column, int role)
{
    m_delegate->setSeriesRole(column, role);
}

void DataTable::setHiddenColumns(const QList<int>& columns)
{
    for (const int column : columns) {
        m_header->setSectionHidden(column, true);
    }
}

void DataTable::fitColumns()
{
    if (model() == nullptr) {
        return;
    }
    const int rows = std::min(model()->rowCount(), sampledRows);
    for (int column = 0; column < model()->columnCount(); ++column) {
        int width = m_header->sectionSizeHint(column);
        for (int row = 0; row < rows; ++row) {
            width = std::max(width, m_delegate->sizeHint({}, model()->index(row, column)).width());
        }
        setColumnWidth(column, width);
    }
}

QString DataTable::selectionText() const
{
    if (model() == nullptr) {
        return {};
    }
    QList<int> columns;
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int logical = m_header->logicalIndex(visual);
        if (!m_header->isSectionHidden(logical)) {
            columns << logical;
        }
    }
    QList<int> rows;
    if (selectionModel() != nullptr) {
        for (const QModelIndex& index : selectionModel()->selectedRows()) {
            rows << index.row();
        }
    }
    if (rows.isEmpty()) {
        for (int row = 0; row < model()->rowCount(); ++row) {
            rows << row;
        }
    }
    std::sort(rows.begin(), rows.end());

    QStringList lines;
    QStringList cells;
    for (const int column : columns) {
        cells << plainCell(model()->headerData(column, Qt::Horizontal).toString());
    }
    lines << cells.join(QLatin1Char('\t'));
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns) {
            cells << plainCell(model()->index(row, column).data().toString());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void DataTable::copySelection() const
{
    QApplication::clipboard()->setText(selectionText());
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    placeBar();
}

void DataTable::updateGeometries()
{
    QTableView::updateGeometries();
    placeBar();
}

void DataTable::placeBar()
{
    const QScrollBar* hidden = verticalScrollBar();
    m_bar->setRange(hidden->minimum(), hidden->maximum());
    m_bar->setPageStep(hidden->pageStep());
    m_bar->setSingleStep(hidden->singleStep());
    m_bar->setValue(hidden->value());
    const QRect rows = viewport()->geometry();
    m_bar->setGeometry(rows.right() + 1 - barWidth - barInset, rows.top(), barWidth, rows.height());
    m_bar->setVisible(hidden->maximum() > hidden->minimum());
    m_bar->raise();
}

void DataTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    const Theme& theme = activeTheme();
    QPainter painter(viewport());
    // Right of the last column the rows go on, with their line and the ground of the selection.
    const int from = m_header->length() - m_header->offset();
    if (model() != nullptr && from < viewport()->width()) {
        const int first = std::max(0, rowAt(0));
        for (int row = first; row < model()->rowCount(); ++row) {
            const int top = rowViewportPosition(row);
            if (top > viewport()->height()) {
                break;
            }
            if (selectionModel() != nullptr && selectionModel()->isRowSelected(row)) {
                painter.fillRect(from, top, viewport()->width() - from, rowPitch - 1, theme.selection);
            }
            painter.fillRect(from, top + rowPitch - 1, viewport()->width() - from, 1, theme.line);
        }
    }
    const QModelIndex current = currentIndex();
    if (hasFocus() && current.isValid() && !isRowHidden(current.row())) {
        const QRect row(0, rowViewportPosition(current.row()), viewport()->width(), rowPitch - 1);
        painter.setPen(QPen(theme.accentLine, 1));
        painter.drawRect(row.adjusted(0, 0, -1, -1));
    }
}

void DataTable::focusInEvent(QFocusEvent* event)
{
    QTableView::focusInEvent(event);
    viewport()->update();
}

void DataTable::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    viewport()->update();
}

} // namespace tokenpace
