// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace tokenpace {

/// Turns off FreeType's stem darkening of CFF faces, which Qt turns on: a weight of 400 would look like 500. Call it
/// before the first text in every thread that paints text (FreeType's state is the thread's). Does nothing where Qt has
/// no FreeType; harmless when called again.
void prepareTextOfThread();

} // namespace tokenpace
