// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace tokenpace::sim {

/// The prefix cache of one simulated model: whole blocks of token hashes, chained so that a block counts only after
/// all that stood before it, least recently used out first. One thread.
class PrefixCache {
public:
    /// `blockTokens` tokens a block, at most `blocks` of them; with one of them 0 nothing is ever cached.
    PrefixCache(int blockTokens, int blocks);

    /// How many tokens at the prompt's start are cached: whole blocks, and never the whole prompt, since its last
    /// token has to be computed. The blocks found become the most recently used.
    [[nodiscard]] int cachedTokens(const std::vector<std::uint64_t>& prompt);
    /// Takes all whole blocks of the prompt, now computed.
    void insert(const std::vector<std::uint64_t>& prompt);

private:
    [[nodiscard]] std::vector<std::uint64_t> chain(const std::vector<std::uint64_t>& prompt) const;
    void touch(std::uint64_t block);

    std::size_t m_blockTokens;
    std::size_t m_capacity;
    std::list<std::uint64_t> m_order; ///< most recently used first
    std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> m_blocks;
};

} // namespace tokenpace::sim
