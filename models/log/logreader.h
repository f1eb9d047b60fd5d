// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include <QString>

#include "measure/timeline.h"

namespace tokenpace {

/// What a log holds. Lines that are no record are counted, with the numbers of the first of them.
struct LoadedLog {
    std::vector<std::shared_ptr<const Timeline>> records;
    std::size_t skippedLines = 0;
    std::vector<std::size_t> skippedLineNumbers; ///< at most the first 20
    bool truncated = false; ///< the file holds more records than were asked for
    QString error; ///< the file could not be read: what and why; records read before it are kept
};

/// Reads a token_timing.jsonl by line; blocking, any thread. Stops early when `cancel` becomes true.
[[nodiscard]] LoadedLog loadLog(const QString& path, std::size_t maxRecords, const std::atomic<bool>* cancel = nullptr);

} // namespace tokenpace
