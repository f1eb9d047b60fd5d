// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simmodel.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

namespace tokenpace::sim {
namespace {

using Field = std::variant<double SimModel::*, int SimModel::*>;

struct Key {
    const char* name;
    Field field;
    double least; ///< the smallest value that makes sense
    const char* what;
};

const std::array<Key, 13>& keys()
{
    static const std::array<Key, 13> all{{
        {"prefillFixedMs", &SimModel::prefillFixedMs, 0, "ms, prefill of a prompt of no length"},
        {"prefillMsPerToken", &SimModel::prefillMsPerToken, 0, "ms per prompt token that is not cached"},
        {"prefillMsPerTokenSquared", &SimModel::prefillMsPerTokenSquared, 0, "ms per square of those tokens"},
        {"decodeFloorMs", &SimModel::decodeFloorMs, 0, "ms, one token of one sequence"},
        {"decodeMsPerSequence", &SimModel::decodeMsPerSequence, 0, "ms per further sequence in the batch"},
        {"decodeMsPerContextToken", &SimModel::decodeMsPerContextToken, 0, "ms per token of context in the batch"},
        {"jitterSigma", &SimModel::jitterSigma, 0, "sigma of the log-normal factor of each step"},
        {"maxBatch", &SimModel::maxBatch, 1, "sequences that run at once, the others queue"},
        {"contextTokens", &SimModel::contextTokens, 2, "tokens that prompt and answer may have"},
        {"cacheBlockTokens", &SimModel::cacheBlockTokens, 0, "tokens of a block of the prefix cache"},
        {"cacheBlocks", &SimModel::cacheBlocks, 0, "blocks of the prefix cache, 0: none"},
        {"tokensPerChunk", &SimModel::tokensPerChunk, 1, "tokens of an event, after the first"},
        {"naturalTokens", &SimModel::naturalTokens, 1, "tokens of an answer that no limit ends earlier"},
    }};
    return all;
}

std::string place(std::size_t index, const std::string& key)
{
    return "models[" + std::to_string(index) + "]" + (key.empty() ? "" : "." + key);
}

std::string atLeast(double least)
{
    return "must be at least " + std::to_string(static_cast<int>(least));
}

/// Empty, or what is wrong with the value.
std::string assign(SimModel& model, const Key& key, const nlohmann::json& value)
{
    if (const auto* number = std::get_if<double SimModel::*>(&key.field)) {
        if (!value.is_number()) {
            return "must be a number";
        }
        const auto given = value.get<double>();
        if (!std::isfinite(given) || given < key.least) {
            return atLeast(key.least);
        }
        model.*(*number) = given;
        return {};
    }
    if (!value.is_number_integer()) {
        return "must be a whole number";
    }
    const auto given = value.get<std::int64_t>();
    if (static_cast<double>(given) < key.least) {
        return atLeast(key.least);
    }
    if (given > std::numeric_limits<int>::max()) {
        return "is too large";
    }
    model.*std::get<int SimModel::*>(key.field) = static_cast<int>(given);
    return {};
}

std::string readModel(const nlohmann::json& object, std::size_t index, SimModel& model)
{
    if (!object.is_object()) {
        return place(index, {}) + " must be an object";
    }
    for (const auto& [name, value] : object.items()) {
        if (name == "name") {
            if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
                return place(index, name) + " must be a text that is not empty";
            }
            model.name = value.get<std::string>();
            continue;
        }
        const Key* key = nullptr;
        for (const Key& candidate : keys()) {
            key = candidate.name == name ? &candidate : key;
        }
        if (key == nullptr) {
            return place(index, name) + " is not a known key";
        }
        if (const std::string wrong = assign(model, *key, value); !wrong.empty()) {
            return place(index, name) + " " + wrong;
        }
    }
    return model.name.empty() ? place(index, "name") + " is missing" : std::string{};
}

} // namespace

std::vector<SimModel> defaultSimModels()
{
    SimModel swift;
    swift.name = "sim-swift";
    swift.prefillFixedMs = 25;
    swift.prefillMsPerToken = 0.02;
    swift.decodeFloorMs = 5;
    swift.decodeMsPerSequence = 0.15;
    swift.jitterSigma = 0.06;

    SimModel steady;
    steady.name = "sim-steady";
    steady.prefillFixedMs = 40;
    steady.prefillMsPerToken = 0.06;
    steady.decodeFloorMs = 10;
    steady.decodeMsPerSequence = 0.25;
    steady.decodeMsPerContextToken = 0.00002;
    steady.jitterSigma = 0.04;

    SimModel deep;
    deep.name = "sim-deep";
    deep.prefillFixedMs = 90;
    deep.prefillMsPerToken = 0.12;
    deep.prefillMsPerTokenSquared = 0.000007;
    deep.decodeFloorMs = 16;
    deep.decodeMsPerSequence = 0.5;
    deep.decodeMsPerContextToken = 0.00005;
    deep.jitterSigma = 0.05;
    return {swift, steady, deep};
}

SimModelsFile parseSimModels(std::string_view json)
{
    SimModelsFile file;
    nlohmann::json document;
    try {
        document = nlohmann::json::parse(json);
    } catch (const nlohmann::json::parse_error& e) {
        const std::string text = e.what();
        const std::size_t at = text.find("] ");
        file.error = at == std::string::npos ? text : text.substr(at + 2);
        return file;
    }
    if (!document.is_array() || document.empty()) {
        file.error = "the file must be an array of at least one model";
        return file;
    }
    for (std::size_t i = 0; i < document.size() && file.error.empty(); ++i) {
        SimModel model;
        file.error = readModel(document[i], i, model);
        for (const SimModel& other : file.models) {
            if (file.error.empty() && other.name == model.name) {
                file.error = place(i, "name") + " is taken already: " + model.name;
            }
        }
        file.models.push_back(std::move(model));
    }
    if (!file.error.empty()) {
        file.models.clear();
    }
    return file;
}

std::string simModelsHelp()
{
    const SimModel defaults;
    std::string help =
        "A models file is a JSON array of objects with these keys (default in brackets):\n"
        "  name                       the model's name, required; `error-...` misbehaves as it is called:\n"
        "                             error-400 and any other status, error-stall, error-cut,\n"
        "                             error-reset, error-inband, error-html, error-buffered,\n"
        "                             error-empty; these can also be asked for without being listed\n";
    for (const Key& key : keys()) {
        std::string line = "  " + std::string(key.name);
        line.append(line.size() < 29 ? 29 - line.size() : 1, ' ');
        const auto* number = std::get_if<double SimModel::*>(&key.field);
        const nlohmann::json value = number != nullptr ? nlohmann::json(defaults.*(*number))
                                                       : nlohmann::json(defaults.*std::get<int SimModel::*>(key.field));
        help += line + key.what + " [" + value.dump() + "]\n";
    }
    return help
        + "A step takes: prefill of L uncached tokens: prefillFixedMs + prefillMsPerToken L + prefillMsPerTokenSquared "
          "L^2;\n"
          "decode of B sequences with K tokens of context in all: decodeFloorMs + decodeMsPerSequence (B - 1) +\n"
          "decodeMsPerContextToken K; each times a log-normal factor of median 1.\n";
}

} // namespace tokenpace::sim
