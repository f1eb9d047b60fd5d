// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/rolelabel.h"

#include <QEvent>

#include "theme/theme.h"

namespace tokenpace {

namespace {

QColor colourOf(RoleLabel::Role role, const Theme& theme)
{
    switch (role) {
    case RoleLabel::Role::Text:
        return theme.text;
    case RoleLabel::Role::Text2:
        return theme.text2;
    case RoleLabel::Role::Muted:
        return theme.muted;
    case RoleLabel::Role::AccentText:
        return theme.accentText;
    case RoleLabel::Role::Good:
        return theme.good;
    case RoleLabel::Role::Warning:
        return theme.warning;
    case RoleLabel::Role::Error:
        return theme.error;
    }
    return theme.text;
}

} // namespace

RoleLabel::RoleLabel(const QString& text, Role role, const QFont& font, QWidget* parent)
    : QLabel(text, parent)
    , m_role(role)
{
    setFont(font);
    recolour();
}

void RoleLabel::setRole(Role role)
{
    m_role = role;
    recolour();
}

void RoleLabel::setLines(const QString& text, int lineHeight)
{
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setText(QStringLiteral("<div style=\"line-height:%1px\">%2</div>").arg(lineHeight).arg(text.toHtmlEscaped()));
}

void RoleLabel::recolour()
{
    const QColor colour = colourOf(m_role, activeTheme());
    QPalette own = palette();
    if (own.color(QPalette::Active, QPalette::WindowText) != colour) {
        own.setColor(QPalette::Active, QPalette::WindowText, colour);
        own.setColor(QPalette::Inactive, QPalette::WindowText, colour);
        setPalette(own);
    }
}

void RoleLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        recolour();
    }
}

} // namespace tokenpace
