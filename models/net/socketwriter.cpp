// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/socketwriter.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <sys/uio.h>

namespace tokenpace {

namespace {

#ifdef MSG_NOSIGNAL
constexpr int noSignal = MSG_NOSIGNAL; // a server that has gone is an error, not the end of this program
#else
constexpr int noSignal = 0;
#endif

} // namespace

void SocketWriter::set(QByteArray first, QByteArray second)
{
    m_pieces = {std::move(first), std::move(second)};
    m_done = 0;
    m_failed = false;
}

void SocketWriter::append(const QByteArray& bytes)
{
    set((m_pieces[0] + m_pieces[1]).mid(m_done) + bytes, {});
}

void SocketWriter::write(int socket)
{
    while (waits()) {
        std::array<iovec, 2> parts{};
        std::size_t count = 0;
        qsizetype skipped = m_done;
        for (const QByteArray& piece : m_pieces) {
            const qsizetype gone = std::min(skipped, piece.size());
            skipped -= gone;
            if (gone < piece.size()) {
                // sendmsg() only reads
                parts[count++] = {const_cast<char*>(piece.constData()) + gone,
                                  static_cast<std::size_t>(piece.size() - gone)};
            }
        }
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(count);
        const auto sent = ::sendmsg(socket, &message, noSignal);
        if (sent >= 0) {
            m_done += sent;
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR) {
            m_failed = true;
        }
    }
    if (done()) {
        m_pieces = {};
        m_done = 0;
    }
}

} // namespace tokenpace
