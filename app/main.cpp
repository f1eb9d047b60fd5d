// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>

#include <QApplication>
#include <QCoreApplication>
#include <QSettings>
#include <QTimer>

#include "benchcommand.h"
#include "checkcommand.h"
#include "exitcodes.h"
#include "exportcommand.h"
#include "importcommand.h"
#include "runoptions.h"
#include "servecommand.h"
#include "settings/messagefilter.h"
#include "theme/comfort.h"
#include "windowcommand.h"

using namespace tokenpace;

namespace {

int usageError(const QString& error)
{
    std::fprintf(stderr, "tokenpace: %s\n", qPrintable(error));
    return ExitUsage;
}

void nameApplication()
{
    QCoreApplication::setApplicationName(QStringLiteral("Tokenpace"));
    QCoreApplication::setOrganizationName(QStringLiteral("Tokenpace"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TOKENPACE_VERSION));
}

int runBench(QCoreApplication& application, const RunOptions& options)
{
    BenchCommand bench(options);
    QTimer::singleShot(0, &bench, &BenchCommand::start);
    return application.exec();
}

int bench(int& argc, char** argv, const QStringList& arguments)
{
    const ParsedRunOptions parsed = parseRunOptions(QStringLiteral("bench"), arguments);
    if (!parsed.help.isEmpty()) {
        std::printf("%s", qPrintable(parsed.help));
        return ExitOk;
    }
    if (!parsed.error.isEmpty()) {
        return usageError(parsed.error);
    }
    if (parsed.options.outFolder.isEmpty()) {
        QCoreApplication application(argc, argv);
        return runBench(application, parsed.options);
    }
    // Charts are painted, though not on any screen.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    return runBench(application, parsed.options);
}

int check(int& argc, char** argv, const QStringList& arguments)
{
    const ParsedCheckOptions parsed = parseCheckOptions(arguments);
    if (!parsed.help.isEmpty()) {
        std::printf("%s", qPrintable(parsed.help));
        return ExitOk;
    }
    if (!parsed.error.isEmpty()) {
        return usageError(parsed.error);
    }
    QCoreApplication application(argc, argv);
    CheckCommand command(parsed.options);
    QTimer::singleShot(0, &command, &CheckCommand::start);
    const int code = application.exec();
    if (code == ExitInterrupted) {
        // The system's name look-up cannot be called off, and Qt would wait for it at the end of the program.
        std::fflush(nullptr);
        std::_Exit(code);
    }
    return code;
}

int window(int& argc, char** argv, const QStringList& arguments)
{
    const ParsedRunOptions parsed = parseRunOptions({}, arguments);
    if (!parsed.help.isEmpty()) {
        std::printf("%s", qPrintable(parsed.help));
        return ExitOk;
    }
    if (!parsed.error.isEmpty()) {
        return usageError(parsed.error);
    }
    applyTextSize(QSettings());
    QApplication application(argc, argv);
    return windowCommand(parsed.options);
}

} // namespace

int main(int argc, char** argv)
{
    installMessageFilter();
    nameApplication();
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    const QString command = arguments.value(0);
    if (command == QStringLiteral("bench")) {
        return bench(argc, argv, arguments.mid(1));
    }
    if (command == QStringLiteral("check")) {
        return check(argc, argv, arguments.mid(1));
    }
    if (command == QStringLiteral("serve")) {
        const QCoreApplication application(argc, argv);
        return serveCommand(arguments.mid(1));
    }
    if (command == QStringLiteral("import")) {
        const QCoreApplication application(argc, argv);
        return importCommand(arguments.mid(1));
    }
    if (command == QStringLiteral("export")) {
        const QCoreApplication application(argc, argv);
        return exportCommand(arguments.mid(1));
    }
    if (command == QStringLiteral("--version")) {
        std::printf("tokenpace %s\n", TOKENPACE_VERSION);
        return ExitOk;
    }
    for (const char* later : {"compare", "report", "replay", "calibrate"}) {
        if (command == QLatin1String(later)) {
            return usageError(
                QStringLiteral("\"%1\" is not in this version; there are bench, check, import, export and serve")
                    .arg(command));
        }
    }
    return window(argc, argv, arguments);
}
