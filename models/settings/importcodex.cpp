// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QUrl>
#include <QUrlQuery>

#include "settings/importsource.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

const char* const defaultProvider = "openai";

/// The base URL with the provider's query behind it.
void takeUrl(SourceObject& provider, ImportedEndpoint& endpoint)
{
    std::optional<std::string> url = provider.text("base_url");
    std::optional<SourceObject> query = provider.object("query_params");
    if (!url) {
        return;
    }
    QString note;
    if (query) {
        for (const auto& [name, value] : query->json().items()) {
            if (const std::optional<std::string> text = query->text(name)) {
                const QByteArray pair = QUrl::toPercentEncoding(QString::fromStdString(name)) + '='
                    + QUrl::toPercentEncoding(QString::fromStdString(*text));
                *url += (url->find('?') == std::string::npos ? '?' : '&') + pair.toStdString();
                note = ImportWords::tr("with query_params");
            }
        }
    }
    provider.builder().take(endpoint.values, {"baseUrl"}, *url, provider.sourceOf("base_url"), note);
}

void takeProtocol(SourceObject& provider, ImportedEndpoint& endpoint)
{
    const std::optional<std::string> api = provider.text("wire_api");
    if (!api) {
        return;
    }
    const ImportSource source = provider.sourceOf("wire_api");
    if (*api == "chat" || *api == "responses") {
        provider.builder().take(endpoint.values, {"protocol"}, "openai-" + *api, source);
    } else {
        provider.builder().warn(source, ImportWords::tr("chat or responses is expected; it is not taken"));
    }
}

ImportedEndpoint readProvider(SourceObject& provider)
{
    ImportedEndpoint endpoint{provider.source(), {}};
    provider.take("name", endpoint.values, {"name"});
    takeUrl(provider, endpoint);
    if (!provider.takeVariable("env_key", endpoint.values, {"apiKey"})) {
        provider.take("experimental_bearer_token", endpoint.values, {"apiKey"});
    }
    takeProtocol(provider, endpoint);
    if (std::optional<SourceObject> headers = provider.object("http_headers")) {
        for (const std::string& name : headers->unknownNames()) {
            headers->take(name, endpoint.values, {"extraHeaders", name});
        }
    }
    if (std::optional<SourceObject> headers = provider.object("env_http_headers")) {
        for (const std::string& name : headers->unknownNames()) {
            headers->takeVariable(name, endpoint.values, {"extraHeaders", name});
        }
    }
    provider.take("request_max_retries", endpoint.values, {"concurrency", "maxRetries"});
    provider.take("stream_idle_timeout_ms", endpoint.values, {"request", "idleTimeoutMs"});
    provider.leave("requires_openai_auth", ImportWords::tr("a sign-in is no API key: set apiKey"));
    provider.leave("env_key_instructions", ImportWords::tr("it is a text for people"));
    provider.leaveRest();
    return endpoint;
}

/// A provider that Codex brings along.
std::optional<ImportedEndpoint> builtIn(ImportBuilder& builder, const std::string& id, const ImportSource& source)
{
    ImportedEndpoint endpoint{source, {}};
    const QString note = ImportWords::tr("as Codex has it");
    if (id == defaultProvider) {
        builder.take(endpoint.values, {"baseUrl"}, "https://api.openai.com/v1", source, note);
        builder.take(endpoint.values, {"apiKey"}, "${OPENAI_API_KEY}", source, note);
        builder.take(endpoint.values, {"protocol"}, "openai-responses", source, note);
    } else if (id == "ollama" || id == "oss") {
        builder.take(endpoint.values, {"baseUrl"}, "http://localhost:11434/v1", source, note);
        builder.take(endpoint.values, {"protocol"}, "openai-chat", source, note);
    } else {
        builder.warn(source, ImportWords::tr("model_providers has no such provider"));
        return std::nullopt;
    }
    return endpoint;
}

/// Models by the provider that they are asked of.
using ModelsOf = std::vector<std::pair<std::string, SourceModel>>;

void collectProfiles(SourceObject& root, const std::string& chosen, ModelsOf& models)
{
    std::optional<SourceObject> profiles = root.object("profiles");
    if (!profiles) {
        return;
    }
    for (const std::string& name : profiles->unknownNames()) {
        if (std::optional<SourceObject> profile = profiles->object(name)) {
            const std::string provider = profile->text("model_provider").value_or(chosen);
            if (const std::optional<std::string> model = profile->text("model")) {
                models.push_back({provider, {*model, profile->sourceOf("model")}});
            }
            profile->leaveRestAsOne(ImportWords::tr("it is about other things than an endpoint"));
        }
    }
}

} // namespace

void importCodexConfig(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    const bool named = root.json().contains("model_provider");
    const std::string chosen = root.text("model_provider").value_or(defaultProvider);
    ModelsOf models;
    if (const std::optional<std::string> model = root.text("model")) {
        models.push_back({chosen, {*model, root.sourceOf("model")}});
    }
    root.take("model_max_output_tokens", builder.shared(), {"request", "maxTokens"});
    collectProfiles(root, chosen, models);

    std::vector<std::pair<std::string, ImportedEndpoint>> endpoints;
    if (std::optional<SourceObject> providers = root.object("model_providers")) {
        for (const std::string& id : providers->unknownNames()) {
            if (std::optional<SourceObject> provider = providers->object(id)) {
                const auto at = id == chosen ? endpoints.begin() : endpoints.end();
                endpoints.insert(at, {id, readProvider(*provider)});
            }
        }
    }
    const bool isThere = !endpoints.empty() && endpoints.front().first == chosen;
    if (!isThere && (named || !models.empty())) {
        const ImportSource source = root.sourceOf(named ? "model_provider" : "model");
        if (std::optional<ImportedEndpoint> endpoint = builtIn(builder, chosen, source)) {
            endpoints.insert(endpoints.begin(), {chosen, std::move(*endpoint)});
        }
    }
    for (auto& [id, endpoint] : endpoints) {
        std::vector<SourceModel> own;
        for (const auto& [provider, model] : models) {
            if (provider == id) {
                own.push_back(model);
            }
        }
        takeModels(builder, endpoint, own);
        builder.add(std::move(endpoint));
    }
    root.leaveRestAsOne(ImportWords::tr("it is about other things than an endpoint"));
}

void importCodexAuth(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    const bool signedIn = root.find("tokens") != nullptr;
    if (root.find("base_url") != nullptr) {
        ImportedEndpoint endpoint{root.sourceOf("base_url"), {}};
        root.take("base_url", endpoint.values, {"baseUrl"});
        takeKey(root, endpoint);
        root.take("model", endpoint.values, {"model"});
        builder.add(std::move(endpoint));
    } else {
        importVariables(root);
        if (!builder.hasEndpoints() && signedIn) {
            builder.fail(root.sourceOf("tokens"),
                         ImportWords::tr("this is a sign-in and no API key: nothing can be measured with it"));
        }
    }
    root.leave("tokens", ImportWords::tr("a sign-in is no API key"));
    root.leave("last_refresh", ImportWords::tr("it belongs to the sign-in"));
    root.leave("auth_mode", ImportWords::tr("it belongs to the sign-in"));
    root.leaveRest();
}

} // namespace tokenpace
