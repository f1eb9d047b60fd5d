// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>

#include "measure/timeline.h"

namespace tokenpace {

/// When bytes came, and whether the kernel said so.
struct ArrivalStamp {
    Stamp at{};
    bool kernel = false;
};

/// What a non-blocking read of a socket brought. `size` is 0 at the end of the stream and negative on an error, which
/// errno tells (EAGAIN: nothing is there).
struct SocketRead {
    std::ptrdiff_t size = 0;
    ArrivalStamp stamp;
};

/// Asks the kernel to stamp what this socket receives (SO_TIMESTAMPNS). Does nothing off Linux, where stamps are the
/// clock after the read.
void stampArrivals(int socket);

/// Reads without taking the bytes off. The stamp is that of the last byte.
[[nodiscard]] SocketRead peekSocket(int socket, char* buffer, std::size_t size);
/// Takes `size` bytes off that were peeked, without copying them. The stamp is that of the last of them.
[[nodiscard]] SocketRead takeOff(int socket, std::size_t size);
/// The same for bytes whose stamp is known.
void dropPeeked(int socket, std::size_t size);

} // namespace tokenpace
