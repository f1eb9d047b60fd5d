// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settingsfinder.h"

#include <optional>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "settings/baseurl.h"
#include "settings/importers.h"
#include "settings/settingsfile.h"
#include "settings/variablesources.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

QString withNote(const QString& file, const QString& note)
{
    return QStringLiteral("%1: %2").arg(file, note);
}

/// Does one of our words stand in it, whatever the encoding?
bool namesUs(QByteArray text)
{
    // UTF-16 has a zero beside each letter of ASCII.
    text.replace('\0', QByteArrayView());
    return text.contains("taotoken") || text.contains("tokenpace");
}

/// Also true for a link to nothing: somebody wanted a file there.
bool isThere(const QString& path)
{
    const QFileInfo info(path);
    return info.exists() || info.isSymLink();
}

/// With the `.env` beside the file as a second source of variables.
SettingsResult readOwn(const QByteArray& text, const QString& path, const EnvironmentLookup& environment)
{
    const VariableSources sources(path, environment);
    SettingsResult result = readSettings(text, path, sources.lookup());
    if (result.settings) {
        result.settings->warnings += sources.warnings();
    }
    return result;
}

SettingsResult readForeign(const ImportPreview& preview, const QString& path, const EnvironmentLookup& environment)
{
    const VariableSources sources(path, environment);
    SettingsResult result = readImported(preview, path, sources.lookup());
    if (result.settings) {
        result.settings->foreignShape = preview.kind;
        result.settings->warnings += sources.warnings();
    }
    return result;
}

SettingsResult readExplicit(const QString& path, const EnvironmentLookup& environment)
{
    const FileText file = readFileText(path);
    if (!file.problem.isEmpty()) {
        return {std::nullopt, withNote(path, file.problem), {path}};
    }
    SettingsResult result;
    const DocumentKind kind = documentKind(file.text);
    const ImportPreview preview = kind == DocumentKind::Ours ? ImportPreview{} : importSettings(file.text, path);
    // A JSON file of no shape at all was most likely meant as settings.json: that is what to tell of.
    const bool isJson = QFileInfo(path).suffix().compare(u"json", Qt::CaseInsensitive) == 0;
    const bool isForeign =
        kind != DocumentKind::Ours && (preview.error.isEmpty() || !preview.kind.isEmpty() || !isJson);
    result = isForeign ? readForeign(preview, path, environment) : readOwn(file.text, path, environment);
    result.lookedAt << path;
    return result;
}

/// The settings.json of a folder. `result` gets what was found, or why the search ends; false to go on.
bool tryFile(const QString& path, const EnvironmentLookup& environment, SettingsResult& result)
{
    if (!isThere(path)) {
        return false;
    }
    if (QFileInfo(path).isDir()) {
        result.lookedAt << withNote(path, Words::tr("a folder"));
        return false;
    }
    const FileText file = readFileText(path);
    if (!file.problem.isEmpty()) {
        result.lookedAt << path;
        result.error = withNote(path, file.problem);
        return true;
    }
    if (!namesUs(file.text)) {
        result.lookedAt << withNote(path, Words::tr("no key that starts with taotoken or tokenpace"));
        return false;
    }
    const DocumentKind kind = documentKind(file.text);
    if (kind == DocumentKind::Foreign) {
        result.lookedAt << withNote(path, Words::tr("no key that starts with taotoken or tokenpace"));
        return false;
    }
    QStringList lookedAt = std::move(result.lookedAt);
    result = readOwn(file.text, path, environment);
    result.lookedAt = std::move(lookedAt);
    result.lookedAt << path;
    return true;
}

/// The config.toml of the tutorials' place; false to go on. It has no other use, so one that cannot be read is an
/// error.
bool tryToml(const QString& path, const EnvironmentLookup& environment, SettingsResult& result)
{
    if (!isThere(path)) {
        result.lookedAt << withNote(path, Words::tr("not there"));
        return false;
    }
    if (QFileInfo(path).isDir()) {
        result.lookedAt << withNote(path, Words::tr("a folder"));
        return false;
    }
    QStringList lookedAt = std::move(result.lookedAt);
    const FileText file = readFileText(path);
    if (file.problem.isEmpty()) {
        result = readForeign(importSettings(file.text, path), path, environment);
    } else {
        result.error = withNote(path, file.problem);
    }
    result.lookedAt = std::move(lookedAt);
    result.lookedAt << path;
    return true;
}

/// Variables that name an endpoint together.
struct VariableSet {
    QString baseUrl;
    QString apiKey;
    QString model;
    QString standardUrl; ///< when only the key is set; empty: then the key means nothing
};

