// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QList>
#include <QString>
#include <QStringList>

namespace tokenpace {

/// The options of an experiment as typed: the window and bench take the same ones. What was not typed is unset.
struct RunOptions {
    QString settingsFile;
    QStringList endpoints;
    QString baseUrl;
    QString protocol;
    QString apiKeyEnv;
    QStringList models;
    std::optional<QString> experiment;
    QList<int> promptTokens;
    std::optional<QString> prompt;
    QString promptFile;
    QString system;
    std::optional<int> maxTokens;
    std::optional<double> temperature;
    std::optional<bool> stream;
    std::optional<int> repeats;
    std::optional<int> warmup;
    std::optional<int> concurrency;
    std::optional<QString> order;
    std::optional<quint64> seed;
    QString outFolder;
    std::optional<QString> logFile; ///< set and empty: no log
    QString jsonFile; ///< `-` is standard output
    bool withText = false;
    QString manager;
    bool quiet = false;
    bool run = false; ///< of the window: start at once
    QStringList files; ///< of the window: what to open
};

/// Options, or what to print instead.
struct ParsedRunOptions {
    RunOptions options;
    QString error; ///< what is wrong with the command, naming the option
    QString help; ///< asked for with --help
};

/// `command` is `bench`, or empty for the window; `arguments` come after it.
[[nodiscard]] ParsedRunOptions parseRunOptions(const QString& command, const QStringList& arguments);

} // namespace tokenpace
