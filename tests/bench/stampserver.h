// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QProcess>
#include <QString>

namespace tokenpace::bench {

/// How a reply comes, asked for in the path: `/TOKENS/GAP_US/BURST`. With BURST 1 all streams send on the same ticks.
/// Each event holds what the server's clock said right before it was sent, the first one also when the whole request
/// had been read: `{"sent":NS}` or `{"received":NS,"sent":NS}`, of the steady clock.
int serveStamps();

/// That server, in a process of its own.
class StampServer {
public:
    StampServer();
    ~StampServer();

    [[nodiscard]] int port() const { return m_port; } ///< 0: it did not start

private:
    QProcess m_process;
    int m_port = 0;
};

} // namespace tokenpace::bench
