// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace tokenpace {

/// What the program tells the shell.
enum ExitCode {
    ExitOk = 0, ///< every measured request ended ok
    ExitSomeFailed = 1,
    ExitUsage = 2, ///< the command or the settings are wrong
    ExitNoneOk = 3,
    ExitInterrupted = 130
};

} // namespace tokenpace
