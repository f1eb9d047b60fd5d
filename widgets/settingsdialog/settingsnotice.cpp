// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/settingsnotice.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "controls/rolelabel.h"
#include "theme/theme.h"

namespace tokenpace {

SettingsNotice::SettingsNotice(QWidget* parent)
    : QWidget(parent)
    , m_words(new RoleLabel({}, RoleLabel::Role::Text, textFont(13), this))
    , m_buttons(new QHBoxLayout)
{
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(12);
    m_buttons->setSpacing(8);
    row->addWidget(m_words, 1);
    row->addLayout(m_buttons);
    hide();
}

void SettingsNotice::ask(Kind kind, const QString& words, const Ways& ways)
{
    m_kind = kind;
    m_words->setText(words);
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater(); // it may be what was clicked just now
        item->widget()->hide();
        delete item;
    }
    const auto add = [this](const QString& text, const std::function<void()>& way) {
        auto* button = new QPushButton(text, this);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, way] {
            dismiss();
            if (way) {
                way();
            }
        });
        m_buttons->addWidget(button);
        button->show();
    };
    for (const auto& [text, way] : ways) {
        add(text, way);
    }
    if (ways.empty()) {
        add(tr("Close"), {});
    }
    setAccessibleName(words);
    show();
    update();
}

void SettingsNotice::dismiss()
{
    hide();
}

QString SettingsNotice::text() const
{
    return isHidden() ? QString() : m_words->text();
}

void SettingsNotice::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    painter.fillRect(rect(),
                     m_kind == Kind::Error         ? theme.errorGround
                         : m_kind == Kind::Warning ? theme.warningGround
                                                   : theme.alt);
    painter.fillRect(0, height() - 1, width(), 1, theme.line);
}

} // namespace tokenpace
