// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/httpconnection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "net/connectionpool.h"

namespace tokenpace {

namespace {

const QString closedWords = QStringLiteral("Connection closed");

} // namespace

HttpConnection::HttpConnection(ConnectionPool& pool, HttpEndpoint endpoint)
    : QObject(&pool)
    , m_pool(pool)
    , m_endpoint(std::move(endpoint))
{
}

HttpConnection::~HttpConnection()
{
    if (m_socket >= 0) {
        m_pool.notifier().remove(m_socket);
        ::close(m_socket);
    }
}

void HttpConnection::send(HttpReceiver* receiver, const QByteArray& head, const QByteArray& body, bool bodiless)
{
    m_receiver = receiver;
    m_head = head;
    m_body = body;
    m_bodiless = bodiless;
    m_stamps = {};
    m_stamps.begin = steadyNow();
    if (m_state == State::Idle) {
        beginRequest();
    } else {
        m_state = State::Connecting;
        QMetaObject::invokeMethod(this, &HttpConnection::start, Qt::QueuedConnection);
    }
}

void HttpConnection::start()
{
    if (m_state != State::Connecting) {
        return; // abandoned meanwhile
    }
    m_receiver->connectionStarted();
    if (m_state != State::Connecting) {
        return;
    }
    m_connector = new Connector(m_pool.resolver(), m_pool.notifier(), this);
    connect(m_connector, &Connector::connected, this, &HttpConnection::onConnected);
    connect(m_connector, &Connector::failed, this, [this](QNetworkReply::NetworkError code, const QString& words) {
        fail(m_endpoint.connectFailure(code), words);
    });
    const bool direct = m_endpoint.proxyHost.isEmpty();
    m_connector->start(direct ? m_endpoint.host : m_endpoint.proxyHost,
                       direct ? m_endpoint.port : m_endpoint.proxyPort);
}

void HttpConnection::onConnected()
{
    m_stamps.connected = steadyNow();
    m_stamps.found = m_connector->foundAt();
    m_socket = m_connector->takeSocket();
    m_connector->deleteLater();
    m_connector = nullptr;
    if (m_endpoint.secure && !m_endpoint.proxyHost.isEmpty()) {
        askForTunnel();
    } else if (m_endpoint.secure) {
        secure();
    } else {
        beginRequest();
    }
}

void HttpConnection::askForTunnel()
{
    m_state = State::Tunnelling;
    m_parser = ResponseParser(true);
    const QByteArray place = m_endpoint.place();
    QByteArray request = "CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n";
    if (!m_endpoint.proxyAuthorization.isEmpty()) {
        request += "Proxy-Authorization: " + m_endpoint.proxyAuthorization + "\r\n";
    }
    m_out.set(request + "\r\n", {});
    writeOut();
}

void HttpConnection::readTunnel()
{
    constexpr int proxyAuthenticationRequired = 407;
    constexpr int firstRedirect = 300;
    char* const buffer = m_pool.plainBuffer();
    const SocketRead peeked = peekSocket(m_socket, buffer, ConnectionPool::readSize);
    if (peeked.size < 0 && errno == EAGAIN) {
        return;
    }
    if (peeked.size <= 0) {
        fail(QNetworkReply::ProxyConnectionClosedError, closedWords);
        return;
    }
    // what comes behind the answer is the server's already
    const std::size_t rest = static_cast<std::size_t>(m_rest.size());
    const std::string_view bytes = withRest(buffer, static_cast<std::size_t>(peeked.size));
    const std::size_t used = m_parser.parse(bytes);
    const std::size_t taken = m_parser.done() ? used - rest : bytes.size() - rest;
    dropPeeked(m_socket, taken);
    keepRest(bytes.substr(used, rest + taken - used));
    if (m_parser.failed()) {
        fail(QNetworkReply::UnknownProxyError, m_parser.problem());
    } else if (m_parser.done()) {
        const ResponseHead& head = m_parser.head();
        if (head.status < firstRedirect) {
            m_stamps.connected = steadyNow();
            secure();
        } else {
            fail(head.status == proxyAuthenticationRequired ? QNetworkReply::ProxyAuthenticationRequiredError
                                                            : QNetworkReply::UnknownProxyError,
                 QStringLiteral("it answered %1 %2").arg(head.status).arg(QString::fromLatin1(head.reason)));
        }
    }
}

void HttpConnection::secure()
{
    m_state = State::Securing;
    watch();
    m_pool.tls().whenReady(m_endpoint.trust, this, [this](const std::shared_ptr<TlsContext>& context) {
        if (m_state != State::Securing) {
            return;
        }
        if (!context->problem().isEmpty()) {
            fail(QNetworkReply::SslHandshakeFailedError, context->problem());
            return;
        }
        const QByteArray server = m_endpoint.place();
        m_tls = std::make_unique<TlsSession>(context, m_endpoint.host, server);
        m_tls->handshake();
        m_out.append(m_tls->takeOutgoing());
        writeOut();
    });
}

void HttpConnection::beginRequest()
{
    const bool wasIdle = m_state == State::Idle;
    m_state = State::Sending;
    m_parser = ResponseParser(m_bodiless);
    keepRest({});
    m_latest = m_stamps.begin;
    m_writtenTold = false;
    m_headTold = false;
    if (m_tls) {
        m_tls->write({m_head.constData(), static_cast<std::size_t>(m_head.size())});
        m_tls->write({m_body.constData(), static_cast<std::size_t>(m_body.size())});
        m_out.append(m_tls->takeOutgoing()); // behind what the handshake has left
    } else {
        m_out.set(m_head, m_body);
    }
    m_head.clear();
    writeOut();
    if (wasIdle) {
        QMetaObject::invokeMethod(this, &HttpConnection::tellWritten, Qt::QueuedConnection);
    } else {
        tellWritten();
    }
}

void HttpConnection::tellWritten()
{
    if (!m_receiver || m_writtenTold) {
        return;
    }
    if (m_tls && !m_tls->problem().isEmpty()) {
        fail(QNetworkReply::UnknownNetworkError, m_tls->problem());
    } else if (m_stamps.sent) {
        m_writtenTold = true;
        m_receiver->requestWritten();
    } else if (m_state == State::Sending) {
        m_receiver->requestProgressed(std::max<qint64>(0, m_body.size() - m_out.left()));
    }
}

/// Hands over what is to go out, and waits for the rest to be possible.
void HttpConnection::writeOut()
{
    m_out.write(m_socket);
    if (m_out.done() && m_state == State::Sending) {
        m_stamps.sent = steadyNow();
        m_state = State::Receiving;
        m_body.clear();
    }
    watch();
}

void HttpConnection::watch()
{
    m_pool.notifier().watch(m_socket, this, !m_ended, m_out.waits());
}

void HttpConnection::socketReady(bool readable, bool writable)
{
    if (writable && m_out.waits()) {
        writeOut();
        if (m_state == State::Receiving || m_state == State::Sending) {
            tellWritten();
        }
    }
    if (!readable || m_state == State::Closed) {
        return;
    }
    if (m_state == State::Tunnelling) {
        readTunnel();
    } else if (m_state == State::Idle) {
        if (!usable()) {
            close();
        }
    } else if (m_state != State::Securing || m_tls) {
        read();
    }
}

void HttpConnection::read()
{
    if (m_tls) {
        readTls();
    } else {
        readPlain();
    }
    if (m_state == State::Sending || m_state == State::Receiving) {
        deliver();
    }
}

/// Puts what the parser left before what is fresh.
std::string_view HttpConnection::withRest(char* fresh, std::size_t size)
{
    const auto rest = static_cast<std::size_t>(m_rest.size());
    std::memcpy(fresh - rest, m_rest.constData(), rest);
    return {fresh - rest, rest + size};
}

void HttpConnection::keepRest(std::string_view rest)
{
    m_rest.resize(0); // keeps its memory: a chunk's line end is left after nearly every read
    m_rest.append(rest.data(), static_cast<qsizetype>(rest.size()));
    m_extra = m_parser.done() && !m_rest.isEmpty();
}

void HttpConnection::readPlain()
{
    char* const buffer = m_pool.plainBuffer();
    const SocketRead peeked = peekSocket(m_socket, buffer, ConnectionPool::readSize);
    if (peeked.size < 0 && errno == EAGAIN) {
        return;
    }
    if (peeked.size <= 0) {
        onEnd(peeked.size == 0);
        return;
    }
    const auto size = static_cast<std::size_t>(peeked.size);
    const auto rest = static_cast<std::size_t>(m_rest.size());
    const bool hadHead = m_parser.hasHead();
    const std::string_view bytes = withRest(buffer, size);
    const std::size_t used = m_parser.parse(bytes);
    std::size_t taken = 0;
    for (const ResponseParser::Piece& piece : m_parser.pieces()) {
        ArrivalStamp stamp = peeked.stamp;
        const std::size_t end = piece.end - std::min(piece.end, rest);
        if (piece.border && end > taken && end < size) {
            stamp = takeOff(m_socket, end - taken).stamp;
            taken = end;
        }
        stamp = inOrder(stamp);
        if (!hadHead && piece.body.empty()) {
            m_headStamp = stamp;
        }
        add(piece.body, stamp);
    }
    if (taken < size) {
        dropPeeked(m_socket, size - taken); // left there, they would wake the loop for ever
    }
    keepRest(bytes.substr(used));
}

void HttpConnection::readTls()
{
    char* const buffer = m_pool.cipherBuffer();
    const SocketRead peeked = peekSocket(m_socket, buffer, ConnectionPool::readSize);
    if (peeked.size < 0 && errno == EAGAIN) {
        return;
    }
    if (peeked.size <= 0) {
        onEnd(false); // in order only after close_notify
        return;
    }
    std::string_view bytes(buffer, static_cast<std::size_t>(peeked.size));
    while (!bytes.empty() && m_state != State::Closed) {
        const std::size_t part = m_tls->recordPart(bytes);
        const ArrivalStamp stamp = takeOff(m_socket, part).stamp;
        m_tls->feed(bytes.substr(0, part));
        bytes.remove_prefix(part);
        if (m_state != State::Securing) {
            readRecord(stamp);
            continue;
        }
        const bool ready = m_tls->handshake();
        const QByteArray answer = m_tls->takeOutgoing();
        if (!answer.isEmpty()) {
            m_out.append(answer);
            writeOut();
        }
        if (!m_tls->problem().isEmpty()) {
            const QString words = m_tls->problem();
            fail(QNetworkReply::SslHandshakeFailedError, words);
        } else if (ready) {
            m_stamps.secured = steadyNow();
            m_receiver->connectionSecured();
            if (m_state == State::Securing) {
                beginRequest();
            }
            return; // a slot may have turned the loop; what is left in the socket wakes it again
        }
    }
}

/// All plain text of a record has the stamp of its last byte.
void HttpConnection::readRecord(const ArrivalStamp& arrived)
{
    const ArrivalStamp stamp = inOrder(arrived);
    char* const buffer = m_pool.plainBuffer();
    while (const std::size_t size = m_tls->read(buffer, ConnectionPool::readSize)) {
        const bool hadHead = m_parser.hasHead();
        const std::string_view bytes = withRest(buffer, size);
        const std::size_t used = m_parser.parse(bytes);
        if (!hadHead && m_parser.hasHead()) {
            m_headStamp = stamp;
        }
        for (const ResponseParser::Piece& piece : m_parser.pieces()) {
            add(piece.body, stamp);
        }
        keepRest(bytes.substr(used));
    }
    if (m_tls->closed() || !m_tls->problem().isEmpty()) {
        onEnd(m_tls->closed());
    }
}

/// Never before the request was written (the server may have it before the call that sends it returns), nor before what
/// came earlier (the clocks are compared anew for each stamp).
ArrivalStamp HttpConnection::inOrder(ArrivalStamp stamp)
{
    m_latest = std::max({stamp.at, m_latest, m_stamps.sent.value_or(m_latest)});
    return {m_latest, stamp.kernel};
}

/// Keeps a piece of the body until it is delivered.
void HttpConnection::add(std::string_view bytes, const ArrivalStamp& stamp)
{
    if (bytes.empty()) {
        return;
    }
    if (!m_arrivals.empty() && m_arrivals.back().stamp.at == stamp.at) {
        m_arrivals.back().bytes.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
    } else {
        m_arrivals.push_back({QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())), stamp});
    }
}

