// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settingsschema.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "settings/endpointreader.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;
using enum SettingType;
using enum SettingScope;

constexpr double dayMs = 86400000;
constexpr double mostTokens = 10000000;

#define WORDS(text) QT_TRANSLATE_NOOP("SettingsSchema", text)

constexpr std::array keys{
    SettingKey{"name", Endpoint, Text, WORDS("Name"), WORDS("What the endpoint is called here"), "", WORDS("the host")},
    SettingKey{"baseUrl", Endpoint, Text, WORDS("Base URL"),
               WORDS("Where the API begins, such as http://localhost:8000"), "", WORDS("none")},
    SettingKey{"protocol", Endpoint, Choice, WORDS("Protocol"),
               WORDS("What the server speaks; auto goes by path and host"), "\"auto\"", "", "", 0, 0,
               "auto openai-chat openai-responses anthropic-messages ollama-chat"},
    SettingKey{"path", Endpoint, Text, WORDS("Path"), WORDS("Takes the place of the path that the base URL gives"), "",
               WORDS("by protocol")},
    SettingKey{"apiKey", Endpoint, Secret, WORDS("API key"),
               WORDS("A variable as ${NAME}, or keychain:tokenpace/NAME; the key itself stays there"), "",
               WORDS("none")},
    SettingKey{"model", Endpoint, Text, WORDS("Model"), WORDS("The one model; the first one where there are more"), "",
               WORDS("none")},
    SettingKey{"models", Endpoint, Models, WORDS("Models"),
               WORDS("Names, or objects with name, alias and price (input, cached, output per million tokens)"), "",
               WORDS("none")},
    SettingKey{"limitField", Endpoint, Choice, WORDS("Limit field"),
               WORDS("The field that takes the output limit, for servers that refuse the usual one"), "",
               WORDS("by protocol"), "", 0, 0, "max_tokens max_completion_tokens max_output_tokens none"},
    SettingKey{"streamOptions", Endpoint, Switch, WORDS("Ask for usage"),
               WORDS("Sends stream_options.include_usage; off for servers that refuse it"), "true"},
    SettingKey{"extraBody", Endpoint, Object, WORDS("Extra body"),
               WORDS("Merged into each request; a null takes a field out"), "{}"},
    SettingKey{"extraHeaders", Endpoint, Headers, WORDS("Extra headers"), WORDS("Sent with each request"), "{}"},
    SettingKey{"caFile", Endpoint, Path, WORDS("CA file"), WORDS("Certificates to trust besides the system's"), "",
               WORDS("none")},
    SettingKey{"insecure", Endpoint, Switch, WORDS("Any certificate"),
               WORDS("Accepts certificates that can't be verified"), "false"},
    SettingKey{"proxy", Endpoint, Text, WORDS("Proxy"), WORDS("none, system, or a URL such as http://proxy:3128"),
               "\"none\""},
    SettingKey{"http2", Endpoint, Switch, WORDS("HTTP/2"), WORDS("Lets the server choose HTTP/2"), "false"},

    SettingKey{"request.stream", Both, Switch, WORDS("Stream"), WORDS("Off: only the total time can be measured"),
               "true"},
    SettingKey{"request.maxTokens", Both, Whole, WORDS("Output limit"),
               WORDS("Of single requests; length experiments send 128 unless told otherwise"), "1024", "", "tokens", 1,
               mostTokens},
    SettingKey{"request.temperature", Both, Number, WORDS("Temperature"), WORDS("The server's default applies without"),
               "", WORDS("not sent"), "", 0, 100},
    SettingKey{"request.topP", Both, Number, WORDS("Top p"), WORDS("The server's default applies without"), "",
               WORDS("not sent"), "", 0, 1},
    SettingKey{"request.seed", Both, Whole, WORDS("Seed"), WORDS("For servers that know one"), "", WORDS("not sent")},
    SettingKey{"request.connectTimeoutMs", Both, Whole, WORDS("Connect time-out"),
               WORDS("Look-up, connecting and TLS; 0 is no limit"), "10000", "", "ms", 0, dayMs},
    SettingKey{"request.ttftTimeoutMs", Both, Whole, WORDS("TTFT time-out"),
               WORDS("From time zero to the first output; 0 is no limit"), "30000", "", "ms", 0, dayMs},
    SettingKey{"request.idleTimeoutMs", Both, Whole, WORDS("Idle time-out"),
               WORDS("Between bytes, from the first one on; 0 is no limit"), "30000", "", "ms", 0, dayMs},
    SettingKey{"request.totalTimeoutMs", Both, Whole, WORDS("Total time-out"),
               WORDS("From time zero to the end; 0 is no limit"), "120000", "", "ms", 0, dayMs},

    SettingKey{"concurrency.maxParallel", Both, Whole, WORDS("In parallel"), WORDS("At once to one endpoint"), "1", "",
               "requests", 1, maxConcurrency},
    SettingKey{"concurrency.maxRetries", Both, Whole, WORDS("Retries"),
               WORDS("After connect failures, 429 and 503 only; marked in each number"), "0", "", "times", 0, 100},

    SettingKey{"limits.ttftMs", FileOnly, Number, WORDS("TTFT limit"), WORDS("A line in the charts, and goodput"),
               "800", "", "ms", 0, dayMs},
    SettingKey{"limits.tpotMs", FileOnly, Number, WORDS("TPOT limit"), WORDS("A line in the charts, and goodput"), "50",
               "", "ms", 0, dayMs},
    SettingKey{"limits.timeoutRate", FileOnly, Number, WORDS("Time-outs allowed"),
               WORDS("The share of time-outs that is no finding"), "0.01", "", "", 0, 1},
    SettingKey{"limits.loadFactor", FileOnly, Number, WORDS("Load factor"),
               WORDS("How much slower under load is a finding"), "3", "", "×", 1, 1000},

    SettingKey{"telemetry.recordTokenTiming", FileOnly, Switch, WORDS("Keep a log"), WORDS("One line for each request"),
               "true"},
    SettingKey{"telemetry.outputPath", FileOnly, Path, WORDS("Log file"), WORDS("Lines are only ever added"),
               "\"./logs/token_timing.jsonl\""},
    SettingKey{"telemetry.recordText", FileOnly, Switch, WORDS("Keep texts"), WORDS("Prompts and answers in the log"),
               "false"},

    SettingKey{"experiment.experiment", FileOnly, Choice, WORDS("Experiment"), WORDS("Which one is ready at the start"),
               "\"length\"", "", "", 0, 0,
               "length models concurrency rate max-tokens prefix-cache stream ab watch single"},
    SettingKey{"experiment.promptTokens", FileOnly, WholeList, WORDS("Prompt lengths"),
               WORDS("Of the length experiment"), "[100,300,1000,3000,10000]", "", "tokens", 1, mostTokens},
    SettingKey{"experiment.maxTokens", FileOnly, Whole, WORDS("Output limit"), WORDS("Of experiments"), "128", "",
               "tokens", 1, mostTokens},
    SettingKey{"experiment.repeats", FileOnly, Whole, WORDS("Repeats"), WORDS("Of each length and model"), "7", "",
               "times", 1, 100000},
    SettingKey{"experiment.warmup", FileOnly, Whole, WORDS("Warm-ups"),
               WORDS("Before each model's first; in no number"), "1", "", "times", 0, 1000},
    SettingKey{"experiment.concurrency", FileOnly, WholeList, WORDS("In flight"),
               WORDS("Requests at once, or several levels"), "[1]", "", "requests", 1, maxConcurrency},
    SettingKey{"experiment.order", FileOnly, Choice, WORDS("Order"),
               WORDS("Interleaved keeps drift out of comparisons"), "\"interleaved\"", "", "", 0, 0,
               "interleaved blocked"},
    SettingKey{"experiment.seed", FileOnly, Whole, WORDS("Seed"), WORDS("Of prompts and their order"), "",
               WORDS("a new one each run")},

    SettingKey{"network.manager", FileOnly, Choice, WORDS("Network manager"), WORDS("Who takes the stamps"),
               "\"measuring\"", "", "", 0, 0, "measuring stock"},
};

