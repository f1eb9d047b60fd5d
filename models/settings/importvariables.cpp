// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include <QUrl>

#include "settings/dotenv.h"
#include "settings/importsource.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// The variables of one tool; the first of several that is there counts.
struct Family {
    std::vector<const char*> urls;
    std::vector<const char*> keys;
    std::vector<const char*> models; ///< all of them count
    const char* protocol; ///< or null
    const char* standardUrl; ///< when only the key is there; null: then the key means nothing
};

const Family taotoken{{"TAOTOKEN_BASE_URL"}, {"TAOTOKEN_API_KEY"}, {"TAOTOKEN_MODEL"}, nullptr, nullptr};
const Family openAi{
    {"OPENAI_BASE_URL", "OPENAI_API_BASE"}, {"OPENAI_API_KEY"}, {"OPENAI_MODEL"}, nullptr, "https://api.openai.com/v1"};
const Family anthropic{{"ANTHROPIC_BASE_URL"},
                       {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"},
                       {"ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL",
                        "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL"},
                       "anthropic-messages",
                       "https://api.anthropic.com"};
const Family ollama{{"OLLAMA_HOST"}, {"OLLAMA_API_KEY"}, {"OLLAMA_MODEL"}, "ollama-chat", nullptr};

/// The first that holds something; an empty variable counts as unset.
const char* firstFilled(SourceObject& variables, const std::vector<const char*>& names)
{
    const char* found = nullptr;
    for (const char* name : names) {
        const Json* value = variables.find(name);
        if (found == nullptr && value != nullptr && *value != "") {
            found = name;
        }
    }
    return found;
}

/// Tells the others of several names that mean the same.
void leaveOthers(SourceObject& variables, const std::vector<const char*>& names, const char* chosen)
{
    for (const char* name : names) {
        const Json* value = variables.find(name);
        if (chosen != nullptr && name != chosen && value != nullptr && *value != "") {
            variables.leave(name, ImportWords::tr("%1 comes first").arg(QString::fromLatin1(chosen)));
        }
    }
}

/// OLLAMA_HOST is a server's address as much as a client's: without a scheme, with a port of its own, for all
/// interfaces.
std::string ollamaUrl(const std::string& host)
{
    QString text = QString::fromStdString(host).trimmed();
    if (text.contains(u'$')) {
        return text.toStdString();
    }
    const bool bare = !text.contains(QStringLiteral("://"));
    if (bare) {
        text.prepend(text.startsWith(u':') ? QStringLiteral("http://127.0.0.1") : QStringLiteral("http://"));
    }
    QUrl url(text);
    if (!url.isValid() || url.host().isEmpty()) {
        return host;
    }
    if (bare && url.port() < 0) {
        constexpr int ollamaPort = 11434;
        url.setPort(ollamaPort);
    }
    if (url.host() == u"0.0.0.0" || url.host() == u"::") {
        url.setHost(url.host() == u"::" ? QStringLiteral("::1") : QStringLiteral("127.0.0.1"));
    }
    return url.toString().toStdString();
}

void takeUrl(SourceObject& variables, const char* name, ImportedEndpoint& endpoint)
{
    ImportBuilder& builder = variables.builder();
    const std::optional<std::string> typed = variables.text(name);
    if (!typed) {
        return;
    }
    const bool isOllama = name == std::string_view("OLLAMA_HOST");
    const std::string url = isOllama ? ollamaUrl(*typed) : *typed;
    builder.take(endpoint.values, {"baseUrl"}, url, variables.sourceOf(name),
                 url == *typed ? QString() : ImportWords::tr("made a URL"));
}

void takeFamily(SourceObject& variables, const Family& family, const QString& name)
{
    ImportBuilder& builder = variables.builder();
    const char* url = firstFilled(variables, family.urls);
    const char* key = firstFilled(variables, family.keys);
    leaveOthers(variables, family.urls, url);
    leaveOthers(variables, family.keys, key);
    std::vector<SourceModel> models;
    for (const char* model : family.models) {
        if (variables.find(model) != nullptr) {
            if (const std::optional<std::string> value = variables.text(model)) {
                models.emplace_back(*value, variables.sourceOf(model));
            }
        }
    }
    if (url == nullptr && (key == nullptr || family.standardUrl == nullptr)) {
        for (const char* lone : {key, models.empty() ? nullptr : family.models.front()}) {
            if (lone != nullptr && variables.find(lone) != nullptr) {
                builder.leave(variables.sourceOf(lone),
                              ImportWords::tr("%1 is not beside it").arg(QString::fromLatin1(family.urls.front())));
            }
        }
        return;
    }
    ImportedEndpoint endpoint{variables.sourceOf(url != nullptr ? url : key), {}};
    if (!name.isEmpty()) {
        builder.take(endpoint.values, {"name"}, name.toStdString(), variables.source());
    }
    if (url != nullptr) {
        takeUrl(variables, url, endpoint);
    } else {
        builder.take(endpoint.values, {"baseUrl"}, family.standardUrl, variables.sourceOf(key),
                     ImportWords::tr("the address that the key is for"));
    }
    if (key != nullptr) {
        const Json* value = variables.find(key);
        const bool bearer = key == std::string_view("ANTHROPIC_AUTH_TOKEN");
        builder.take(endpoint.values, {"apiKey"}, *value, variables.sourceOf(key),
                     bearer ? ImportWords::tr("sent as x-api-key here") : QString());
    }
    takeModels(builder, endpoint, models);
    if (family.protocol != nullptr) {
        builder.take(endpoint.values, {"protocol"}, family.protocol, endpoint.source,
                     ImportWords::tr("the variables' name says so"));
    }
    builder.add(std::move(endpoint));
}

} // namespace

