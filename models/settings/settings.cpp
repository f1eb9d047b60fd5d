// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settings.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "settings/baseurl.h"
#include "settings/endpointreader.h"
#include "settings/settingstable.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

const char* const defaultOutputPath = "./logs/token_timing.jsonl";

void readTelemetry(SettingsTable table, TelemetrySettings& telemetry)
{
    SettingsReport& report = table.report();
    table.read("recordTokenTiming", telemetry.recordTokenTiming);
    table.read("recordText", telemetry.recordText);
    const QString standard = absolutePath(report, QString::fromLatin1(defaultOutputPath));
    telemetry.outputPath = standard;
    QStringList problems;
    const std::optional<Expansion> path = table.readExpanded("outputPath", problems);
    for (const QString& problem : std::as_const(problems)) {
        report.warnings() << Words::tr("%1; the log goes to %2").arg(problem, standard);
    }
    if (path) {
        const QString typed = path->value.trimmed();
        if (typed.isEmpty()) {
            report.warn(*table.find("outputPath"), Words::tr("the path is empty; the log goes to %1").arg(standard));
        } else {
            telemetry.outputPath = absolutePath(report, typed);
        }
    }
    table.warnOfSlips();
}

void readLimits(SettingsTable table, LimitSettings& limits)
{
    table.read(settingKey("limits.ttftMs"), limits.ttftMs);
    table.read(settingKey("limits.tpotMs"), limits.tpotMs);
    table.read(settingKey("limits.timeoutRate"), limits.timeoutRate);
    table.read(settingKey("limits.loadFactor"), limits.loadFactor);
    table.warnOfSlips();
}

void readExperiment(SettingsTable table, ExperimentSettings& experiment)
{
    const auto readWord = [&table](const SettingKey& key, std::optional<QString>& target) {
        QString word;
        table.read(key, word);
        if (!word.isEmpty()) {
            target = word;
        }
    };
    readWord(settingKey("experiment.experiment"), experiment.experiment);
    readWord(settingKey("experiment.order"), experiment.order);
    table.read(settingKey("experiment.promptTokens"), experiment.promptTokens);
    table.read(settingKey("experiment.maxTokens"), experiment.maxTokens);
    table.read(settingKey("experiment.repeats"), experiment.repeats);
    table.read(settingKey("experiment.warmup"), experiment.warmup);
    table.read(settingKey("experiment.concurrency"), experiment.concurrency);
    table.read("seed", experiment.seed);
    table.know(
        {"prompt", "promptFile", "system", "temperature", "stream", "rounds", "rate", "arrival", "duration", "every"});
    table.warnOfSlips();
}

void readNetwork(SettingsTable table, QString& manager)
{
    table.read(settingKey("network.manager"), manager);
    table.warnOfSlips();
}

void readEndpoints(SettingsTable& root, Settings& settings)
{
    SettingsReport& report = root.report();
    SettingsTable provider = root.section("provider");
    if (provider.present() && !provider.empty()) {
        settings.endpoints << readEndpoint(std::move(provider), settings);
    }
    const std::optional<SettingValue> list = root.find("endpoints");
    if (!list) {
        return;
    }
    if (!list->json->is_array()) {
        SettingsTable::warnOfType(report, *list, Words::tr("a list of objects"));
        return;
    }
    for (std::size_t i = 0; i < list->json->size(); ++i) {
        const SettingValue item = report.item(*list, i);
        if (item.json->is_object()) {
            settings.endpoints << readEndpoint(SettingsTable::ofItem(report, item), settings);
        } else {
            SettingsTable::warnOfType(report, item, Words::tr("an object"));
        }
    }
}

