// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace tokenpace {

/// A caption over a number with its unit in muted: "TTFT" above "894 ms".
class LabeledValue final : public QWidget {
    Q_OBJECT
public:
    explicit LabeledValue(const QString& caption, QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    void setValue(const QString& number, const QString& unit = {}); ///< an empty number shows a dash
    void setLarge(bool large); ///< 15 px instead of 13
    [[nodiscard]] QString text() const; ///< number and unit as shown

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_caption;
    QString m_number;
    QString m_unit;
    bool m_large = false;
};

} // namespace tokenpace
