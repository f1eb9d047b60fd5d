// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QNetworkReply>
#include <QObject>
#include <QString>
#include <QTimer>

#include "measure/timeline.h"
#include "net/epollnotifier.h"
#include "net/resolver.h"

namespace tokenpace {

/// Makes one TCP connection: looks the host up, then tries its addresses, the next one after 250 ms or at once on a
/// failure; the first to connect wins (happy eyeballs). Lives on the network thread.
class Connector final : public QObject {
    Q_OBJECT
public:
    Connector(Resolver& resolver, EpollNotifier& notifier, QObject* parent);
    ~Connector() override;

    /// One of the signals follows, or has been emitted on return.
    void start(const QString& host, std::uint16_t port);
    /// The socket, non-blocking and without Nagle's delay; the caller's from then on. Once, after connected().
    [[nodiscard]] int takeSocket();
    [[nodiscard]] std::optional<Stamp> foundAt() const { return m_foundAt; } ///< end of a look-up, where one was needed

signals:
    void connected();
    void failed(QNetworkReply::NetworkError code, const QString& words);

private:
    class Attempt;
    void begin(const Resolver::Answer& answer);
    void tryNext();
    void attemptEnded(Attempt* attempt, int error);
    void dropAttempts();

    Resolver& m_resolver;
    EpollNotifier& m_notifier;
    std::uint16_t m_port = 0;
    std::optional<Stamp> m_foundAt;
    std::vector<SocketAddress> m_addresses;
    std::size_t m_next = 0;
    std::vector<std::unique_ptr<Attempt>> m_attempts;
    std::vector<std::unique_ptr<Attempt>> m_over; ///< kept, as one of them may be what called
    int m_lastError = 0;
    int m_socket = -1;
    QTimer m_timer;
};

} // namespace tokenpace
