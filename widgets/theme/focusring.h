// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace tokenpace {

/// Shows which control the keyboard is on: a ring above it, only while focus came by keyboard. One per application,
/// owned by main(); installs itself as a filter of the application. Widgets that paint their own focus (fields, tables)
/// are left out; others may opt out with the property `ownFocus` = true. The property `focusRadius` gives the corner.
class FocusRing final : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject* parent = nullptr);
    ~FocusRing() override;

    /// The control that wears the ring now, or null.
    [[nodiscard]] QWidget* target() const { return m_target; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onFocusIn(QWidget* widget, Qt::FocusReason reason);
    void showOn(QWidget* control);
    void hide();
    void follow();

    QPointer<QWidget> m_target; // not owned
    QPointer<QWidget> m_lastShown; // not owned; gets the ring back after another window or a menu
    QPointer<QWidget> m_overlay; // sibling of the target
    bool m_byKeyboard = true; ///< whether the last input was a key; a program starts from a keyboard
};

} // namespace tokenpace
