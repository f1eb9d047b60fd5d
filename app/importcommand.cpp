// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "importcommand.h"

#include <cstdio>
#include <vector>

#include <unistd.h>

#include <QCommandLineParser>
#include <QFile>
#include <QTextStream>

#include "exitcodes.h"
#include "settings/importplan.h"
#include "settings/settingsfile.h"

namespace tokenpace {

namespace {

const QString standardInput = QStringLiteral("-");

int usageError(const QString& error)
{
    std::fprintf(stderr, "tokenpace: %s\n", qPrintable(error));
    return ExitUsage;
}

void print(const QString& title, const QStringList& lines)
{
    if (lines.isEmpty()) {
        return;
    }
    std::printf("%s\n", qPrintable(title));
    for (const QString& line : lines) {
        std::printf("  %s\n", qPrintable(line));
    }
}

ImportPreview importInput(const QString& name)
{
    if (name != standardInput) {
        return importFile(name);
    }
    const QString shown = QStringLiteral("standard input");
    QFile input;
    const FileText text =
        input.open(stdin, QIODevice::ReadOnly) ? readFileText(input) : FileText{{}, input.errorString()};
    if (text.problem.isEmpty()) {
        return importSettings(text.text, shown);
    }
    ImportPreview failed;
    failed.file = shown;
    failed.error = QStringLiteral("%1: %2").arg(shown, text.problem);
    return failed;
}

/// The files' previews; empty, with all errors told, when one of them cannot be read.
std::vector<ImportPreview> importFiles(const QStringList& names)
{
    std::vector<ImportPreview> previews;
    bool failed = false;
    for (const QString& name : names) {
        previews.push_back(importInput(name));
        if (!previews.back().error.isEmpty()) {
            std::fprintf(stderr, "tokenpace: %s\n", qPrintable(previews.back().error));
            failed = true;
        }
    }
    if (failed) {
        previews.clear();
    }
    return previews;
}

bool askToWrite(const QString& target)
{
    std::fprintf(stderr, "Write this into %s? [y/N] ", qPrintable(target));
    std::fflush(stderr);
    QTextStream input(stdin);
    const QString answer = input.readLine().trimmed().toLower();
    return answer == QStringLiteral("y") || answer == QStringLiteral("yes");
}

int save(const ImportPlan& plan, const QString& target, const SettingsFileContent& before)
{
    const SaveResult result = saveSettingsFile(target, plan.text, before.bytes, plan.holdsKey);
    for (const QString& warning : result.warnings) {
        std::fprintf(stderr, "tokenpace: warning: %s\n", qPrintable(warning));
    }
    if (result.outcome == SaveOutcome::Failed || result.outcome == SaveOutcome::ChangedOnDisk) {
        std::fprintf(stderr, "tokenpace: %s\n", qPrintable(result.error));
        return ExitSomeFailed;
    }
    std::printf("Written: %s\n", qPrintable(target));
    return ExitOk;
}

} // namespace

int importCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Reads other tools' settings into settings.json, after showing what goes where.\n"
        "Known are config.toml and .env of the tutorials, a map of models, flat JSON, settings of Claude Code, Cline\n"
        "and Codex (config.toml, auth.json), and a text file with a curl command. The files are not changed.\n"
        "Exit: 0 written, or nothing to write; 1 not written; 2 a file or the command is wrong."));
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A file to read, or - for standard input."),
                                 QStringLiteral("FILE..."));
    const QCommandLineOption settingsOption(QStringLiteral("settings"),
                                            QStringLiteral("The settings.json to write; default the one in use."),
                                            QStringLiteral("FILE"));
    const QCommandLineOption yesOption({QStringLiteral("y"), QStringLiteral("yes")},
                                       QStringLiteral("Write without asking."));
    const QCommandLineOption dryOption(QStringLiteral("dry-run"), QStringLiteral("Only show it."));
    parser.addOptions({settingsOption, yesOption, dryOption});
    parser.addHelpOption();
    if (!parser.parse(QStringList{QStringLiteral("tokenpace import")} + arguments)) {
        return usageError(parser.errorText());
    }
    if (parser.isSet(QStringLiteral("help"))) {
        QString help = parser.helpText();
        // Qt names the executable; a person types the command.
        help.replace(0, help.indexOf(QLatin1Char('\n')), QStringLiteral("Usage: tokenpace import [options] FILE..."));
        std::printf("%s", qPrintable(help));
        return ExitOk;
    }
    const QStringList names = parser.positionalArguments();
    if (names.isEmpty()) {
        return usageError(QStringLiteral("import: no file is given; see tokenpace import --help"));
    }
    const std::vector<ImportPreview> previews = importFiles(names);
    if (previews.empty()) {
        return ExitUsage;
    }
    SettingsPlaces places = processPlaces();
    places.explicitFile = parser.value(settingsOption);
    QString error;
    const QString target = settingsFileToWrite(places, &error);
    if (!error.isEmpty()) {
        return usageError(error);
    }
    if (const QString same = fileThatIsTarget(names, target); !same.isEmpty()) {
        return usageError(
            QStringLiteral("%1: the file to import is the one to write; give another with --settings").arg(same));
    }
    const SettingsFileContent before = loadSettingsFile(target);
    if (!before.error.isEmpty()) {
        return usageError(before.error);
    }
    const ImportPlan plan = planImport(previews, before.bytes.value_or(QByteArray()), target);
    if (!plan.error.isEmpty()) {
        return usageError(plan.error);
    }
    for (const ImportPreview& preview : previews) {
        std::printf("%s: %s\n", qPrintable(preview.file), qPrintable(preview.kind));
    }
    print(QStringLiteral("Into %1:").arg(target), plan.lines);
    print(QStringLiteral("Not taken:"), plan.notTaken);
    print(QStringLiteral("Warnings:"), plan.warnings);
    std::fflush(stdout);
    if (plan.changes == 0) {
        std::printf("Nothing to write: all of it is there already.\n");
        return ExitOk;
    }
    if (parser.isSet(dryOption)) {
        return ExitOk;
    }
    if (!parser.isSet(yesOption)) {
        if (::isatty(STDIN_FILENO) == 0 || names.contains(standardInput)) {
            return usageError(QStringLiteral("nothing is written: there is nobody to ask; give --yes to write it"));
        }
        if (!askToWrite(target)) {
            std::fprintf(stderr, "Nothing is written.\n");
            return ExitSomeFailed;
        }
    }
    return save(plan, target, before);
}

} // namespace tokenpace
