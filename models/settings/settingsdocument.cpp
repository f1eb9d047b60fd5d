// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include <nlohmann/json.hpp>

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "settings/baseurl.h"
#include "settings/redactor.h"
#include "settings/settings.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

Json text(const QString& value)
{
    return value.toStdString();
}

template <typename T> void put(Json& object, const char* key, const std::optional<T>& value)
{
    if (value) {
        object[key] = *value;
    }
}

/// Headers that say what a request is, not who sends it.
bool isHarmlessHeader(const QString& name)
{
    static const QStringList harmless{QStringLiteral("accept"),         QStringLiteral("accept-language"),
                                      QStringLiteral("anthropic-beta"), QStringLiteral("anthropic-version"),
                                      QStringLiteral("cache-control"),  QStringLiteral("content-type"),
                                      QStringLiteral("openai-beta"),    QStringLiteral("user-agent"),
                                      QStringLiteral("x-title")};
    return harmless.contains(name.toLower());
}

/// Masks the values of fields whose names say that they are secret.
void maskSecretFields(Json& json)
{
    if (json.is_object()) {
        for (auto& [key, value] : json.items()) {
            if (isSecretName(QString::fromStdString(key)) && value.is_string()) {
                value = "***";
            } else {
                maskSecretFields(value);
            }
        }
    } else if (json.is_array()) {
        for (auto& item : json) {
            maskSecretFields(item);
        }
    }
}

void collectSecretFields(const Json& json, Redactor& redactor)
{
    if (json.is_object()) {
        for (const auto& [key, value] : json.items()) {
            if (isSecretName(QString::fromStdString(key)) && value.is_string()) {
                redactor.addSecret(QString::fromStdString(value.get<std::string>()));
            } else {
                collectSecretFields(value, redactor);
            }
        }
    } else if (json.is_array()) {
        for (const auto& item : json) {
            collectSecretFields(item, redactor);
        }
    }
}

Json requestJson(const RequestSettings& request)
{
    Json json{{"stream", request.stream}, {"maxTokens", request.maxTokens}};
    put(json, "temperature", request.temperature);
    put(json, "topP", request.topP);
    put(json, "seed", request.seed);
    json["connectTimeoutMs"] = request.connectTimeoutMs;
    json["ttftTimeoutMs"] = request.ttftTimeoutMs;
    json["idleTimeoutMs"] = request.idleTimeoutMs;
    json["totalTimeoutMs"] = request.totalTimeoutMs;
    return json;
}

Json concurrencyJson(const ConcurrencySettings& concurrency)
{
    return {{"maxParallel", concurrency.maxParallel}, {"maxRetries", concurrency.maxRetries}};
}

Json modelJson(const ModelSettings& model)
{
    Json json{{"name", text(model.name)}};
    if (!model.alias.isEmpty()) {
        json["alias"] = text(model.alias);
    }
    Json price = Json::object();
    put(price, "input", model.price.input);
    put(price, "cached", model.price.cached);
    put(price, "output", model.price.output);
    if (!price.empty()) {
        json["price"] = std::move(price);
    }
    return json;
}

/// The path as seen from the settings file where it lies below it, so that it says nothing of this machine.
Json pathJson(const Settings& settings, const QString& path)
{
    if (!settings.file.isEmpty() && !path.isEmpty()) {
        const QString relative = QFileInfo(settings.file).absoluteDir().relativeFilePath(path);
        if (!relative.startsWith(u"..") && !QDir::isAbsolutePath(relative)) {
            return text(relative);
        }
    }
    return text(path);
}

