// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/tabrow.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

/// A count after a tab's word: a pill of 16.
class CountBadge final : public QWidget {
public:
    explicit CountBadge(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    void setText(const QString& text)
    {
        m_text = text;
        m_pill = std::max(pillHeight, textWidth(badgeFont(), text) + 10);
        setFixedSize(m_pill, pillHeight);
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        const Theme& theme = activeTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hover);
        const QRectF pill(rect());
        painter.drawRoundedRect(pill, pillHeight / 2.0, pillHeight / 2.0);
        drawTextLine(painter, pill, badgeFont(), theme.text, m_text, Qt::AlignHCenter, false);
    }

    void moveEvent(QMoveEvent* event) override
    {
        // The bar leaves 12 px between the word and the badge each time it lays out its tabs: half of it is enough.
        QWidget::moveEvent(event);
        if (!m_moving) {
            m_moving = true;
            move(x() - nearer, y());
            m_moving = false;
        }
    }

private:
    static constexpr int nearer = 6;
    bool m_moving = false;
    static constexpr int pillHeight = 16;
    int m_pill = pillHeight;
    static QFont badgeFont() { return textFont(11, QFont::Medium); }
    QString m_text;
};

/// The row itself: its lowest pixel is the line that the chosen tab's underline lies on.
class RowWidget final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        painter.fillRect(0, height() - 1, width(), 1, activeTheme().line);
    }
};

} // namespace

TabRow::TabRow(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_bar(new QTabBar(this))
    , m_pages(new QStackedWidget(this))
{
    const bool pane = kind == Kind::Pane;
    m_bar->setProperty("pane", pane);
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setUsesScrollButtons(true);
    m_bar->setElideMode(Qt::ElideNone);
    m_bar->setFocusPolicy(Qt::TabFocus);

    m_row = new RowWidget(this);
    m_row->setFixedHeight(pane ? 30 : kind == Kind::Dialog ? 40 : 32);
    auto* row = new QHBoxLayout(m_row);
    row->setContentsMargins(pane ? 4 : 8, 0, pane ? 4 : 12, 0);
    row->setSpacing(8);
    row->addWidget(m_bar, 0, Qt::AlignBottom);
    row->addStretch(1);
    m_right = new QHBoxLayout;
    m_right->setContentsMargins(0, 0, 0, pane ? 0 : 1);
    m_right->setSpacing(pane ? 4 : 8);
    row->addLayout(m_right);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_row);
    column->addWidget(m_pages, 1);
    connect(m_bar, &QTabBar::currentChanged, this, &TabRow::onCurrentChanged);
}

int TabRow::addTab(QWidget* page, const QString& text)
{
    const int index = m_pages->addWidget(page);
    return m_bar->insertTab(index, text);
}

void TabRow::setTabText(int index, const QString& text)
{
    m_bar->setTabText(index, text);
}

void TabRow::setBadge(int index, const QString& text)
{
    auto* badge = static_cast<CountBadge*>(m_bar->tabButton(index, QTabBar::RightSide));
    if (text.isEmpty()) {
        m_bar->setTabButton(index, QTabBar::RightSide, nullptr);
        delete badge;
        m_bar->setAccessibleTabName(index, QString());
        return;
    }
    if (badge == nullptr) {
        badge = new CountBadge(m_bar);
    }
    badge->setText(text);
    // Qt hides what is there before, be it the same badge; and makes room for its new width only so.
    m_bar->setTabButton(index, QTabBar::RightSide, nullptr);
    m_bar->setTabButton(index, QTabBar::RightSide, badge);
    m_bar->setAccessibleTabName(index, QStringLiteral("%1 %2").arg(m_bar->tabText(index), text));
}

void TabRow::setTabVisible(int index, bool visible)
{
    m_bar->setTabVisible(index, visible);
}

void TabRow::setCurrentIndex(int index)
{
    m_bar->setCurrentIndex(index);
}

int TabRow::currentIndex() const
{
    return m_bar->currentIndex();
}

QWidget* TabRow::page(int index) const
{
    return m_pages->widget(index);
}

void TabRow::addRight(QWidget* widget)
{
    m_right->addWidget(widget, 0, Qt::AlignVCenter);
}

void TabRow::addRightFor(int index, QWidget* widget)
{
    addRight(widget);
    m_rightFor.append({index, widget});
    widget->setVisible(index == currentIndex());
}

void TabRow::onCurrentChanged(int index)
{
    m_pages->setCurrentIndex(index);
    for (const auto& [page, widget] : m_rightFor) {
        widget->setVisible(page == index);
    }
    emit currentChanged(index);
}

void TabRow::paintEvent(QPaintEvent* /*event*/)
{
    if (m_kind != Kind::Pane) { // in a pane the pane is the ground
        QPainter painter(this);
        painter.fillRect(0, 0, width(), m_row->height(), activeTheme().panel);
    }
}

} // namespace tokenpace
