// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "inspectorhead.h"

#include <QPainter>

#include "theme/textcache.h"
#include "theme/theme.h"

namespace tokenpace {

InspectorHead::InspectorHead(QWidget* parent)
    : QWidget(parent)
{
}

void InspectorHead::setRequest(int series, const QString& name, const QString& seq, const QString& tokens)
{
    m_series = series;
    m_name = name;
    m_seq = seq;
    m_tokens = tokens;
    setAccessibleName(text());
    setToolTip(name);
    update();
}

QString InspectorHead::text() const
{
    return QStringList{m_name, m_seq, m_tokens}.join(QLatin1Char(' '));
}

void InspectorHead::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_series >= 0 ? theme.series(m_series) : theme.muted);
    painter.drawEllipse(QPointF(4.5, height() / 2.0), 4.5, 4.5);
    const QFont bold = textFont(12, QFont::DemiBold);
    const QFont plain = numberFont(12);
    const double tokensWidth = advanceOf(plain, m_tokens);
    const double seqWidth = advanceOf(plain, m_seq);
    const QString name = elidedTo(width() - 16 - tokensWidth - seqWidth - 20, bold, m_name, Qt::ElideMiddle);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QRectF(16, 0, width(), height()), Qt::AlignVCenter, name);
    painter.setFont(plain);
    painter.setPen(theme.muted);
    const double seqLeft = 16 + advanceOf(bold, name) + 7;
    painter.drawText(QRectF(seqLeft, 0, seqWidth + 4, height()), Qt::AlignVCenter, m_seq);
    painter.setPen(theme.text2);
    painter.drawText(QRectF(width() - tokensWidth - 4, 0, tokensWidth + 4, height()), Qt::AlignVCenter | Qt::AlignRight,
                     m_tokens);
}

} // namespace tokenpace
