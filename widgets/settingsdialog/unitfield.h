// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QLineEdit>

namespace tokenpace {

/// A field with its unit at the right end, which is no part of the text.
class UnitField final : public QLineEdit {
    Q_OBJECT
public:
    explicit UnitField(const QString& unit, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_unit;
};

} // namespace tokenpace
