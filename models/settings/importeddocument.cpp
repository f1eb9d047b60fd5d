// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QCoreApplication>

#include "settings/importers.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// Puts values below an object, and their places and keys beside it.
void put(JsonText& document, Json& object, const std::string& pointer, const std::vector<ImportedValue>& values)
{
    for (const ImportedValue& value : values) {
        Json* at = &object;
        std::string where = pointer;
        for (const std::string& step : value.path) {
            at = &(*at)[step];
            where = joinPointer(where, step);
            // The first value of an object says where the object is.
            document.spans.try_emplace(where, JsonSpan{0, 0, 0, 0, value.source.place});
            document.keys.try_emplace(where, value.source.key.toStdString());
        }
        *at = Json::parse(value.json);
    }
}

void name(JsonText& document, const std::string& pointer, const ImportSource& source)
{
    document.spans[pointer].place = source.place;
    document.keys[pointer] = source.key.toStdString();
}

} // namespace

JsonText importedDocument(const ImportPreview& preview)
{
    JsonText document;
    const std::string root = "/tokenpace";
    Json& ours = document.root["tokenpace"];
    ours = Json::object();
    document.spans[root];
    if (preview.endpoints.size() == 1) {
        name(document, root + "/provider", preview.endpoints.front().source);
        ours["provider"] = Json::object();
        put(document, ours["provider"], root + "/provider", preview.endpoints.front().values);
    } else if (!preview.endpoints.empty()) {
        name(document, root + "/endpoints", preview.endpoints.front().source);
        Json& list = ours["endpoints"] = Json::array();
        for (const ImportedEndpoint& endpoint : preview.endpoints) {
            const std::string pointer = root + "/endpoints/" + std::to_string(list.size());
            name(document, pointer, endpoint.source);
            list.push_back(Json::object());
            put(document, list.back(), pointer, endpoint.values);
        }
    }
    put(document, ours, root, preview.values);
    return document;
}

SettingsResult readImported(const ImportPreview& preview, const QString& file, const EnvironmentLookup& environment)
{
    SettingsResult result;
    if (!preview.error.isEmpty()) {
        result.error = preview.error;
        return result;
    }
    result = readSettings(importedDocument(preview), file, environment);
    if (result.settings) {
        result.settings->warnings = preview.warnings + result.settings->warnings;
    }
    return result;
}

} // namespace tokenpace
