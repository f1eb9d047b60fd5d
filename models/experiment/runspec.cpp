// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/runspec.h"

#include <algorithm>
#include <array>

#include <QRandomGenerator>

#include "experiment/requestbuilder.h"

namespace tokenpace {

namespace {

constexpr int maxPromptTokens = 10'000'000;
constexpr int maxRepeats = 100'000;
constexpr int maxConcurrency = 4096;

} // namespace

QString experimentName(Experiment experiment)
{
    return experiment == Experiment::Length ? QStringLiteral("length") : QStringLiteral("single");
}

std::optional<Experiment> experimentFromName(const QString& name)
{
    for (const Experiment experiment : {Experiment::Length, Experiment::Single}) {
        if (experimentName(experiment) == name) {
            return experiment;
        }
    }
    return std::nullopt;
}

QList<int> defaultPromptTokens()
{
    constexpr std::array<int, 5> lengths{100, 300, 1000, 3000, 10000};
    return {lengths.begin(), lengths.end()};
}

std::optional<Route::ManagerKind> managerNamed(const QString& name)
{
    if (name == QStringLiteral("measuring")) {
        return Route::ManagerKind::Measuring;
    }
    return name == QStringLiteral("stock") ? std::optional(Route::ManagerKind::Stock) : std::nullopt;
}

quint64 freshSeed()
{
    // Six digits are enough to tell runs apart and short enough to type again.
    return QRandomGenerator::global()->bounded(1u, 1'000'000u);
}

RunSpec defaultSpec(Experiment experiment, const Settings& settings)
{
    RunSpec spec;
    spec.experiment = experiment;
    spec.manager = settings.manager;
    spec.keepText = settings.telemetry.recordText;
    const ExperimentSettings& defaults = settings.experiment;
    if (experiment == Experiment::Single) {
        spec.promptTokens.clear();
        spec.repeats = 1;
        spec.warmup = 0;
        spec.maxTokens = settings.request.maxTokens;
    }
    if (experiment == Experiment::Length && !defaults.promptTokens.isEmpty()) {
        spec.promptTokens = defaults.promptTokens;
    }
    spec.maxTokens = defaults.maxTokens ? defaults.maxTokens : spec.maxTokens;
    spec.repeats = defaults.repeats.value_or(spec.repeats);
    spec.warmup = defaults.warmup.value_or(spec.warmup);
    spec.interleaved = defaults.order.value_or(QStringLiteral("interleaved")) != QStringLiteral("blocked");
    spec.seed = defaults.seed.value_or(0);
    spec.temperature = settings.request.temperature;
    spec.stream = settings.request.stream;

    int mostParallel = 1;
    int leastParallel = maxConcurrency;
    for (const EndpointSettings& endpoint : settings.endpoints) {
        mostParallel = std::max(mostParallel, endpoint.concurrency.maxParallel);
        leastParallel = std::min(leastParallel, endpoint.concurrency.maxParallel);
        for (const ModelSettings& model : endpoint.models) {
            spec.targets.push_back({endpoint, model.name, model.alias});
        }
    }
    spec.concurrency = defaults.concurrency.isEmpty() ? mostParallel : defaults.concurrency.first();
    spec.limitPerEndpoint = defaults.concurrency.isEmpty() && leastParallel < mostParallel;
    return spec;
}

QStringList problems(const RunSpec& spec)
{
    QStringList found;
    if (spec.targets.isEmpty()) {
        found << QStringLiteral("no model is chosen");
    }
    if (spec.experiment == Experiment::Length && spec.promptTokens.isEmpty()) {
        found << QStringLiteral("no prompt length is given");
    }
    for (const int tokens : spec.promptTokens) {
        if (tokens < 1 || tokens > maxPromptTokens) {
            found << QStringLiteral("prompt length %1 is not between 1 and %2 tokens").arg(tokens).arg(maxPromptTokens);
        }
    }
    if (spec.experiment == Experiment::Single && spec.prompt.isEmpty()) {
        found << QStringLiteral("no prompt is given");
    }
    if (spec.repeats < 1 || spec.repeats > maxRepeats) {
        found << QStringLiteral("repeats must be between 1 and %1").arg(maxRepeats);
    }
    if (spec.warmup < 0 || spec.warmup > maxRepeats) {
        found << QStringLiteral("warm-ups must be between 0 and %1").arg(maxRepeats);
    }
    if (spec.concurrency < 1 || spec.concurrency > maxConcurrency) {
        found << QStringLiteral("concurrency must be between 1 and %1").arg(maxConcurrency);
    }
    if (spec.maxTokens && *spec.maxTokens < 1) {
        found << QStringLiteral("max tokens must be at least 1");
    }
    if (!managerNamed(spec.manager)) {
        found << QStringLiteral("network manager \"%1\" is none of measuring, stock").arg(spec.manager);
    }
    QStringList endpointsSeen;
    for (const Target& target : spec.targets) {
        if (endpointsSeen.contains(target.endpoint.name)) {
            continue;
        }
        endpointsSeen << target.endpoint.name;
        found << target.endpoint.problems;
        wire::ChatRequest probe;
        probe.model = target.model.toStdString();
        const BuiltRequest built = buildRequest(target.endpoint, probe);
        if (!built.problem.isEmpty() && target.endpoint.problems.isEmpty()) {
            found << built.problem;
        }
    }
    return found;
}

} // namespace tokenpace
