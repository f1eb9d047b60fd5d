// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "measure/timeline.h"

namespace tokenpace {

/// How one request ended, for a person: "time-out after waiting for the first token", "HTTP 401: invalid key"; empty
/// when it ended well.
[[nodiscard]] QString outcomeText(const Timeline& timeline);

/// What to do about an error; empty when there is nothing to say.
[[nodiscard]] QString adviceFor(const RequestError& error);

/// All flags of a set as sentences of a few words, joined.
[[nodiscard]] QString flagsText(Flags flags);

} // namespace tokenpace
