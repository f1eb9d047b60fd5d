// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/chip.h"

#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "controls/paintparts.h"
#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int chipHeight = 26;
constexpr int dotSize = 9;
constexpr int dotLeft = 10; // border included
constexpr int textLeft = 26;
constexpr int rightPadding = 12;

QFont chipFont()
{
    return textFont(12, QFont::Medium);
}

} // namespace

Chip::Chip(const QString& name, int series, QWidget* parent)
    : QAbstractButton(parent)
    , m_series(series)
{
    setText(name);
    setAccessibleName(name);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setProperty("focusRadius", chipHeight / 2);
}

void Chip::setSeries(int series)
{
    m_series = series;
    update();
}

void Chip::setHelp(const QString& help)
{
    m_help = help;
    setToolTip(help); // the event adds the whole name when that is elided
}

QSize Chip::sizeHint() const
{
    const double advance = advanceOf(chipFont(), text());
    return {textLeft + static_cast<int>(std::lround(advance)) + rightPadding, chipHeight};
}

QSize Chip::minimumSizeHint() const
{
    const int least = textLeft + textWidth(chipFont(), QStringLiteral("gemm…")) + rightPadding;
    return {std::min(least, sizeHint().width()), chipHeight};
}

bool Chip::elided() const
{
    return width() < sizeHint().width();
}

bool Chip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        QStringList lines;
        if (elided()) {
            lines << text();
        }
        if (!m_help.isEmpty()) {
            lines << m_help;
        }
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join(QLatin1Char('\n')), this);
        return true;
    }
    return QAbstractButton::event(event);
}

void Chip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    const bool on = isChecked();
    QColor ground = on ? theme.ctl : QColor(Qt::transparent);
    QColor border = on ? theme.controlLine : theme.line;
    QColor words = on ? theme.text : theme.muted;
    QColor dot = theme.series(m_series);
    if (!isEnabled()) {
        ground = Qt::transparent;
        border = theme.line;
        words = dot = theme.disabled;
    } else if (isDown()) {
        ground = theme.press;
        words = on ? theme.text : theme.text2; // muted has too little contrast on this ground
    } else if (underMouse()) {
        ground = theme.hover;
    }
    QPainter painter(this);
    drawFrame(painter, rect(), chipHeight / 2.0, border, ground);
    drawDot(painter, QPointF(dotLeft + dotSize / 2.0, height() / 2.0), dotSize, dot, !on);
    drawTextLine(painter, QRectF(textLeft, 0, width() - textLeft - rightPadding, height()), chipFont(), words, text());
}

} // namespace tokenpace
