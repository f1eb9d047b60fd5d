// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/dataheader.h"

#include <algorithm>

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int headerHeight = 27; // its line of 2 included
constexpr int underline = 2;
constexpr int cellPadding = 12;
constexpr int arrowSize = 8;
constexpr int arrowGap = 4;

QFont headerFont()
{
    return textFont(12, QFont::Medium);
}

} // namespace

DataHeader::DataHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setStretchLastSection(false);
    setMinimumSectionSize(32);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    viewport()->setAutoFillBackground(false);
    setAttribute(Qt::WA_Hover);
}

void DataHeader::setLocked(int section)
{
    m_locked << section;
}

QSize DataHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), headerHeight};
}

QString DataHeader::title(int section) const
{
    return model() == nullptr ? QString() : model()->headerData(section, orientation()).toString();
}

QSize DataHeader::sectionSizeFromContents(int logicalIndex) const
{
    // The arrow finds room in the padding when only one column at a time has it.
    return {textWidth(headerFont(), title(logicalIndex)) + 2 * cellPadding, headerHeight};
}

void DataHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    const Theme& theme = activeTheme();
    const int alignment = model()->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole).toInt();
    const bool right = (alignment & Qt::AlignRight) != 0;
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
    const QRect inner = rect.adjusted(cellPadding, 0, -cellPadding, -underline);
    const QString text = title(logicalIndex);
    // A title that is a little too wide may use the padding at its far side.
    const int room = inner.width() + cellPadding - 2;
    const int width = std::min(textWidth(headerFont(), text), room);
    int x = right ? inner.right() + 1 - width : inner.left();
    if (sorted) {
        if (!right) {
            x += arrowSize + arrowGap;
        }
        const QRect arrow(x - arrowSize - arrowGap, inner.top(), arrowSize, inner.height());
        const bool descending = sortIndicatorOrder() == Qt::DescendingOrder;
        drawIcon(*painter, arrow, descending ? QStringLiteral("sort-down") : QStringLiteral("sort-up"),
                 theme.accentLine, arrowSize);
    }
    drawTextLine(*painter, QRectF(x, inner.top(), width, inner.height()), headerFont(), theme.text2, text);
}

void DataHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    painter.fillRect(0, viewport()->height() - underline, viewport()->width(), underline, activeTheme().line);
}

void DataHeader::fillMenu(QMenu* menu)
{
    for (int visual = 0; visual < count(); ++visual) {
        const int section = logicalIndex(visual);
        QAction* action = menu->addAction(title(section));
        action->setCheckable(true);
        action->setChecked(!isSectionHidden(section));
        action->setEnabled(!m_locked.contains(section)
                           && !(action->isChecked() && count() - hiddenSectionCount() == 1));
        connect(action, &QAction::toggled, this, [this, section](bool shown) {
            setSectionHidden(section, !shown);
            if (shown && sectionSize(section) < sectionSizeHint(section)) {
                resizeSection(section, sectionSizeHint(section));
            }
            emit columnShownChanged(section, shown);
        });
    }
}

void DataHeader::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    fillMenu(&menu);
    menu.exec(event->globalPos());
    event->accept();
}

} // namespace tokenpace
