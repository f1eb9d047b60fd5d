// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>
#include <QPushButton>
#include <QToolButton>

#include "theme/icons.h"

namespace tokenpace {

/// A push button with an icon 6 px before its text and, in muted, the key that does the same after it. `setMain(true)`
/// gives the accent ground of the one main button. The icon is named, so it follows theme and state.
class ToolPushButton : public QPushButton {
    Q_OBJECT
public:
    explicit ToolPushButton(const QString& iconName, const QString& text, QWidget* parent = nullptr);

    void setMain(bool main);
    void setSmall(bool small); ///< 24 high with 12 px text and an icon of 14
    void setIconName(const QString& name, IconColour colour = IconColour::Text);
    void setKeyText(const QString& key); ///< shown only; the action owns the shortcut
    [[nodiscard]] QString keyText() const { return m_key; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont buttonFont() const;
    [[nodiscard]] int iconSize() const { return m_small ? 14 : 16; }
    [[nodiscard]] int padding() const;
    QString m_iconName;
    IconColour m_iconColour = IconColour::Text;
    QString m_key;
    bool m_small = false;
};

/// 28 x 28 in bars, 22 x 22 in pane heads, where the icon is muted and 14.
enum class IconButtonSize { Bar, Pane };
/// An icon alone, with its tooltip as the name for screen readers. Owned by `parent`.
[[nodiscard]] QToolButton* makeIconButton(const QString& iconName, const QString& toolTip, IconButtonSize size,
                                          QWidget* parent);

/// A vertical line of 1 px between groups of a bar: 20 high in the tool bar, 14 in the status bar.
class BarSeparator final : public QWidget {
    Q_OBJECT
public:
    explicit BarSeparator(QWidget* parent = nullptr, int height = 20);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Icon and words in a thin frame, 24 high: "stamps ±3 µs".
class Badge final : public QWidget {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    void setIconName(const QString& name, IconColour colour);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    QString m_iconName;
    IconColour m_iconColour = IconColour::Good;
};

/// A bar across the window on `panel`, with a line at its lower (tool bar, 44) or upper (status bar, 26) edge. Its
/// layout is a row with the gaps and margins of the design; add to it.
class BarFrame final : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Tool, Status };
    explicit BarFrame(Kind kind, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind;
};

} // namespace tokenpace
