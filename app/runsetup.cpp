// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "runsetup.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include "experiment/endpointcheck.h"
#include "settings/baseurl.h"
#include "settings/keychain.h"
#include "settings/keychainreader.h"
#include "settings/messagefilter.h"
#include "settings/redactor.h"
#include "settings/settingsfinder.h"

namespace tokenpace {

namespace {

const QString simulatedName = QStringLiteral("simulated");

/// Keeps the endpoints that were asked for by name; the simulated one is added by its own name.
QString chooseEndpoints(const RunOptions& options, Settings& settings, RunSetup& setup)
{
    if (options.endpoints.isEmpty()) {
        return {};
    }
    QList<EndpointSettings> chosen;
    for (const QString& name : options.endpoints) {
        if (name == simulatedName) {
            setup.simulated = std::make_unique<SimulatedEndpoint>(options.seed.value_or(1));
            if (!setup.simulated->error().isEmpty()) {
                return QStringLiteral("the simulated endpoint cannot start: ") + setup.simulated->error();
            }
            chosen << setup.simulated->settings().endpoints;
            continue;
        }
        QStringList names;
        bool found = false;
        for (const EndpointSettings& endpoint : settings.endpoints) {
            names << endpoint.name;
            if (endpoint.name == name) {
                chosen << endpoint;
                found = true;
            }
        }
        if (!found) {
            return names.isEmpty() ? QStringLiteral("--endpoint %1: the settings have no endpoint").arg(name)
                                   : QStringLiteral("--endpoint %1: no such endpoint; there are: %2")
                                         .arg(name, names.join(QStringLiteral(", ")));
        }
    }
    settings.endpoints = chosen;
    return {};
}

void useBaseUrl(const RunOptions& options, Settings& settings)
{
    EndpointSettings endpoint;
    endpoint.baseUrl = options.baseUrl;
    endpoint.name = hostLabel(requestUrl(options.baseUrl, Protocol::OpenAiChat).url);
    endpoint.request = settings.request;
    endpoint.concurrency = settings.concurrency;
    settings.endpoints = {endpoint};
}

/// Options that override what an endpoint of the settings says.
QString overrideEndpoints(const RunOptions& options, Settings& settings)
{
    std::optional<QString> key;
    if (!options.apiKeyEnv.isEmpty()) {
        key = processEnvironment()(options.apiKeyEnv);
        if (!key) {
            return QStringLiteral("--api-key-env: environment variable %1 is not set").arg(options.apiKeyEnv);
        }
    }
    for (EndpointSettings& endpoint : settings.endpoints) {
        if (endpoint.simulated) {
            continue;
        }
        if (key) {
            endpoint.keychain.removeIf([](const KeychainUse& use) {
                return use.header.isEmpty();
            });
            endpoint.apiKey = *key;
            endpoint.apiKeySource = QStringLiteral("${%1}").arg(options.apiKeyEnv);
        }
        if (!options.protocol.isEmpty()) {
            endpoint.protocol = protocolFromName(options.protocol.toStdString());
        }
    }
    if (!options.models.isEmpty()) {
        for (EndpointSettings& endpoint : settings.endpoints) {
            endpoint.models.clear();
            for (const QString& model : options.models) {
                endpoint.models.push_back({model, {}, {}});
            }
        }
    }
    return {};
}

/// Waits for what the settings keep in the desktop's keychain, which may have to be unlocked first.
void readKeychain(Settings& settings)
{
    if (!waitsForKeychain(settings)) {
        return;
    }
    const std::unique_ptr<Keychain> keychain = desktopKeychain();
    KeychainReader reader(*keychain);
    QEventLoop loop;
    QObject::connect(&reader, &KeychainReader::filled, &loop, [&](const Settings& filled) {
        settings = filled;
        loop.quit();
    });
    QTimer slow;
    slow.setSingleShot(true);
    QObject::connect(&slow, &QTimer::timeout, &loop, [] {
        std::fputs("tokenpace: waiting for the keychain to be unlocked\n", stderr);
    });
    slow.start(std::chrono::seconds(2));
    reader.fill(settings);
    loop.exec();
}

/// Asks an endpoint that names no model; good when it lists just one.
QString findOnlyModel(EndpointSettings& endpoint)
{
    if (!endpoint.problems.isEmpty()) {
        return {}; // told as the run's problems
    }
    EndpointCheck check(endpoint, {});
    QEventLoop loop;
    QObject::connect(&check, &EndpointCheck::finished, &loop, &QEventLoop::quit);
    check.startModelsOnly();
    loop.exec();
    if (check.models().size() == 1) {
        endpoint.models.push_back({check.models().first(), {}, {}});
        return {};
    }
    if (check.models().isEmpty()) {
        return QStringLiteral(
                   "endpoint \"%1\": no model is named, and its list of models cannot be had (%2); give --model")
            .arg(endpoint.name, check.trouble().value_or(CheckStep{}).message);
    }
    return QStringLiteral("endpoint \"%1\" has several models; give --model: %2")
        .arg(endpoint.name, check.models().mid(0, 20).join(QStringLiteral(", ")));
}

QString readPrompt(const RunOptions& options, RunSpec& spec)
{
    if (options.prompt) {
        spec.prompt = *options.prompt;
    }
    if (!options.promptFile.isEmpty()) {
        QFile file(options.promptFile);
        if (!file.open(QIODevice::ReadOnly)) {
            return QStringLiteral("--prompt-file %1: %2").arg(options.promptFile, file.errorString());
        }
        spec.prompt = QString::fromUtf8(file.readAll());
    }
    return {};
}

QString fillSpec(const RunOptions& options, const Settings& settings, RunSpec& spec)
{
    const QString name = options.experiment.value_or(settings.experiment.experiment.value_or(QStringLiteral("length")));
    const auto experiment = experimentFromName(name);
    if (!experiment) {
        return QStringLiteral("experiment \"%1\" of the settings is not in this version, which has length and single")
            .arg(name);
    }
    spec = defaultSpec(*experiment, settings);
    if (!options.promptTokens.isEmpty()) {
        if (*experiment == Experiment::Single) {
            return QStringLiteral("--prompt-tokens belongs to --experiment length");
        }
        spec.promptTokens = options.promptTokens;
    }
    if ((options.prompt || !options.promptFile.isEmpty()) && *experiment != Experiment::Single) {
        return QStringLiteral("--prompt and --prompt-file belong to --experiment single");
    }
    spec.maxTokens = options.maxTokens ? options.maxTokens : spec.maxTokens;
    spec.temperature = options.temperature ? options.temperature : spec.temperature;
    spec.stream = options.stream.value_or(spec.stream);
    spec.repeats = options.repeats.value_or(spec.repeats);
    spec.warmup = options.warmup.value_or(spec.warmup);
    if (options.concurrency) {
        spec.concurrency = *options.concurrency;
        spec.limitPerEndpoint = false;
    }
    spec.interleaved = options.order ? *options.order == QStringLiteral("interleaved") : spec.interleaved;
    spec.seed = options.seed.value_or(spec.seed);
    spec.system = options.system;
    spec.keepText = spec.keepText || options.withText;
    spec.manager = options.manager.isEmpty() ? spec.manager : options.manager;
    return readPrompt(options, spec);
}

QString logPathFor(const RunOptions& options, const Settings& settings)
{
    if (options.logFile) {
        return options.logFile->isEmpty() ? QString() : QFileInfo(*options.logFile).absoluteFilePath();
    }
    if (!settings.telemetry.recordTokenTiming) {
        return {};
    }
    return settings.telemetry.outputPath.isEmpty() ? defaultLogPath(processEnvironment())
                                                   : settings.telemetry.outputPath;
}

} // namespace

QString nothingFoundText(const QStringList& lookedAt)
{
    const QString places = lookedAt.isEmpty()
        ? QString()
        : QStringLiteral("\n  looked at: ") + lookedAt.join(QStringLiteral("\n             "));
    return QStringLiteral("no settings were found; give --base-url URL, --settings FILE or --endpoint simulated")
        + places;
}

RunSetup setUpEndpoints(const RunOptions& options, bool wantModels, KeychainWait keychain)
{
    RunSetup setup;
    SettingsPlaces places = processPlaces();
    places.explicitFile = options.settingsFile;
    const bool simulatedOnly =
        options.baseUrl.isEmpty() && options.settingsFile.isEmpty() && options.endpoints == QStringList{simulatedName};
    const SettingsResult found = simulatedOnly ? SettingsResult{} : findSettings(places);
    setup.lookedAt = found.lookedAt;
    if (!found.error.isEmpty()) {
        setup.error = found.error;
        return setup;
    }
    Settings settings = found.settings.value_or(Settings{});
    setup.warnings = settings.warnings;
    if (!options.baseUrl.isEmpty()) {
        useBaseUrl(options, settings);
    } else if (!found.settings && !simulatedOnly) {
        setup.error = wantModels ? nothingFoundText(found.lookedAt) : QString();
        return setup;
    }
    setup.error = chooseEndpoints(options, settings, setup);
    if (setup.error.isEmpty()) {
        setup.error = overrideEndpoints(options, settings);
    }
    const bool isModelMissing = std::any_of(settings.endpoints.begin(), settings.endpoints.end(), [](const auto& each) {
        return each.models.isEmpty();
    });
    if (setup.error.isEmpty() && (keychain == KeychainWait::Always || (wantModels && isModelMissing))) {
        readKeychain(settings);
    }
    for (EndpointSettings& endpoint : settings.endpoints) {
        if (wantModels && setup.error.isEmpty() && endpoint.models.isEmpty()) {
            setup.error = findOnlyModel(endpoint);
        }
    }
    if (!setup.error.isEmpty()) {
        return setup;
    }
    hideInMessages(redactorFor(settings));
    settings.hash = settingsHash(settings);
    setup.settings = std::move(settings);
    return setup;
}

RunSetup setUpRun(const RunOptions& options, bool wantModels, KeychainWait keychain)
{
    RunSetup setup = setUpEndpoints(options, wantModels, keychain);
    if (!setup.error.isEmpty() || !setup.settings) {
        return setup;
    }
    RunSpec spec;
    setup.error = fillSpec(options, *setup.settings, spec);
    setup.logPath = logPathFor(options, *setup.settings);
    setup.spec = std::move(spec);
    return setup;
}

} // namespace tokenpace
