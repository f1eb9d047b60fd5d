// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QByteArray>
#include <QNetworkReply>
#include <QObject>
#include <QString>

#include "net/connector.h"
#include "net/epollnotifier.h"
#include "net/httpendpoint.h"
#include "net/kernelclock.h"
#include "net/responseparser.h"
#include "net/socketwriter.h"
#include "net/tlssession.h"

namespace tokenpace {

class ConnectionPool;

/// What is known of the phases of an exchange. On a connection that was used before only begin and sent are set.
struct ExchangeStamps {
    Stamp begin{};
    std::optional<Stamp> found; ///< end of a look-up
    std::optional<Stamp> connected; ///< through the proxy, if there is one
    std::optional<Stamp> secured;
    std::optional<Stamp> sent; ///< the last byte of the request was handed to the system
};

/// Is told what becomes of an exchange. May abandon the connection in any of these; gets nothing after the last two.
class HttpReceiver {
public:
    virtual ~HttpReceiver() = default;
    virtual void connectionStarted() = 0;
    virtual void connectionSecured() = 0;
    virtual void requestProgressed(qint64 sent) = 0; ///< the system took no more of the body for now
    virtual void requestWritten() = 0;
    virtual void headReceived(const ResponseHead& head, const ArrivalStamp& stamp) = 0;
    virtual void bodyReceived(const QByteArray& bytes, const ArrivalStamp& stamp) = 0; ///< once for each stamp
    virtual void responseEnded() = 0;
    virtual void exchangeFailed(QNetworkReply::NetworkError code, const QString& words) = 0;
};

/// The life of one socket: connect, tunnel, TLS, then exchanges one after the other. Each read peeks, finds the borders
/// of chunks (or TLS records), takes each off by itself for the stamp of its last byte, and only then delivers. Never
/// sends a request twice. Lives on the network thread; the pool owns it, and it is deleted later, never in its own
/// slot.
class HttpConnection final : public QObject, private SocketWatcher {
public:
    HttpConnection(ConnectionPool& pool, HttpEndpoint endpoint);
    ~HttpConnection() override;

    /// Sends a request: at once when this is connected, else after connecting, which begins when the loop next turns.
    /// The receiver is told nothing before this returns. `bodiless`: the response will have no body (HEAD).
    void send(HttpReceiver* receiver, const QByteArray& head, const QByteArray& body, bool bodiless);
    /// The receiver wants no more: closes the connection, unless its exchange is over.
    void abandon();
    /// An idle connection that the server has not closed.
    [[nodiscard]] bool usable();
    void close();

    [[nodiscard]] const HttpEndpoint& endpoint() const { return m_endpoint; }
    [[nodiscard]] const ExchangeStamps& stamps() const { return m_stamps; }
    [[nodiscard]] Stamp idleSince() const { return m_idleSince; }

private:
    enum class State { New, Connecting, Tunnelling, Securing, Sending, Receiving, Idle, Closed };
    struct Arrival {
        QByteArray bytes;
        ArrivalStamp stamp;
    };

    void socketReady(bool readable, bool writable) override;
    void start();
    void onConnected();
    void askForTunnel();
    void readTunnel();
    void secure();
    void beginRequest();
    void tellWritten();

    void writeOut();
    void watch();

    void read();
    void readPlain();
    void readTls();
    void readRecord(const ArrivalStamp& arrived);
    std::string_view withRest(char* fresh, std::size_t size);
    void keepRest(std::string_view rest);
    [[nodiscard]] ArrivalStamp inOrder(ArrivalStamp stamp);
    void add(std::string_view bytes, const ArrivalStamp& stamp);
    void onEnd(bool inOrder);
    void deliver();
    void complete();
    void fail(QNetworkReply::NetworkError code, const QString& words);

    ConnectionPool& m_pool;
    const HttpEndpoint m_endpoint;
    State m_state = State::New;
    int m_socket = -1;
    Connector* m_connector = nullptr; // child; deleted later
    std::unique_ptr<TlsSession> m_tls;
    ExchangeStamps m_stamps;
    Stamp m_idleSince{};

    HttpReceiver* m_receiver = nullptr; // not owned; abandons before it goes
    QByteArray m_head;
    QByteArray m_body;
    bool m_bodiless = false;
    bool m_writtenTold = false;
    bool m_headTold = false;

    SocketWriter m_out;

    ResponseParser m_parser;
    QByteArray m_rest; ///< read, but not parsed: at most the parser's longestRest
    bool m_extra = false; ///< there were bytes behind the response
    bool m_ended = false; ///< the server has closed its side
    Stamp m_latest{}; ///< of this exchange
    ArrivalStamp m_headStamp;
    std::vector<Arrival> m_arrivals; ///< read, to be delivered
};

} // namespace tokenpace
