// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/unitfield.h"

#include <QPainter>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int unitPadding = 9;

}

UnitField::UnitField(const QString& unit, QWidget* parent)
    : QLineEdit(parent)
    , m_unit(unit)
{
    if (!unit.isEmpty()) {
        setTextMargins(0, 0, textWidth(textFont(13), unit) + unitPadding, 0);
    }
}

void UnitField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (m_unit.isEmpty()) {
        return;
    }
    QPainter painter(this);
    drawTextLine(painter, QRectF(0, 0, width() - unitPadding, height()), textFont(13), activeTheme().muted, m_unit,
                 Qt::AlignRight, false);
}

} // namespace tokenpace
