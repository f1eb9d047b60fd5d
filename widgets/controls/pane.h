// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDockWidget>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace tokenpace {

/// The head of a pane: title, subtitle, buttons at the right. Small: 28 high, 12 px. Chart: 48 high, the title large
/// with the subtitle below it. Dragging and double click are the dock's.
class PaneTitle final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Small, Chart };
    explicit PaneTitle(Kind kind, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle); ///< may be rich text with links; elides when plain
    void addRight(QWidget* widget); ///< takes ownership
    void insertBeforeButtons(QWidget* widget); ///< left of all that is at the right now; takes ownership
    QToolButton* addButton(const QString& iconName, const QString& toolTip);

    [[nodiscard]] QSize sizeHint() const override; ///< a dock asks only this for the height of its head
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void doubleClicked();
    void linkActivated(const QString& link);

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    Kind m_kind;
    QLabel* m_title = nullptr;
    QLabel* m_subtitle = nullptr;
    QHBoxLayout* m_right = nullptr;
    int m_inserted = 0; ///< how many widgets stand before the buttons
};

/// A pane as a dock: panel ground, 1 px border with radius 8 (0 while floating), own head. The content leaves the
/// border free; at the corners it must be transparent or stay 8 px away.
class PaneDock final : public QDockWidget {
    Q_OBJECT
public:
    enum class Head {
        Small, ///< PaneTitle::Small with a float and a close button
        Chart, ///< PaneTitle::Chart above the content; add `expand` and `more` buttons to it
        Overlay, ///< the content fills the pane and paints its own title; a transparent head with buttons lies over it
        None ///< the content has its own head, such as a TabRow
    };
    /// `name` is the object name that saveState() needs.
    PaneDock(const QString& name, const QString& title, Head head, QWidget* parent = nullptr);

    [[nodiscard]] PaneTitle* head() const { return m_head; } ///< null for Head::None
    /// Puts a widget, such as a legend or a button, before the float and close buttons. Takes ownership.
    void addHeadWidget(QWidget* widget);
    void setContent(QWidget* content); ///< takes ownership; use it in place of setWidget()
    [[nodiscard]] QWidget* content() const { return m_content; }

signals:
    void titleDoubleClicked(); ///< the default of floating by double click is off: the window decides

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void placeOverlay();
    Head m_headKind;
    PaneTitle* m_head = nullptr;
    QWidget* m_content = nullptr; // child of this dock or of m_holder
    QWidget* m_holder = nullptr; // what the dock's own layout knows of
    QToolButton* m_float = nullptr;
};

/// The same ground for a pane that is no dock.
class PaneFrame final : public QWidget {
    Q_OBJECT
public:
    explicit PaneFrame(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace tokenpace
