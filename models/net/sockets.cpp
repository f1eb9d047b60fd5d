// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/sockets.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include <QtGlobal>

#ifdef Q_OS_LINUX
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace tokenpace {

#ifdef Q_OS_LINUX

namespace {

struct CloseDirectory {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

/// Port of the other end of a TCP connection; 0 for anything else.
std::uint16_t peerPortOf(int descriptor)
{
    union {
        sockaddr any;
        sockaddr_in four;
        sockaddr_in6 six;
        sockaddr_storage storage;
    } address{};
    socklen_t size = sizeof address;
    if (::getpeername(descriptor, &address.any, &size) != 0) {
        return 0;
    }
    switch (address.any.sa_family) {
    case AF_INET:
        return ntohs(address.four.sin_port);
    case AF_INET6:
        return ntohs(address.six.sin6_port);
    default:
        return 0;
    }
}

} // namespace

int sendWithoutDelay(std::uint16_t peerPort)
{
    const std::unique_ptr<DIR, CloseDirectory> directory(::opendir("/proc/self/fd"));
    int found = 0;
    while (const dirent* const entry = directory ? ::readdir(directory.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        int descriptor = -1;
        std::from_chars(name.data(), name.data() + name.size(), descriptor);
        if (descriptor < 0 || peerPortOf(descriptor) != peerPort) {
            continue;
        }
        const int on = 1;
        if (::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0) {
            ++found;
        }
    }
    return found;
}

void growDescriptorTable()
{
    constexpr rlim_t room = 2048; // 1,000 lanes with their sockets and the pipes of their threads
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    if (limit.rlim_cur < limit.rlim_max) {
        const rlim_t before = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max;
        if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
            limit.rlim_cur = before;
        }
    }
    const int any = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (any < 0) {
        return;
    }
    const auto last = static_cast<int>(std::min(room, limit.rlim_cur)) - 1;
    const int high = ::fcntl(any, F_DUPFD_CLOEXEC, last);
    if (high >= 0) {
        ::close(high);
    }
    ::close(any);
}

#else

int sendWithoutDelay(std::uint16_t)
{
    return 0;
}

void growDescriptorTable() { }

#endif

} // namespace tokenpace
