// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>

namespace tokenpace {

/// Sets TCP_NODELAY on every TCP socket of this process that is connected to that port of any host, and so sends off
/// what Nagle's algorithm holds back. It finds them by their descriptors, since Qt's manager hands out no socket. Does
/// nothing on systems without /proc. Returns how many it set.
int sendWithoutDelay(std::uint16_t peerPort);

/// Raises the limit of open files as far as it goes, and makes room in the process's table of file descriptors at once:
/// while other threads run, the kernel stalls for 10 to 25 ms each time the table must grow, which would be in the
/// middle of a measurement.
void growDescriptorTable();

} // namespace tokenpace