/// The prefix that the document uses, after the rule that `tokenpace` wins; warns of the other one.
std::optional<std::string> prefixOf(SettingsReport& report)
{
    std::optional<std::string> winner;
    std::optional<std::string> loser;
    for (const auto& [name, value] : report.document().root.items()) {
        const std::optional<std::string> prefix = prefixOfKey(name);
        if (prefix && *prefix == "tokenpace") {
            winner = prefix;
        } else if (prefix && !loser) {
            loser = name;
        }
    }
    if (winner && loser) {
        const std::string pointer = joinPointer({}, *loser);
        const QString key = QString::fromStdString(*loser);
        report.warn({nullptr, report.document().placeOf(pointer), key, pointer},
                    Words::tr("the file has keys of both prefixes; those of tokenpace are used, those of taotoken are "
                              "not"));
    }
    if (!winner && loser) {
        return "taotoken";
    }
    return winner;
}

} // namespace

SettingsResult readSettings(const QByteArray& text, const QString& file, const EnvironmentLookup& environment)
{
    return readSettings(parseJsonText({text.constData(), static_cast<std::size_t>(text.size())}), file, environment);
}

SettingsResult readSettings(const JsonText& document, const QString& file, const EnvironmentLookup& environment)
{
    SettingsResult result;
    SettingsReport report(document, file, environment);
    if (document.error) {
        result.error = report.located(*document.error);
        return result;
    }
    const std::optional<std::string> prefix = prefixOf(report);
    if (!prefix) {
        result.error = Words::tr("%1: no key of Tokenpace is in this file; expected is \"taotoken.provider\" with "
                                 "\"baseUrl\", \"apiKey\" and \"model\", or a list \"taotoken.endpoints\" of such "
                                 "objects (\"tokenpace\" in place of \"taotoken\" is as good)")
                           .arg(file);
        return result;
    }
    SettingsTable root = SettingsTable::ofPrefix(report, *prefix);
    Settings settings;
    settings.file = file;
    settings.source = file;
    readRequest(root.section("request"), settings.request);
    readConcurrency(root.section("concurrency"), settings.concurrency);
    readTelemetry(root.section("telemetry"), settings.telemetry);
    readLimits(root.section("limits"), settings.limits);
    readExperiment(root.section("experiment"), settings.experiment);
    readNetwork(root.section("network"), settings.manager);
    readEndpoints(root, settings);
    root.know({"provider", "request", "concurrency", "telemetry", "limits", "experiment", "network"});
    root.warnOfSlips();
    settings.warnings = report.warnings();
    nameEndpoints(settings);
    settings.hash = settingsHash(settings);
    result.settings = std::move(settings);
    return result;
}

void nameEndpoints(Settings& settings)
{
    QStringList used;
    int number = 0;
    for (EndpointSettings& endpoint : settings.endpoints) {
        ++number;
        if (endpoint.name.isEmpty()) {
            const RequestUrl url = requestUrl(endpoint.baseUrl, Protocol::OpenAiChat);
            const QString host = url.problem.isEmpty() ? hostLabel(url.url) : QString();
            endpoint.name = host.isEmpty() ? Words::tr("endpoint %1").arg(number) : host;
        }
        const QString wanted = endpoint.name;
        for (int copy = 2; used.contains(endpoint.name); ++copy) {
            endpoint.name = QStringLiteral("%1 (%2)").arg(wanted).arg(copy);
        }
        if (endpoint.name != wanted) {
            const QString message = Words::tr("two endpoints are named \"%1\"; the second is called \"%2\"");
            const QString place = endpoint.place.isEmpty() ? settings.source : endpoint.place;
            settings.warnings << QStringLiteral("%1: ").arg(place) + message.arg(wanted, endpoint.name);
        }
        used << endpoint.name;
    }
}

DocumentKind documentKind(const QByteArray& text)
{
    const JsonText document = parseJsonText({text.constData(), static_cast<std::size_t>(text.size())});
    if (document.error) {
        // A list or a lone value is good JSON that cannot be ours.
        const nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
        return json.is_discarded() || json.is_object() ? DocumentKind::Broken : DocumentKind::Foreign;
    }
    for (const auto& [name, value] : document.root.items()) {
        if (prefixOfKey(name)) {
            return DocumentKind::Ours;
        }
    }
    return DocumentKind::Foreign;
}

} // namespace tokenpace
