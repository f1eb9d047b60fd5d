// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tokenpace::sim {

/// A well mixed 64-bit value of two; the source of all that is random here, so that everything is a function of the
/// seed and of counts, never of threads.
[[nodiscard]] std::uint64_t mix(std::uint64_t a, std::uint64_t b);
[[nodiscard]] std::uint64_t hashText(std::string_view text);

/// Appends a hash per token of the text, as simTokenCount() counts them. Spaces separate; a mark of punctuation, an
/// ideograph, a syllable of Hangul and an emoji are one token each; any other run is a token per 16 characters begun.
void appendTokens(std::string_view text, std::vector<std::uint64_t>& tokens);

/// Writes the answer of a simulated model, one token at a time: sentences of plain words. The same seed gives the
/// same text; the pieces joined have as many tokens, by simTokenCount(), as there were pieces.
class SimWriter {
public:
    explicit SimWriter(std::uint64_t seed)
        : m_seed(seed)
    {
    }

    /// The next token with the space that belongs before it. ASCII letters, space, comma and full stop only: it may
    /// stand in JSON as it is. `last` ends the sentence.
    [[nodiscard]] std::string next(bool last = false);

private:
    std::uint64_t m_seed;
    std::uint64_t m_count = 0;
    std::size_t m_place = 0; ///< in the sentence
    bool m_started = false;
};

} // namespace tokenpace::sim
