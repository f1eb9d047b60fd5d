// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/itemchip.h"

#include <QKeyEvent>
#include <QPainter>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int chipHeight = 20;
constexpr int textLeft = 9; // border included
constexpr int crossSize = 10;
constexpr int crossRoom = 24; // right of the name

QFont chipFont()
{
    return textFont(12, QFont::Medium);
}

} // namespace

ItemChip::ItemChip(const QString& name, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(name);
    setAccessibleName(tr("%1, press to take it out").arg(name));
    setToolTip(tr("Take %1 out").arg(name));
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::ArrowCursor);
    setProperty("focusRadius", chipHeight / 2);
}

void ItemChip::setBad(bool bad)
{
    m_bad = bad;
    update();
}

QSize ItemChip::sizeHint() const
{
    return {textLeft + textWidth(chipFont(), text()) + crossRoom, chipHeight};
}

void ItemChip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void ItemChip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QColor ground = m_bad ? theme.errorGround : theme.ctl;
    if (isDown() || underMouse()) {
        ground = isDown() ? theme.press : theme.hover;
    }
    const QColor words = !isEnabled() ? theme.disabled : m_bad ? theme.error : theme.text;
    QPainter painter(this);
    drawFrame(painter, rect(), chipHeight / 2.0, m_bad ? theme.error : theme.controlLine, ground);
    drawTextLine(painter, QRectF(textLeft, 0, width() - textLeft - crossRoom + 1, height()), chipFont(), words, text());
    drawIcon(painter, QRect(width() - crossRoom + 8, 0, crossSize, height()), QStringLiteral("close"),
             m_bad ? theme.error : theme.muted, crossSize);
}

} // namespace tokenpace
