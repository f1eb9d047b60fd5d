// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/prompts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string_view>

namespace tokenpace {

namespace {

// Short, common words: nearly all tokenizers have each as one token, so that lengths come out close to the plan.
constexpr std::array<std::string_view, 96> words{
    "time",  "year",   "people",  "way",     "day",    "man",     "thing",   "woman",    "life",   "child",
    "world", "school", "state",   "family",  "group",  "country", "problem", "hand",     "part",   "place",
    "case",  "week",   "company", "system",  "water",  "room",    "mother",  "area",     "money",  "story",
    "fact",  "month",  "lot",     "right",   "study",  "book",    "eye",     "job",      "word",   "business",
    "issue", "side",   "kind",    "head",    "house",  "service", "friend",  "father",   "power",  "hour",
    "game",  "line",   "end",     "member",  "law",    "car",     "city",    "name",     "team",   "minute",
    "idea",  "body",   "back",    "parent",  "face",   "level",   "office",  "door",     "health", "person",
    "art",   "war",    "party",   "result",  "change", "morning", "reason",  "research", "girl",   "guy",
    "food",  "moment", "air",     "teacher", "force",  "order",   "foot",    "boy",      "age",    "policy",
    "music", "market", "sense",   "road",    "tree",   "river"};

constexpr int wordsPerSentence = 12;

} // namespace

int TokenEstimate::wordsFor(std::int64_t tokens) const
{
    const double body = (static_cast<double>(tokens) - overheadTokens) / tokensPerWord;
    return std::max(1, static_cast<int>(std::lround(body)));
}

std::int64_t TokenEstimate::tokensFor(int wordCount) const
{
    return std::llround(overheadTokens + tokensPerWord * wordCount);
}

void TokenEstimate::calibrate(int wordCount, std::int64_t tokens)
{
    const double body = static_cast<double>(tokens) - overheadTokens;
    if (wordCount > 0 && body > 0) {
        tokensPerWord = body / wordCount;
        calibrated = true;
    }
}

std::string lengthPrompt(int wordCount, const std::string& nonce, std::uint64_t seed, int maxTokens)
{
    std::mt19937_64 random(seed ^ std::hash<std::string>{}(nonce));
    std::string prompt = "[" + nonce + "]";
    for (int i = 0; i < wordCount; ++i) {
        prompt.push_back(' ');
        prompt += words[random() % words.size()];
        if ((i + 1) % wordsPerSentence == 0) {
            prompt.push_back('.');
        }
    }
    // Asks for more than fits, so that the limit ends the answer and all answers are of one length.
    prompt += "\n\nIgnore the text above. Count upwards from one in English words, separated by commas, up to "
        + std::to_string(std::max(maxTokens, 1)) + ". Do not stop early and add nothing else.";
    return prompt;
}

std::string promptNonce(std::uint64_t seed, const std::string& run, int seq)
{
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(std::hash<std::string>{}(run)), static_cast<std::uint32_t>(seq)};
    std::mt19937_64 random(mixed);
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random()));
    return digits.data();
}

} // namespace tokenpace
