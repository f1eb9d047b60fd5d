// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QAbstractButton>

namespace tokenpace {

/// A model as a pill: coloured dot and name; checked means shown. 26 px high. The name elides when there is less room
/// than it needs, with the whole name as tooltip then.
class Chip final : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& name, int series, QWidget* parent = nullptr);

    [[nodiscard]] int series() const { return m_series; }
    void setSeries(int series);
    /// The tooltip, whether or not the name is elided; empty: only the name when elided.
    void setHelp(const QString& help);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< dot and about four letters

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool elided() const;
    int m_series = 0;
    QString m_help;
};

} // namespace tokenpace
