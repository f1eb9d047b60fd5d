// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Feeds one input to the reply reader of the protocol TOKENPACE_FUZZ_PROTOCOL, in several ways: what the timeline says
// in the end must not depend on how the bytes were cut, and must keep the promises of ReplyReader and Timeline.

#include <algorithm>
#include <iterator>
#include <sstream>

#include <nlohmann/json.hpp>

#include "fuzzinput.h"
#include "wire/replyreader.h"

using namespace tokenpace;
using namespace tokenpace::fuzz;

namespace {

constexpr Stamp headAt{1000};
constexpr Stamp step{10};

Protocol protocol()
{
    static const std::optional<Protocol> known = protocolFromName(TOKENPACE_FUZZ_PROTOCOL);
    check(known.has_value(), "the protocol " TOKENPACE_FUZZ_PROTOCOL " exists");
    return *known;
}

/// Status, content type and encoding, mostly those of a reply that streams.
wire::ReplyHead headOf(const Input& input)
{
    const char* const streamed = protocol() == Protocol::OllamaChat ? "application/x-ndjson" : "text/event-stream";
    const char* const types[] = {streamed,
                                 streamed,
                                 streamed,
                                 "Text/Event-Stream; charset=utf-8",
                                 "",
                                 "application/json",
                                 "text/plain; charset=utf-8",
                                 "application/x-ndjson",
                                 "text/html",
                                 ";"};
    constexpr int statuses[] = {200, 200, 200, 200, 200, 201, 404, 500, 302, 101};
    constexpr const char* encodings[] = {"", "", "", "identity", "", "", "gzip"};
    const unsigned first = input.prefix[Input::First];
    const unsigned second = input.prefix[Input::Second];
    wire::ReplyHead head;
    head.httpStatus = statuses[second % std::size(statuses)];
    head.contentType = types[first % std::size(types)];
    head.contentEncoding = encodings[first / std::size(types) % std::size(encodings)];
    return head;
}

template <typename Value> void tell(std::ostream& out, const char* name, const std::optional<Value>& value)
{
    out << name << ' ';
    if (value) {
        out << *value;
    } else {
        out << '-';
    }
    out << '\n';
}

void tell(std::ostream& out, const char* name, const std::optional<Stamp>& at)
{
    tell(out, name, at ? std::optional(at->count()) : std::nullopt);
}

/// All that a ReplyReader may write, as text.
std::string described(const Timeline& timeline)
{
    std::ostringstream out;
    out << "status " << name(timeline.status) << '\n';
    if (timeline.error) {
        out << "error " << name(timeline.error->kind) << ' ' << timeline.error->message << '\n';
        tell(out, "error status", timeline.error->httpStatus);
        tell(out, "error param", timeline.error->param);
    }
    tell(out, "finish", timeline.finishReason);
    tell(out, "model", timeline.servedModel);
    tell(out, "fingerprint", timeline.systemFingerprint);
    tell(out, "id", timeline.requestId);
    tell(out, "prompt", timeline.usage.promptTokens);
    tell(out, "cached", timeline.usage.cachedTokens);
    tell(out, "reasoning", timeline.usage.reasoningTokens);
    tell(out, "completion", timeline.usage.completionTokens);
    tell(out, "first usage", timeline.firstUsageTokens);
    tell(out, "streamed", timeline.streamed);
    out << "events " << timeline.events << " bad " << timeline.badEvents << " after done " << timeline.afterDone
        << '\n';
    for (const Flag flag : {Flag::Compressed, Flag::Repaired, Flag::AfterDone, Flag::Buffered}) {
        out << (timeline.flags.has(flag) ? name(flag) : "-") << '\n';
    }
    const Marks& marks = timeline.marks;
    tell(out, "headers", marks.headers);
    tell(out, "first byte", marks.firstByte);
    tell(out, "first event", marks.firstEvent);
    tell(out, "first choices", marks.firstChoices);
    tell(out, "first text", marks.firstText);
    tell(out, "last event", marks.lastEvent);
    tell(out, "finish", marks.finish);
    tell(out, "usage", marks.usage);
    tell(out, "terminal", marks.terminal);
    tell(out, "last byte", marks.lastByte);
    tell(out, "end", marks.end);
    out << "channels " << timeline.channels << '\n';
    for (const Stamp at : timeline.arrivals) {
        out << at.count() << ' ';
    }
    out << "\nserver times " << timeline.serverTimes << "\ntext " << timeline.text << "\nreasoning "
        << timeline.reasoning << "\nrefusal " << timeline.refusal << '\n';
    for (const ToolCall& call : timeline.tools) {
        out << "tool " << call.name << '(' << call.arguments << ")\n";
    }
    return out.str();
}

/// How a reading ends.
enum class Ending { Body, BrokenBody, Expired, Abandoned };

void checkWhatIsKnown(const Timeline& timeline, Stamp now)
{
    check(std::is_sorted(timeline.arrivals.begin(), timeline.arrivals.end()), "arrivals are in order");
    check(timeline.arrivals.empty() || (timeline.arrivals.front() > headAt && timeline.arrivals.back() <= now),
          "arrivals are of reads");
    check(timeline.channels.find_first_not_of("trfc") == std::string::npos, "channels are known letters");
    const auto events = static_cast<std::size_t>(timeline.events);
    check(timeline.arrivals.size() <= events, "an event is one output at most");
    check(timeline.badEvents <= timeline.events, "bad events are events");
    check(timeline.afterDone <= timeline.events, "events after the end are events");
    check(timeline.serverTimes.empty() || nlohmann::json::parse(timeline.serverTimes, nullptr, false).is_object(),
          "server times are a JSON object");
    for (const auto& count : {timeline.usage.promptTokens, timeline.usage.cachedTokens, timeline.usage.reasoningTokens,
                              timeline.usage.completionTokens, timeline.firstUsageTokens}) {
        check(count.value_or(0) >= 0, "counts are not negative");
    }
}

/// Reads the pieces `each` apart, and ends the reading in the given way.
Timeline read(const Input& input, const std::vector<std::string_view>& pieces, Stamp each, Ending ending)
{
    Timeline timeline;
    timeline.keepsText = true;
    wire::ReplyReader reader(protocol(), timeline);
    reader.head(headOf(input), headAt);
    Stamp now = headAt + step;
    for (const std::string_view piece : pieces) {
        reader.feed(piece, now);
        check(timeline.arrivals.size() == timeline.channels.size(), "each arrival has a channel");
        if (!piece.empty()) {
            now += each;
        }
    }
    const std::optional<Stamp> until = reader.deadline();
    check(!(until && reader.done()), "what is done waits for nothing");
    if (until) {
        check(reader.hasEnding(), "only a reply that has its ending is left alone");
        reader.expire(*until - Stamp{1});
        check(!reader.done(), "no reading ends before its deadline");
    }
    if (ending == Ending::Expired && until) {
        reader.expire(*until);
        check(reader.done(), "a deadline ends the reading");
    } else if (ending == Ending::Abandoned) {
        RequestError error;
        error.kind = ErrorKind::Timeout;
        reader.abandon(Status::Timeout, error, now);
    } else {
        reader.endOfBody(now, ending == Ending::BrokenBody ? wire::BodyEnd::Broken : wire::BodyEnd::Clean, {});
    }
    check(reader.done(), "an ended reading is done");
    checkWhatIsKnown(timeline, now);
    check(timeline.status == Status::Ok || timeline.error.has_value(), "what is not ok has an error");
    check(timeline.status != Status::Ok || !timeline.error, "what is ok has no error");

    const std::string end = described(timeline);
    reader.feed("data: {\"choices\":[{\"delta\":{\"content\":\"late\"}}]}\n\n", now + step);
    reader.expire(now + std::chrono::hours(1));
    reader.endOfBody(now + step, wire::BodyEnd::Broken, "late");
    check(!reader.deadline(), "what is done waits for nothing");
    checkSame(end, described(timeline), "nothing changes what is done");
    return timeline;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    constexpr Ending endings[] = {Ending::Body, Ending::BrokenBody, Ending::Expired, Ending::Abandoned};
    const Ending ending = endings[input.prefix[Input::Second] / 64];

    const std::vector<std::string_view> pieces = cut(input);
    const Timeline whole = read(input, {input.body}, Stamp{0}, ending);
    const std::string expected = described(whole);
    checkSame(expected, described(read(input, pieces, Stamp{0}, ending)), "a cut changes nothing");
    checkSame(expected, described(read(input, cutAfterEachByte(input.body), Stamp{0}, ending)),
              "one byte a read changes nothing");

    const Timeline inTime = read(input, pieces, step, ending);
    check(inTime.text == whole.text && inTime.status == whole.status && inTime.channels == whole.channels
              && inTime.events == whole.events,
          "time changes no content");
    return 0;
}
