// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "firstpagecard.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "controls/paintparts.h"
#include "controls/rolelabel.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int tileSize = 40;
constexpr int tileIcon = 22;
constexpr int lineIcon = 14;
constexpr int border = 1;

/// The card's icon on a rounded ground.
class IconTile final : public QWidget {
public:
    IconTile(QString icon, bool main, QWidget* parent)
        : QWidget(parent)
        , m_icon(std::move(icon))
        , m_main(main)
    {
        setFixedSize(tileSize, tileSize);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        const Theme& theme = activeTheme();
        QPainter painter(this);
        const QColor ground = m_main ? theme.selection : theme.bg;
        drawFrame(painter, rect(), 8, ground, ground);
        drawIcon(painter, rect(), m_icon, m_main ? theme.accentText : theme.text2, tileIcon);
    }

private:
    QString m_icon;
    bool m_main;
};

/// A small icon in text2, at the height of the first line beside it.
class LineIcon final : public QWidget {
public:
    LineIcon(QString icon, QWidget* parent)
        : QWidget(parent)
        , m_icon(std::move(icon))
    {
        setFixedSize(lineIcon, 18);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        // The words sit low in their line.
        drawIcon(painter, rect().translated(0, 2), m_icon, activeTheme().text2, lineIcon);
    }

private:
    QString m_icon;
};

} // namespace

FirstPageCard::FirstPageCard(const Words& words, bool main, QWidget* parent)
    : QWidget(parent)
    , m_main(main)
    , m_column(new QVBoxLayout(this))
{
    m_column->setSpacing(0);
    setPadding(24);
    m_column->addWidget(new IconTile(words.icon, main, this));
    m_column->addSpacing(16);

    auto* title = new RoleLabel(words.title, RoleLabel::Role::Text, textFont(17, QFont::DemiBold), this);
    title->setFixedHeight(24);
    m_column->addWidget(title);
    m_column->addSpacing(2);

    auto* description = new RoleLabel({}, RoleLabel::Role::Text2, textFont(13), this);
    description->setLines(words.description, 19);
    description->setMinimumHeight(2 * 19); // two lines, so that the lists of the cards stand level
    description->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_column->addWidget(description);
    m_column->addSpacing(13);

    for (const Line& line : words.lines) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        auto* text = new RoleLabel({}, RoleLabel::Role::Text2, textFont(12), this);
        text->setLines(line.text, 18);
        row->addWidget(new LineIcon(line.icon, this), 0, Qt::AlignTop);
        row->addWidget(text, 1);
        m_column->addLayout(row);
        m_column->addSpacing(5);
    }
    m_column->addSpacing(32);
    m_column->addStretch(1);

    m_button = new QPushButton(words.button, this);
    m_button->setProperty("large", true);
    m_button->setProperty("main", main);
    m_button->setAutoDefault(true); // Enter presses it, as in a dialog
    m_button->setAccessibleName(words.title);
    m_button->setAccessibleDescription(words.description);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_button);
    foot->addStretch(1);
    foot->addWidget(new RoleLabel(words.hint, RoleLabel::Role::Muted, textFont(12), this));
    m_column->addLayout(foot);
}

void FirstPageCard::setPadding(int padding)
{
    const int all = padding + border;
    m_column->setContentsMargins(all, all, all, all);
}

void FirstPageCard::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    drawFrame(painter, rect(), 8, m_main ? theme.accentLine : theme.line, theme.panel);
}

} // namespace tokenpace
