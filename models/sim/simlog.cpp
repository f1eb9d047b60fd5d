// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simlog.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tokenpace::sim {
namespace {

nlohmann::ordered_json stampOrNull(std::int64_t ns)
{
    return ns != 0 ? nlohmann::ordered_json(ns) : nlohmann::ordered_json(nullptr);
}

} // namespace

SimLog::~SimLog()
{
    close();
}

std::string SimLog::open(const std::string& path)
{
    close();
    const std::lock_guard lock(m_mutex);
    m_fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return m_fd >= 0 ? std::string{} : path + ": " + std::strerror(errno);
}

void SimLog::write(const SimRecord& record)
{
    const std::lock_guard lock(m_mutex);
    if (m_fd < 0) {
        return;
    }
    nlohmann::ordered_json line;
    line["req"] = record.request;
    line["x_request_id"] = record.requestId;
    line["model"] = record.model;
    line["path"] = record.path;
    line["stream"] = record.stream;
    line["status"] = record.status;
    line["nth_on_connection"] = record.nthOnConnection;
    line["body_bytes"] = record.bodyBytes;
    line["prompt_tokens"] = record.promptTokens;
    line["cached_tokens"] = record.cachedTokens;
    line["tokens"] = record.tokens;
    line["tokens_per_chunk"] = record.tokensPerChunk;
    line["accepted_ns"] = record.acceptedNs;
    line["first_byte_ns"] = record.firstByteNs;
    line["body_received_ns"] = record.bodyReceivedNs;
    line["role_ns"] = stampOrNull(record.roleNs);
    line["done_ns"] = stampOrNull(record.doneNs);
    line["aborted"] = record.aborted;
    line["send_ns"] = record.sendNs;
    line["late_ns"] = record.lateNs;
    const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    (void)!::write(m_fd, text.data(), text.size());
}

void SimLog::close()
{
    const std::lock_guard lock(m_mutex);
    if (m_fd >= 0) {
        ::close(m_fd);
        m_fd = -1;
    }
}

} // namespace tokenpace::sim
