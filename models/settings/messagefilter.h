// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace tokenpace {

class Redactor;

/// Keeps secrets out of log messages, Qt's own and ours (qWarning() and its kin): each goes through what
/// hideInMessages() was given, then to the handler that was there before. Once, at the start of the program.
void installMessageFilter();

/// From now on, on any thread; secrets of earlier settings stay hidden.
void hideInMessages(const Redactor& redactor);

} // namespace tokenpace
