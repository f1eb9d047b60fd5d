// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <vector>

#include <QApplication>

#include "measure/timeline.h"

namespace tokenpace::bench {

/// An application that keeps how long each kind of event kept the GUI thread: what the event loop itself delivered,
/// and the paint events inside of it.
class EventCosts final : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;

    struct Cost {
        QString what;
        int count = 0;
        double totalMs = 0;
        double worstMs = 0;
    };

    bool notify(QObject* receiver, QEvent* event) override;
    void restart() { m_costs.clear(); }
    /// The dearest first.
    [[nodiscard]] std::vector<Cost> costs() const;

private:
    std::map<QString, Cost> m_costs;
    int m_depth = 0;
};

} // namespace tokenpace::bench