Json endpointJson(const Settings& settings, const EndpointSettings& endpoint)
{
    Json json{{"name", text(endpoint.name)}};
    if (endpoint.simulated) {
        // Its port is another one each time.
        json["simulated"] = true;
    } else {
        // A base URL that is none may hold a password in a place where nothing recognizes it.
        const bool good = requestUrl(endpoint.baseUrl, Protocol::OpenAiChat).problem.isEmpty();
        json["baseUrl"] = text(good ? displayUrl(QUrl(endpoint.baseUrl.trimmed())) : QString());
    }
    Json models = Json::array();
    for (const ModelSettings& model : endpoint.models) {
        models.push_back(modelJson(model));
    }
    json["models"] = std::move(models);
    json["protocol"] = endpoint.protocol ? std::string(name(*endpoint.protocol)) : std::string("auto");
    if (!endpoint.path.isEmpty()) {
        json["path"] = text(displayUrl(QUrl(endpoint.path)));
    }
    if (!endpoint.limitField.isEmpty()) {
        json["limitField"] = text(endpoint.limitField);
    }
    json["streamOptions"] = endpoint.streamOptions;
    Json body = Json::parse(endpoint.extraBody.toStdString(), nullptr, false);
    if (body.is_object()) {
        maskSecretFields(body);
        json["extraBody"] = std::move(body);
    }
    if (!endpoint.extraHeaders.isEmpty()) {
        Json headers = Json::object();
        for (const auto& [header, value] : endpoint.extraHeaders) {
            headers[header.toStdString()] = isHarmlessHeader(header) ? text(value) : Json("***");
        }
        json["extraHeaders"] = std::move(headers);
    }
    if (!endpoint.caFile.isEmpty()) {
        json["caFile"] = pathJson(settings, endpoint.caFile);
    }
    json["insecure"] = endpoint.insecure;
    const bool isUrl = endpoint.proxy.contains(u"://");
    json["proxy"] = text(isUrl ? displayUrl(QUrl(endpoint.proxy)) : endpoint.proxy);
    json["http2"] = endpoint.http2;
    json["request"] = requestJson(endpoint.request);
    json["concurrency"] = concurrencyJson(endpoint.concurrency);
    return json;
}

Json experimentJson(const ExperimentSettings& experiment)
{
    Json json = Json::object();
    if (experiment.experiment) {
        json["experiment"] = text(*experiment.experiment);
    }
    if (!experiment.promptTokens.isEmpty()) {
        json["promptTokens"] = std::vector<int>(experiment.promptTokens.begin(), experiment.promptTokens.end());
    }
    put(json, "maxTokens", experiment.maxTokens);
    put(json, "repeats", experiment.repeats);
    put(json, "warmup", experiment.warmup);
    if (!experiment.concurrency.isEmpty()) {
        json["concurrency"] = std::vector<int>(experiment.concurrency.begin(), experiment.concurrency.end());
    }
    if (experiment.order) {
        json["order"] = text(*experiment.order);
    }
    put(json, "seed", experiment.seed);
    return json;
}

} // namespace

QByteArray settingsJson(const Settings& settings)
{
    Json json = Json::object();
    Json endpoints = Json::array();
    for (const EndpointSettings& endpoint : settings.endpoints) {
        endpoints.push_back(endpointJson(settings, endpoint));
    }
    json["endpoints"] = std::move(endpoints);
    json["request"] = requestJson(settings.request);
    json["concurrency"] = concurrencyJson(settings.concurrency);
    json["telemetry"] = Json{{"recordTokenTiming", settings.telemetry.recordTokenTiming},
                             {"outputPath", pathJson(settings, settings.telemetry.outputPath)},
                             {"recordText", settings.telemetry.recordText}};
    json["limits"] = Json{{"ttftMs", settings.limits.ttftMs},
                          {"tpotMs", settings.limits.tpotMs},
                          {"timeoutRate", settings.limits.timeoutRate},
                          {"loadFactor", settings.limits.loadFactor}};
    json["experiment"] = experimentJson(settings.experiment);
    json["network"] = Json{{"manager", text(settings.manager)}};
    // A key may have been repeated where nobody expects one: in a header's value, a model's name, a path.
    redactorFor(settings).redact(json);
    return QByteArray::fromStdString(json.dump());
}

QString settingsHash(const Settings& settings)
{
    const QByteArray digest = QCryptographicHash::hash(settingsJson(settings), QCryptographicHash::Sha256);
    return QString::fromLatin1(digest.toHex().left(7));
}

void addSecrets(Redactor& redactor, const EndpointSettings& endpoint)
{
    redactor.addSecret(endpoint.apiKey);
    redactor.addUrlSecrets(QUrl(endpoint.baseUrl.trimmed()));
    redactor.addUrlSecrets(QUrl(endpoint.path));
    redactor.addUrlSecrets(QUrl(endpoint.proxy));
    for (const QString& secret : endpoint.secrets) {
        redactor.addSecret(secret);
    }
    for (const auto& [header, value] : endpoint.extraHeaders) {
        if (!isSecretName(header)) {
            continue;
        }
        redactor.addSecret(value);
        // `Bearer KEY`: a server may repeat the key alone.
        const QStringList parts = value.split(u' ', Qt::SkipEmptyParts);
        for (const QString& part : parts) {
            redactor.addSecret(part);
        }
    }
    const Json body = Json::parse(endpoint.extraBody.toStdString(), nullptr, false);
    collectSecretFields(body, redactor);
}

Redactor redactorFor(const Settings& settings)
{
    Redactor redactor;
    for (const EndpointSettings& endpoint : settings.endpoints) {
        addSecrets(redactor, endpoint);
    }
    return redactor;
}

} // namespace tokenpace
