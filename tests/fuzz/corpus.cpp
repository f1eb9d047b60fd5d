// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs a fuzz target without a fuzzer: on each stream of tests/cases that the target can read, in all ways of cutting
// and with several heads, and on a fixed number of damaged ones, the same each time. The input that is being run lies
// in PROGRAM.input, in the current folder, until it has gone well.
//
//   PROGRAM                    runs them
//   PROGRAM FILE...            runs these inputs
//   PROGRAM --write FOLDER     writes the undamaged inputs for a fuzzer to start from

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzzinput.h"
#include "support/streamcases.h"

using namespace tokenpace;

namespace {

// A few seconds in a build with sanitizers.
constexpr int damagedInputs = 1000;
constexpr std::size_t maxBody = 4 * 1024;

const std::vector<std::string> allProtocols{"chat", "responses", "anthropic", "ollama"};

/// The cases' own names of the protocols that the target reads.
std::vector<std::string> caseProtocols()
{
    const std::string_view target = TOKENPACE_FUZZ_PROTOCOL;
    if (target == "openai-chat") {
        return {"chat"};
    }
    if (target == "openai-responses") {
        return {"responses"};
    }
    if (target == "anthropic-messages") {
        return {"anthropic"};
    }
    if (target == "ollama-chat") {
        return {"ollama"};
    }
    return allProtocols;
}

std::vector<std::string> bodies(const std::vector<std::string>& protocols)
{
    std::vector<std::string> all;
    for (const std::string& protocol : protocols) {
        for (const auto& streamCase : test::streamCases(protocol)) {
            all.push_back(streamCase.allBytes());
        }
    }
    return all;
}

std::string inputOf(std::array<int, fuzz::Input::prefixSize> prefix, const std::string& body)
{
    std::string input;
    for (const int byte : prefix) {
        input.push_back(static_cast<char>(byte));
    }
    return input + body;
}

/// A body in all ways of cutting, then with every head and every ending. One byte a read is what targets do anyway.
std::vector<std::string> undamaged(const std::string& body)
{
    enum Mode { Whole = 0, Once = 2, Lines = 3, Random = 4 };
    std::vector<std::string> inputs{inputOf({Whole, 0, 0, 0}, body), inputOf({Once, 100, 0, 0}, body),
                                    inputOf({Lines, 0, 0, 0}, body), inputOf({Random, 7, 0, 0}, body),
                                    inputOf({Random, 200, 0, 0}, body)};
    for (const int type : {3, 4, 5, 6, 7, 8, 9, 60}) { // the last is compressed
        inputs.push_back(inputOf({Random, type, type, 0}, body));
    }
    for (const int status : {5, 6, 7, 8, 9, 70, 130, 200}) { // the tens are 200, ended in other ways
        inputs.push_back(inputOf({Random, status, 0, status}, body));
    }
    return inputs;
}

/// Damages bodies, each time in the same way.
class Damage {
public:
    /// Damages `bodies`, with slices of `others` too.
    Damage(std::vector<std::string> bodies, std::vector<std::string> others)
        : m_bodies(std::move(bodies))
        , m_others(std::move(others))
    {
    }

    std::string next()
    {
        std::string body = m_bodies[below(m_bodies.size())];
        for (std::size_t rounds = 1 + below(4); rounds > 0; --rounds) {
            damage(body);
        }
        body.resize(std::min(body.size(), maxBody));
        const auto byte = [&] {
            return static_cast<int>(below(256));
        };
        // Half of them with the usual head: other heads lead past the dialect.
        const bool usual = below(2) == 0;
        return inputOf({byte(), byte(), usual ? 0 : byte(), usual ? 0 : byte()}, body);
    }

private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : m_random() % end; }

    /// A slice of up to 200 bytes.
    std::string slice(const std::string& of)
    {
        const std::size_t at = below(of.size());
        return of.substr(at, below(200));
    }

