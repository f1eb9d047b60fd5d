// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tokenpace::fuzz {

/// An input of a fuzz target: four bytes that choose how the rest is read, then the body. Shorter inputs are read as
/// if zeros followed.
struct Input {
    static constexpr std::size_t prefixSize = 4;
    enum Prefix { CutMode, CutSeed, First, Second }; ///< what the last two mean is up to the target

    std::uint8_t prefix[prefixSize] = {};
    std::string_view body;

    Input(const std::uint8_t* data, std::size_t size);
};

/// The body in the pieces in which it is fed. Whole, one byte a piece, cut once, cut behind every line end, or cut at
/// random, by the first two bytes of the input.
[[nodiscard]] std::vector<std::string_view> cut(const Input& input);
[[nodiscard]] std::vector<std::string_view> cutAfterEachByte(std::string_view body);

/// Aborts, and says what was found wrong, unless `holds`.
void check(bool holds, const char* rule);
/// The same for two texts that must be equal; prints both.
void checkSame(const std::string& expected, const std::string& actual, const char* rule);

} // namespace tokenpace::fuzz
