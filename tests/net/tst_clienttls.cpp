// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTemporaryDir>

#include "net/clientfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

// An authority and a server's key and certificate (localhost and 127.0.0.1, 2020 to 2120), made for this test alone:
// they protect nothing.
constexpr const char* authority = R"(-----BEGIN CERTIFICATE-----
MIIBaTCCAQ+gAwIBAgIBATAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMCMxITAfBgNVBAMMGFRva2VucGFjZSB0ZXN0IGF1dGhvcml0eTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABAsYrf9VHgevsetQ4DFEjEU9zQ14bco1RF93ssRq
n9dHzwxzfgEUaNjxkTHtrNxPfaOlamoz5mW+w7SZ9kSrCrqjMjAwMA8GA1UdEwEB
/wQFMAMBAf8wHQYDVR0OBBYEFMYSl8yuOtSlaBBBdqXxDsIpehWOMAoGCCqGSM49
BAMCA0gAMEUCIQCkrf62MKXzEZqLjsDMUUF8oeQt32LKoMmpqMrDsjG8zgIgMXsr
6FxT+bb9nmXHakBFTGgcSqKK5lM+FI3PDnL69m4=
-----END CERTIFICATE-----
)";
constexpr const char* certificate = R"(-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIBAjAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABO5+eV8oDuLkpu6oQi9nyWtrjlp9rUsVnsY5v4w/41ZNTmNqmZ/uSC55wD6X
8roT0dGgsE94DRZrcBirx8dDotujaTBnMAkGA1UdEwQCMAAwGgYDVR0RBBMwEYIJ
bG9jYWxob3N0hwR/AAABMB8GA1UdIwQYMBaAFMYSl8yuOtSlaBBBdqXxDsIpehWO
MB0GA1UdDgQWBBRhGHyg3bXNtMaKIlUXutO16tgWqTAKBggqhkjOPQQDAgNHADBE
AiBsT4gJSwsCTMgSAI/o1oq3MDuily9fkyR6CvY21se3BAIgbgro+pcvbMeNbMXN
BGecTRijDus0H0shzEx5REXaXRg=
-----END CERTIFICATE-----
)";
constexpr const char* key = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpUCSX3/7yCGs/64S
wGfoVpQVb5e3wam5iIs5AsPHDSihRANCAATufnlfKA7i5KbuqEIvZ8lra45afa1L
FZ7GOb+MP+NWTU5japmf7kguecA+l/K6E9HRoLBPeA0Wa3AYq8fHQ6Lb
-----END PRIVATE KEY-----
)";

/// Answers each request on a TLS connection with a short stream. Lives on the thread of the test.
class TlsServer : public QObject {
public:
    TlsServer()
    {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificate(QSslCertificate(QByteArray(certificate)));
        tls.setPrivateKey(QSslKey(QByteArray(key), QSsl::Ec));
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
        tls.setAllowedNextProtocols({"h2", "http/1.1"});
        m_server.setSslConfiguration(tls);
        connect(&m_server, &QTcpServer::pendingConnectionAvailable, this, &TlsServer::takeConnection);
        listening = m_server.listen(QHostAddress::LocalHost);
    }

    [[nodiscard]] std::string url() const
    {
        return "https://127.0.0.1:" + std::to_string(m_server.serverPort()) + "/v1/chat/completions";
    }

    bool listening = false;
    int requests = 0;
    int connections = 0;
    QList<QByteArray> protocols; ///< that ALPN chose

private:
    void takeConnection()
    {
        while (QTcpSocket* const socket = m_server.nextPendingConnection()) {
            ++connections;
            protocols.append(static_cast<QSslSocket*>(socket)->sslConfiguration().nextNegotiatedProtocol());
            connect(socket, &QIODevice::readyRead, this, [this, socket] {
                answer(*socket);
            });
            answer(*socket);
        }
    }

    void answer(QTcpSocket& socket)
    {
        QByteArray& received = m_received[&socket];
        received += socket.readAll();
        if (received.endsWith('}')) { // the end of the body
            received.clear();
            ++requests;
            for (const Step& step : chatScript(2)) {
                socket.write(step.bytes.data(), static_cast<qint64>(step.bytes.size()));
            }
        }
    }

    QSslServer m_server;
    QHash<QTcpSocket*, QByteArray> m_received;
};

} // namespace

class TestClientTls : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void anAuthorityOfOnesOwnIsTrusted();
    void anUnknownAuthorityIsRefusedInWords();
    void insecureSkipsTheCheck();
    void http2IsNotOfferedUnlessAsked();

private:
    QTemporaryDir m_folder;
    QString m_caFile;
};

void TestClientTls::initTestCase()
{
    QVERIFY(QSslSocket::supportsSsl());
    m_caFile = m_folder.filePath(QStringLiteral("ca.pem"));
    QFile file(m_caFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(authority) > 0);
}

void TestClientTls::anAuthorityOfOnesOwnIsTrusted()
{
    TlsServer server;
    QVERIFY(server.listening);
    ClientFixture fixture;
    for (int i = 0; i < 2; ++i) {
        ClientRequest request = requestTo(server.url(), i);
        request.route.caFile = m_caFile;
        const auto timeline = fixture.run(std::move(request));
        QVERIFY(timeline);
        QVERIFY2(timeline->status == Status::Ok, timeline->error ? timeline->error->message.c_str() : "");
        QCOMPARE(timeline->reused, std::optional(i > 0));
        QCOMPARE(timeline->phases.connect.has_value(), i == 0);
        QVERIFY(!timeline->phases.tls); // part of connect
        QVERIFY(timeline->phases.send && *timeline->phases.send >= Stamp(0));
        QCOMPARE(*timeline->phases.queued + timeline->phases.connect.value_or(Stamp(0)) + *timeline->phases.send,
                 *timeline->zero - *timeline->marks.asked);
    }
    QCOMPARE(server.requests, 2);
    QCOMPARE(server.connections, 1);
}

void TestClientTls::anUnknownAuthorityIsRefusedInWords()
{
    TlsServer server;
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.maxRetries = 2; // no certificate gets better by itself
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Error);
    QCOMPARE(timeline->error->kind, ErrorKind::Transport);
    QCOMPARE(timeline->error->phase, std::optional(Phase::Tls));
    QVERIFY2(timeline->error->message.find("certificate") != std::string::npos, timeline->error->message.c_str());
    QVERIFY(timeline->error->message.find("caFile") != std::string::npos);
    QCOMPARE(timeline->attempts, 1);
    QVERIFY(!timeline->zero);
    QCOMPARE(server.requests, 0);
}

void TestClientTls::insecureSkipsTheCheck()
{
    TlsServer server;
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.route.insecure = true;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    // and only along that route
    const auto strict = fixture.run(requestTo(server.url(), 1));
    QVERIFY(strict);
    QCOMPARE(strict->status, Status::Error);
}

void TestClientTls::http2IsNotOfferedUnlessAsked()
{
    TlsServer server;
    ClientFixture fixture;
    ClientRequest request = requestTo(server.url());
    request.route.insecure = true;
    QVERIFY(fixture.run(std::move(request)));
    QCOMPARE(server.protocols, QList<QByteArray>{QByteArray()});
}

QTEST_GUILESS_MAIN(TestClientTls)

#include "tst_clienttls.moc"
