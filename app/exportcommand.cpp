// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "exportcommand.h"

#include <cstdio>

#include <unistd.h>

#include <QCommandLineParser>
#include <QFileInfo>
#include <QSaveFile>
#include <QTextStream>

#include "exitcodes.h"
#include "settings/exporters.h"
#include "settings/importplan.h"
#include "settings/settingsfinder.h"

namespace tokenpace {

namespace {

const QString standardOutput = QStringLiteral("-");
const QString tomlShape = QStringLiteral("config.toml");
const QString dotenvShape = QStringLiteral("env");

int usageError(const QString& error)
{
    std::fprintf(stderr, "tokenpace: %s\n", qPrintable(error));
    return ExitUsage;
}

/// The place of an endpoint in the settings, or -1; without a name the first one.
qsizetype endpointNamed(const Settings& settings, const QString& name)
{
    for (qsizetype i = 0; i < settings.endpoints.size(); ++i) {
        if (name.isEmpty() || settings.endpoints.at(i).name == name) {
            return i;
        }
    }
    return -1;
}

bool askToReplace(const QString& file)
{
    std::fprintf(stderr, "%s is there already. Replace it? [y/N] ", qPrintable(file));
    std::fflush(stderr);
    QTextStream input(stdin);
    const QString answer = input.readLine().trimmed().toLower();
    return answer == QStringLiteral("y") || answer == QStringLiteral("yes");
}

int failed(const QString& file, const QString& why)
{
    std::fprintf(stderr, "tokenpace: %s: cannot be written: %s\n", qPrintable(file), qPrintable(why));
    return ExitSomeFailed;
}

int print(const QByteArray& text)
{
    const auto size = static_cast<std::size_t>(text.size());
    const bool isWhole = std::fwrite(text.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0;
    return isWhole ? ExitOk : failed(QStringLiteral("standard output"), qt_error_string());
}

int save(const QByteArray& text, const QString& out)
{
    QSaveFile file(out);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        return failed(out, file.errorString());
    }
    std::fprintf(stderr, "Written: %s\n", qPrintable(out));
    return ExitOk;
}

} // namespace

int exportCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Writes an endpoint of the settings as the tutorials' config.toml or as an environment file of TAOTOKEN_*.\n"
        "No key is written: one that comes from a variable stays its name, another one is left out.\n"
        "Exit: 0 written; 1 it could not be; 2 the settings or the command are wrong."));
    const QCommandLineOption settingsOption(QStringLiteral("settings"),
                                            QStringLiteral("The settings to read; default those in use."),
                                            QStringLiteral("FILE"));
    const QCommandLineOption endpointOption(QStringLiteral("endpoint"),
                                            QStringLiteral("Endpoint of the settings; default the first one."),
                                            QStringLiteral("NAME"));
    const QCommandLineOption formatOption(QStringLiteral("format"), QStringLiteral("config.toml (default) or env."),
                                          QStringLiteral("FORMAT"), tomlShape);
    const QCommandLineOption outOption(QStringLiteral("out"),
                                       QStringLiteral("The file to write; default -, standard output."),
                                       QStringLiteral("FILE|-"), standardOutput);
    const QCommandLineOption yesOption({QStringLiteral("y"), QStringLiteral("yes")},
                                       QStringLiteral("Replace a file that is there without asking."));
    parser.addOptions({settingsOption, endpointOption, formatOption, outOption, yesOption});
    parser.addHelpOption();
    if (!parser.parse(QStringList{QStringLiteral("tokenpace export")} + arguments)) {
        return usageError(parser.errorText());
    }
    if (parser.isSet(QStringLiteral("help"))) {
        QString help = parser.helpText();
        // Qt names the executable; a person types the command.
        help.replace(0, help.indexOf(QLatin1Char('\n')), QStringLiteral("Usage: tokenpace export [options]"));
        std::printf("%s", qPrintable(help));
        return ExitOk;
    }
    if (!parser.positionalArguments().isEmpty()) {
        return usageError(QStringLiteral("export: unexpected argument \"%1\"; the file to write is given with --out")
                              .arg(parser.positionalArguments().first()));
    }
    const QString format = parser.value(formatOption);
    if (format != tomlShape && format != dotenvShape) {
        return usageError(QStringLiteral("--format: \"%1\" is neither config.toml nor env").arg(format));
    }
    SettingsPlaces places = processPlaces();
    places.explicitFile = parser.value(settingsOption);
    const SettingsResult found = findSettings(places);
    if (!found.settings) {
        return usageError(found.error.isEmpty()
                              ? QStringLiteral("export: no settings are found; give a file with --settings")
                              : found.error);
    }
    const QString name = parser.value(endpointOption);
    const qsizetype endpoint = endpointNamed(*found.settings, name);
    if (endpoint < 0) {
        return usageError(name.isEmpty() ? QStringLiteral("export: the settings hold no endpoint")
                                         : QStringLiteral("--endpoint: no endpoint is called \"%1\"").arg(name));
    }
    const QByteArray text =
        format == tomlShape ? exportConfigToml(*found.settings, endpoint) : exportDotenv(*found.settings, endpoint);
    const QString out = parser.value(outOption);
    if (out == standardOutput) {
        return print(text);
    }
    if (!fileThatIsTarget({found.settings->file}, out).isEmpty()) {
        return usageError(QStringLiteral("%1: the settings that are read are the file to write").arg(out));
    }
    if (QFileInfo::exists(out) && !parser.isSet(yesOption)) {
        if (::isatty(STDIN_FILENO) == 0) {
            return usageError(QStringLiteral("%1 is there already: give --yes to replace it").arg(out));
        }
        if (!askToReplace(out)) {
            std::fprintf(stderr, "Nothing is written.\n");
            return ExitSomeFailed;
        }
    }
    return save(text, out);
}

} // namespace tokenpace
