// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tokenpace::sim {

/// How one simulated model spends its time. The physics, per engine step:
///   prefill of L uncached prompt tokens: prefillFixedMs + prefillMsPerToken * L + prefillMsPerTokenSquared * L^2
///   decode of a batch of B sequences with K tokens of context in all:
///     decodeFloorMs + decodeMsPerSequence * (B - 1) + decodeMsPerContextToken * K
///   each step's time is multiplied by a log-normal factor of median 1 and the given sigma, from the seed.
/// At most maxBatch sequences run; the others queue in order of arrival. A prompt whose start was seen before (whole
/// blocks of cacheBlockTokens, least recently used out first) skips the prefill of that start.
struct SimModel {
    std::string name;
    double prefillFixedMs = 20;
    double prefillMsPerToken = 0.05;
    double prefillMsPerTokenSquared = 0;
    double decodeFloorMs = 10;
    double decodeMsPerSequence = 0.3;
    double decodeMsPerContextToken = 0;
    double jitterSigma = 0.05;
    int maxBatch = 16;
    int contextTokens = 32768;
    int cacheBlockTokens = 16;
    int cacheBlocks = 4096;
    int tokensPerChunk = 1;
    int naturalTokens = 256; ///< the answer's length when no limit ends it earlier
};

/// The models that the program offers by itself: `sim-swift` (64 tokens in under a second), `sim-steady`, `sim-deep`.
[[nodiscard]] std::vector<SimModel> defaultSimModels();

/// Reads a models file (JSON, an array of objects with the fields above); `error` names the place.
struct SimModelsFile {
    std::vector<SimModel> models;
    std::string error;
};
[[nodiscard]] SimModelsFile parseSimModels(std::string_view json);

/// The keys of a models file, for `serve --help`.
[[nodiscard]] std::string simModelsHelp();

/// Tokens that a simulated model makes of a text: its words and marks of punctuation, deterministic.
[[nodiscard]] int simTokenCount(std::string_view text);

} // namespace tokenpace::sim
