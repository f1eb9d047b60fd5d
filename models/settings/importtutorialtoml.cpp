// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/importsource.h"

namespace tokenpace {

namespace {

void warnWithoutUrl(ImportBuilder& builder, const ImportedEndpoint& endpoint)
{
    if (!endpoint.has("baseUrl")) {
        builder.warn(endpoint.source, ImportWords::tr("base_url is missing"));
    }
}

} // namespace

void importTutorialSections(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    std::vector<ImportedValue>& shared = builder.shared();
    ImportedEndpoint endpoint;
    if (std::optional<SourceObject> provider = root.object("provider")) {
        endpoint.source = provider->source();
        provider->take("name", endpoint.values, {"name"});
        provider->take("base_url", endpoint.values, {"baseUrl"});
        takeKey(*provider, endpoint);
        provider->take("protocol", endpoint.values, {"protocol"});
        provider->leaveRest();
    }
    if (std::optional<SourceObject> model = root.object("model")) {
        model->take("name", endpoint.values, {"model"});
        model->takeParameters(shared);
        model->leaveRest();
    }
    if (std::optional<SourceObject> request = root.object("request")) {
        request->take("connect_timeout_ms", shared, {"request", "connectTimeoutMs"});
        request->take("ttft_timeout_ms", shared, {"request", "ttftTimeoutMs"});
        request->take("idle_timeout_ms", shared, {"request", "idleTimeoutMs"});
        request->take("total_timeout_ms", shared, {"request", "totalTimeoutMs"});
        request->takeParameters(shared);
        request->leaveRest();
    }
    if (std::optional<SourceObject> concurrency = root.object("concurrency")) {
        concurrency->take("max_parallel", shared, {"concurrency", "maxParallel"});
        concurrency->take("max_retries", shared, {"concurrency", "maxRetries"});
        concurrency->leaveRest();
    }
    if (std::optional<SourceObject> logging = root.object("logging")) {
        logging->take("log_token_timing", shared, {"telemetry", "recordTokenTiming"});
        logging->take("log_path", shared, {"telemetry", "outputPath"});
        logging->leaveRest();
    }
    root.leaveRest();
    warnWithoutUrl(builder, endpoint);
    builder.add(std::move(endpoint));
}

void importTutorialFlat(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    std::vector<ImportedValue>& shared = builder.shared();
    std::optional<SourceObject> table = root.object("taotoken");
    if (!table) {
        return;
    }
    ImportedEndpoint endpoint;
    endpoint.source = table->source();
    table->take("name", endpoint.values, {"name"});
    table->take("base_url", endpoint.values, {"baseUrl"});
    takeKey(*table, endpoint);
    table->take("model", endpoint.values, {"model"});
    table->takeSeconds("timeout", shared, {"request", "totalTimeoutMs"});
    table->take("max_retries", shared, {"concurrency", "maxRetries"});
    table->takeParameters(shared);
    table->leaveRest();
    root.leaveRest();
    warnWithoutUrl(builder, endpoint);
    builder.add(std::move(endpoint));
}

} // namespace tokenpace
