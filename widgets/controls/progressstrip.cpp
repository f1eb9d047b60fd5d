// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/progressstrip.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "controls/paintparts.h"
#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int barWidth = 150;
constexpr int barHeight = 6;
constexpr int gap = 12;
constexpr int stripHeight = 20;
constexpr int percentWidth = 39; // "100 %"

QFont stripFont()
{
    return numberFont(12);
}
QString separator()
{
    return QStringLiteral("  ·  ");
}

} // namespace

ProgressStrip::ProgressStrip(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ProgressStrip::setParts(const QStringList& parts)
{
    if (m_parts != parts) {
        m_parts = parts;
        setAccessibleName(parts.join(QStringLiteral(", ")));
        updateGeometry();
        update();
    }
}

void ProgressStrip::setFraction(double fraction)
{
    const double clamped = fraction < 0 ? -1 : std::min(fraction, 1.0);
    if (!qFuzzyCompare(m_fraction + 2, clamped + 2)) {
        const bool barChanged = (m_fraction < 0) != (clamped < 0);
        m_fraction = clamped;
        if (barChanged) {
            updateGeometry();
        }
        update();
    }
}

void ProgressStrip::setIconName(const QString& name)
{
    if (m_iconName != name) {
        m_iconName = name;
        updateGeometry();
        update();
    }
}

int ProgressStrip::fixedWidth() const
{
    return (m_fraction < 0 ? 0 : gap + barWidth + percentWidth) + (m_iconName.isEmpty() ? 0 : 22);
}

QSize ProgressStrip::sizeHint() const
{
    return {textWidth(stripFont(), m_parts.join(separator())) + fixedWidth(), stripHeight};
}

QSize ProgressStrip::minimumSizeHint() const
{
    return {textWidth(stripFont(), m_parts.value(0)) + fixedWidth(), stripHeight};
}

void ProgressStrip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    const QFont font = stripFont();
    QPainter painter(this);
    qreal right = width();
    if (m_fraction >= 0) {
        const int percent = static_cast<int>(std::floor(m_fraction * 100 + 1e-9));
        drawTextLine(painter, QRectF(0, 0, right, height()), font, theme.text, tr("%1 %").arg(percent), Qt::AlignRight,
                     false);
        right -= percentWidth + barWidth;
        const QRectF groove(right, (height() - barHeight) / 2 + 1, barWidth, barHeight);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hover);
        painter.drawRoundedRect(groove, barHeight / 2.0, barHeight / 2.0);
        if (m_fraction > 0) {
            // The first percents are as wide as they are high, so that their ends stay round.
            const qreal filled = std::max<qreal>(barHeight, barWidth * m_fraction);
            painter.setBrush(theme.accentLine);
            painter.drawRoundedRect(QRectF(groove.topLeft(), QSizeF(filled, barHeight)), barHeight / 2.0,
                                    barHeight / 2.0);
        }
        painter.restore();
        right -= gap;
    }
    const int iconWidth = m_iconName.isEmpty() ? 0 : 22;
    QStringList shown = m_parts;
    while (shown.size() > 1 && textWidth(font, shown.join(separator())) + iconWidth > right) {
        shown.removeLast();
    }
    qreal x = std::max<qreal>(iconWidth, right - textWidth(font, shown.join(separator())));
    if (iconWidth > 0) {
        drawIcon(painter, QRect(static_cast<int>(x) - iconWidth, 0, 16, height()), m_iconName, theme.good, 16);
    }
    for (qsizetype i = 0; i < shown.size(); ++i) {
        if (i > 0) {
            drawTextLine(painter, QRectF(x, 0, right - x, height()), font, theme.text2, separator(), Qt::AlignLeft,
                         false);
            x += advanceOf(font, separator());
        }
        drawTextLine(painter, QRectF(x, 0, right - x + 1, height()), font, i == 0 ? theme.text : theme.text2, shown[i]);
        x += advanceOf(font, shown[i]);
    }
}

} // namespace tokenpace
