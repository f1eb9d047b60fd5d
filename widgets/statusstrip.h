// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QWidget>

#include "session.h"

class QHBoxLayout;

namespace tokenpace {

class BarSeparator;
class LagProbe;
class StatusItem;

/// The status bar: endpoints, the log and what went into it, the lag of the event loop. GUI thread; owns neither the
/// session nor the probe.
class StatusStrip final : public QWidget {
    Q_OBJECT
public:
    StatusStrip(Session& session, LagProbe& probe, QWidget* parent = nullptr);

    /// What stands there, for tests and screen readers.
    [[nodiscard]] QString text() const;
    /// A log that was opened to look at, or empty.
    void setOpenedLog(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshEndpoints();
    void refreshLog();
    void refreshLag();

    Session& m_session; // not owned
    LagProbe& m_probe; // not owned
    QHBoxLayout* m_endpointRow = nullptr;
    QList<StatusItem*> m_endpoints;
    StatusItem* m_log = nullptr;
    StatusItem* m_lost = nullptr;
    StatusItem* m_lag = nullptr;
    QString m_openedLog;
};

} // namespace tokenpace
