// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/pagelist.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QHBoxLayout>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/paintparts.h"
#include "controls/toolbarparts.h"
#include "settings/settingseditor.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int listWidth = 208;
constexpr int endpointHeight = 48;
constexpr int pageHeight = 28;
constexpr int headHeight = 36;

enum ItemRole { HostRole = Qt::UserRole + 1, StateRole, EndpointRole, PageRole };

/// Two lines and a dot for an endpoint, one line for a page, a small title without either.
class Delegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = activeTheme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect box = option.rect.adjusted(8, 1, -8, -1);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const bool hovered = (option.state & QStyle::State_MouseOver) != 0 && index.flags() != Qt::NoItemFlags;
        if (selected || hovered) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(selected ? theme.selection : theme.hover);
            painter->drawRoundedRect(box, 6, 6);
        }
        const QString text = index.data(Qt::DisplayRole).toString();
        const QRectF inner = QRectF(box).adjusted(10, 0, -8, 0);
        if (index.data(EndpointRole).isValid()) {
            const auto state = static_cast<PageList::State>(index.data(StateRole).toInt());
            painter->setPen(Qt::NoPen);
            painter->setBrush(state == PageList::State::Good      ? theme.good
                                  : state == PageList::State::Bad ? theme.error
                                                                  : theme.box);
            painter->drawEllipse(QRectF(inner.left(), box.top() + 11, 8, 8));
            const QFont name = textFont(13, selected ? QFont::DemiBold : QFont::Medium);
            drawTextLine(*painter, QRectF(inner.left() + 17, box.top() + 6, inner.width() - 17, 18), name, theme.text,
                         text, Qt::AlignLeft, true);
            drawTextLine(*painter, QRectF(inner.left() + 17, box.top() + 24, inner.width() - 17, 16), textFont(12),
                         theme.muted, index.data(HostRole).toString(), Qt::AlignLeft, true);
        } else if (index.data(PageRole).isValid()) {
            drawTextLine(*painter, inner, textFont(13), theme.text, text, Qt::AlignLeft, true);
        } else {
            drawTextLine(*painter, inner, textFont(12, QFont::Medium), theme.muted, text, Qt::AlignLeft, true);
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const override
    {
        const bool endpoint = index.data(EndpointRole).isValid();
        return {listWidth, endpoint ? endpointHeight : index.data(PageRole).isValid() ? pageHeight : headHeight};
    }
};

} // namespace

