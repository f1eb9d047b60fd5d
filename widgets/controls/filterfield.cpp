// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/filterfield.h"

#include <QKeyEvent>
#include <QPainter>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int iconLeft = 8;
constexpr int iconSize = 14;
constexpr int textInset = 20; // to the right of the icon, beyond the sheet's padding

} // namespace

FilterField::FilterField(QWidget* parent)
    : QLineEdit(parent)
{
    setProperty("small", true);
    setPlaceholderText(tr("Filter"));
    setAccessibleName(tr("Filter"));
    setTextMargins(textInset, 0, 0, 0);
    setFixedSize(170, 22);
    setFont(textFont(12));
}

void FilterField::setKeyText(const QString& key)
{
    m_key = key;
    update();
}

void FilterField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const Theme& theme = activeTheme();
    QPainter painter(this);
    drawIcon(painter, QRect(iconLeft, 0, iconSize, height()), QStringLiteral("search"), theme.muted, iconSize);
    if (text().isEmpty() && !m_key.isEmpty()) {
        drawTextLine(painter, QRectF(0, 0, width() - 8, height()), textFont(11), theme.muted, m_key, Qt::AlignRight,
                     false);
    }
}

void FilterField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace tokenpace
