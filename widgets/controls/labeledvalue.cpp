// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/labeledvalue.h"

#include <algorithm>

#include <QPainter>

#include "controls/paintparts.h"
#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int captionHeight = 14;
constexpr int overlap = 1; // of the two lines, which have no descenders to speak of
constexpr int unitGap = 4;

} // namespace

LabeledValue::LabeledValue(const QString& caption, QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setCaption(caption);
}

void LabeledValue::setCaption(const QString& caption)
{
    m_caption = caption;
    setAccessibleName(QStringLiteral("%1: %2").arg(m_caption, text()));
    updateGeometry();
    update();
}

void LabeledValue::setValue(const QString& number, const QString& unit)
{
    if (number == m_number && unit == m_unit) {
        return;
    }
    m_number = number;
    m_unit = unit;
    setCaption(m_caption);
}

void LabeledValue::setLarge(bool large)
{
    m_large = large;
    updateGeometry();
    update();
}

QString LabeledValue::text() const
{
    if (m_number.isEmpty()) {
        return QStringLiteral("–");
    }
    return m_unit.isEmpty() ? m_number : QStringLiteral("%1 %2").arg(m_number, m_unit);
}

QSize LabeledValue::sizeHint() const
{
    const QFont number = numberFont(m_large ? 15 : 13);
    int width = textWidth(number, m_number.isEmpty() ? QStringLiteral("–") : m_number);
    if (!m_number.isEmpty() && !m_unit.isEmpty()) {
        width += unitGap + textWidth(number, m_unit);
    }
    return {std::max(width, textWidth(textFont(11), m_caption)), captionHeight - overlap + (m_large ? 20 : 18)};
}

void LabeledValue::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    const QFont number = numberFont(m_large ? 15 : 13);
    QPainter painter(this);
    drawTextLine(painter, QRectF(0, 0, width(), captionHeight), textFont(11), theme.text2, m_caption);
    const QRectF line(0, captionHeight - overlap, width(), height() - captionHeight + overlap);
    if (m_number.isEmpty()) {
        drawTextLine(painter, line, number, theme.muted, QStringLiteral("–"));
        return;
    }
    drawTextLine(painter, line, number, theme.text, m_number, Qt::AlignLeft, false);
    if (!m_unit.isEmpty()) {
        const qreal x = advanceOf(number, m_number) + unitGap;
        drawTextLine(painter, line.adjusted(x, 0, 1, 0), number, theme.muted, m_unit);
    }
}

} // namespace tokenpace