std::optional<Settings> fromVariables(const VariableSet& names, const EnvironmentLookup& environment)
{
    const auto value = [&](const QString& name) {
        return environment(name).value_or(QString()).trimmed();
    };
    EndpointSettings endpoint;
    QStringList used;
    endpoint.baseUrl = value(names.baseUrl);
    endpoint.apiKey = value(names.apiKey);
    if (!endpoint.baseUrl.isEmpty()) {
        used << names.baseUrl;
    } else if (!endpoint.apiKey.isEmpty()) {
        endpoint.baseUrl = names.standardUrl;
    }
    if (endpoint.baseUrl.isEmpty()) {
        return std::nullopt;
    }
    if (!endpoint.apiKey.isEmpty()) {
        used << names.apiKey;
        endpoint.apiKeySource = QStringLiteral("${%1}").arg(names.apiKey);
    }
    if (const QString model = value(names.model); !model.isEmpty()) {
        used << names.model;
        ModelSettings settings;
        settings.name = model;
        endpoint.models << settings;
    }
    const RequestUrl url = requestUrl(endpoint.baseUrl, protocolFor(endpoint.baseUrl));
    if (!url.problem.isEmpty()) {
        endpoint.problems << Words::tr("environment variable %1: %2").arg(names.baseUrl, url.problem);
    }
    Settings settings;
    settings.source = Words::tr("the environment (%1)").arg(used.join(QStringLiteral(", ")));
    settings.telemetry.outputPath = defaultLogPath(environment);
    settings.endpoints << endpoint;
    nameEndpoints(settings);
    settings.hash = settingsHash(settings);
    return settings;
}

void lookInEnvironment(const EnvironmentLookup& environment, SettingsResult& result)
{
    const VariableSet own{
        QStringLiteral("TAOTOKEN_BASE_URL"), QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("TAOTOKEN_MODEL"), {}};
    const VariableSet openAi{QStringLiteral("OPENAI_BASE_URL"), QStringLiteral("OPENAI_API_KEY"),
                             QStringLiteral("OPENAI_MODEL"), QStringLiteral("https://api.openai.com/v1")};
    for (const VariableSet& names : {own, openAi}) {
        result.settings = fromVariables(names, environment);
        if (result.settings) {
            result.lookedAt << result.settings->source;
            return;
        }
        const bool keyAlone = !environment(names.apiKey).value_or(QString()).trimmed().isEmpty();
        result.lookedAt << (keyAlone ? Words::tr("%1 is set, but %2 is not").arg(names.apiKey, names.baseUrl)
                                     : Words::tr("%1 is not set").arg(names.baseUrl));
    }
}

/// A folder of the XDG rules: the variable when it holds an absolute path, as they demand, else the standard one.
QString xdgFolder(const EnvironmentLookup& environment, const QString& variable, const QString& standard)
{
    const QString folder = environment(variable).value_or(QString());
    return QDir::isAbsolutePath(folder) ? QDir::cleanPath(folder) : standard;
}

QString homeFolder(const EnvironmentLookup& environment)
{
    const QString home = environment(QStringLiteral("HOME")).value_or(QString());
    return home.isEmpty() ? QDir::homePath() : home;
}

} // namespace

SettingsPlaces processPlaces()
{
    SettingsPlaces places;
    places.environment = processEnvironment();
    places.workingFolder = QDir::currentPath();
    places.home = homeFolder(places.environment);
    places.configHome =
        xdgFolder(places.environment, QStringLiteral("XDG_CONFIG_HOME"), places.home + QStringLiteral("/.config"));
    return places;
}

SettingsResult findSettings(const SettingsPlaces& places)
{
    const EnvironmentLookup environment =
        places.environment ? places.environment : EnvironmentLookup([](const QString&) {
            return std::optional<QString>();
        });
    if (!places.explicitFile.isEmpty()) {
        const QString path = QDir::cleanPath(QDir(places.workingFolder).absoluteFilePath(places.explicitFile));
        return readExplicit(path, environment);
    }
    SettingsResult result;
    if (!places.workingFolder.isEmpty()) {
        QDir folder(QDir::cleanPath(places.workingFolder));
        const qsizetype before = result.lookedAt.size();
        do {
            if (tryFile(folder.absoluteFilePath(QStringLiteral("settings.json")), environment, result)) {
                return result;
            }
        } while (folder.cdUp());
        if (result.lookedAt.size() == before) {
            result.lookedAt << Words::tr("settings.json in %1 and the folders above: none is there")
                                   .arg(QDir::cleanPath(places.workingFolder));
        }
    }
    if (!places.configHome.isEmpty()) {
        const QString path = places.configHome + QStringLiteral("/tokenpace/settings.json");
        if (tryFile(path, environment, result)) {
            return result;
        }
        if (!isThere(path)) {
            result.lookedAt << withNote(path, Words::tr("not there"));
        }
    }
    if (!places.home.isEmpty()) {
        if (tryToml(places.home + QStringLiteral("/.config/taotoken/config.toml"), environment, result)) {
            return result;
        }
    }
    lookInEnvironment(environment, result);
    return result;
}

QString defaultLogPath(const EnvironmentLookup& environment)
{
    const QString standard = homeFolder(environment) + QStringLiteral("/.local/share");
    return xdgFolder(environment, QStringLiteral("XDG_DATA_HOME"), standard)
        + QStringLiteral("/tokenpace/token_timing.jsonl");
}

} // namespace tokenpace
