// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QToolButton;

namespace tokenpace {

class Chip;

/// The model chips of the tool bar. With less room the names elide, and what still doesn't fit folds into a menu at the
/// end. Tells of toggles by the position of the chip.
class ChipBar final : public QWidget {
    Q_OBJECT
public:
    struct Item {
        QString name;
        int series = 0;
        bool on = true;
        QString help; ///< tooltip
    };

    explicit ChipBar(QWidget* parent = nullptr);

    void setItems(const QList<Item>& items);
    void setOn(int position, bool on); ///< without a signal
    [[nodiscard]] int count() const { return static_cast<int>(m_chips.size()); }
    [[nodiscard]] Chip* chip(int position) const { return m_chips.value(position); }
    /// How many chips are in the menu and not in the bar.
    [[nodiscard]] int folded() const { return m_folded; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< the fold button alone

signals:
    void toggled(int position, bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void arrange();
    void fillMenu();
    QList<Item> m_items; // what the chips show
    QList<Chip*> m_chips;
    QToolButton* m_more = nullptr;
    int m_folded = 0;
};

} // namespace tokenpace
