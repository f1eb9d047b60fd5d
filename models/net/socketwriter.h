// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>

#include <QByteArray>

namespace tokenpace {

/// What is to go out on a non-blocking socket: two pieces, head and body, handed over in one call, and the rest of them
/// when the socket takes more. Lives on the network thread.
class SocketWriter {
public:
    /// Replaces what was left.
    void set(QByteArray first, QByteArray second);
    /// Puts bytes behind what is left.
    void append(const QByteArray& bytes);
    /// Hands over what the socket takes now.
    void write(int socket);

    [[nodiscard]] bool done() const { return left() == 0; }
    [[nodiscard]] qsizetype left() const { return m_pieces[0].size() + m_pieces[1].size() - m_done; }
    [[nodiscard]] bool failed() const { return m_failed; } ///< nothing more can be written; reading tells why
    /// More should be written once the socket can take it.
    [[nodiscard]] bool waits() const { return !done() && !m_failed; }

private:
    std::array<QByteArray, 2> m_pieces;
    qsizetype m_done = 0; ///< bytes of both that went
    bool m_failed = false;
};

} // namespace tokenpace
