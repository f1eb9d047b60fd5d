// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <vector>

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include "measure/timeline.h"
#include "settings/environment.h"
#include "settings/keychain.h"

namespace tokenpace {

class Redactor;
struct JsonText;

/// Price in money per million tokens.
struct ModelPrice {
    std::optional<double> input;
    std::optional<double> cached;
    std::optional<double> output;
};

struct ModelSettings {
    QString name; ///< sent to the server as it is
    QString alias; ///< shown instead, or empty
    ModelPrice price;
};

/// `P.request`: an unset optional is not sent.
struct RequestSettings {
    bool stream = true;
    int maxTokens = 1024;
    std::optional<double> temperature;
    std::optional<double> topP;
    std::optional<std::int64_t> seed;
    int connectTimeoutMs = 10000;
    int ttftTimeoutMs = 30000;
    int idleTimeoutMs = 30000;
    int totalTimeoutMs = 120000;
};

struct ConcurrencySettings {
    int maxParallel = 1;
    int maxRetries = 0;
};

/// A value that is still in the desktop's keychain.
struct KeychainUse {
    KeychainName entry;
    QString header; ///< which header it is the value of; empty: the key
    QString place; ///< `file:line:column: key`, for messages
};

/// One endpoint, with `P.request` and `P.concurrency` merged under its own. `apiKey` is expanded and secret: it goes
/// into a request header and a Redactor, nowhere else.
struct EndpointSettings {
    QString name; ///< as given, else the host (and port)
    QString place; ///< `file:line:column: key`, for messages; empty when it is in no file
    QString baseUrl;
    QString apiKey;
    QString apiKeySource; ///< its variables, as `${NAME}`, or `keychain:...`; for messages; empty for a literal key
    QList<KeychainUse> keychain; ///< to be filled in by a KeychainReader before anything is sent
    QStringList secrets; ///< further values that no output may hold: headers and body texts made from variables
    QList<ModelSettings> models;
    std::optional<Protocol> protocol; ///< none: auto
    QString path;
    QString limitField; ///< empty: by protocol
    bool streamOptions = true;
    QString extraBody; ///< a JSON object as compact text, or empty
    QList<QPair<QString, QString>> extraHeaders;
    QString caFile; ///< absolute
    bool insecure = false;
    QString proxy = QStringLiteral("none"); ///< `none`, `system` or a URL
    bool http2 = false;
    RequestSettings request;
    ConcurrencySettings concurrency;
    bool simulated = false;
    QStringList problems; ///< why nothing may be sent, such as an unset variable: file, line and key included
};

struct TelemetrySettings {
    bool recordTokenTiming = true;
    QString outputPath; ///< absolute
    bool recordText = false;
};

struct LimitSettings {
    double ttftMs = 800;
    double tpotMs = 50;
    double timeoutRate = 0.01;
    double loadFactor = 3;

    friend bool operator==(const LimitSettings&, const LimitSettings&) = default;
};

/// `P.experiment`: defaults of the flags of the same names; unset ones fall to each experiment's own.
struct ExperimentSettings {
    std::optional<QString> experiment;
    QList<int> promptTokens;
    std::optional<int> maxTokens;
    std::optional<int> repeats;
    std::optional<int> warmup;
    QList<int> concurrency;
    std::optional<QString> order;
    std::optional<quint64> seed;
};

/// Settings as the program uses them. A value; read once, on any thread.
struct Settings {
    QString file; ///< absolute path, or empty when they come from the environment
    QString foreignShape; ///< what else than a settings.json the file is, for people; such a file is never written
    QString source; ///< for people: the file, or the variables
    QList<EndpointSettings> endpoints;
    RequestSettings request;
    ConcurrencySettings concurrency;
    TelemetrySettings telemetry;
    LimitSettings limits;
    ExperimentSettings experiment;
    QString manager = QStringLiteral("measuring");
    QStringList warnings; ///< file, line and key included
    QString hash; ///< first 7 hex digits of SHA-256 over the effective settings without secrets
};

/// Settings, or why there are none.
struct SettingsResult {
    std::optional<Settings> settings;
    QString error; ///< what is wrong, with file, line and key; empty when nothing was found
    QStringList lookedAt; ///< places that were tried, for the first page and for messages
};

/// Reads one settings.json, in both prefixes (`taotoken`, `tokenpace`), flat or nested. `text` is the file's bytes,
/// `file` its absolute path. A value of a wrong type or range keeps its default with a warning; what forbids sending to
/// one endpoint is in that endpoint's `problems`; only a text that is no settings at all is an error.
[[nodiscard]] SettingsResult readSettings(const QByteArray& text, const QString& file,
                                          const EnvironmentLookup& environment);
/// The same from a document that has been taken apart already.
[[nodiscard]] SettingsResult readSettings(const JsonText& document, const QString& file,
                                          const EnvironmentLookup& environment);

/// The settings without secrets, as a JSON object in compact text: for run.json and JSON documents. Free of the
/// settings file's own path, so that a copy of the folder gives the same text.
[[nodiscard]] QByteArray settingsJson(const Settings& settings);
/// What Settings::hash holds.
[[nodiscard]] QString settingsHash(const Settings& settings);

/// Everything secret in an endpoint: key, URL password and query values, proxy password, secret headers.
void addSecrets(Redactor& redactor, const EndpointSettings& endpoint);
[[nodiscard]] Redactor redactorFor(const Settings& settings);

/// Gives endpoints without a name their host, and a second endpoint of one name ` (2)`; warnings name the names.
void nameEndpoints(Settings& settings);

/// Whose document is this? Ours holds `taotoken` or `tokenpace` at its top, alone or before a dot.
enum class DocumentKind { Ours, Foreign, Broken };
[[nodiscard]] DocumentKind documentKind(const QByteArray& text);

} // namespace tokenpace
