// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <array>

#include "settings/importsource.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// One of Cline's providers: under which keys its parts stand; the first that is there counts. Before each, Cline of
/// today puts `actMode` or `planMode` where models are concerned.
struct ClineProvider {
    std::vector<const char*> ids;
    std::vector<const char*> urls;
    std::vector<const char*> keys;
    std::vector<const char*> models;
    const char* protocol;
    const char* standardUrl; ///< or null
};

const std::array providers{
    ClineProvider{{"openai", "openai-compatible"},
                  {"openAiBaseUrl", "openAiCompatible.baseUrl"},
                  {"openAiApiKey", "openAiCompatible.apiKey"},
                  {"openAiModelId", "openAiCompatible.modelId"},
                  "openai-chat",
                  nullptr},
    ClineProvider{
        {"openai-native"}, {}, {"openAiNativeApiKey"}, {"apiModelId"}, "openai-chat", "https://api.openai.com/v1"},
    ClineProvider{{"anthropic"},
                  {"anthropicBaseUrl"},
                  {"apiKey"},
                  {"apiModelId"},
                  "anthropic-messages",
                  "https://api.anthropic.com"},
    ClineProvider{
        {"ollama"}, {"ollamaBaseUrl"}, {"ollamaApiKey"}, {"ollamaModelId"}, "ollama-chat", "http://localhost:11434"},
    ClineProvider{{"lmstudio"}, {"lmStudioBaseUrl"}, {}, {"lmStudioModelId"}, "openai-chat", "http://localhost:1234"},
    ClineProvider{
        {"openrouter"}, {}, {"openRouterApiKey"}, {"openRouterModelId"}, "openai-chat", "https://openrouter.ai/api/v1"},
    ClineProvider{{"deepseek"}, {}, {"deepSeekApiKey"}, {"apiModelId"}, "openai-chat", "https://api.deepseek.com/v1"},
    ClineProvider{{"litellm"}, {"liteLlmBaseUrl"}, {"liteLlmApiKey"}, {"liteLlmModelId"}, "openai-chat", nullptr},
};

const std::array providerKeys{"apiProvider", "actModeApiProvider", "planModeApiProvider"};

std::string inMode(const std::string& mode, const std::string& key)
{
    std::string name = mode + key;
    name[mode.size()] = static_cast<char>(std::toupper(static_cast<unsigned char>(key.front())));
    return name;
}

/// Cline's own keys, with `cline.` in front in settings of VS Code.
class ClineKeys {
public:
    explicit ClineKeys(SourceObject& root)
        : m_root(root)
    {
    }

    /// The spelling that is there with a text in it.
    [[nodiscard]] std::optional<std::string> spelling(const std::string& key)
    {
        for (const std::string& name : {key, "cline." + key}) {
            const Json* value = m_root.find(name);
            if (value != nullptr && *value != "") {
                return name;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> first(const std::vector<const char*>& keys)
    {
        std::optional<std::string> found;
        for (const char* key : keys) {
            const std::optional<std::string> name = spelling(key);
            found = found ? found : name;
        }
        return found;
    }
    [[nodiscard]] SourceObject& root() { return m_root; }

private:
    SourceObject& m_root;
};

void takeProvider(ClineKeys& keys, const ClineProvider& provider, const ImportSource& source)
{
    SourceObject& root = keys.root();
    ImportBuilder& builder = root.builder();
    ImportedEndpoint endpoint{source, {}};
    if (const std::optional<std::string> url = keys.first(provider.urls)) {
        root.take(*url, endpoint.values, {"baseUrl"});
    } else if (provider.standardUrl != nullptr) {
        builder.take(endpoint.values, {"baseUrl"}, provider.standardUrl, source,
                     ImportWords::tr("the provider's own address"));
    } else {
        builder.warn(source, ImportWords::tr("the provider's base URL is missing"));
    }
    if (const std::optional<std::string> key = keys.first(provider.keys)) {
        root.take(*key, endpoint.values, {"apiKey"});
    }
    std::vector<SourceModel> models;
    for (const char* key : provider.models) {
        for (const std::string& each : {std::string(key), inMode("actMode", key), inMode("planMode", key)}) {
            if (const std::optional<std::string> name = keys.spelling(each)) {
                if (const std::optional<std::string> model = root.text(*name)) {
                    models.emplace_back(*model, root.sourceOf(*name));
                }
            }
        }
    }
    takeModels(builder, endpoint, models);
    builder.take(endpoint.values, {"protocol"}, provider.protocol, source, ImportWords::tr("what the provider speaks"));
    if (const std::optional<std::string> name = keys.spelling("openAiHeaders");
        name && provider.ids.front() == std::string("openai")) {
        if (std::optional<SourceObject> headers = root.object(*name)) {
            for (const std::string& header : headers->unknownNames()) {
                headers->take(header, endpoint.values, {"extraHeaders", header});
            }
        }
    }
    builder.add(std::move(endpoint));
}

void takeProviders(ClineKeys& keys)
{
    SourceObject& root = keys.root();
    std::vector<const ClineProvider*> taken;
    bool named = false;
    for (const char* key : providerKeys) {
        const std::optional<std::string> name = keys.spelling(key);
        const std::optional<std::string> id = name ? root.text(*name) : std::nullopt;
        if (!id) {
            continue;
        }
        named = true;
        const auto found = std::ranges::find_if(providers, [&](const ClineProvider& provider) {
            return std::ranges::find(provider.ids, *id) != provider.ids.end();
        });
        if (found == providers.end()) {
            root.builder().leave(root.sourceOf(*name), ImportWords::tr("how to reach this provider is not known here"));
        } else if (std::ranges::find(taken, &*found) == taken.end()) {
            taken.push_back(&*found);
            takeProvider(keys, *found, root.sourceOf(*name));
        }
    }
    if (named) {
        return;
    }
    for (const ClineProvider& provider : providers) {
        if (const std::optional<std::string> url = keys.first(provider.urls)) {
            takeProvider(keys, provider, root.sourceOf(*url));
        }
    }
}

void takeServers(SourceObject& root, const std::string& name)
{
    std::optional<SourceObject> servers = root.object(name);
    if (!servers) {
        return;
    }
    for (const std::string& server : servers->unknownNames()) {
        std::optional<SourceObject> object = servers->object(server);
        std::optional<SourceObject> variables = object ? object->object("env") : std::nullopt;
        if (!variables) {
            root.builder().leave(servers->sourceOf(server), ImportWords::tr("it has no variables of an endpoint"));
            continue;
        }
        importVariables(*variables, QString::fromStdString(server));
        variables->leaveRest();
        object->leaveRestAsOne(ImportWords::tr("programs are not started"));
    }
}

} // namespace

bool isClineKey(const std::string& key)
{
    const std::string bare = key.starts_with("cline.") ? key.substr(6) : key;
    const auto isUrl = [&](const ClineProvider& provider) {
        return std::ranges::find(provider.urls, bare) != provider.urls.end();
    };
    return bare == "mcpServers" || std::ranges::find(providerKeys, bare) != providerKeys.end()
        || std::ranges::any_of(providers, isUrl);
}

void importCline(SourceObject& root)
{
    takeServers(root, "cline.mcpServers");
    takeServers(root, "mcpServers");
    ClineKeys keys(root);
    takeProviders(keys);
    root.leaveRestAsOne(ImportWords::tr("it is about other things than an endpoint"));
}

} // namespace tokenpace