#undef WORDS

QString translated(const char* text)
{
    return QCoreApplication::translate("SettingsSchema", text);
}

QString rangeWords(const SettingKey& key)
{
    return QCoreApplication::translate("SettingsSchema", "%1 to %2")
        .arg(key.least, 0, 'g', 10)
        .arg(key.most, 0, 'g', 10);
}

QString numberProblem(const SettingKey& key, const Json& value)
{
    const bool whole = key.type != Number;
    const bool isWhole =
        value.is_number_integer() || (value.is_number() && std::nearbyint(value.get<double>()) == value.get<double>());
    if (!value.is_number() || (whole && !isWhole)) {
        return translated(whole ? QT_TRANSLATE_NOOP("SettingsSchema", "A whole number is expected")
                                : QT_TRANSLATE_NOOP("SettingsSchema", "A number is expected"));
    }
    const auto number = value.get<double>();
    return key.hasRange() && !(number >= key.least && number <= key.most)
        ? translated("Expected: %1").arg(rangeWords(key))
        : QString();
}

/// The schema of one value.
Json schemaOf(const SettingKey& key)
{
    Json schema;
    const auto range = [&key](Json& target) {
        if (key.hasRange()) {
            target["minimum"] = key.least;
            target["maximum"] = key.most;
        }
    };
    switch (key.type) {
    case Text:
    case Secret:
    case Path:
        schema["type"] = "string";
        break;
    case Switch:
        schema["type"] = "boolean";
        break;
    case Whole:
        schema["type"] = "integer";
        range(schema);
        break;
    case Number:
        schema["type"] = "number";
        range(schema);
        break;
    case Choice:
        schema["enum"] = Json::array();
        for (const QString& word : key.choiceList()) {
            schema["enum"].push_back(word.toStdString());
        }
        break;
    case WholeList: {
        Json item{{"type", "integer"}};
        range(item);
        schema["anyOf"] = Json::array({item, Json{{"type", "array"}, {"items", item}, {"minItems", 1}}});
        break;
    }
    case Models:
        schema = Json::parse(R"j({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object",
            "required": ["name"], "properties": {"name": {"type": "string"}, "alias": {"type": "string"},
            "price": {"type": "object", "properties": {"input": {"type": "number"}, "cached": {"type": "number"},
            "output": {"type": "number"}}}}}]}})j");
        break;
    case Headers:
        schema["type"] = "object";
        schema["additionalProperties"] = Json{{"type", Json::array({"string", "null"})}};
        break;
    case Object:
        schema["type"] = "object";
        break;
    }
    std::string words = key.what;
    words += key.unit[0] != '\0' ? std::string(" (") + key.unit + ")" : std::string();
    schema["description"] = words;
    if (key.standard[0] != '\0') {
        schema["default"] = Json::parse(key.standard);
    }
    return schema;
}

