// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/statusitem.h"

#include <algorithm>

#include <QPainter>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int dotSize = 8;
constexpr int dotGap = 6;
constexpr int itemHeight = 18;

QColor dotColour(StatusItem::State state, const Theme& theme)
{
    switch (state) {
    case StatusItem::State::Good:
        return theme.good;
    case StatusItem::State::Warning:
        return theme.warning;
    case StatusItem::State::Error:
        return theme.error;
    case StatusItem::State::Unknown:
    case StatusItem::State::None:
        break;
    }
    return theme.disabled;
}

} // namespace

StatusItem::StatusItem(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StatusItem::setText(const QString& text)
{
    if (m_text != text) {
        m_text = text;
        setAccessibleName(text);
        updateGeometry();
        update();
    }
}

void StatusItem::setState(State state)
{
    if (m_state != state) {
        m_state = state;
        updateGeometry();
        update();
    }
}

QSize StatusItem::sizeHint() const
{
    return {(m_state == State::None ? 0 : dotSize + dotGap) + textWidth(textFont(12), m_text), itemHeight};
}

QSize StatusItem::minimumSizeHint() const
{
    return {std::min(60, sizeHint().width()), itemHeight};
}

void StatusItem::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    int x = 0;
    if (m_state != State::None) {
        drawDot(painter, QPointF(dotSize / 2.0, height() / 2.0), dotSize, dotColour(m_state, theme));
        x = dotSize + dotGap;
    }
    drawTextLine(painter, QRectF(x, 0, width() - x, height()), textFont(12), theme.text2, m_text);
}

} // namespace tokenpace
