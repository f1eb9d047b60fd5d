// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "windowcommand.h"

#include <cstdio>

#include <QApplication>
#include <QFileInfo>
#include <QIcon>

#include "exitcodes.h"
#include "interrupts.h"
#include "mainwindow.h"
#include "runsetup.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

bool isUrl(const QString& text)
{
    return text.startsWith(QStringLiteral("http://")) || text.startsWith(QStringLiteral("https://"));
}

/// A positional argument is an endpoint, a settings file, or a log.
QString takeFiles(RunOptions& options, StartUp& startUp)
{
    for (const QString& file : std::as_const(options.files)) {
        if (isUrl(file)) {
            options.baseUrl = file;
        } else if (!QFileInfo::exists(file)) {
            return QStringLiteral("%1: no such file").arg(file);
        } else if (file.endsWith(QStringLiteral(".json")) || file.endsWith(QStringLiteral(".toml"))
                   || file.endsWith(QStringLiteral(".env"))) {
            options.settingsFile = file;
        } else {
            startUp.openLog = QFileInfo(file).absoluteFilePath();
        }
    }
    return {};
}

} // namespace

int windowCommand(const RunOptions& typed)
{
    RunOptions options = typed;
    StartUp startUp;
    QString error = takeFiles(options, startUp);
    // Only the simulated endpoint: the window starts one of its own, as its first page does.
    startUp.simulated = options.baseUrl.isEmpty() && options.settingsFile.isEmpty()
        && options.endpoints == QStringList{QStringLiteral("simulated")};
    RunSetup setup;
    if (error.isEmpty()) {
        setup = setUpRun(options, options.run, KeychainWait::OnlyForModels);
        error = setup.error;
    }
    const bool typedWrong = !error.isEmpty()
        && (options.run || !options.baseUrl.isEmpty() || !options.endpoints.isEmpty() || !options.settingsFile.isEmpty()
            || !options.files.isEmpty());
    if (typedWrong) {
        std::fprintf(stderr, "tokenpace: %s\n", qPrintable(error));
        return ExitUsage;
    }
    startUp.settingsError = error;
    startUp.lookedAt = setup.lookedAt;
    if (startUp.simulated) {
        setup.simulated.reset();
    } else {
        startUp.settings = setup.settings;
    }
    startUp.spec = setup.spec;
    if (options.logFile) {
        startUp.logPath = setup.logPath;
    }
    startUp.runAtOnce = options.run;

    QGuiApplication::setDesktopFileName(QStringLiteral("tokenpace"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/tokenpace.svg")));
    ThemeController themes;
    MainWindow window(themes, std::move(startUp));
    window.show();
    const Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &window, &QWidget::close);
    return QApplication::exec();
}

} // namespace tokenpace
