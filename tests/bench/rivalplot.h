// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QColor>
#include <QPointF>
#include <QSize>

namespace tokenpace {

/// The same dots in QCustomPlot, on logarithmic axes, where it is installed; else nothing. GUI thread.
class RivalPlot {
public:
    RivalPlot();
    ~RivalPlot();
    RivalPlot(const RivalPlot&) = delete;
    RivalPlot& operator=(const RivalPlot&) = delete;

    [[nodiscard]] bool isThere() const;
    void add(const std::vector<QPointF>& points, const QColor& colour);
    void fit(QSize size);
    void draw();

private:
    struct Plot;
    std::unique_ptr<Plot> m_plot;
};

} // namespace tokenpace
