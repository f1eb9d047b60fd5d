// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>

class QLineEdit;
class QListView;
class QMenu;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace tokenpace {

/// All that a menu holds, its sub-menus included, by name: type parts of the words, Enter does it. A pop-up that is
/// made for one use and deletes itself. What cannot be used now is left out. GUI thread; owns none of the actions.
class CommandSearch final : public QFrame {
    Q_OBJECT
public:
    CommandSearch(const QMenu& menu, QWidget* window);

    /// Below the window's tool bar, in the middle.
    void open();
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListView* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void add(const QMenu& menu, const QString& path, QStandardItemModel& commands);
    void onTyped(const QString& text);
    void choose(const QModelIndex& index);
    [[nodiscard]] bool takeKey(int key);

    QLineEdit* m_field = nullptr;
    QListView* m_list = nullptr;
    QSortFilterProxyModel* m_found = nullptr;
};

} // namespace tokenpace
