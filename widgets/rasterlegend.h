// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace tokenpace {

/// "▬ stall > 250 ms" in the head of the raster.
class RasterLegend final : public QWidget {
    Q_OBJECT
public:
    explicit RasterLegend(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace tokenpace
