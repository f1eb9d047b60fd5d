// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "experiment/plan.h"
#include "experiment/requestbuilder.h"

namespace tokenpace {

/// One request of a plan as it is sent, its place in the run, manager and what becomes of its text apart. `words` is
/// how long its prompt is, where the plan asks for a length. The same arguments give the same request, byte for byte:
/// prompts follow from the seed, the run's name and the place in the plan. Any thread.
[[nodiscard]] BuiltRequest buildPlanned(const RunSpec& spec, const PlannedRequest& planned, const QString& run,
                                        int words);

} // namespace tokenpace
