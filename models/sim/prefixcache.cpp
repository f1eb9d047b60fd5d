// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/prefixcache.h"

#include <algorithm>

#include "sim/simtext.h"

namespace tokenpace::sim {

PrefixCache::PrefixCache(int blockTokens, int blocks)
    : m_blockTokens(static_cast<std::size_t>(std::max(blockTokens, 0)))
    , m_capacity(blockTokens > 0 ? static_cast<std::size_t>(std::max(blocks, 0)) : 0)
{
}

int PrefixCache::cachedTokens(const std::vector<std::uint64_t>& prompt)
{
    std::vector<std::uint64_t> found = chain(prompt);
    const auto firstUnknown = std::find_if(found.begin(), found.end(), [&](std::uint64_t block) {
        return !m_blocks.contains(block);
    });
    found.erase(firstUnknown, found.end());
    if (!found.empty() && found.size() * m_blockTokens >= prompt.size()) {
        found.pop_back();
    }
    // From the end, so that the start, without which the rest is worthless, is dropped last.
    std::for_each(found.rbegin(), found.rend(), [&](std::uint64_t block) {
        touch(block);
    });
    return static_cast<int>(found.size() * m_blockTokens);
}

void PrefixCache::insert(const std::vector<std::uint64_t>& prompt)
{
    std::vector<std::uint64_t> blocks = chain(prompt);
    if (blocks.size() > m_capacity) {
        blocks.resize(m_capacity);
    }
    std::for_each(blocks.rbegin(), blocks.rend(), [&](std::uint64_t block) {
        touch(block);
    });
    while (m_blocks.size() > m_capacity) {
        m_blocks.erase(m_order.back());
        m_order.pop_back();
    }
}

std::vector<std::uint64_t> PrefixCache::chain(const std::vector<std::uint64_t>& prompt) const
{
    std::vector<std::uint64_t> blocks;
    if (m_capacity == 0) {
        return blocks;
    }
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < prompt.size(); ++i) {
        hash = mix(hash, prompt[i]);
        if ((i + 1) % m_blockTokens == 0) {
            blocks.push_back(hash);
        }
    }
    return blocks;
}

void PrefixCache::touch(std::uint64_t block)
{
    if (const auto known = m_blocks.find(block); known != m_blocks.end()) {
        m_order.splice(m_order.begin(), m_order, known->second);
    } else {
        m_order.push_front(block);
        m_blocks.emplace(block, m_order.begin());
    }
}

} // namespace tokenpace::sim
