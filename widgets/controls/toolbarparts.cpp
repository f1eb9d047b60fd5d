// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/toolbarparts.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionButton>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int buttonHeight = 28;
constexpr int smallHeight = 24;
constexpr int badgeHeight = 24;
constexpr int buttonPadding = 10; // the icon's own margins make 12 of it
constexpr int smallPadding = 9;
constexpr int iconGap = 6;
constexpr int keyGap = 7;

} // namespace

ToolPushButton::ToolPushButton(const QString& iconName, const QString& text, QWidget* parent)
    : QPushButton(text, parent)
    , m_iconName(iconName)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QFont ToolPushButton::buttonFont() const
{
    return textFont(m_small ? 12 : 13, QFont::Medium);
}

int ToolPushButton::padding() const
{
    return m_small ? smallPadding : buttonPadding;
}

void ToolPushButton::setSmall(bool small)
{
    m_small = small;
    setProperty("small", small);
    updateGeometry();
    update();
}

void ToolPushButton::setMain(bool main)
{
    if (property("main").toBool() == main) {
        return;
    }
    setProperty("main", main);
    style()->unpolish(this);
    style()->polish(this);
}

void ToolPushButton::setIconName(const QString& name, IconColour colour)
{
    m_iconName = name;
    m_iconColour = colour;
    updateGeometry();
    update();
}

void ToolPushButton::setKeyText(const QString& key)
{
    m_key = key;
    updateGeometry();
    update();
}

QSize ToolPushButton::sizeHint() const
{
    int width = 2 * padding() + textWidth(buttonFont(), text()) + 3;
    if (!m_iconName.isEmpty()) {
        width += iconSize() + iconGap;
    }
    if (!m_key.isEmpty()) {
        width += keyGap + textWidth(textFont(11), m_key);
    }
    return {width, m_small ? smallHeight : buttonHeight};
}

void ToolPushButton::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    option.icon = {};
    style()->drawControl(QStyle::CE_PushButtonBevel, &option, &painter, this);

    const Theme& theme = activeTheme();
    const bool main = property("main").toBool();
    QColor words = main ? QColor(Qt::white) : theme.text;
    QColor icon = main ? QColor(Qt::white) : iconColour(m_iconColour, theme);
    QColor key = main ? QColor(Qt::white) : (isDown() ? theme.text2 : theme.muted);
    if (!isEnabled()) {
        words = icon = key = theme.disabled;
    }
    int x = padding();
    if (!m_iconName.isEmpty()) {
        drawIcon(painter, QRect(x, 0, iconSize(), height()), m_iconName, icon, iconSize());
        x += iconSize() + iconGap;
    }
    drawTextLine(painter, QRectF(x, 0, width() - x, height()), buttonFont(), words, text(), Qt::AlignLeft, false);
    if (!m_key.isEmpty()) {
        x += textWidth(buttonFont(), text()) + keyGap;
        drawTextLine(painter, QRectF(x, 0, width() - x, height()), textFont(11), key, m_key, Qt::AlignLeft, false);
    }
}

QToolButton* makeIconButton(const QString& iconName, const QString& toolTip, IconButtonSize size, QWidget* parent)
{
    const bool bar = size == IconButtonSize::Bar;
    auto* button = new QToolButton(parent);
    button->setIcon(themedIcon(iconName, bar ? IconColour::Text2 : IconColour::Muted));
    button->setIconSize(bar ? QSize(16, 16) : QSize(14, 14));
    button->setFixedSize(bar ? QSize(28, 28) : QSize(22, 22));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::TabFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    return button;
}

BarSeparator::BarSeparator(QWidget* parent, int height)
    : QWidget(parent)
{
    setFixedSize(1, height);
}

void BarSeparator::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), activeTheme().line);
}

Badge::Badge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setText(const QString& text)
{
    if (m_text != text) {
        m_text = text;
        setAccessibleName(text);
        updateGeometry();
        update();
    }
}

void Badge::setIconName(const QString& name, IconColour colour)
{
    m_iconName = name;
    m_iconColour = colour;
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const
{
    const int icon = m_iconName.isEmpty() ? 0 : 14 + iconGap;
    return {2 * 9 + 1 + icon + textWidth(textFont(12), m_text), badgeHeight};
}

void Badge::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    drawFrame(painter, rect(), 6, theme.line, Qt::transparent);
    int x = 9;
    if (!m_iconName.isEmpty()) {
        drawIcon(painter, QRect(x, 0, 14, height()), m_iconName, iconColour(m_iconColour, theme), 14);
        x += 14 + iconGap;
    }
    drawTextLine(painter, QRectF(x, 0, width() - x - 8, height()), textFont(12), theme.muted, m_text);
}

BarFrame::BarFrame(Kind kind, QWidget* parent)
    : QFrame(parent)
    , m_kind(kind)
{
    const bool tool = kind == Kind::Tool;
    setFixedHeight(tool ? 44 : 26);
    auto* row = new QHBoxLayout(this);
    row->setSpacing(8);
    row->setContentsMargins(tool ? 8 : 12, tool ? 0 : 2, tool ? 8 : 12, 0);
}

void BarFrame::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, m_kind == Kind::Tool ? height() - 1 : 0, width(), 1, theme.line);
}

} // namespace tokenpace
