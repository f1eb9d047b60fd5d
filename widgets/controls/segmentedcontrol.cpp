// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/segmentedcontrol.h"

#include <algorithm>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int controlHeight = 28;
constexpr int padding = 12;
constexpr int leastPadding = 8; // where the room is narrow
constexpr qreal radius = 6;

// Widths are those of the chosen look, so that nothing moves when the choice does.
QFont wideFont()
{
    return textFont(13, QFont::Medium);
}

} // namespace

SegmentedControl::SegmentedControl(const QStringList& choices, QWidget* parent)
    : QWidget(parent)
    , m_choices(choices)
{
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setProperty("focusRadius", 6);
    setAccessibleDescription(m_choices.value(0));
}

void SegmentedControl::setCurrentIndex(int index)
{
    if (index < 0 || index >= m_choices.size() || index == m_current) {
        return;
    }
    m_current = index;
    setAccessibleDescription(m_choices[index]);
    update();
    emit currentIndexChanged(index);
}

QSize SegmentedControl::sizeHint() const
{
    int width = 1;
    for (const QString& choice : m_choices) {
        width += textWidth(wideFont(), choice) + 2 * padding + 1;
    }
    return {width, controlHeight};
}

QSize SegmentedControl::minimumSizeHint() const
{
    const auto count = static_cast<int>(m_choices.size());
    return {sizeHint().width() - 2 * count * (padding - leastPadding), controlHeight};
}

QRect SegmentedControl::segmentRect(int index) const
{
    // More room than needed is shared evenly, and so is what is lacking.
    const int count = static_cast<int>(m_choices.size());
    const int extra = width() - sizeHint().width();
    int x = 0;
    for (int i = 0; i < count; ++i) {
        const int more = extra * (i + 1) / count - extra * i / count;
        const int segment = textWidth(wideFont(), m_choices[i]) + 2 * padding + 1 + more;
        if (i == index) {
            return {x, 0, segment + 1, height()};
        }
        x += segment;
    }
    return {};
}

int SegmentedControl::indexAt(const QPoint& pos) const
{
    for (int i = 0; i < m_choices.size(); ++i) {
        if (segmentRect(i).contains(pos)) {
            return i;
        }
    }
    return -1;
}

void SegmentedControl::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    drawFrame(painter, rect(), radius, isEnabled() ? theme.controlLine : theme.line,
              isEnabled() ? theme.ctl : QColor(Qt::transparent));
    QPainterPath inside;
    inside.addRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius - 1, radius - 1);
    for (int i = 0; i < m_choices.size(); ++i) {
        const QRect segment = segmentRect(i);
        const bool chosen = i == m_current;
        if (isEnabled() && (chosen || i == m_hovered)) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setClipPath(inside);
            painter.fillRect(segment.adjusted(1, 1, -1, -1), chosen ? theme.selection : theme.hover);
            painter.restore();
        }
        if (i > 0) {
            painter.fillRect(segment.x(), 1, 1, height() - 2, isEnabled() ? theme.controlLine : theme.line);
        }
        const QColor words = !isEnabled() ? theme.disabled : (chosen ? theme.accentText : theme.text2);
        drawTextLine(painter, segment, chosen ? wideFont() : textFont(13), words, m_choices[i], Qt::AlignHCenter,
                     false);
    }
}

void SegmentedControl::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        setCurrentIndex(indexAt(event->pos()));
    }
}

void SegmentedControl::mouseMoveEvent(QMouseEvent* event)
{
    const int index = indexAt(event->pos());
    if (index != m_hovered) {
        m_hovered = index;
        update();
    }
}

void SegmentedControl::leaveEvent(QEvent* /*event*/)
{
    m_hovered = -1;
    update();
}

void SegmentedControl::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        setCurrentIndex(m_current - 1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Down:
        setCurrentIndex(m_current + 1);
        return;
    case Qt::Key_Home:
        setCurrentIndex(0);
        return;
    case Qt::Key_End:
        setCurrentIndex(static_cast<int>(m_choices.size()) - 1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace tokenpace
