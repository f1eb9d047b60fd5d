// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timeline.h"
#include "wire/dialectreader.h"

namespace tokenpace::wire {

/// Writes into a timeline what a dialect reads out of one reply: outputs with the stamp of their event, counts, names,
/// how it ended. What comes after the terminal event is no output; usage there still counts. Belongs to a ReplyReader,
/// on its thread; the timeline must outlive it.
class ReplyRecorder final : public ReplySink {
public:
    /// Told once of an error inside the stream.
    using ErrorHandler = std::function<void(std::string message, std::optional<std::string> param)>;

    ReplyRecorder(Timeline& timeline, ErrorHandler onError);

    /// Around each event of a stream; everything told in between carries its stamp and is one output at most.
    void beginEvent(Stamp at);
    void endEvent();
    /// Around a reply that came whole, which has no arrivals.
    void beginWhole(Stamp at);
    void endWhole();

    /// The dialect said that the reply may end without a terminal event.
    [[nodiscard]] bool mayEndSeen() const { return m_mayEndSeen; }
    [[nodiscard]] bool terminalSeen() const { return m_terminalSeen; }

    void text(std::string_view piece) override;
    void reasoning(std::string_view piece) override;
    void refusal(std::string_view piece) override;
    void tool(std::int64_t index, std::string_view name, std::string_view arguments) override;
    void aside(Channel channel, std::string_view piece) override;
    void toolAside(std::int64_t index, std::string_view name, std::string_view arguments) override;
    void choices() override;
    void finish(std::string_view reason) override;
    void mayEnd() override;
    void usage(const Usage& usage) override;
    void servedModel(std::string_view model) override;
    void systemFingerprint(std::string_view fingerprint) override;
    void replyId(std::string_view id) override;
    void serverTimes(std::string json) override;
    void loadTime(double ms) override;
    void error(std::string message, std::optional<std::string> param) override;
    void terminal() override;

private:
    [[nodiscard]] bool outputAllowed(std::string_view piece, Channel channel);
    void keep(Channel channel, std::string_view piece);
    void keepTool(std::int64_t index, std::string_view name, std::string_view arguments);

    Timeline& m_timeline;
    ErrorHandler m_onError;
    std::vector<std::int64_t> m_toolIndex; ///< the dialect's number of each entry of timeline.tools
    Stamp m_now{}; ///< stamp of what is being read
    std::optional<Channel> m_eventChannel; ///< of the event being read: first of text, reasoning, refusal, tool
    std::optional<std::int64_t> m_eventTokens; ///< completion count that came with the event being read
    bool m_streaming = false;
    bool m_mayEndSeen = false;
    bool m_terminalSeen = false;
};

} // namespace tokenpace::wire
