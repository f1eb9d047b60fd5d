// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QHash>
#include <QStyledItemDelegate>
#include <QTableView>

class QScrollBar;

namespace tokenpace {

class DataHeader;

/// Paints a row of 24 px: ground, line, the series' dot before the text, numbers in the number face, a dash in muted.
class DataDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setSeriesRole(int column, int role);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QHash<int, int> m_seriesRoles;
};

/// The tables of the program, set up: rows of 24, row selection, sorting by the header, a scroll bar that lies over the
/// rows, Ctrl+C copies the selected rows (without selection all) as tab-separated text with the column titles.
/// Alignment comes from Qt::TextAlignmentRole: a column that is right-aligned is one of numbers.
class DataTable final : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);

    /// `role` gives the number of the series whose dot stands before the text of `column`.
    void setSeriesRole(int column, int role);
    [[nodiscard]] DataHeader* dataHeader() const { return m_header; }
    /// Hides these columns at first; the header's menu shows them.
    void setHiddenColumns(const QList<int>& columns);
    /// Widths from the titles and what is in the rows now (at most the first 200).
    void fitColumns();

    /// Visible columns of the selected rows (all rows without a selection) as tab-separated text with a title line.
    [[nodiscard]] QString selectionText() const;
    void copySelection() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void updateGeometries() override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void placeBar();
    DataHeader* m_header = nullptr;
    DataDelegate* m_delegate = nullptr;
    QScrollBar* m_bar = nullptr; // over the rows, tied to the hidden one
};

} // namespace tokenpace
