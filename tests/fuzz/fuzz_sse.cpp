// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Feeds one input to the SSE reader in several ways: the same events have to come out of all of them.

#include "fuzzinput.h"
#include "wire/sse.h"

using namespace tokenpace;
using namespace tokenpace::fuzz;

namespace {

constexpr Stamp step{1};

/// What a reader told, in order, as text.
struct Seen {
    std::string text;
    std::vector<Stamp> stamps;
    int tooLong = 0;
    bool toldAfterTooLong = false;
};

Seen read(const std::vector<std::string_view>& pieces, std::size_t limit)
{
    Seen seen;
    const auto tell = [&](const char* kind, Stamp at) {
        seen.text.append("\n").append(kind);
        seen.stamps.push_back(at);
        seen.toldAfterTooLong |= seen.tooLong > 0;
    };
    wire::SseReader reader({[&](const wire::SseEvent& event) {
                                tell("event ", event.at);
                                seen.text.append(event.name).append(" = ").append(event.data);
                            },
                            [&](std::string_view line, Stamp at) {
                                check(!line.empty(), "a stray line has text");
                                tell("stray ", at);
                                seen.text.append(line);
                            },
                            [&](Stamp at) {
                                tell("too long", at);
                                ++seen.tooLong;
                            }},
                           limit);
    Stamp now{0};
    for (const std::string_view piece : pieces) {
        now += step;
        reader.feed(piece, now);
    }
    reader.end();
    reader.end(); // is harmless
    check(seen.tooLong <= 1, "too long is told once");
    check(!seen.toldAfterTooLong, "nothing is told after too long");
    Stamp last{0};
    for (const Stamp at : seen.stamps) {
        check(at >= last && at <= now, "stamps are of reads, in order");
        last = at;
    }
    return seen;
}

std::string withLineFeeds(std::string_view body)
{
    std::string text;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i] != '\r') {
            text.push_back(body[i]);
        } else if (i + 1 == body.size() || body[i + 1] != '\n') {
            text.push_back('\n');
        }
    }
    return text;
}

void checkReadsBack(std::string_view body)
{
    const auto readBack = [](const wire::SseEvent& event) {
        const std::string bytes = wire::sseEvent(event.data, event.name);
        int events = 0;
        wire::SseReader reader({[&](const wire::SseEvent& again) {
                                    ++events;
                                    check(again.name == event.name, "a written event keeps its name");
                                    check(again.data == event.data, "a written event keeps its data");
                                },
                                [](std::string_view, Stamp) {
                                    check(false, "a written event has no stray line");
                                },
                                {}});
        reader.feed(bytes, Stamp{1});
        check(events == 1, "a written event is one event");
    };
    wire::SseReader reader({readBack, {}, {}});
    reader.feed(body, Stamp{1});
    reader.end();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    constexpr std::size_t limits[] = {wire::SseReader::defaultMaxEventBytes, wire::SseReader::defaultMaxEventBytes, 16,
                                      200};
    const std::size_t limit = limits[input.prefix[Input::First] % std::size(limits)];

    const Seen whole = read({input.body}, limit);
    checkSame(whole.text, read(cut(input), limit).text, "a cut changes nothing");
    checkSame(whole.text, read(cutAfterEachByte(input.body), limit).text, "one byte a read changes nothing");
    const std::string lines = withLineFeeds(input.body);
    checkSame(whole.text, read({lines}, limit).text, "CR, LF and CRLF are the same");
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (limit == wire::SseReader::defaultMaxEventBytes && input.body.substr(0, byteOrderMark.size()) != byteOrderMark) {
        checkSame(whole.text, read({byteOrderMark, input.body}, limit).text, "one byte order mark changes nothing");
    }
    checkReadsBack(input.body);
    return 0;
}
