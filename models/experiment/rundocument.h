// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "experiment/runcontroller.h"
#include "measure/summary.h"

namespace tokenpace {

/// The `run` object of the JSON document and of run.json.
[[nodiscard]] nlohmann::ordered_json runJson(const RunInfo& info);
/// Does any of it come from the simulated endpoint? Then everything shown or written of it says so.
[[nodiscard]] bool isSimulated(const RunSpec& spec);
[[nodiscard]] nlohmann::ordered_json summaryJson(const std::vector<SummaryRow>& rows);

/// The whole document: run, records in plan order, summary, fits, comparisons, findings.
[[nodiscard]] nlohmann::ordered_json runDocument(const RunInfo& info, std::span<const TimelinePtr> records,
                                                 const GoodputLimits& limits);

/// The summary as CSV (RFC 4180, CRLF, UTF-8, numbers free of locale, unknown values empty).
[[nodiscard]] QByteArray summaryCsv(const std::vector<SummaryRow>& rows);
/// One line a request, the record's figures.
[[nodiscard]] QByteArray recordsCsv(std::span<const TimelinePtr> records);
/// A CSV cell: quoted where needed; text that starts with = + - @ gets a leading apostrophe.
[[nodiscard]] QByteArray csvText(const QString& text);

} // namespace tokenpace
