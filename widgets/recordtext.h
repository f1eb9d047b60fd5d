// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "measure/timeline.h"
#include "settings/redactor.h"

namespace tokenpace {

/// One request's record as indented JSON, as people copy it; secrets are taken out.
[[nodiscard]] QString recordText(const Timeline& timeline, const Redactor& redactor);

} // namespace tokenpace
