// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simtext.h"

#include <array>
#include <cstddef>

#include "sim/simmodel.h"

namespace tokenpace::sim {
namespace {

constexpr int maxWordCharacters = 16;

struct Character {
    char32_t code = 0;
    std::size_t bytes = 1;
};

Character characterAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(text[i]);
    };
    const unsigned lead = byte(at);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (length == 1 || at + length > text.size()) {
        return {lead, 1};
    }
    char32_t code = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0U) != 0x80) {
            return {lead, 1};
        }
        code = (code << 6) | (byte(at + i) & 0x3fU);
    }
    return {code, length};
}

bool isSpace(char32_t c)
{
    return c <= 0x20 || c == 0x7f || c == 0xa0 || (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029
        || c == 0x3000 || c == 0xfeff;
}

bool standsAlone(char32_t c)
{
    const bool asciiMark = c < 0x80 && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
    return asciiMark || (c >= 0x2010 && c <= 0x205e) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7af)
        || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xffef) || c >= 0x1f000;
}

template <typename Take> void forEachToken(std::string_view text, Take take)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const Character first = characterAt(text, at);
        if (isSpace(first.code)) {
            at += first.bytes;
            continue;
        }
        std::size_t end = at + first.bytes;
        if (!standsAlone(first.code)) {
            for (int n = 1; n < maxWordCharacters && end < text.size(); ++n) {
                const Character c = characterAt(text, end);
                if (isSpace(c.code) || standsAlone(c.code)) {
                    break;
                }
                end += c.bytes;
            }
        }
        take(text.substr(at, end - at));
        at = end;
    }
}

using Words = std::array<std::string_view, 16>;
constexpr Words determiners{"the", "a",   "each", "this", "every", "that", "one", "another",
                            "the", "the", "our",  "its",  "some",  "any",  "the", "no"};
constexpr Words adjectives{"small", "quiet", "early",   "steady",  "bright", "narrow", "open",  "simple",
                           "long",  "plain", "careful", "distant", "warm",   "short",  "heavy", "new"};
constexpr Words nouns{"river",   "signal",  "station", "garden", "letter", "engine", "harbour", "window",
                      "measure", "morning", "bridge",  "answer", "market", "valley", "clock",   "road"};
constexpr Words verbs{"crosses", "follows", "reaches", "carries", "keeps", "passes", "shows", "holds",
                      "joins",   "meets",   "leaves",  "finds",   "opens", "marks",  "draws", "answers"};
constexpr Words prepositions{"near",    "under", "beside", "across", "after",  "before", "toward", "behind",
                             "through", "above", "around", "inside", "beyond", "along",  "below",  "past"};

// d determiner, a adjective, n noun, v verb, p preposition; a mark stands for itself.
constexpr std::array<std::string_view, 6> sentences{"danvdn.",  "dnvdanpdn.",  "dnpdnvdan,pdan.",
                                                    "danvpdn.", "pdn,dnvdan.", "dnvdn,dnvdanpdan."};

std::string_view wordOf(char kind, std::uint64_t value)
{
    const Words& words = kind == 'd' ? determiners
        : kind == 'a'                ? adjectives
        : kind == 'n'                ? nouns
        : kind == 'v'                ? verbs
                                     : prepositions;
    return words[value % words.size()];
}

} // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    // splitmix64's finish over both words
    std::uint64_t z = a * 0x9e3779b97f4a7c15ULL + b + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::uint64_t hashText(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return mix(hash, text.size());
}

void appendTokens(std::string_view text, std::vector<std::uint64_t>& tokens)
{
    forEachToken(text, [&](std::string_view token) {
        tokens.push_back(hashText(token));
    });
}

int simTokenCount(std::string_view text)
{
    int count = 0;
    forEachToken(text, [&](std::string_view) {
        ++count;
    });
    return count;
}

std::string SimWriter::next(bool last)
{
    const std::string_view pattern = sentences[mix(m_seed, m_count - m_place) % sentences.size()];
    const char kind = last ? '.' : pattern[m_place];
    const bool opens = m_place == 0;
    std::string token;
    if (kind == '.' || kind == ',') {
        token = kind;
    } else {
        token = wordOf(kind, mix(m_seed ^ 0x776f7264ULL, m_count));
        if (opens) {
            token[0] = static_cast<char>(token[0] - 'a' + 'A');
        }
        if (m_started) {
            token.insert(0, 1, ' ');
        }
    }
    m_started = true;
    ++m_count;
    m_place = kind == '.' ? 0 : m_place + 1;
    return token;
}

} // namespace tokenpace::sim
