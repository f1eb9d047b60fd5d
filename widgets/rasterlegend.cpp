// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rasterlegend.h"

#include <QPainter>

#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

RasterLegend::RasterLegend(QWidget* parent)
    : QWidget(parent)
{
    setToolTip(tr("A stall is a gap above 250 ms and above ten times that request's median gap"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize RasterLegend::sizeHint() const
{
    return {20 + qCeil(advanceOf(textFont(12), tr("stall > 250 ms"))) + 4, 22};
}

void RasterLegend::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = activeTheme();
    QPainter painter(this);
    QColor lit = theme.warning;
    lit.setAlphaF(0.5F);
    painter.fillRect(QRectF(0, height() / 2.0 - 4, 14, 8), lit);
    painter.setFont(textFont(12));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(20, 0, width() - 20, height()), Qt::AlignVCenter, tr("stall > 250 ms"));
}

} // namespace tokenpace
