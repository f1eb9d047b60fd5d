// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/chipfield.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>

#include "controls/itemchip.h"
#include "controls/paintparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int lineHeight = 28;
constexpr int edge = 4; // from the field's outer edge to a pill
constexpr int chipGap = 5;
constexpr int chipHeight = 20;
constexpr int leastLine = 90; // room to type in

} // namespace

ChipField::ChipField(QWidget* parent)
    : QWidget(parent)
    , m_line(new QLineEdit(this))
    , m_height(lineHeight)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_line->setFrame(false);
    // The field paints the frame for all of it.
    m_line->setStyleSheet(QStringLiteral("QLineEdit,QLineEdit:focus{border:0;background:transparent;padding:0;"
                                         "min-height:20px;max-height:20px}"));
    m_line->installEventFilter(this);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('\n'))) {
            commit();
        }
    });
    connect(m_line, &QLineEdit::editingFinished, this, &ChipField::commit);
    arrange();
}

void ChipField::setItems(const QStringList& items)
{
    if (items != m_items) {
        m_items = items;
        rebuild();
    }
}

void ChipField::setBadItems(const QStringList& items)
{
    m_bad = items;
    for (ItemChip* chip : std::as_const(m_chips)) {
        chip->setBad(m_bad.contains(chip->text()));
    }
}

void ChipField::setPlaceholderText(const QString& text)
{
    m_placeholder = text;
    arrange();
}

void ChipField::commit()
{
    static const QRegularExpression between(QStringLiteral("[,\n\r]"));
    QStringList items = m_items;
    for (const QString& part : m_line->text().split(between, Qt::SkipEmptyParts)) {
        const QString name = part.trimmed();
        if (!name.isEmpty() && !items.contains(name)) {
            items << name;
        }
    }
    m_line->clear();
    change(items);
}

void ChipField::change(const QStringList& items)
{
    if (items == m_items) {
        return;
    }
    m_items = items;
    rebuild();
    emit itemsEdited(m_items);
}

void ChipField::remove(const QString& item)
{
    const bool hadKeyboard = m_line != focusWidget();
    QStringList items = m_items;
    items.removeOne(item);
    change(items);
    if (hadKeyboard) {
        m_line->setFocus(Qt::OtherFocusReason);
    }
}

void ChipField::rebuild()
{
    for (ItemChip* chip : std::as_const(m_chips)) {
        chip->hide();
        chip->deleteLater(); // its click may have led here
    }
    m_chips.clear();
    QWidget* before = nullptr;
    for (const QString& item : std::as_const(m_items)) {
        auto* chip = new ItemChip(item, this);
        chip->setBad(m_bad.contains(item));
        connect(chip, &ItemChip::clicked, this, [this, item] {
            remove(item);
        });
        if (before != nullptr) {
            setTabOrder(before, chip);
        }
        before = chip;
        m_chips << chip;
        chip->show();
    }
    if (before != nullptr) {
        setTabOrder(before, m_line);
    }
    arrange();
}

void ChipField::arrange()
{
    int x = edge;
    int y = edge;
    const int right = width() - edge;
    for (ItemChip* chip : std::as_const(m_chips)) {
        const int wanted = std::min(chip->sizeHint().width(), std::max(right - edge, 40));
        if (x > edge && x + wanted > right) {
            x = edge;
            y += chipHeight + chipGap;
        }
        chip->setGeometry(x, y, wanted, chipHeight);
        x += wanted + chipGap;
    }
    if (x > edge && x + leastLine > right) {
        x = edge;
        y += chipHeight + chipGap;
    }
    m_line->setGeometry(x + 2, y, std::max(right - x - 2, 20), chipHeight);
    m_line->setPlaceholderText(m_items.isEmpty() ? m_placeholder : tr("Add"));
    const int height = y + chipHeight + edge;
    if (height != m_height) {
        m_height = height;
        updateGeometry();
    }
}

QSize ChipField::sizeHint() const
{
    return {200, m_height};
}

QSize ChipField::minimumSizeHint() const
{
    return {120, m_height};
}

bool ChipField::takeKey(int key)
{
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !m_line->text().trimmed().isEmpty()) {
        commit(); // and not the dialog's main button
        return true;
    }
    if (key == Qt::Key_Backspace && m_line->text().isEmpty() && !m_items.isEmpty()) {
        const QString last = m_items.last();
        change(m_items.mid(0, m_items.size() - 1));
        m_line->setText(last);
        return true;
    }
    return false;
}

bool ChipField::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && takeKey(static_cast<QKeyEvent*>(event)->key())) {
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        update();
    }
    return QWidget::eventFilter(watched, event);
}

void ChipField::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    const bool typing = m_line->hasFocus();
    QColor border = property("bad").toBool() ? theme.error : theme.controlLine;
    if (!isEnabled()) {
        border = theme.line;
    } else if (typing) {
        border = theme.accentLine;
    }
    QPainter painter(this);
    drawFrame(painter, rect(), 6, border, theme.field);
    if (typing) {
        drawFrame(painter, rect().adjusted(1, 1, -1, -1), 5, border, theme.field);
    }
}

void ChipField::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ChipField::mousePressEvent(QMouseEvent* /*event*/)
{
    m_line->setFocus(Qt::MouseFocusReason);
}

void ChipField::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        arrange();
    }
}

} // namespace tokenpace