void HttpConnection::onEnd(bool inOrder)
{
    m_ended = true;
    if (m_state == State::Securing) {
        fail(QNetworkReply::RemoteHostClosedError, closedWords);
    } else if (inOrder) {
        m_parser.endOfInput();
    } else if (!m_parser.done()) {
        deliver();
        if (m_receiver) {
            fail(QNetworkReply::RemoteHostClosedError, closedWords);
        }
    }
}

void HttpConnection::deliver()
{
    const std::vector<Arrival> arrivals = std::exchange(m_arrivals, {});
    if (m_stamps.sent) {
        tellWritten(); // it may be queued still
    }
    if (m_receiver && m_parser.hasHead() && !m_headTold) {
        m_headTold = true;
        m_receiver->headReceived(m_parser.head(), m_headStamp);
    }
    for (const Arrival& arrival : arrivals) {
        if (!m_receiver) {
            return;
        }
        m_receiver->bodyReceived(arrival.bytes, arrival.stamp);
    }
    if (!m_receiver) {
        return;
    }
    if (m_parser.failed()) {
        fail(m_parser.closedEarly() ? QNetworkReply::RemoteHostClosedError : QNetworkReply::ProtocolFailure,
             m_parser.problem());
    } else if (m_parser.done()) {
        complete();
    }
}

