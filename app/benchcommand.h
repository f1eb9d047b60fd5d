// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QObject>

#include "experiment/runcontroller.h"
#include "runoptions.h"
#include "runoutput.h"
#include "runsetup.h"

namespace tokenpace {

/// `tokenpace bench`: an experiment without a window, by the code that the window runs too. Lives on the main thread
/// under an application's event loop, which it quits with the command's exit code.
class BenchCommand final : public QObject {
    Q_OBJECT
public:
    explicit BenchCommand(RunOptions options, QObject* parent = nullptr);
    ~BenchCommand() override;

    void start();

private:
    void collect();
    void onProgress(int done, int planned);
    void onFinished(bool stopped);
    void say(const QString& line);
    [[nodiscard]] int exitCode(bool stopped) const;

    RunOptions m_options;
    RunSetup m_setup;
    std::unique_ptr<RunController> m_controller;
    std::vector<TimelinePtr> m_records;
    QString m_logError; ///< the last one, said once
    QElapsedTimer m_sinceLine; ///< of plain progress lines
    bool m_terminal = false; ///< standard error is a terminal: one line that is written over
    bool m_barShown = false;
};

} // namespace tokenpace
