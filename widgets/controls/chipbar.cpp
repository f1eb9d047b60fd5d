// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/chipbar.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

#include "controls/chip.h"
#include "controls/paintparts.h"
#include "theme/icons.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int gap = 8;
constexpr int barHeight = 28;
constexpr int chipHeight = 26;
constexpr int moreWidth = 44; // an arrow and a count of two digits

} // namespace

ChipBar::ChipBar(QWidget* parent)
    : QWidget(parent)
    , m_more(new QToolButton(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setIcon(themedIcon(QStringLiteral("down")));
    m_more->setLayoutDirection(Qt::RightToLeft); // the count before the arrow
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setToolTip(tr("More models"));
    m_more->setMenu(new QMenu(m_more));
    m_more->hide();
    connect(m_more->menu(), &QMenu::aboutToShow, this, &ChipBar::fillMenu);
}

void ChipBar::setItems(const QList<Item>& items)
{
    const bool sameChips =
        std::equal(items.begin(), items.end(), m_items.begin(), m_items.end(), [](const Item& a, const Item& b) {
            return a.name == b.name && a.series == b.series;
        });
    m_items = items;
    if (sameChips) {
        for (int i = 0; i < static_cast<int>(items.size()); ++i) {
            setOn(i, items.at(i).on);
            m_chips.at(i)->setHelp(items.at(i).help);
        }
        return;
    }
    for (Chip* chip : std::as_const(m_chips)) {
        // Later: this may be the outcome of a click on it, which is not over.
        chip->disconnect(this);
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    for (const Item& item : items) {
        auto* chip = new Chip(item.name, item.series, this);
        chip->setChecked(item.on);
        chip->setHelp(item.help);
        const int position = static_cast<int>(m_chips.size());
        connect(chip, &Chip::toggled, this, [this, position](bool on) {
            emit toggled(position, on);
        });
        m_chips << chip;
    }
    updateGeometry();
    arrange();
}

void ChipBar::setOn(int position, bool on)
{
    if (Chip* chip = m_chips.value(position)) {
        const QSignalBlocker blocker(chip);
        chip->setChecked(on);
        chip->update();
    }
}

QSize ChipBar::sizeHint() const
{
    int width = 0;
    for (const Chip* chip : m_chips) {
        width += chip->sizeHint().width() + gap;
    }
    return {std::max(0, width - gap), barHeight};
}

QSize ChipBar::minimumSizeHint() const
{
    return {m_chips.isEmpty() ? 0 : moreWidth, barHeight};
}

void ChipBar::resizeEvent(QResizeEvent* /*event*/)
{
    arrange();
}

bool ChipBar::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        arrange();
    }
    return QWidget::event(event);
}

void ChipBar::arrange()
{
    // As many chips as fit at their least width; those then share the room, the longest names giving up first.
    const int count = static_cast<int>(m_chips.size());
    int shown = 0;
    int least = 0;
    for (; shown < count; ++shown) {
        const int next = least + m_chips[shown]->minimumSizeHint().width() + (shown > 0 ? gap : 0);
        const bool last = shown == count - 1;
        if (next + (last ? 0 : gap + moreWidth) > width()) {
            break;
        }
        least = next;
    }
    m_folded = count - shown;
    const int room = width() - (m_folded > 0 ? moreWidth + (shown > 0 ? gap : 0) : 0) - std::max(0, shown - 1) * gap;

    std::vector<int> widths;
    int total = 0;
    for (int i = 0; i < shown; ++i) {
        widths.push_back(m_chips[i]->sizeHint().width());
        total += widths.back();
    }
    while (total > room && !widths.empty()) {
        auto widest = widths.end();
        for (auto it = widths.begin(); it != widths.end(); ++it) {
            const int minimum = m_chips[it - widths.begin()]->minimumSizeHint().width();
            if (*it > minimum && (widest == widths.end() || *it > *widest)) {
                widest = it;
            }
        }
        if (widest == widths.end()) {
            break;
        }
        --*widest;
        --total;
    }

    int x = 0;
    for (int i = 0; i < count; ++i) {
        m_chips[i]->setVisible(i < shown);
        if (i < shown) {
            const int chipWidth = widths[static_cast<std::size_t>(i)];
            m_chips[i]->setGeometry(x, (height() - chipHeight) / 2, chipWidth, chipHeight);
            x += chipWidth + gap;
        }
    }
    m_more->setVisible(m_folded > 0);
    m_more->setText(QStringLiteral("+%1").arg(m_folded));
    m_more->setAccessibleName(tr("More models: %1").arg(m_folded));
    m_more->setGeometry(x, (height() - barHeight) / 2, moreWidth, barHeight);
}

void ChipBar::fillMenu()
{
    QMenu* menu = m_more->menu();
    menu->clear();
    for (int i = count() - m_folded; i < count(); ++i) {
        Chip* chip = m_chips[i];
        QPixmap dot(QSize(16, 16) * devicePixelRatioF());
        dot.setDevicePixelRatio(devicePixelRatioF());
        dot.fill(Qt::transparent);
        QPainter painter(&dot);
        drawDot(painter, QPointF(8, 8), 9, activeTheme().series(chip->series()), !chip->isChecked());
        painter.end();
        QAction* action = menu->addAction(QIcon(dot), chip->text());
        action->setCheckable(true);
        action->setChecked(chip->isChecked());
        connect(action, &QAction::toggled, chip, &Chip::setChecked);
    }
}

} // namespace tokenpace
