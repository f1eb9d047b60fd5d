// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/importsource.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// What a tool's `provider` says of the protocol.
const char* protocolOf(const std::string& provider)
{
    if (provider == "openai-compatible" || provider == "openai" || provider == "openai_compatible") {
        return "openai-chat";
    }
    if (provider == "anthropic") {
        return "anthropic-messages";
    }
    return provider == "ollama" ? "ollama-chat" : nullptr;
}

} // namespace

void importFlatJson(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    std::vector<ImportedValue>& shared = builder.shared();
    ImportedEndpoint endpoint{root.sourceOf("base_url"), {}};
    root.take("name", endpoint.values, {"name"});
    if (const std::optional<std::string> provider = root.text("provider")) {
        if (const char* protocol = protocolOf(*provider)) {
            builder.take(endpoint.values, {"protocol"}, protocol, root.sourceOf("provider"));
        } else {
            builder.leave(root.sourceOf("provider"), ImportWords::tr("it names no protocol that is known here"));
        }
    }
    root.take("base_url", endpoint.values, {"baseUrl"});
    takeKey(root, endpoint);
    root.take("model", endpoint.values, {"model"});
    root.takeParameters(shared);
    root.takeSeconds("timeout", shared, {"request", "totalTimeoutMs"});
    root.take("max_retries", shared, {"concurrency", "maxRetries"});
    root.leaveRest();
    builder.add(std::move(endpoint));
}

void importModelsMap(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    ImportedEndpoint endpoint{root.sourceOf("base_url"), {}};
    root.take("name", endpoint.values, {"name"});
    root.take("base_url", endpoint.values, {"baseUrl"});
    takeKey(root, endpoint);
    if (!root.json().contains("api_key") && !root.json().contains("api_key_env")) {
        builder.take(endpoint.values, {"apiKey"}, "${TAOTOKEN_API_KEY}", {{}, endpoint.source.place},
                     ImportWords::tr("the file has no key"));
    }
    if (std::optional<SourceObject> models = root.object("models")) {
        Json list = Json::array();
        for (const auto& [role, value] : models->json().items()) {
            const std::optional<std::string> name = models->text(role);
            if (name && !name->empty()) {
                list.push_back(Json{{"name", *name}, {"alias", role}});
            }
        }
        if (!list.empty()) {
            builder.take(endpoint.values, {"models"}, std::move(list), models->source(),
                         ImportWords::tr("the roles are the models' aliases"));
        }
    }
    if (std::optional<SourceObject> parameters = root.object("default_params")) {
        parameters->takeParameters(builder.shared());
        for (const std::string& name : parameters->unknownNames()) {
            parameters->take(name, endpoint.values, {"extraBody", name});
        }
    }
    root.leaveRest();
    builder.add(std::move(endpoint));
}

} // namespace tokenpace
