// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tokenpace::sim {

/// One chat request as the server saw it; stamps are CLOCK_MONOTONIC ns, 0 where it did not happen.
struct SimRecord {
    std::uint64_t request = 0; ///< from 1, in order of arrival
    std::string requestId;
    std::string model;
    std::string path;
    bool stream = false;
    int nthOnConnection = 0;
    std::size_t bodyBytes = 0;
    int status = 0;
    int promptTokens = 0;
    int cachedTokens = 0;
    int tokens = 0; ///< generated
    int tokensPerChunk = 1;
    std::int64_t acceptedNs = 0;
    std::int64_t firstByteNs = 0;
    std::int64_t bodyReceivedNs = 0;
    std::int64_t roleNs = 0;
    std::int64_t doneNs = 0;
    bool aborted = false; ///< an answer began and did not come to its end
    std::vector<std::int64_t> sendNs; ///< each content event, just before it was written
    std::vector<std::int64_t> lateNs; ///< beside it: how long after the time that the model's physics gives
};

/// The log of `serve --log`: one JSON line a chat request, in one write. Any thread.
class SimLog {
public:
    SimLog() = default;
    ~SimLog();
    SimLog(const SimLog&) = delete;
    SimLog& operator=(const SimLog&) = delete;

    /// Appends to the file. Empty, or why it can't.
    [[nodiscard]] std::string open(const std::string& path);
    /// Nothing happens when no file is open.
    void write(const SimRecord& record);
    void close();

private:
    std::mutex m_mutex; ///< protects m_fd, and keeps lines whole
    int m_fd = -1;
};

} // namespace tokenpace::sim
