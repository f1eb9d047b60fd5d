// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QLineEdit;

namespace tokenpace {

class ItemChip;

/// A list of names in a field: a pill each, with a cross to take it out, and room to type the next one. Enter, a comma
/// or leaving the field adds what was typed; a backspace before it takes the last pill back into it; several names are
/// pasted with commas or lines between them. Names are kept once each. Grows by lines as it needs.
class ChipField final : public QWidget {
    Q_OBJECT
public:
    explicit ChipField(QWidget* parent = nullptr);

    void setItems(const QStringList& items); ///< tells nobody
    [[nodiscard]] QStringList items() const { return m_items; }
    /// Pills that are marked as wrong.
    void setBadItems(const QStringList& items);
    void setPlaceholderText(const QString& text); ///< while there is no pill
    [[nodiscard]] QLineEdit* line() const { return m_line; }
    [[nodiscard]] QList<ItemChip*> chips() const { return m_chips; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void itemsEdited(const QStringList& items);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commit();
    void change(const QStringList& items);
    void remove(const QString& item);
    void rebuild();
    void arrange();
    [[nodiscard]] bool takeKey(int key);

    QStringList m_items;
    QStringList m_bad;
    QString m_placeholder;
    QLineEdit* m_line = nullptr;
    QList<ItemChip*> m_chips; // children of the field
    int m_height = 0;
};

} // namespace tokenpace
