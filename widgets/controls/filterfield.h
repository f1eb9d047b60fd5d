// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QLineEdit>

namespace tokenpace {

/// A field to type a filter into: search icon, and the key that leads here as a hint while it is empty. Escape clears
/// it first.
class FilterField final : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterField(QWidget* parent = nullptr);
    void setKeyText(const QString& key); ///< shown only; "Ctrl+F"

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_key;
};

} // namespace tokenpace
