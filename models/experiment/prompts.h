// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <string>

namespace tokenpace {

/// How many tokens of a model a generated prompt takes: overhead + tokensPerWord x words. Starts from a guess, is
/// calibrated by the warm-ups' usage and then fixed, so that every prompt of a run is built by one rule.
struct TokenEstimate {
    double tokensPerWord = 1.1;
    double overheadTokens = 60; ///< chat template, nonce and closing instruction
    bool calibrated = false;

    [[nodiscard]] int wordsFor(std::int64_t tokens) const;
    [[nodiscard]] std::int64_t tokensFor(int words) const;
    /// Takes one observation: a prompt of `words` words that the server counted as `tokens`.
    void calibrate(int words, std::int64_t tokens);
};

/// A prompt of `words` generated words. It starts with `nonce`, so that no prefix cache is hit by accident, and ends
/// with an instruction that makes the model fill `maxTokens` of output. The same seed and nonce give the same text.
[[nodiscard]] std::string lengthPrompt(int words, const std::string& nonce, std::uint64_t seed, int maxTokens);

/// A nonce of 16 hex digits from run, model and place in the plan.
[[nodiscard]] std::string promptNonce(std::uint64_t seed, const std::string& run, int seq);

} // namespace tokenpace
