// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QFile>
#include <QHash>
#include <QSignalSpy>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>

#include "experiment/endpointcheck.h"
#include "support/scriptedserver.h"

using namespace tokenpace;

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer

// An authority, and a server's key with certificates that it signed: all made for this test alone, they protect
// nothing.
constexpr const char* authority = R"(-----BEGIN CERTIFICATE-----
MIIBaTCCAQ+gAwIBAgIBEDAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMCMxITAfBgNVBAMMGFRva2VucGFjZSB0ZXN0IGF1dGhvcml0eTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABCCMqjsg6LSMogLzh60punhquMWj5RqP5OJRwkdg
/fkc4OlbiXcgdacSIWt/7sdYMkQ9mfIIwAdHJsqDigTnMOajMjAwMA8GA1UdEwEB
/wQFMAMBAf8wHQYDVR0OBBYEFC6tAT6lmxDhnF9ltjPQtVYtop42MAoGCCqGSM49
BAMCA0gAMEUCIQDQ4Lu2izDNutg9xJy36ain5litLXE/HjFTZ+MSABs1WAIgaRak
BiUu5KMV+wWFkcvnhO9F56LoUR2dpZAXrGsWgzo=
-----END CERTIFICATE-----
)";
constexpr const char* goodCertificate = R"(-----BEGIN CERTIFICATE-----
MIIBkjCCATegAwIBAgIBETAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABJ/RlcSw/1Cr8OpNEG6J0z0p/ayb091rS1KldTr+ADU0JIvKsWqyOesDj2lf
MyW9P1/JjVrMwqr9no3gFIkcszSjaTBnMAkGA1UdEwQCMAAwGgYDVR0RBBMwEYIJ
bG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBRvITa+/nt2sMTI5qfWAROg9aXeZzAf
BgNVHSMEGDAWgBQurQE+pZsQ4ZxfZbYz0LVWLaKeNjAKBggqhkjOPQQDAgNJADBG
AiEAo6szVXqF04TkjILqDzCE1ly5GyB5ySOENsXbAo1KqX0CIQCuuRhtujic+P/v
+Vsz5HISTZ6fw0SDHke2/hYIDNrXqg==
-----END CERTIFICATE-----
)";
constexpr const char* expiredCertificate = R"(-----BEGIN CERTIFICATE-----
MIIBkDCCATWgAwIBAgIBEjAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAw
WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASf0ZXEsP9Qq/DqTRBuidM9Kf2sm9Pda0tSpXU6/gA1NCSLyrFqsjnrA49pXzMl
vT9fyY1azMKq/Z6N4BSJHLM0o2kwZzAJBgNVHRMEAjAAMBoGA1UdEQQTMBGCCWxv
Y2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUbyE2vv57drDEyOan1gEToPWl3mcwHwYD
VR0jBBgwFoAULq0BPqWbEOGcX2W2M9C1Vi2injYwCgYIKoZIzj0EAwIDSQAwRgIh
APtS2fvpg2mfwjbKWkHC7phSLev0xwhpYSAbSNOwJgS/AiEAhIJ59aAbJy+2t1Ii
jD2XdBYyQKCdygD0jSEmzj4WLuk=
-----END CERTIFICATE-----
)";
constexpr const char* futureCertificate = R"(-----BEGIN CERTIFICATE-----
MIIBlDCCATmgAwIBAgIBEzAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIhgPMjEwMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAw
MDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEn9GVxLD/UKvw6k0QbonTPSn9rJvT3WtLUqV1Ov4ANTQki8qxarI56wOP
aV8zJb0/X8mNWszCqv2ejeAUiRyzNKNpMGcwCQYDVR0TBAIwADAaBgNVHREEEzAR
gglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYEFG8hNr7+e3awxMjmp9YBE6D1pd5n
MB8GA1UdIwQYMBaAFC6tAT6lmxDhnF9ltjPQtVYtop42MAoGCCqGSM49BAMCA0kA
MEYCIQDOAadm5KD90tnlQF8GYxUpdPrKQ2KHbN1/2Z//Jkq/rgIhAKiiJzAGEyxV
2lk2LqYxElAZ8mIjTNtIk0mFrBQF8VM1
-----END CERTIFICATE-----
)";
constexpr const char* foreignCertificate = R"(-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIBFDAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUb2tlbnBh
Y2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEn9GVxLD/UKvw6k0QbonTPSn9rJvT3WtLUqV1Ov4ANTQki8qx
arI56wOPaV8zJb0/X8mNWszCqv2ejeAUiRyzNKNrMGkwCQYDVR0TBAIwADAcBgNV
HREEFTATghFlbHNld2hlcmUuZXhhbXBsZTAdBgNVHQ4EFgQUbyE2vv57drDEyOan
1gEToPWl3mcwHwYDVR0jBBgwFoAULq0BPqWbEOGcX2W2M9C1Vi2injYwCgYIKoZI
zj0EAwIDSAAwRQIhAMdNMBYIiWGoxjEjj5wpOTxTqCzJEKIr2TiFWfYKvAo5AiAm
a5xr+lQsKGBnS+GT0sSClc60SSjk84YiVcYAn+L2sA==
-----END CERTIFICATE-----
)";
constexpr const char* serverKey = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY/GTGxqoEeW3DoS8
Egl4smxQzmg11QYKzfXk6eLvSGKhRANCAASf0ZXEsP9Qq/DqTRBuidM9Kf2sm9Pd
a0tSpXU6/gA1NCSLyrFqsjnrA49pXzMlvT9fyY1azMKq/Z6N4BSJHLM0
-----END PRIVATE KEY-----
)";

