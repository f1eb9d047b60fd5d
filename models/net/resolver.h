// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <sys/socket.h>

#include "measure/timeline.h"
#include "net/aside.h"

namespace tokenpace {

/// An address without its port.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;

    void setPort(std::uint16_t port);
};

/// Finds the addresses of hosts by getaddrinfo() on helper threads, and keeps them for a minute. (Qt's own cache can't
/// be emptied.) Lives on the network thread.
class Resolver final : public QObject {
public:
    struct Answer {
        std::vector<SocketAddress> addresses; ///< in the order in which to try them; empty: see problem
        QString problem;
    };
    using Handler = std::function<void(const Answer&)>;

    explicit Resolver(QObject* parent = nullptr);

    /// The address that a literal is, or what is known of a host; none: look it up.
    [[nodiscard]] std::optional<Answer> known(const QString& host) const;
    /// Calls `handler` later, unless `receiver` has gone by then.
    void lookUp(const QString& host, QObject* receiver, Handler handler);
    void forget(const QString& host);
    void forgetAll();

private:
    struct Entry {
        Answer answer;
        Stamp at{};
    };
    struct Waiting {
        QPointer<QObject> receiver;
        Handler handler;
    };
    void take(const QString& host, int round, const Answer& answer);

    QHash<QString, Entry> m_known;
    QHash<QString, QList<Waiting>> m_waiting; ///< by host: one look-up answers all
    int m_round = 0; ///< counts forgetting: answers to older questions are not kept
    Aside m_aside;
};

} // namespace tokenpace
