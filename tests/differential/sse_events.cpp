// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Our half of the comparison with another SSE reader. Standard input is a row of frames: a length of four bytes, lowest
// first, then that many bytes of a stream, fed in one read. A length of 0 ends a stream, and the next begins. Prints a
// line of JSON per event, [name, data], and an empty line at the end of each stream. What is pending at a stream's end
// is dropped, as the standard says: that we dispatch it elsewhere is on purpose.

#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "wire/sse.h"

using namespace tokenpace;

namespace {

std::unique_ptr<wire::SseReader> printingReader()
{
    return std::make_unique<wire::SseReader>(wire::SseReader::Callbacks{
        [](const wire::SseEvent& event) {
            std::cout << nlohmann::json{std::string(event.name), std::string(event.data)} << '\n';
        },
        {},
        {},
    });
}

bool readLength(std::uint32_t& length)
{
    std::array<char, 4> bytes{};
    if (!std::cin.read(bytes.data(), bytes.size())) {
        return false;
    }
    length = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        length = length << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return true;
}

} // namespace

int main()
{
    std::ios::sync_with_stdio(false);
    auto reader = printingReader();
    std::uint32_t length = 0;
    while (readLength(length)) {
        if (length == 0) {
            std::cout << '\n';
            reader = printingReader();
            continue;
        }
        std::string bytes(length, '\0');
        if (!std::cin.read(bytes.data(), length)) {
            std::cerr << "the last frame is cut off\n";
            return 1;
        }
        reader->feed(bytes, Stamp{0});
    }
    return 0;
}
