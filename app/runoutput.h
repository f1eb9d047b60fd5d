// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <span>

#include <QString>

#include "experiment/runcontroller.h"
#include "measure/summary.h"
#include "settings/redactor.h"

namespace tokenpace {

/// What a run left behind, ready to be written.
struct RunResult {
    RunInfo info;
    std::vector<TimelinePtr> records; ///< in plan order
    std::vector<SummaryRow> summary;
    LimitSettings limits;
    Redactor redactor;
};

/// The whole JSON document, secrets out, with a newline at its end.
[[nodiscard]] QByteArray documentText(const RunResult& result);

/// A short summary for people: what ran, then a row per model and length.
[[nodiscard]] QByteArray summaryText(const RunResult& result);

/// Charts as PNG and SVG, tables as CSV, report.html, summary.txt and run.json in `folder`, which is made. Needs a
/// QApplication (offscreen will do). Returns why it could not, or an empty text.
[[nodiscard]] QString writeOutput(const QString& folder, const RunResult& result);

/// Writes the file whole or not at all; `path` `-` is standard output.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& bytes);

} // namespace tokenpace