    void damage(std::string& body)
    {
        const std::size_t at = below(body.size() + 1);
        switch (below(9)) {
        case 0:
            if (at < body.size()) {
                body[at] = static_cast<char>(static_cast<unsigned char>(body[at]) ^ (1U << below(8)));
            }
            break;
        case 1:
            if (at < body.size()) {
                body[at] = static_cast<char>(below(256));
            }
            break;
        case 2:
            body.erase(at, below(40));
            break;
        case 3:
            body.insert(at, slice(body));
            break;
        case 4:
            body.insert(at, slice(m_others[below(m_others.size())]));
            break;
        case 5:
            body = body.substr(0, at) + slice(m_others[below(m_others.size())]) + body.substr(at);
            body.erase(below(body.size() + 1), below(200));
            break;
        case 6:
            changeLineEnds(body);
            break;
        case 7:
            body.resize(at);
            break;
        default:
            body.insert(at, words[below(words.size())]);
        }
    }

    void changeLineEnds(std::string& body)
    {
        constexpr std::array<const char*, 4> ends{"\n", "\r", "\r\n", "\n\r"};
        const std::size_t choice = below(ends.size() + 1);
        std::string changed;
        for (const char c : body) {
            if (c == '\n') {
                changed += ends[choice < ends.size() ? choice : below(ends.size())];
            } else {
                changed.push_back(c);
            }
        }
        body = std::move(changed);
    }

    static constexpr auto words = std::to_array<const char*>({
        "data:",
        "data: ",
        "event: error\n",
        "event: ",
        "id: 1\n",
        "retry: 9\n",
        ": ping\n\n",
        "\n\n",
        "\r",
        "\xEF\xBB\xBF",
        "data: [DONE]\n\n",
        "error: no\n",
        "{",
        "}",
        "[",
        "]",
        "null",
        "\"\"",
        "true",
        "-1",
        "1e400",
        "3.0",
        "18446744073709551615",
        "\"\\ud800\"",
        "\\u0000",
        "\xC3",
        "{\"error\":{\"message\":\"no\"}}\n",
        "{\"error\":\"no\",\"code\":429}",
        "\"finish_reason\":\"stop\"",
        "\"usage\":{\"prompt_tokens\":-3,\"completion_tokens\":1e300}",
        "\"index\":-1,",
        "\"index\":9223372036854775807,",
        "\"choices\":[],",
        "\"type\":\"error\",",
        "\"done\":true,",
        "{\"message\":{\"content\":\"x\"},\"done\":true,\"load_duration\":1e300,\"eval_count\":3}\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        "\"type\":\"input_json_delta\",\"partial_json\":\"{\",",
        "\"type\":\"response.completed\",",
        "\"type\":\"response.failed\",",
        "\"type\":\"response.function_call_arguments.delta\",\"delta\":\"{\",",
        "\"stop_reason\":\"end_turn\",",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    });

    std::vector<std::string> m_bodies;
    std::vector<std::string> m_others;
    std::mt19937 m_random{20240601}; // NOLINT: the same damage each time
};

void run(const std::string& input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

/// Leaves the input behind when it ends the program, however it does.
class Runner {
public:
    explicit Runner(std::string file)
        : m_file(std::move(file))
    {
    }
    void operator()(const std::string& input)
    {
        std::ofstream(m_file, std::ios::binary) << input;
        run(input);
        ++m_count;
    }
    int finish()
    {
        std::filesystem::remove(m_file);
        std::printf("%d inputs\n", m_count);
        return 0;
    }

private:
    std::string m_file;
    int m_count = 0;
};

int runFiles(int count, char** files)
{
    for (int i = 0; i < count; ++i) {
        std::ifstream file(files[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "cannot read %s\n", files[i]);
            return 1;
        }
        run({std::istreambuf_iterator<char>(file), {}});
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> all = bodies(caseProtocols());
    if (all.empty()) {
        std::fprintf(stderr, "there are no cases\n");
        return 1;
    }
    const bool writes = argc == 3 && std::strcmp(argv[1], "--write") == 0;
    if (argc > 1 && !writes) {
        return runFiles(argc - 1, argv + 1);
    }
    if (writes) {
        std::filesystem::create_directories(argv[2]);
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::ofstream(std::filesystem::path(argv[2]) / std::to_string(i), std::ios::binary)
                << inputOf({0, 0, 0, 0}, all[i]);
        }
        return 0;
    }
    const std::string program = argv[0];
    Runner runOne(program.substr(program.rfind('/') + 1) + ".input");
    for (const std::string& body : all) {
        for (const std::string& input : undamaged(body)) {
            runOne(input);
        }
    }
    Damage damage(all, bodies(allProtocols));
    for (int i = 0; i < damagedInputs; ++i) {
        runOne(damage.next());
    }
    return runOne.finish();
}
