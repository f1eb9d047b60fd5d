// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QTabBar>
#include <QWidget>

class QHBoxLayout;
class QStackedWidget;

namespace tokenpace {

/// Tabs with their pages: a row with the tab bar at the left and other things at the right, a 1 px line, the pages
/// below. Main: 32 high and 13 px; Dialog: 40 and 13; Pane: 30 and 12.
class TabRow final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Main, Dialog, Pane };
    explicit TabRow(Kind kind, QWidget* parent = nullptr);

    int addTab(QWidget* page, const QString& text); ///< takes ownership of the page
    void setTabText(int index, const QString& text);
    void setBadge(int index, const QString& text); ///< a count after the word; empty takes it away
    void setTabVisible(int index, bool visible);
    void setCurrentIndex(int index);
    [[nodiscard]] int currentIndex() const;
    [[nodiscard]] QWidget* page(int index) const;
    [[nodiscard]] QTabBar* tabBar() const { return m_bar; }
    void addRight(QWidget* widget); ///< takes ownership

    /// What the row shows at its right for one page only, such as a filter; shown while that page is.
    void addRightFor(int index, QWidget* widget);

signals:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void onCurrentChanged(int index);
    Kind m_kind;
    QTabBar* m_bar = nullptr;
    QWidget* m_row = nullptr;
    QHBoxLayout* m_right = nullptr;
    QStackedWidget* m_pages = nullptr;
    QList<QPair<int, QWidget*>> m_rightFor;
};

} // namespace tokenpace
