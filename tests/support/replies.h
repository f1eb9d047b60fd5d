// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

#include "wire/replyreader.h"

namespace tokenpace::test {

/// What a reader makes of bytes that come at 2 ms, after a head at 1 ms, with the end at 3 ms; time zero is 0.
inline Timeline readReply(Protocol protocol, const std::string& bytes,
                          const std::string& contentType = "text/event-stream", int status = 200)
{
    Timeline timeline;
    timeline.zero = Stamp{0};
    timeline.keepsText = true;
    wire::ReplyReader reader(protocol, timeline);
    reader.head({status, status == 200 ? "OK" : "", contentType, "", "", {}}, fromMs(1));
    reader.feed(bytes, fromMs(2));
    reader.endOfBody(fromMs(3));
    return timeline;
}

/// An event with its name, as Anthropic and OpenAI's Responses write them.
inline std::string namedEvent(const std::string& name, const std::string& data)
{
    return "event: " + name + "\ndata: " + data + "\n\n";
}

} // namespace tokenpace::test
