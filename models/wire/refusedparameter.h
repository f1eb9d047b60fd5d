// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

#include "wire/errortext.h"

namespace tokenpace::wire {

/// The setting to change when a server refuses a parameter of ours, by its name in settings.json: "set limitField to
/// max_completion_tokens". Taken from the parameter that the server names, else from its words; empty when the error is
/// about something else. It is for a person to follow: no second request is sent without being asked for.
[[nodiscard]] std::string settingFor(const ServerError& error);

} // namespace tokenpace::wire