void HttpConnection::complete()
{
    HttpReceiver* const receiver = std::exchange(m_receiver, nullptr);
    if (m_parser.keepsConnection() && m_stamps.sent && !m_extra && !m_ended && !(m_tls && m_tls->closed())) {
        m_state = State::Idle;
        m_idleSince = steadyNow();
        m_pool.release(*this);
    } else {
        close();
    }
    receiver->responseEnded(); // last: it may send the next request on this connection
}

void HttpConnection::fail(QNetworkReply::NetworkError code, const QString& words)
{
    HttpReceiver* const receiver = std::exchange(m_receiver, nullptr);
    close();
    if (receiver) {
        receiver->exchangeFailed(code, words);
    }
}

void HttpConnection::abandon()
{
    m_receiver = nullptr;
    if (m_state != State::Idle) {
        close();
    }
}

bool HttpConnection::usable()
{
    char* const buffer = m_pool.plainBuffer();
    if (!m_tls) {
        return peekSocket(m_socket, buffer, 1).size < 0 && errno == EAGAIN;
    }
    // session tickets may have come; anything else is none of ours
    for (;;) {
        char* const cipher = m_pool.cipherBuffer();
        const SocketRead peeked = peekSocket(m_socket, cipher, ConnectionPool::readSize);
        if (peeked.size <= 0) {
            return peeked.size < 0 && errno == EAGAIN;
        }
        const std::size_t part = m_tls->recordPart({cipher, static_cast<std::size_t>(peeked.size)});
        dropPeeked(m_socket, part);
        m_tls->feed({cipher, part});
        if (m_tls->read(buffer, ConnectionPool::readSize) > 0 || m_tls->closed() || !m_tls->problem().isEmpty()) {
            return false;
        }
    }
}

void HttpConnection::close()
{
    if (m_state == State::Closed) {
        return;
    }
    m_state = State::Closed;
    m_receiver = nullptr;
    if (m_connector) {
        m_connector->disconnect(this);
        m_connector->deleteLater();
        m_connector = nullptr;
    }
    if (m_socket >= 0) {
        m_pool.notifier().remove(m_socket);
        ::close(std::exchange(m_socket, -1));
    }
    m_pool.discard(*this);
}

} // namespace tokenpace
