// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/clientrequest.h"

namespace tokenpace::bench {

/// One load, the same for each client.
struct Load {
    int port = 0;
    int streams = 1;
    int tokens = 100; ///< of each stream
    int gapUs = 20'000;
    bool burst = false;
    int bodyBytes = 1000;
    int rounds = 1; ///< requests of each stream, one after the other, on the same connection where it is kept
};

/// Client minus server, in µs.
struct Errors {
    std::vector<double> arrivalUs; ///< stamp of an event's arrival - when it was sent
    std::vector<double> ttftUs; ///< (first arrival - zero) - (first sent - request received)
    std::vector<double> sendUs; ///< request received - call made
    double cpuUs = 0; ///< of the client's threads
    int failed = 0; ///< requests that did not bring all of their tokens
};

/// Blocking reads of an epoll loop on a thread of its own, the clock taken after each read: the reference.
[[nodiscard]] Errors runRaw(const Load& load);
/// QNetworkAccessManager's interface on one thread, as the client uses it: a manager for each stream.
[[nodiscard]] Errors runManager(const Load& load, Route::ManagerKind kind);

} // namespace tokenpace::bench
