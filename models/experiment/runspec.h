// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>

#include <QList>
#include <QString>
#include <QStringList>

#include "net/clientrequest.h"
#include "settings/settings.h"

namespace tokenpace {

enum class Experiment { Length, Single };
[[nodiscard]] QString experimentName(Experiment experiment);
[[nodiscard]] std::optional<Experiment> experimentFromName(const QString& name);

/// The network manager of that name, `measuring` or `stock`.
[[nodiscard]] std::optional<Route::ManagerKind> managerNamed(const QString& name);

/// A model at an endpoint that a run measures.
struct Target {
    EndpointSettings endpoint;
    QString model;
    QString alias; ///< shown instead of the model's name, or empty

    [[nodiscard]] QString label() const { return alias.isEmpty() ? model : alias; }
};

/// 100, 300, 1000, 3000 and 10000: even steps on a logarithmic axis.
[[nodiscard]] QList<int> defaultPromptTokens();

/// What to run: settings, flags and defaults already merged. The window's parameters and bench's options both end
/// here. A value.
struct RunSpec {
    Experiment experiment = Experiment::Length;
    QList<Target> targets;
    QList<int> promptTokens = defaultPromptTokens();
    int repeats = 7;
    int warmup = 1; ///< per target
    int concurrency = 1; ///< requests in flight, of the whole run
    bool limitPerEndpoint = false; ///< each endpoint's own maxParallel holds as well
    bool interleaved = true;
    quint64 seed = 0; ///< never 0 once a run starts: see freshSeed()
    std::optional<int> maxTokens = 128; ///< none: not sent
    std::optional<double> temperature;
    bool stream = true;
    QString prompt; ///< of Single
    QString system;
    bool keepText = false;
    QString manager = QStringLiteral("measuring");
};

[[nodiscard]] quint64 freshSeed();

/// Defaults of an experiment over some settings: P.experiment, then the experiment's own.
[[nodiscard]] RunSpec defaultSpec(Experiment experiment, const Settings& settings);

/// Problems that forbid the run, in words; empty when it may start.
[[nodiscard]] QStringList problems(const RunSpec& spec);

} // namespace tokenpace