void importVariables(SourceObject& variables, const QString& endpointName)
{
    takeFamily(variables, taotoken, endpointName);
    std::vector<ImportedValue>& shared = variables.builder().shared();
    variables.take("TAOTOKEN_STREAM", shared, {"request", "stream"});
    variables.take("TAOTOKEN_MAX_TOKENS", shared, {"request", "maxTokens"});
    variables.take("TAOTOKEN_TEMPERATURE", shared, {"request", "temperature"});
    variables.takeSeconds("TAOTOKEN_TIMEOUT", shared, {"request", "totalTimeoutMs"});
    variables.take("TAOTOKEN_TTFT_TIMEOUT_MS", shared, {"request", "ttftTimeoutMs"});
    variables.take("TAOTOKEN_TOTAL_TIMEOUT_MS", shared, {"request", "totalTimeoutMs"});
    variables.take("TAOTOKEN_MAX_PARALLEL", shared, {"concurrency", "maxParallel"});
    variables.take("TAOTOKEN_MAX_RETRIES", shared, {"concurrency", "maxRetries"});
    variables.take("TAOTOKEN_LOG_PATH", shared, {"telemetry", "outputPath"});
    variables.take("TAOTOKEN_LOG_TOKEN_TIMING", shared, {"telemetry", "recordTokenTiming"});
    takeFamily(variables, openAi, endpointName);
    takeFamily(variables, anthropic, endpointName);
    takeFamily(variables, ollama, endpointName);
}

ImportPreview importDotenv(std::string_view text, const QString& file)
{
    ImportBuilder builder(file, ImportWords::tr("environment file"));
    builder.setTextOnly();
    Dotenv dotenv = parseDotenv(text);
    for (const TextProblem& warning : dotenv.warnings) {
        builder.warn(warning);
    }
    if (dotenv.error) {
        builder.fail(*dotenv.error);
        return builder.finish();
    }
    JsonText document;
    for (const DotenvVariable& variable : dotenv.variables) {
        document.root[variable.name] = variable.setting;
        document.spans[joinPointer({}, variable.name)].place = variable.place;
    }
    SourceObject variables(builder, document);
    importVariables(variables);
    if (!builder.hasEndpoints() && builder.shared().empty()) {
        builder.fail({},
                     ImportWords::tr("no variable that names an endpoint is in it; expected are TAOTOKEN_BASE_URL, "
                                     "OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY or "
                                     "OLLAMA_HOST"));
    }
    variables.leaveRest();
    return builder.finish();
}

} // namespace tokenpace
