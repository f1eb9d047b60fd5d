// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QAbstractButton>

namespace tokenpace {

/// A name of a list as a pill with a cross, 20 high. A click on it, or Delete, Backspace or Space while it has the
/// keyboard, takes the name out: clicked() says so. A long name elides and is whole in the tooltip.
class ItemChip final : public QAbstractButton {
    Q_OBJECT
public:
    explicit ItemChip(const QString& name, QWidget* parent = nullptr);

    void setBad(bool bad);
    [[nodiscard]] bool isBad() const { return m_bad; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool m_bad = false;
};

} // namespace tokenpace
