// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include <QObject>

#include "net/epollnotifier.h"
#include "net/httpconnection.h"
#include "net/resolver.h"
#include "net/tlssession.h"

namespace tokenpace {

/// The connections of one network thread, and what they share: one notifier, the look-ups, the TLS contexts, the read
/// buffers. There is no limit to their number but the callers' own. Lives on that thread and must outlive the managers
/// that use it.
class ConnectionPool final : public QObject {
public:
    /// The most that one read takes.
    static constexpr std::size_t readSize = std::size_t{64} * 1024;

    explicit ConnectionPool(QObject* parent = nullptr);
    ~ConnectionPool() override;

    /// The connection to there that was idle last, if the server has not closed it, else a new one.
    [[nodiscard]] HttpConnection& take(const HttpEndpoint& endpoint);
    /// Gives a connection back, idle.
    void release(HttpConnection& connection);
    /// It is closed: deletes it later.
    void discard(HttpConnection& connection);

    void closeIdle(std::chrono::milliseconds longerThan);
    /// Closes the idle connections to a host, and forgets its look-up.
    void forget(const QString& host);

    [[nodiscard]] EpollNotifier& notifier() { return m_notifier; }
    [[nodiscard]] Resolver& resolver() { return m_resolver; }
    [[nodiscard]] TlsContexts& tls() { return m_tls; }
    /// readSize bytes for what comes from a socket encrypted.
    [[nodiscard]] char* cipherBuffer() { return m_cipher.data(); }
    /// readSize bytes for what is parsed, with room before them for what the parser left. No view into it may be kept
    /// while anything is delivered: slots may turn the event loop.
    [[nodiscard]] char* plainBuffer() { return m_plain.data() + ResponseParser::longestRest; }

private:
    EpollNotifier m_notifier;
    Resolver m_resolver;
    TlsContexts m_tls;
    std::vector<char> m_cipher;
    std::vector<char> m_plain;
    std::vector<HttpConnection*> m_idle; // children, as all connections are
};

} // namespace tokenpace
