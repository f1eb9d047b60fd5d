// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/tlssession.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <QHostAddress>
#include <QUrl>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace tokenpace {

namespace {

constexpr std::size_t recordHeadSize = 5; // type, version, length
constexpr std::size_t mostSessions = 1024; // of one server: as many as streams that may want one at once

// Threads of Qt's and of ours that have used OpenSSL outlive QThread::wait() by a moment, in which they give back what
// OpenSSL keeps for them. Its clean-up as the process exits would meet them there, so it is left to the system; it must
// be told before anything else uses the library.
[[maybe_unused]] const bool noCleanUp = ::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;

QString lastError()
{
    QString words;
    while (const unsigned long code = ::ERR_get_error()) {
        const char* const reason = ::ERR_reason_error_string(code);
        if (words.isEmpty() && reason) {
            words = QString::fromLatin1(reason);
        }
    }
    return words;
}

} // namespace

TlsContext::TlsContext(const TlsTrust& trust)
    : m_context(::SSL_CTX_new(::TLS_client_method()))
{
    SSL_CTX_set_min_proto_version(m_context, TLS1_2_VERSION);
    SSL_CTX_set_mode(m_context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_CTX_set_session_cache_mode(m_context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    ::SSL_CTX_sess_set_new_cb(m_context, [](SSL* ssl, SSL_SESSION* session) {
        auto* const owner = static_cast<TlsSession*>(::SSL_get_ex_data(ssl, 0));
        owner->m_context->keep(owner->m_server, session);
        return 1;
    });
    ::SSL_CTX_set_verify(m_context, trust.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    ::SSL_CTX_set_default_verify_paths(m_context);
    if (!trust.caFile.isEmpty()
        && ::SSL_CTX_load_verify_locations(m_context, trust.caFile.toLocal8Bit().constData(), nullptr) != 1) {
        m_problem = QStringLiteral("no certificate could be read from caFile %1").arg(trust.caFile);
    }
    ::ERR_clear_error();
}

TlsContext::~TlsContext()
{
    for (const auto& sessions : std::as_const(m_sessions)) {
        std::for_each(sessions.begin(), sessions.end(), ::SSL_SESSION_free);
    }
    ::SSL_CTX_free(m_context);
}

void TlsContext::keep(const QByteArray& server, SSL_SESSION* session)
{
    auto& sessions = m_sessions[server];
    const bool reusable = ::SSL_SESSION_get_protocol_version(session) < TLS1_3_VERSION;
    if (!sessions.empty() && (reusable || sessions.size() >= mostSessions)) {
        ::SSL_SESSION_free(sessions.front());
        sessions.erase(sessions.begin());
    }
    sessions.push_back(session);
}

SSL_SESSION* TlsContext::session(const QByteArray& server)
{
    auto& sessions = m_sessions[server];
    if (sessions.empty()) {
        return nullptr;
    }
    SSL_SESSION* const session = sessions.back();
    if (::SSL_SESSION_get_protocol_version(session) < TLS1_3_VERSION) {
        ::SSL_SESSION_up_ref(session);
    } else {
        sessions.pop_back();
    }
    return session;
}

TlsContexts::TlsContexts(QObject* parent)
    : QObject(parent)
    , m_aside(this, Aside::End::Wait)
{
}

void TlsContexts::prepare(const TlsTrust& trust)
{
    whenReady(trust, this, [](const std::shared_ptr<TlsContext>&) {});
}

void TlsContexts::whenReady(const TlsTrust& trust, QObject* receiver, Handler handler)
{
    if (const auto ready = m_ready.value(trust)) {
        handler(ready);
        return;
    }
    auto& waiting = m_waiting[trust];
    waiting.append({receiver, std::move(handler)});
    if (waiting.size() > 1) {
        return;
    }
    m_aside.run(
        [trust] {
            return std::make_shared<TlsContext>(trust);
        },
        [this, trust](const std::shared_ptr<TlsContext>& made) {
            if (made->problem().isEmpty()) {
                m_ready[trust] = made;
            }
            const auto told = m_waiting.take(trust);
            for (const Waiting& one : told) {
                if (one.receiver) {
                    one.handler(made);
                }
            }
        });
}

TlsSession::TlsSession(std::shared_ptr<TlsContext> context, const QString& host, const QByteArray& server)
    : m_context(std::move(context))
    , m_server(server)
    , m_ssl(::SSL_new(m_context->get()))
    , m_in(::BIO_new(::BIO_s_mem()))
    , m_out(::BIO_new(::BIO_s_mem()))
{
    ::SSL_set_ex_data(m_ssl, 0, this); // 0 is the application's
    ::SSL_set_bio(m_ssl, m_in, m_out);
    ::SSL_set_connect_state(m_ssl);
    const QByteArray ascii = QUrl::toAce(host);
    const QByteArray name = ascii.isEmpty() ? host.toUtf8() : ascii;
    if (QHostAddress().setAddress(host)) {
        ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(m_ssl), host.toLatin1().constData());
    } else {
        ::SSL_ctrl(m_ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                   const_cast<char*>(name.constData())); // OpenSSL only reads it
        ::SSL_set1_host(m_ssl, name.constData());
    }
    constexpr unsigned char http11[] = "\x08http/1.1";
    ::SSL_set_alpn_protos(m_ssl, http11, sizeof http11 - 1);
    if (SSL_SESSION* const session = m_context->session(server)) {
        ::SSL_set_session(m_ssl, session);
        ::SSL_SESSION_free(session); // the connection has its own share
    }
}

TlsSession::~TlsSession()
{
    // else OpenSSL takes the connection for a broken one, and its sessions can't be resumed
    ::SSL_set_shutdown(m_ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    ::SSL_free(m_ssl);
}

std::size_t TlsSession::recordPart(std::string_view bytes) const
{
    if (m_recordLeft > 0) {
        return std::min(m_recordLeft, bytes.size());
    }
    const auto known = static_cast<std::size_t>(m_recordHead.size());
    if (known + bytes.size() < recordHeadSize) {
        return bytes.size();
    }
    const auto byteAt = [&](std::size_t i) {
        const char byte = i < known ? m_recordHead.at(static_cast<qsizetype>(i)) : bytes[i - known];
        return static_cast<std::size_t>(static_cast<unsigned char>(byte));
    };
    const std::size_t length = (byteAt(3) << 8) | byteAt(4);
    return std::min(bytes.size(), recordHeadSize - known + length);
}

void TlsSession::feed(std::string_view bytes)
{
    ::BIO_write(m_in, bytes.data(), static_cast<int>(bytes.size()));
    if (m_recordLeft > 0) {
        m_recordLeft -= bytes.size();
        return;
    }
    m_recordHead.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
    const auto known = static_cast<std::size_t>(m_recordHead.size());
    if (known >= recordHeadSize) {
        const auto byteAt = [this](qsizetype i) {
            return static_cast<std::size_t>(static_cast<unsigned char>(m_recordHead.at(i)));
        };
        m_recordLeft = recordHeadSize + ((byteAt(3) << 8) | byteAt(4)) - known;
        m_recordHead.resize(0);
    }
}

bool TlsSession::handshake()
{
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(m_ssl);
    if (result == 1) {
        return true;
    }
    if (::SSL_get_error(m_ssl, result) != SSL_ERROR_WANT_READ) {
        noteFailure();
    }
    return false;
}

void TlsSession::noteFailure()
{
    const long verdict = ::SSL_get_verify_result(m_ssl);
    const bool checked = (::SSL_get_verify_mode(m_ssl) & SSL_VERIFY_PEER) != 0;
    const QString words = lastError();
    m_problem = checked && verdict != X509_V_OK ? QString::fromLatin1(::X509_verify_cert_error_string(verdict))
        : words.isEmpty()                       ? QStringLiteral("the TLS connection failed")
                                                : words;
}

void TlsSession::write(std::string_view plain)
{
    while (!plain.empty() && m_problem.isEmpty()) {
        const auto size = static_cast<int>(std::min(plain.size(), std::size_t{std::numeric_limits<int>::max()}));
        const int written = ::SSL_write(m_ssl, plain.data(), size);
        if (written <= 0) {
            noteFailure();
            return;
        }
        plain.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::size_t TlsSession::read(char* buffer, std::size_t size)
{
    ::ERR_clear_error();
    const int result = ::SSL_read(m_ssl, buffer, static_cast<int>(size));
    if (result > 0) {
        return static_cast<std::size_t>(result);
    }
    switch (::SSL_get_error(m_ssl, result)) {
    case SSL_ERROR_WANT_READ:
        break;
    case SSL_ERROR_ZERO_RETURN:
        m_closed = true;
        break;
    default:
        noteFailure();
        break;
    }
    return 0;
}

QByteArray TlsSession::takeOutgoing()
{
    QByteArray bytes(static_cast<qsizetype>(::BIO_ctrl_pending(m_out)), Qt::Uninitialized);
    if (!bytes.isEmpty()) {
        ::BIO_read(m_out, bytes.data(), static_cast<int>(bytes.size()));
    }
    return bytes;
}

bool TlsSession::resumed() const
{
    return ::SSL_session_reused(m_ssl) == 1;
}

} // namespace tokenpace
