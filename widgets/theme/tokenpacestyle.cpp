// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/tokenpacestyle.h"

#include <QPainter>
#include <QStyleOption>

#include "theme/icons.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int indicatorSize = 16;

void drawIcon(QPainter* painter, const QRect& rect, const QString& name, const QColor& colour, int size)
{
    const QPixmap pixmap = iconPixmap(name, colour, size, painter->device()->devicePixelRatio());
    painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, pixmap);
}

/// Ground and border of a check box or radio button: 1 px inside `rect`.
void drawBox(QPainter* painter, const QRect& rect, const QStyle::State state, bool ticked, qreal radius)
{
    const Theme& theme = activeTheme();
    const bool enabled = state.testFlag(QStyle::State_Enabled);
    QColor border = state.testFlag(QStyle::State_MouseOver) ? theme.text2 : theme.box;
    QColor ground = state.testFlag(QStyle::State_Sunken) ? theme.press : theme.field;
    if (!enabled) {
        border = theme.line;
        ground = Qt::transparent;
    } else if (ticked) {
        border = ground = theme.accent;
    }
    painter->setPen(QPen(border, 1));
    painter->setBrush(ground);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace

TokenpaceStyle::TokenpaceStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void TokenpaceStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const
{
    const Theme& theme = activeTheme();
    const bool on = option->state.testFlag(State_On);
    const bool enabled = option->state.testFlag(State_Enabled);
    switch (element) {
    case PE_IndicatorCheckBox: {
        const bool partly = option->state.testFlag(State_NoChange);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        drawBox(painter, option->rect, option->state, on || partly, 4);
        painter->restore();
        if (on || partly) {
            drawIcon(painter, option->rect, partly ? QStringLiteral("minus") : QStringLiteral("check"),
                     enabled ? QColor(Qt::white) : theme.disabled, 12);
        }
        return;
    }
    case PE_IndicatorRadioButton:
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        drawBox(painter, option->rect, option->state, on, option->rect.width() / 2.0);
        if (on) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(enabled ? QColor(Qt::white) : theme.disabled);
            painter->drawEllipse(QRectF(option->rect).adjusted(5, 5, -5, -5));
        }
        painter->restore();
        return;
    case PE_IndicatorMenuCheckMark:
        if (on) {
            drawIcon(painter, option->rect, QStringLiteral("check"), enabled ? theme.text2 : theme.disabled, 14);
        }
        return;
    case PE_IndicatorArrowRight:
        drawIcon(painter, option->rect, QStringLiteral("right"), enabled ? theme.text2 : theme.disabled, 14);
        return;
    case PE_IndicatorArrowLeft:
        drawIcon(painter, option->rect, QStringLiteral("left"), enabled ? theme.text2 : theme.disabled, 14);
        return;
    case PE_FrameFocusRect:
        return; // FocusRing draws it, and only for the keyboard
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

int TokenpaceStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return indicatorSize;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 8;
    case PM_LineEditIconSize:
        return 14;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
        return 16;
    case PM_MenuButtonIndicator:
        return 14;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int TokenpaceStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* returnData) const
{
    switch (hint) {
    case SH_ComboBox_Popup: // the list opens below
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_EtchDisabledText:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

} // namespace tokenpace
