// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sharebars.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "numbertext.h"
#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {
constexpr int headHeight = 46;
constexpr int itemHeight = 43;
constexpr int barHeight = 12;
} // namespace

ShareBars::ShareBars(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Where the time goes"));
}

void ShareBars::setItems(std::vector<Item> items)
{
    m_items = std::move(items);
    QStringList words;
    for (const Item& item : m_items) {
        words.append(
            tr("%1: prefill %2, decode %3").arg(item.name, durationText(item.prefillMs), durationText(item.decodeMs)));
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize ShareBars::sizeHint() const
{
    return {296, m_items.empty() ? 0 : headHeight + static_cast<int>(m_items.size()) * itemHeight};
}

void ShareBars::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    if (m_items.empty()) {
        return;
    }
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.setFont(textFont(12, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, 0, width(), 18), Qt::AlignVCenter, tr("Where the time goes"));
    double x = 0;
    const QString legend[] = {tr("prefill, P50"), tr("decode, P50")};
    for (int i = 0; i < 2; ++i) {
        QColor sample = theme.text2;
        sample.setAlphaF(i == 0 ? 1.0F : 0.4F);
        painter.fillRect(QRectF(x, 25, 12, 8), sample);
        painter.setFont(textFont(11));
        painter.setPen(theme.muted);
        painter.drawText(QRectF(x + 18, 20, 120, 18), Qt::AlignVCenter, legend[i]);
        x += 18 + advanceOf(painter.font(), legend[i]) + 14;
    }
    double longest = 1;
    for (const Item& item : m_items) {
        longest = std::max(longest, item.prefillMs + item.decodeMs);
    }
    double top = headHeight;
    const double room = width() - 56;
    for (const Item& item : m_items) {
        const double total = item.prefillMs + item.decodeMs;
        const QColor colour = item.series >= 0 ? theme.series(item.series) : theme.text2;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(QPointF(4.5, top + 9), 4.5, 4.5);
        painter.setRenderHint(QPainter::Antialiasing, false);

        const QString share =
            total > 0 ? tr("%1 % prefill").arg(std::lround(100 * item.prefillMs / total)) : QString(dashText);
        const QFont bold = textFont(12, QFont::Medium);
        const QFont plain = textFont(12);
        const double shareWidth = advanceOf(plain, share);
        const QString count = countText(item.count);
        const double countWidth = advanceOf(plain, count);
        const QString name = elidedTo(width() - 17 - shareWidth - countWidth - 20, bold, item.name, Qt::ElideMiddle);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(QRectF(17, top, width(), 18), Qt::AlignVCenter, name);
        painter.setFont(plain);
        painter.drawText(QRectF(width() - shareWidth - 2, top, shareWidth + 2, 18), Qt::AlignVCenter | Qt::AlignRight,
                         share);
        painter.setPen(theme.muted);
        painter.drawText(QRectF(17 + advanceOf(bold, name) + 6, top, countWidth + 4, 18), Qt::AlignVCenter, count);

        QColor faint = colour;
        faint.setAlphaF(0.4F);
        const double prefill = room * item.prefillMs / longest;
        const double decode = room * item.decodeMs / longest;
        painter.fillRect(QRectF(0, top + 22, prefill, barHeight), colour);
        painter.fillRect(QRectF(prefill, top + 22, decode, barHeight), faint);
        painter.setFont(numberFont(11));
        painter.setPen(theme.text2);
        painter.drawText(QRectF(prefill + decode + 6, top + 19, 60, 18), Qt::AlignVCenter, durationText(total));
        top += itemHeight;
    }
}

} // namespace tokenpace
