// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/kernelclock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <vector>

#include <QtGlobal>

#include <sys/socket.h>

namespace tokenpace {

namespace {

#ifdef Q_OS_LINUX

using namespace std::chrono_literals;

Stamp stampOf(const timespec& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Stamp realNow()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return stampOf(now);
}

/// The steady clock's time of a stamp of the wall clock: the difference of both is taken anew each time, since the wall
/// clock may be set. It is read between two reads of the steady clock, again where a pause fell between them.
Stamp steadyFrom(Stamp real)
{
    constexpr Stamp closeEnough = 1us;
    constexpr int tries = 5;
    Stamp narrowest = Stamp::max();
    Stamp difference{};
    for (int i = 0; i < tries && narrowest > closeEnough; ++i) {
        const Stamp before = steadyNow();
        const Stamp wall = realNow();
        const Stamp after = steadyNow();
        if (after - before < narrowest) {
            narrowest = after - before;
            difference = wall - (before + (after - before) / 2);
        }
    }
    return real - difference;
}

std::optional<Stamp> kernelStampOf(msghdr& message)
{
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            timespec time{};
            std::memcpy(&time, CMSG_DATA(part), sizeof time);
            return stampOf(time);
        }
    }
    return std::nullopt;
}

SocketRead receive(int socket, char* buffer, std::size_t size, int flags)
{
    iovec place{buffer, size};
    alignas(cmsghdr) std::array<char, 128> control;
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    SocketRead read;
    do {
        read.size = ::recvmsg(socket, &message, flags | MSG_DONTWAIT);
    } while (read.size < 0 && errno == EINTR);
    const int error = errno;
    const Stamp now = steadyNow();
    read.stamp = {now, false};
    if (read.size > 0) {
        if (const auto wall = kernelStampOf(message)) {
            // Bytes that waited for longer than a minute, or come from the future: the wall clock was set meanwhile.
            constexpr Stamp oldest = 1min;
            const Stamp at = steadyFrom(*wall);
            if (at > now - oldest && at < now + 1ms) {
                read.stamp = {std::min(at, now), true};
            }
        }
    }
    errno = error;
    return read;
}

#else

SocketRead receive(int socket, char* buffer, std::size_t size, int flags)
{
    SocketRead read;
    do {
        read.size = ::recv(socket, buffer, size, flags);
    } while (read.size < 0 && errno == EINTR);
    read.stamp = {steadyNow(), false};
    return read;
}

#endif

} // namespace

void stampArrivals(int socket)
{
#ifdef Q_OS_LINUX
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on); // without it the clock is read instead
#else
    Q_UNUSED(socket)
#endif
}

SocketRead peekSocket(int socket, char* buffer, std::size_t size)
{
    return receive(socket, buffer, size, MSG_PEEK);
}

SocketRead takeOff(int socket, std::size_t size)
{
#ifdef Q_OS_LINUX
    return receive(socket, nullptr, size, MSG_TRUNC);
#else
    std::vector<char> unused(size);
    return receive(socket, unused.data(), size, 0);
#endif
}

void dropPeeked(int socket, std::size_t size)
{
#ifdef Q_OS_LINUX
    while (::recv(socket, nullptr, size, MSG_TRUNC | MSG_DONTWAIT) < 0 && errno == EINTR) { }
#else
    static_cast<void>(takeOff(socket, size));
#endif
}

} // namespace tokenpace
