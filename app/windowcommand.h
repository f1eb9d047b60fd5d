// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "runoptions.h"

namespace tokenpace {

/// Opens the window and runs it to its end; needs a QApplication. Returns the exit code.
[[nodiscard]] int windowCommand(const RunOptions& options);

} // namespace tokenpace
