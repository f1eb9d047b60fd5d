// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

#include <QWidget>

namespace tokenpace {

/// Where the time of several requests went, by model: a bar of median prefill and median decode each.
class ShareBars final : public QWidget {
    Q_OBJECT
public:
    struct Item {
        QString name;
        int series = -1;
        int count = 0;
        double prefillMs = 0; ///< median TTFT
        double decodeMs = 0; ///< median of E2E - TTFT
    };
    explicit ShareBars(QWidget* parent = nullptr);

    void setItems(std::vector<Item> items);
    [[nodiscard]] const std::vector<Item>& items() const { return m_items; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Item> m_items;
};

} // namespace tokenpace