Json sectionSchema(std::string_view section, bool inEndpoint)
{
    Json schema{{"type", "object"}, {"properties", Json::object()}};
    for (const SettingKey& key : keys) {
        if (key.section() == section && (!inEndpoint || key.scope != FileOnly)) {
            schema["properties"][key.name()] = schemaOf(key);
        }
    }
    return schema;
}

constexpr std::array<const char*, 6> sections{"request", "concurrency", "limits", "telemetry", "experiment", "network"};

} // namespace

QStringList SettingKey::choiceList() const
{
    return QString::fromUtf8(choices).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

std::string SettingKey::name() const
{
    const std::string whole(path);
    return whole.substr(whole.rfind('.') + 1);
}

std::string SettingKey::section() const
{
    const std::string whole(path);
    const std::size_t dot = whole.rfind('.');
    return dot == std::string::npos ? std::string() : whole.substr(0, dot);
}

QString SettingKey::labelText() const
{
    return translated(label);
}

QString SettingKey::whatText() const
{
    return translated(what);
}

std::span<const SettingKey> settingKeys()
{
    return keys;
}

const SettingKey& settingKey(std::string_view path)
{
    const auto found = std::ranges::find(keys, path, [](const SettingKey& key) {
        return std::string_view(key.path);
    });
    if (found == keys.end()) {
        qFatal("no such setting: %.*s", static_cast<int>(path.size()), path.data());
    }
    return *found;
}

QString problemOf(const SettingKey& key, const Json& value)
{
    if (value.is_null()) {
        return {};
    }
    switch (key.type) {
    case Text:
    case Secret:
    case Path:
        return value.is_string() ? QString() : translated("A text is expected");
    case Switch:
        return value.is_boolean() ? QString() : translated("true or false is expected");
    case Whole:
    case Number:
        return numberProblem(key, value);
    case Choice:
        return value.is_string() && key.choiceList().contains(QString::fromStdString(value.get<std::string>()))
            ? QString()
            : translated("Expected is one of %1").arg(key.choiceList().join(QStringLiteral(", ")));
    case WholeList:
        if (value.is_array() && !value.empty()) {
            for (const Json& item : value) {
                if (const QString problem = numberProblem(key, item); !problem.isEmpty()) {
                    return problem;
                }
            }
            return {};
        }
        return value.is_array() ? translated("The list is empty") : numberProblem(key, value);
    case Models:
        for (const Json& item : value.is_array() ? value : Json::array({0})) {
            const bool hasName = item.is_object() && item.contains("name") && item["name"].is_string();
            if (!item.is_string() && !hasName) {
                return translated("A list of names is expected");
            }
        }
        return {};
    case Headers:
        for (const Json& item : value.is_object() ? value : Json::array({0})) {
            if (!item.is_string() && !item.is_null()) {
                return translated("An object of texts is expected, such as {\"X-Team\": \"blue\"}");
            }
        }
        return {};
    case Object:
        return value.is_object() ? QString() : translated("A JSON object is expected, such as {\"top_k\": 40}");
    }
    return {};
}

QByteArray settingsSchemaJson()
{
    Json endpoint = sectionSchema({}, true);
    for (const char* section : {"request", "concurrency"}) {
        endpoint["properties"][section] = sectionSchema(section, true);
    }
    Json own{{"type", "object"}, {"properties", Json::object()}};
    own["properties"]["provider"] = Json{{"$ref", "#/definitions/endpoint"}};
    own["properties"]["endpoints"] = Json{{"type", "array"}, {"items", Json{{"$ref", "#/definitions/endpoint"}}}};
    for (const char* section : sections) {
        own["properties"][section] = sectionSchema(section, false);
    }
    Json schema;
    schema["$schema"] = "http://json-schema.org/draft-07/schema#";
    schema["title"] = "Settings of Tokenpace";
    schema["type"] = "object";
    schema["definitions"] = Json{{"endpoint", endpoint}, {"tokenpace", own}};
    schema["properties"] = Json::object();
    for (const std::string prefix : {"tokenpace", "taotoken"}) {
        schema["properties"][prefix] = Json{{"$ref", "#/definitions/tokenpace"}};
        for (const auto& [name, value] : own["properties"].items()) {
            schema["properties"][prefix + "." + name] = Json{{"$ref", "#/definitions/tokenpace/properties/" + name}};
        }
    }
    return QByteArray::fromStdString(schema.dump(2)) + '\n';
}

QByteArray settingsTableMarkdown()
{
    QByteArray table = "| key | default | what |\n|---|---|---|\n";
    for (const SettingKey& key : keys) {
        QByteArray standard =
            key.standard[0] != '\0' ? QByteArray("`") + key.standard + '`' : QByteArray(key.standardWords);
        standard += key.unit[0] != '\0' && key.standard[0] != '\0' ? QByteArray(" ") + key.unit : QByteArray();
        QByteArray what = key.what;
        if (key.choices[0] != '\0') {
            what += ": `" + key.choiceList().join(QStringLiteral("`, `")).toUtf8() + '`';
        }
        table += "| `" + QByteArray(key.path) + "` | " + standard + " | " + what + " |\n";
    }
    return table;
}

} // namespace tokenpace
