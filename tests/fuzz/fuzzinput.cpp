// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "fuzzinput.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tokenpace::fuzz {

namespace {

std::vector<std::string_view> cutOnce(std::string_view body, std::size_t at)
{
    const std::size_t place = body.empty() ? 0 : at % body.size();
    return {body.substr(0, place), body.substr(place)};
}

std::vector<std::string_view> cutBehindLineEnds(std::string_view body)
{
    std::vector<std::string_view> pieces;
    while (!body.empty()) {
        const std::size_t end = body.find_first_of("\r\n");
        const std::size_t length = end == std::string_view::npos ? body.size() : end + 1;
        pieces.push_back(body.substr(0, length));
        body.remove_prefix(length);
    }
    return pieces;
}

std::vector<std::string_view> cutAtRandom(std::string_view body, std::uint32_t seed)
{
    std::vector<std::string_view> pieces;
    std::uint32_t state = seed * 2654435761U + 1;
    while (!body.empty()) {
        state = state * 1664525U + 1013904223U;
        // Pieces of length 0 are among them: a read may bring nothing.
        const std::size_t length = std::min<std::size_t>((state >> 16U) % (2 + seed % 61), body.size());
        pieces.push_back(body.substr(0, length));
        body.remove_prefix(length);
    }
    return pieces;
}

} // namespace

Input::Input(const std::uint8_t* data, std::size_t size)
{
    const std::size_t known = std::min(size, prefixSize);
    std::copy_n(data, known, prefix);
    body = {reinterpret_cast<const char*>(data) + known, size - known};
}

std::vector<std::string_view> cutAfterEachByte(std::string_view body)
{
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < body.size(); ++i) {
        pieces.push_back(body.substr(i, 1));
    }
    return pieces;
}

std::vector<std::string_view> cut(const Input& input)
{
    constexpr int modes = 5;
    const std::uint8_t seed = input.prefix[Input::CutSeed];
    switch (input.prefix[Input::CutMode] % modes) {
    case 0:
        return {input.body};
    case 1:
        return cutAfterEachByte(input.body);
    case 2:
        return cutOnce(input.body, std::size_t{seed} * input.body.size() / 256);
    case 3:
        return cutBehindLineEnds(input.body);
    default:
        return cutAtRandom(input.body, seed);
    }
}

void check(bool holds, const char* rule)
{
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", rule);
        std::abort();
    }
}

void checkSame(const std::string& expected, const std::string& actual, const char* rule)
{
    if (expected != actual) {
        std::fprintf(stderr, "expected:\n%s\nactual:\n%s\n", expected.c_str(), actual.c_str());
        check(false, rule);
    }
}

} // namespace tokenpace::fuzz
