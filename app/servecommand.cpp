// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "servecommand.h"

#include <cstdio>

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>

#include "exitcodes.h"
#include "interrupts.h"
#include "sim/simserver.h"

namespace tokenpace {

namespace {

constexpr int maxPort = 65535;

int usageError(const QString& error)
{
    std::fprintf(stderr, "tokenpace: %s\n", qPrintable(error));
    return ExitUsage;
}

} // namespace

int serveCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Serves the simulated endpoint on this machine until Ctrl+C; prints its URL."));
    const QCommandLineOption portOption(QStringLiteral("port"), QStringLiteral("Port; default one that is free."),
                                        QStringLiteral("N"), QStringLiteral("0"));
    const QCommandLineOption modelsOption(QStringLiteral("models"), QStringLiteral("JSON file of models, see below."),
                                          QStringLiteral("FILE"));
    const QCommandLineOption logOption(QStringLiteral("log"),
                                       QStringLiteral("Append the true send times of each request to FILE."),
                                       QStringLiteral("FILE"));
    const QCommandLineOption seedOption(QStringLiteral("seed"), QStringLiteral("Seed of jitter and words; default 1."),
                                        QStringLiteral("N"), QStringLiteral("1"));
    parser.addOptions({portOption, modelsOption, logOption, seedOption});
    parser.addHelpOption();
    if (!parser.parse(QStringList{QStringLiteral("tokenpace serve")} + arguments)) {
        return usageError(parser.errorText());
    }
    if (parser.isSet(QStringLiteral("help"))) {
        QString help = parser.helpText();
        // Qt names the executable; a person types the command.
        help.replace(0, help.indexOf(QLatin1Char('\n')), QStringLiteral("Usage: tokenpace serve [options]"));
        std::printf("%s\n%s\n", qPrintable(help), sim::simModelsHelp().c_str());
        return ExitOk;
    }
    bool portOk = false;
    bool seedOk = false;
    const int port = parser.value(portOption).toInt(&portOk);
    sim::SimOptions options;
    options.seed = parser.value(seedOption).toULongLong(&seedOk);
    if (!portOk || port < 0 || port > maxPort) {
        return usageError(QStringLiteral("--port: \"%1\" is not between 0 and 65535").arg(parser.value(portOption)));
    }
    if (!seedOk) {
        return usageError(QStringLiteral("--seed: \"%1\" is not a number").arg(parser.value(seedOption)));
    }
    options.port = static_cast<std::uint16_t>(port);
    options.logPath = QFile::encodeName(parser.value(logOption)).toStdString();
    options.models = sim::defaultSimModels();
    if (parser.isSet(modelsOption)) {
        QFile file(parser.value(modelsOption));
        if (!file.open(QIODevice::ReadOnly)) {
            return usageError(QStringLiteral("--models %1: %2").arg(file.fileName(), file.errorString()));
        }
        const sim::SimModelsFile models = sim::parseSimModels(file.readAll().toStdString());
        if (!models.error.empty()) {
            return usageError(
                QStringLiteral("--models %1: %2").arg(file.fileName(), QString::fromStdString(models.error)));
        }
        options.models = models.models;
    }
    sim::SimServer server(std::move(options));
    if (!server.start()) {
        return usageError(QString::fromStdString(server.error()));
    }
    std::printf("%s\n", server.baseUrl().c_str());
    std::fflush(stdout);
    const Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, qApp, &QCoreApplication::quit);
    QCoreApplication::exec();
    server.stop();
    return ExitOk;
}

} // namespace tokenpace