/// Lists one model and answers each request with a short stream, over TLS. Lives on the thread of the test.
class TlsServer final : public QObject {
public:
    explicit TlsServer(const char* certificate)
    {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificate(QSslCertificate(QByteArray(certificate)));
        tls.setPrivateKey(QSslKey(QByteArray(serverKey), QSsl::Ec));
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
        m_server.setSslConfiguration(tls);
        connect(&m_server, &QTcpServer::pendingConnectionAvailable, this, &TlsServer::takeConnection);
        listening = m_server.listen(QHostAddress::LocalHost);
    }

    [[nodiscard]] QString url() const { return QStringLiteral("https://127.0.0.1:%1/v1").arg(m_server.serverPort()); }

    bool listening = false;
    int requests = 0;

private:
    void takeConnection()
    {
        while (QTcpSocket* const socket = m_server.nextPendingConnection()) {
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
        const bool get = received.startsWith("GET");
        if (!received.endsWith(get ? "\r\n\r\n" : "}")) {
            return;
        }
        received.clear();
        ++requests;
        const test::Script script =
            get ? test::Script{test::send(test::wholeReply(200, R"({"data":[{"id":"m"}]})"))} : test::chatScript(2);
        for (const test::Step& step : script) {
            socket.write(step.bytes.data(), static_cast<qint64>(step.bytes.size()));
        }
    }

    QSslServer m_server;
    QHash<QTcpSocket*, QByteArray> m_received;
};

EndpointSettings endpointAt(const QString& url)
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("e");
    endpoint.baseUrl = url;
    return endpoint;
}

std::unique_ptr<EndpointCheck> checked(const EndpointSettings& endpoint)
{
    auto check = std::make_unique<EndpointCheck>(endpoint, QStringLiteral("m"));
    QSignalSpy finished(check.get(), &EndpointCheck::finished);
    check->start();
    return finished.wait(longWaitMs) ? std::move(check) : nullptr;
}

CheckStep tlsStep(const EndpointCheck& check)
{
    for (const CheckStep& step : check.steps()) {
        if (step.id == QStringLiteral("tls")) {
            return step;
        }
    }
    return {};
}

} // namespace

class TestCheckTls final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aBadCertificateIsNamedWithWhatToDo_data();
    void aBadCertificateIsNamedWithWhatToDo();
    void anAuthorityOfOnesOwnIsTrusted();
    void insecureIsNotedWithWhatIsWrong();
    void aServerWithoutTlsIsRecognised();
    void aFileWithoutAnAuthorityIsSaid();

private:
    QTemporaryDir m_folder;
    QString m_caFile;
};

void TestCheckTls::initTestCase()
{
    QVERIFY(QSslSocket::supportsSsl());
    m_caFile = m_folder.filePath(QStringLiteral("ca.pem"));
    QFile file(m_caFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(authority) > 0);
}

