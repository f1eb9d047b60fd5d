// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

#include <QColor>
#include <QWidget>

#include "measure/timeline.h"

namespace tokenpace {

/// A stretch of a request's life, in ms from time zero.
struct PhaseBar {
    QString name;
    QString help;
    double fromMs = 0;
    double toMs = 0;
    bool ticks = false; ///< drawn by the arrivals that lie in it
};
[[nodiscard]] std::vector<PhaseBar> phasesOf(const Timeline& timeline);
/// Of a request that still runs, from what has arrived.
[[nodiscard]] std::vector<PhaseBar> phasesOf(const std::vector<Stamp>& arrivals, Stamp zero, Stamp now);

/// The phases of one request as bars on one time axis, with each one's duration. GUI thread.
class PhaseBars final : public QWidget {
    Q_OBJECT
public:
    explicit PhaseBars(QWidget* parent = nullptr);

    void setPhases(std::vector<PhaseBar> phases, std::vector<Stamp> arrivals, Stamp zero, int series);
    [[nodiscard]] const std::vector<PhaseBar>& phases() const { return m_phases; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    std::vector<PhaseBar> m_phases;
    std::vector<Stamp> m_arrivals;
    Stamp m_zero{};
    int m_series = -1;
};

} // namespace tokenpace
