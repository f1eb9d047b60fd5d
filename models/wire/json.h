// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tokenpace::wire {

/// JSON that keeps the order of its members: arguments of tools and times of servers are handed on as they were sent.
using Json = nlohmann::ordered_json;

} // namespace tokenpace::wire
