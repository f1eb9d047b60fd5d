// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/formparts.h"

#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int labelColumn = 104;
constexpr int columnGap = 12;
constexpr int rowGap = 10;
constexpr int helpGap = 3;
constexpr int groupGap = 16;
constexpr int fieldHeight = 28;
constexpr int helpIcon = 12;
constexpr int statePadding = 9;
constexpr int stateIcon = 14;
constexpr int footHeight = 52;

} // namespace

GroupHead::GroupHead(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
{
    setFixedHeight(18);
}

void GroupHead::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    const QFont font = textFont(13, QFont::DemiBold);
    QPainter painter(this);
    drawTextLine(painter, rect(), font, theme.text, m_title);
    const int from = textWidth(font, m_title) + 10;
    painter.fillRect(from, height() / 2, width() - from, 1, theme.line);
}

HelpLine::HelpLine(QWidget* parent)
    : QWidget(parent)
    , m_label(new RoleLabel({}, RoleLabel::Role::Muted, textFont(12), this))
{
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setFocusPolicy(Qt::NoFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, helpGap, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_label, 1);
    hide();
}

void HelpLine::setHelp(const QString& text, Kind kind)
{
    if (text == m_text && kind == m_kind) {
        return;
    }
    m_text = text;
    m_kind = kind;
    m_label->setRole(kind == Kind::Error         ? RoleLabel::Role::Error
                         : kind == Kind::Warning ? RoleLabel::Role::Warning
                         : kind == Kind::Good    ? RoleLabel::Role::Good
                                                 : RoleLabel::Role::Muted);
    m_label->setLines(text, 16);
    layout()->setContentsMargins(kind == Kind::Help ? 0 : helpIcon + 7, helpGap, 0, 0);
    setVisible(!text.isEmpty());
    update();
}

void HelpLine::paintEvent(QPaintEvent* /*event*/)
{
    if (m_kind == Kind::Help) {
        return;
    }
    const Theme& theme = activeTheme();
    const QColor colour = m_kind == Kind::Error ? theme.error : (m_kind == Kind::Good ? theme.good : theme.warning);
    QPainter painter(this);
    drawIcon(painter, QRect(0, helpGap + 1, helpIcon, 16),
             m_kind == Kind::Good ? QStringLiteral("check") : QStringLiteral("warning"), colour, helpIcon);
}

StateField::StateField(QWidget* parent)
    : QLineEdit(parent)
{
}

void StateField::setState(const QString& text, bool good)
{
    m_state = text;
    m_good = good;
    const int room = text.isEmpty() ? 0 : textWidth(textFont(12), text) + stateIcon + 6 + statePadding;
    setTextMargins(0, 0, room, 0);
    setAccessibleDescription(text);
    update();
}

void StateField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (m_state.isEmpty()) {
        return;
    }
    const Theme& theme = activeTheme();
    const QColor colour = m_good ? theme.good : theme.warning;
    const int words = textWidth(textFont(12), m_state);
    QPainter painter(this);
    const int left = width() - statePadding - words;
    drawTextLine(painter, QRectF(left, 0, words + 1, height()), textFont(12), colour, m_state, Qt::AlignLeft, false);
    drawIcon(painter, QRect(left - 6 - stateIcon, 0, stateIcon, height()),
             m_good ? QStringLiteral("check") : QStringLiteral("warning"), colour, stateIcon);
}

DialogFoot::DialogFoot(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(footHeight);
}

void DialogFoot::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(0, 0, width(), 1, activeTheme().line);
}

QString shortPath(const QString& path)
{
    const QString home = QDir::homePath();
    return home.size() > 1 && path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size())
                                                                       : path;
}

void setBad(QWidget* field, bool bad)
{
    if (field->property("bad").toBool() == bad) {
        return;
    }
    field->setProperty("bad", bad);
    field->style()->unpolish(field);
    field->style()->polish(field);
    field->update();
}

FormColumn::FormColumn(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(columnGap);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, labelColumn);
    m_grid->setColumnStretch(1, 1);
}

void FormColumn::addGroup(const QString& title)
{
    const int row = m_grid->rowCount();
    if (row > 1) {
        m_grid->setRowMinimumHeight(row, groupGap - rowGap);
    }
    m_grid->addWidget(new GroupHead(title, this), row + 1, 0, 1, 2);
    m_grid->setRowMinimumHeight(row + 2, rowGap);
}

HelpLine* FormColumn::addRow(const QString& label, QWidget* field)
{
    const int row = m_grid->rowCount();
    auto* words = new RoleLabel(label, RoleLabel::Role::Text2, textFont(13), this);
    words->setFixedHeight(fieldHeight);
    words->setBuddy(field);
    field->setAccessibleName(label);
    auto* help = new HelpLine(this);
    m_grid->addWidget(words, row, 0, Qt::AlignTop);
    m_grid->addWidget(field, row, 1);
    m_grid->addWidget(help, row + 1, 1);
    m_grid->setRowMinimumHeight(row + 2, rowGap);
    return help;
}

} // namespace tokenpace