void TestCheckTls::aBadCertificateIsNamedWithWhatToDo_data()
{
    QTest::addColumn<QByteArray>("certificate");
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<QString>("inMessage");
    QTest::addColumn<QString>("inFix");
    QTest::newRow("unknown authority") << QByteArray(goodCertificate) << false
                                       << QStringLiteral("\"Tokenpace test authority\", is not known")
                                       << QStringLiteral("\"caFile\"");
    QTest::newRow("expired") << QByteArray(expiredCertificate) << true << QStringLiteral("expired on 2021-01-01")
                             << QStringLiteral("Renew");
    QTest::newRow("not yet valid") << QByteArray(futureCertificate) << true
                                   << QStringLiteral("not valid before 2100-01-01") << QStringLiteral("clock");
    QTest::newRow("wrong host") << QByteArray(foreignCertificate) << true
                                << QStringLiteral("for elsewhere.example, not for 127.0.0.1")
                                << QStringLiteral("\"baseUrl\"");
    QTest::newRow("expired, of an unknown authority")
        << QByteArray(expiredCertificate) << false << QStringLiteral("expired on") << QStringLiteral("Renew");
}

void TestCheckTls::aBadCertificateIsNamedWithWhatToDo()
{
    QFETCH(QByteArray, certificate);
    QFETCH(bool, trusted);
    QFETCH(QString, inMessage);
    QFETCH(QString, inFix);
    const TlsServer server(certificate.constData());
    QVERIFY(server.listening);
    EndpointSettings endpoint = endpointAt(server.url());
    endpoint.caFile = trusted ? m_caFile : QString();
    const auto check = checked(endpoint);
    QVERIFY(check);
    const CheckStep step = tlsStep(*check);
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.message.contains(inMessage), qPrintable(step.message));
    QVERIFY2(step.fix.contains(inFix), qPrintable(step.fix));
    QVERIFY(!step.change); // trusting more is for a person to decide
    QCOMPARE(server.requests, 0);
}

void TestCheckTls::anAuthorityOfOnesOwnIsTrusted()
{
    const TlsServer server(goodCertificate);
    QVERIFY(server.listening);
    EndpointSettings endpoint = endpointAt(server.url());
    endpoint.caFile = m_caFile;
    const auto check = checked(endpoint);
    QVERIFY(check);
    const CheckStep step = tlsStep(*check);
    QVERIFY2(check->ok(), qPrintable(step.message));
    QVERIFY2(step.message.contains(QStringLiteral("certificate by Tokenpace test authority, valid until 2120-01-01")),
             qPrintable(step.message));
    QCOMPARE(server.requests, 5);
}

void TestCheckTls::insecureIsNotedWithWhatIsWrong()
{
    const TlsServer server(foreignCertificate);
    QVERIFY(server.listening);
    EndpointSettings endpoint = endpointAt(server.url());
    endpoint.caFile = m_caFile;
    endpoint.insecure = true;
    const auto check = checked(endpoint);
    QVERIFY(check);
    QVERIFY(check->ok());
    const CheckStep step = tlsStep(*check);
    QCOMPARE(step.state, CheckState::Noted);
    QVERIFY2(step.message.contains(QStringLiteral("elsewhere.example")), qPrintable(step.message));
    QVERIFY(step.fix.contains(QStringLiteral("\"insecure\"")));
}

void TestCheckTls::aServerWithoutTlsIsRecognised()
{
    const test::ScriptedServer server([](const test::ReceivedRequest&, int) {
        return test::Script{test::send(test::wholeReply(400, "no"))};
    });
    // It would wait for the end of a request's head: the limit ends that.
    EndpointSettings endpoint = endpointAt(QStringLiteral("https://127.0.0.1:%1/v1").arg(server.port()));
    endpoint.request.connectTimeoutMs = 300;
    const auto check = checked(endpoint);
    QVERIFY(check);
    const CheckStep step = tlsStep(*check);
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.fix.contains(QStringLiteral("http://")), qPrintable(step.fix));
    QVERIFY(step.change);
    QCOMPARE(step.change->key, QStringLiteral("baseUrl"));
}

void TestCheckTls::aFileWithoutAnAuthorityIsSaid()
{
    const TlsServer server(goodCertificate);
    EndpointSettings endpoint = endpointAt(server.url());
    endpoint.caFile = m_folder.filePath(QStringLiteral("none.pem"));
    const auto check = checked(endpoint);
    QVERIFY(check);
    const CheckStep step = tlsStep(*check);
    QCOMPARE(step.state, CheckState::Failed);
    QVERIFY2(step.message.contains(QStringLiteral("none.pem")), qPrintable(step.message));
}

QTEST_GUILESS_MAIN(TestCheckTls)
#include "tst_checktls.moc"
