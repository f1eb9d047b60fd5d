// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "messagestrip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "controls/toolbarparts.h"
#include "theme/theme.h"

namespace tokenpace {

MessageStrip::MessageStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel)
    , m_button(new QPushButton)
    , m_close(makeIconButton(QStringLiteral("close"), tr("Dismiss"), IconButtonSize::Pane, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, 7, 10, 7);
    layout->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setFont(textFont(13));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_button->setProperty("small", true);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    layout->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageStrip::dismiss);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_action) {
            m_action();
        }
    });
    hide();
}

void MessageStrip::showMessage(Kind kind, const QString& text)
{
    showMessage(kind, text, {}, {});
}

void MessageStrip::showMessage(Kind kind, const QString& text, const QString& buttonText, std::function<void()> action)
{
    m_kind = kind;
    m_action = std::move(action);
    m_text->setText(text);
    m_button->setText(buttonText);
    m_button->setVisible(!buttonText.isEmpty());
    setAccessibleName(text);
    show();
    update();
}

void MessageStrip::dismiss()
{
    m_action = {};
    m_text->clear();
    hide();
}

QString MessageStrip::text() const
{
    return m_text->text();
}

void MessageStrip::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = activeTheme();
    const QColor grounds[] = {theme.alt, theme.warningGround, theme.errorGround};
    const QColor inks[] = {theme.accentText, theme.warning, theme.error};
    const QString icons[] = {QStringLiteral("info"), QStringLiteral("warning"), QStringLiteral("circle-x")};
    const auto which = static_cast<std::size_t>(m_kind);
    QPainter painter(this);
    painter.fillRect(rect(), grounds[which]);
    painter.fillRect(0, height() - 1, width(), 1, theme.line);
    painter.drawPixmap(14, (height() - 16) / 2, iconPixmap(icons[which], inks[which], 16, devicePixelRatioF()));
}

} // namespace tokenpace
