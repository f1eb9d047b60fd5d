// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>

#include "net/aside.h"

using SSL = struct ssl_st;
using SSL_CTX = struct ssl_ctx_st;
using SSL_SESSION = struct ssl_session_st;
using BIO = struct bio_st;

namespace tokenpace {

/// What decides whether a server is trusted.
struct TlsTrust {
    QString caFile; ///< PEM file of authorities beside the system's, or empty
    bool insecure = false; ///< certificates are not checked

    friend bool operator==(const TlsTrust&, const TlsTrust&) = default;
};
[[nodiscard]] inline std::size_t qHash(const TlsTrust& trust, std::size_t seed = 0)
{
    return qHash(trust.caFile, seed) ^ static_cast<std::size_t>(trust.insecure);
}

/// An OpenSSL context, with the sessions that may be resumed under it. Used on the network thread once it is made.
class TlsContext {
public:
    /// Reads the trust store, some 23 ms the first time: on a helper thread.
    explicit TlsContext(const TlsTrust& trust);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    [[nodiscard]] SSL_CTX* get() const { return m_context; }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    void keep(const QByteArray& server, SSL_SESSION* session); ///< takes it over
    /// A session to resume, the caller's own; null: none. One of TLS 1.3 is given out once.
    [[nodiscard]] SSL_SESSION* session(const QByteArray& server);

private:
    SSL_CTX* m_context = nullptr;
    QString m_problem;
    QHash<QByteArray, std::vector<SSL_SESSION*>> m_sessions; // by host and port
};

/// The contexts of a thread, one for each trust, made on helper threads. Lives on the network thread.
class TlsContexts final : public QObject {
public:
    using Handler = std::function<void(const std::shared_ptr<TlsContext>&)>;
    explicit TlsContexts(QObject* parent = nullptr);

    /// Has it made beforehand.
    void prepare(const TlsTrust& trust);
    /// Calls `handler` at once when it is there, else later, unless `receiver` has gone by then.
    void whenReady(const TlsTrust& trust, QObject* receiver, Handler handler);

private:
    struct Waiting {
        QPointer<QObject> receiver;
        Handler handler;
    };
    QHash<TlsTrust, std::shared_ptr<TlsContext>> m_ready;
    QHash<TlsTrust, QList<Waiting>> m_waiting;
    Aside m_aside;
};

/// One connection's encryption, from memory to memory: the socket is somebody else's, so that each record keeps the
/// stamp of its bytes. Lives on the network thread.
class TlsSession {
public:
    /// `server`: host and port, the key for sessions.
    TlsSession(std::shared_ptr<TlsContext> context, const QString& host, const QByteArray& server);
    ~TlsSession();
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;

    /// How many of these bytes from the socket belong to the current record.
    [[nodiscard]] std::size_t recordPart(std::string_view bytes) const;
    /// Takes bytes of one record from the socket.
    void feed(std::string_view bytes);
    /// Goes on with the handshake. True when it is over.
    bool handshake();
    void write(std::string_view plain);
    /// Decrypted bytes, 0 when there are none.
    [[nodiscard]] std::size_t read(char* buffer, std::size_t size);
    /// What must go to the socket.
    [[nodiscard]] QByteArray takeOutgoing();

    [[nodiscard]] bool closed() const { return m_closed; } ///< by the server, in order (close_notify)
    [[nodiscard]] const QString& problem() const { return m_problem; } ///< in words, or empty
    [[nodiscard]] bool resumed() const;

private:
    friend class TlsContext;
    void noteFailure();

    std::shared_ptr<TlsContext> m_context;
    QByteArray m_server;
    SSL* m_ssl = nullptr;
    BIO* m_in = nullptr; // m_ssl owns both
    BIO* m_out = nullptr;
    QByteArray m_recordHead; ///< of the current record, while it is not whole
    std::size_t m_recordLeft = 0; ///< bytes that are still to come of the current record
    bool m_closed = false;
    QString m_problem;
};

} // namespace tokenpace
