// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>

class QSocketNotifier;

namespace tokenpace {

/// Ctrl+C and SIGTERM as a signal of Qt on the thread that made it. The second one ends the program at once. At most
/// one object of this class at a time.
class Interrupts final : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject* parent = nullptr);
    ~Interrupts() override;

signals:
    void interrupted();

private:
    void onSignal();
    QSocketNotifier* m_notifier = nullptr; // child
};

} // namespace tokenpace
