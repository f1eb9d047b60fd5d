// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What does reading a reply cost? Prints, for each protocol that has a reader, the time per token and the bytes per
// second of a usual stream, beside nlohmann's DOM parse of the same JSON; then the time of single events from 1 kB to
// 16 MB, whose cost per byte should be flat, and of one of 3 MB. Goal: at most 5 µs per token of a usual chat chunk.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "wire/replyreader.h"

using namespace tokenpace;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double goalUsPerToken = 5;
constexpr int tokens = 2000;
constexpr std::size_t readSize = 16384; // what a socket gives at most in one read, as a rule
constexpr std::size_t bytesPerMb = 1'000'000;

/// The shortest of several runs: what the code costs when nothing else gets in its way.
double bestSeconds(const std::function<void()>& work)
{
    constexpr auto enough = std::chrono::milliseconds(400);
    constexpr int least = 3;
    double best = 0;
    const auto begin = Clock::now();
    for (int run = 0; run < least || Clock::now() - begin < enough; ++run) {
        const auto start = Clock::now();
        work();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best = run == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

struct Piece {
    std::string name; ///< of the event, may be empty
    nlohmann::ordered_json json;
};

/// One token of a stream, as the servers of the protocol send it; `text` is its content.
Piece tokenOf(Protocol protocol, const std::string& text)
{
    switch (protocol) {
    case Protocol::OpenAiChat:
        return {
            "",
            {{"id", "chatcmpl-9f2c1b7ad0e84d6fa1c3"},
             {"object", "chat.completion.chunk"},
             {"created", 1700000000},
             {"model", "small-model-8b-instruct"},
             {"system_fingerprint", "fp_44709d6fcb"},
             {"choices",
              {{{"index", 0}, {"delta", {{"content", text}}}, {"logprobs", nullptr}, {"finish_reason", nullptr}}}}}};
    case Protocol::OpenAiResponses:
        return {"response.output_text.delta",
                {{"type", "response.output_text.delta"},
                 {"sequence_number", 17},
                 {"item_id", "msg_67c9fdcf37fc8190ba82116e33fb28c5"},
                 {"output_index", 0},
                 {"content_index", 0},
                 {"delta", text},
                 {"logprobs", nlohmann::ordered_json::array()}}};
    case Protocol::AnthropicMessages:
        return {"content_block_delta",
                {{"type", "content_block_delta"}, {"index", 0}, {"delta", {{"type", "text_delta"}, {"text", text}}}}};
    case Protocol::OllamaChat:
        return {"",
                {{"model", "small-model:8b"},
                 {"created_at", "2024-06-01T12:00:00.123456789Z"},
                 {"message", {{"role", "assistant"}, {"content", text}}},
                 {"done", false}}};
    }
    return {};
}

std::string framed(Protocol protocol, const Piece& piece)
{
    return protocol == Protocol::OllamaChat ? piece.json.dump() + "\n" : wire::sseEvent(piece.json.dump(), piece.name);
}

/// Reads a stream as a client does; how many outputs it had.
std::size_t read(Protocol protocol, const std::vector<std::string>& reads)
{
    Timeline timeline;
    wire::ReplyReader reader(protocol, timeline);
    wire::ReplyHead head;
    head.contentType = protocol == Protocol::OllamaChat ? "application/x-ndjson" : "text/event-stream";
    reader.head(head, Stamp{0});
    Stamp now{0};
    for (const std::string& bytes : reads) {
        now += Stamp{1};
        reader.feed(bytes, now);
    }
    reader.endOfBody(now);
    return timeline.arrivals.size();
}

/// False when the reader made something else of it than `outputs`: a figure of that would mean nothing.
bool checked(Protocol protocol, const std::vector<std::string>& reads, std::size_t outputs)
{
    const std::size_t actual = read(protocol, reads);
    if (actual != outputs) {
        std::fprintf(stderr, "%s: %zu outputs in place of %zu\n", name(protocol).data(), actual, outputs);
    }
    return actual == outputs;
}

std::vector<std::string> inReads(const std::string& bytes)
{
    std::vector<std::string> reads;
    for (std::size_t at = 0; at < bytes.size(); at += readSize) {
        reads.push_back(bytes.substr(at, readSize));
    }
    return reads;
}

bool printStream(Protocol protocol)
{
    const char* const words[] = {" the",  " quick", "ly",    " brown", " fox",   ",",
                                 " jump", "s",      " over", "\n\n",   " Ängste"};
    std::vector<std::string> reads;
    std::vector<std::string> documents;
    std::size_t size = 0;
    for (int i = 0; i < tokens; ++i) {
        const Piece piece = tokenOf(protocol, words[static_cast<std::size_t>(i) % std::size(words)]);
        documents.push_back(piece.json.dump());
        reads.push_back(framed(protocol, piece));
        size += reads.back().size();
    }
    if (!checked(protocol, reads, tokens)) {
        return false;
    }
    const double ours = bestSeconds([&] {
        read(protocol, reads);
    });
    std::size_t parsed = 0;
    const double dom = bestSeconds([&] {
        for (const std::string& document : documents) {
            parsed += nlohmann::json::parse(document, nullptr, false).size();
        }
    });
    if (parsed == 0) {
        return false;
    }
    const auto mbPerSecond = [&](double seconds) {
        return static_cast<double>(size) / static_cast<double>(bytesPerMb) / seconds;
    };
    std::printf("%-20s %8zu %10.0f %10.0f %10.1f %10.1f %8.2f\n", name(protocol).data(), size / tokens,
                ours / tokens * 1e9, dom / tokens * 1e9, mbPerSecond(ours), mbPerSecond(dom), ours / dom);
    return protocol != Protocol::OpenAiChat || ours / tokens * 1e6 <= goalUsPerToken;
}

/// An event with one text of `size` bytes.
double secondsOfEvent(Protocol protocol, std::size_t size)
{
    const std::string sentence = "The quick brown fox jumps over the lazy dog, \"again\".\n";
    std::string text;
    while (text.size() < size) {
        text += sentence;
    }
    text.resize(size);
    const std::vector<std::string> reads = inReads(framed(protocol, tokenOf(protocol, text)));
    if (!checked(protocol, reads, 1)) {
        return 0;
    }
    return bestSeconds([&] {
        read(protocol, reads);
    });
}

/// An event with members that no reader knows, `size` bytes of them.
double secondsOfMembers(Protocol protocol, std::size_t size)
{
    Piece piece = tokenOf(protocol, "x");
    std::string document = piece.json.dump();
    document.pop_back();
    for (int i = 0; document.size() < size; ++i) {
        document += ",\"unknown_member_" + std::to_string(i) + "\":" + std::to_string(i);
    }
    document += "}";
    const std::string bytes = protocol == Protocol::OllamaChat ? document + "\n" : wire::sseEvent(document, piece.name);
    const std::vector<std::string> reads = inReads(bytes);
    if (!checked(protocol, reads, 1)) {
        return 0;
    }
    return bestSeconds([&] {
        read(protocol, reads);
    });
}

void printSizes(Protocol protocol, const char* what, const std::function<double(Protocol, std::size_t)>& seconds,
                std::size_t largest)
{
    std::printf("%-20s %-8s", name(protocol).data(), what);
    for (std::size_t size = 1000; size <= largest; size *= 4) {
        std::printf(" %9.2f", seconds(protocol, size) / static_cast<double>(size) * 1e9);
        std::fflush(stdout);
    }
    std::printf("\n");
}

std::vector<Protocol> protocols()
{
    std::vector<Protocol> all;
    std::istringstream words(TOKENPACE_READ_PROTOCOLS);
    for (std::string word; words >> word;) {
        if (const auto protocol = protocolFromName(word)) {
            all.push_back(*protocol);
        }
    }
    return all;
}

} // namespace

int main()
{
    std::printf("streams of %d tokens, one a read; DOM: nlohmann::json::parse of the same documents\n", tokens);
    std::printf("%-20s %8s %10s %10s %10s %10s %8s\n", "", "B/token", "ns/token", "DOM", "MB/s", "DOM", "ratio");
    bool reached = true;
    for (const Protocol protocol : protocols()) {
        reached = printStream(protocol) && reached;
    }
    std::printf("goal of at most %.0f us per chat token: %s\n", goalUsPerToken, reached ? "reached" : "missed");

    constexpr std::size_t largestText = 16'384'000;
    constexpr std::size_t largestMembers = 256'000;
    std::printf("\none event, in reads of %zu bytes: ns per byte\n%-29s", readSize, "");
    for (std::size_t size = 1000; size <= largestText; size *= 4) {
        std::printf(" %6zu kB", size / 1000);
    }
    std::printf("\n");
    for (const Protocol protocol : protocols()) {
        printSizes(protocol, "text", secondsOfEvent, largestText);
        printSizes(protocol, "members", secondsOfMembers, largestMembers);
    }

    std::printf("\none event of 3 MB:");
    for (const Protocol protocol : protocols()) {
        std::printf(" %s %.1f ms", name(protocol).data(), secondsOfEvent(protocol, 3 * bytesPerMb) * 1e3);
    }
    std::printf("\n");
    return 0;
}
