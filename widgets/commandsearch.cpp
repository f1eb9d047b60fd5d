// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "commandsearch.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "controls/filterfield.h"
#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int wide = 480;
constexpr int rowHeight = 30;
constexpr int mostRows = 10;
constexpr int fromTop = 56;
constexpr int inset = 10;

enum Role { ActionRole = Qt::UserRole + 1, KeysRole };

/// Without `&` marks, and without the dots that only say that more will be asked.
QString wordsOf(const QAction& action)
{
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    return text;
}

/// Every word that was typed begins a word of the name or stands in it.
class WordsFilter final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setWords(const QString& text)
    {
        m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QString name = sourceModel()->index(row, 0, parent).data().toString();
        return std::ranges::all_of(m_words, [&name](const QString& word) {
            return name.contains(word, Qt::CaseInsensitive);
        });
    }

private:
    QStringList m_words;
};

class CommandDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const override
    {
        return {0, rowHeight}; // as wide as there is room
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = activeTheme();
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, theme.selection);
        }
        const QString keys = index.data(KeysRole).toString();
        const QRectF line = QRectF(option.rect).adjusted(inset, 0, -inset, 0);
        const int room = keys.isEmpty() ? 0 : textWidth(textFont(12), keys) + inset;
        drawTextLine(*painter, line.adjusted(0, 0, -room, 0), textFont(13), theme.text, index.data().toString());
        drawTextLine(*painter, line, textFont(12), theme.muted, keys, Qt::AlignRight, false);
    }
};

} // namespace

CommandSearch::CommandSearch(const QMenu& menu, QWidget* window)
    : QFrame(window, Qt::Popup)
    , m_field(new FilterField)
    , m_list(new QListView)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("pane", true);
    setFixedWidth(wide);
    setAccessibleName(tr("Commands"));
    auto* commands = new QStandardItemModel(this);
    add(menu, {}, *commands);
    m_found = new WordsFilter(this);
    m_found->setSourceModel(commands);
    m_list->setModel(m_found);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFrameShape(NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFixedHeight(rowHeight * std::clamp(commands->rowCount(), 1, mostRows));
    m_field->setMinimumWidth(0);
    m_field->setMaximumWidth(QWIDGETSIZE_MAX);
    m_field->setPlaceholderText(tr("What do you want to do?"));
    m_field->setAccessibleName(tr("Search for a command"));
    m_field->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(9, 9, 9, 9);
    column->setSpacing(8);
    column->addWidget(m_field);
    column->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandSearch::onTyped);
    connect(m_list, &QListView::entered, m_list, &QListView::setCurrentIndex);
    connect(m_list, &QListView::clicked, this, &CommandSearch::choose);
    onTyped({});
}

void CommandSearch::add(const QMenu& menu, const QString& path, QStandardItemModel& commands)
{
    for (QAction* action : menu.actions()) {
        const QString words = wordsOf(*action);
        if (action->isSeparator() || words.isEmpty() || !action->isVisible()) {
            continue;
        }
        const QString name = path.isEmpty() ? words : path + QStringLiteral(": ") + words;
        if (action->menu() != nullptr) {
            add(*action->menu(), name, commands);
        } else if (action->isEnabled()) {
            auto* item = new QStandardItem(name);
            item->setEditable(false);
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            item->setData(QVariant::fromValue(QPointer<QAction>(action)), ActionRole);
            item->setData(keys, KeysRole);
            item->setData(keys.isEmpty() ? name : tr("%1, %2").arg(name, keys), Qt::AccessibleTextRole);
            commands.appendRow(item);
        }
    }
}

void CommandSearch::open()
{
    const QWidget* window = parentWidget();
    adjustSize();
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, fromTop)));
    show();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandSearch::onTyped(const QString& text)
{
    static_cast<WordsFilter*>(m_found)->setWords(text);
    m_list->setCurrentIndex(m_found->index(0, 0));
}

void CommandSearch::choose(const QModelIndex& index)
{
    const auto action = index.data(ActionRole).value<QPointer<QAction>>();
    close(); // first, so that what it opens is not below a pop-up
    if (action) {
        action->trigger();
    }
}

bool CommandSearch::takeKey(int key)
{
    const int row = m_list->currentIndex().row();
    const int rows = m_found->rowCount();
    const auto moveTo = [&](int wanted) {
        if (rows > 0) {
            m_list->setCurrentIndex(m_found->index(std::clamp(wanted, 0, rows - 1), 0));
        }
        return true;
    };
    switch (key) {
    case Qt::Key_Down:
        return moveTo(row + 1);
    case Qt::Key_Up:
        return moveTo(row - 1);
    case Qt::Key_PageDown:
        return moveTo(row + mostRows);
    case Qt::Key_PageUp:
        return moveTo(row - mostRows);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_list->currentIndex().isValid()) {
            choose(m_list->currentIndex());
        }
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
}

bool CommandSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && takeKey(static_cast<QKeyEvent*>(event)->key())) {
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace tokenpace