PageList::PageList(SettingsEditor& editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_list(new QListWidget(this))
{
    setFixedWidth(listWidth);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new Delegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setAccessibleName(tr("Endpoints and pages"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 1, 6);
    column->setSpacing(0);
    column->addWidget(m_list, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(2);
    const auto button = [this, row](const QString& icon, const QString& words, auto signal) {
        QToolButton* made = makeIconButton(icon, words, IconButtonSize::Bar, this);
        connect(made, &QToolButton::clicked, this, signal);
        row->addWidget(made);
        return made;
    };
    button(QStringLiteral("plus"), tr("Add an endpoint"), &PageList::addRequested);
    m_duplicate = button(QStringLiteral("copy"), tr("Duplicate the endpoint"), &PageList::duplicateRequested);
    m_remove = button(QStringLiteral("trash"), tr("Remove the endpoint"), &PageList::removeRequested);
    row->addStretch(1);
    m_up = button(QStringLiteral("up"), tr("Move up"), [this] {
        emit moveRequested(-1);
    });
    m_down = button(QStringLiteral("down"), tr("Move down"), [this] {
        emit moveRequested(1);
    });
    column->addLayout(row);
    connect(m_list, &QListWidget::currentRowChanged, this, &PageList::onCurrentChanged);
    refresh();
}

void PageList::refresh()
{
    const int chosen = endpoint();
    const QVariant page = m_list->currentItem() != nullptr ? m_list->currentItem()->data(PageRole) : QVariant();
    m_filling = true;
    m_list->clear();
    const auto addHead = [this](const QString& text) {
        auto* item = new QListWidgetItem(text, m_list);
        item->setFlags(Qt::NoItemFlags);
    };
    addHead(tr("Endpoints"));
    const QList<EndpointTitle> titles = m_editor.endpoints();
    m_states.resize(titles.size());
    for (int i = 0; i < titles.size(); ++i) {
        const EndpointTitle& title = titles.at(i);
        const QString name = title.name.isEmpty() ? title.host : title.name;
        auto* item = new QListWidgetItem(name.isEmpty() ? tr("New endpoint") : name, m_list);
        item->setData(EndpointRole, i);
        item->setData(HostRole, title.host.isEmpty() ? tr("no base URL") : title.host);
        const bool bad = !m_editor.problems({i}).isEmpty();
        item->setData(StateRole, static_cast<int>(bad ? State::Bad : m_states.at(i)));
        item->setToolTip(m_editor.problems({i}).join(QLatin1Char('\n')));
    }
    addHead(tr("For all endpoints"));
    using Page = SettingsFields::Page;
    const std::array<std::pair<Page, QString>, 4> pages{{{Page::Request, tr("Requests")},
                                                         {Page::Limits, tr("Limits")},
                                                         {Page::Log, tr("Log")},
                                                         {Page::Experiments, tr("Experiments")}}};
    for (const auto& [own, title] : pages) {
        auto* item = new QListWidgetItem(title, m_list);
        item->setData(PageRole, static_cast<int>(own));
    }
    if (page.isValid()) {
        choosePage(static_cast<SettingsFields::Page>(page.toInt()));
    } else if (chosen >= 0) {
        chooseEndpoint(std::min(chosen, static_cast<int>(titles.size()) - 1));
    }
    m_filling = false;
    // The same place in a list that was filled anew is no choice of anybody's.
    if (endpoint() == chosen) {
        updateButtons();
    } else {
        onCurrentChanged();
    }
}

void PageList::updateButtons()
{
    const int chosen = endpoint();
    m_duplicate->setEnabled(chosen >= 0);
    m_remove->setEnabled(chosen >= 0);
    m_up->setEnabled(chosen > 0);
    m_down->setEnabled(chosen >= 0 && chosen + 1 < m_states.size());
}

void PageList::chooseEndpoint(int index)
{
    for (int row = 0; row < m_list->count(); ++row) {
        const QVariant endpoint = m_list->item(row)->data(EndpointRole);
        if (endpoint.isValid() && endpoint.toInt() == index) {
            m_list->setCurrentRow(row);
            return;
        }
    }
    choosePage(SettingsFields::Page::Request);
}

void PageList::choosePage(SettingsFields::Page page)
{
    for (int row = 0; row < m_list->count(); ++row) {
        const QVariant own = m_list->item(row)->data(PageRole);
        if (own.isValid() && own.toInt() == static_cast<int>(page)) {
            m_list->setCurrentRow(row);
        }
    }
}

void PageList::setState(int endpoint, State state)
{
    if (endpoint >= 0 && endpoint < m_states.size()) {
        m_states[endpoint] = state;
        refresh();
    }
}

void PageList::clearStates()
{
    m_states.clear();
}

int PageList::endpoint() const
{
    const QListWidgetItem* item = m_list->currentItem();
    const QVariant endpoint = item != nullptr ? item->data(EndpointRole) : QVariant();
    return endpoint.isValid() ? endpoint.toInt() : -1;
}

void PageList::onCurrentChanged()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (m_filling || item == nullptr) {
        return;
    }
    updateButtons();
    const int chosen = endpoint();
    if (chosen >= 0) {
        emit endpointChosen(chosen);
    } else {
        emit pageChosen(static_cast<SettingsFields::Page>(item->data(PageRole).toInt()));
    }
}

void PageList::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), activeTheme().bg);
    painter.fillRect(width() - 1, 0, 1, height(), activeTheme().line);
}

} // namespace tokenpace
