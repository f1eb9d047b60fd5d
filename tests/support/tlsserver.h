// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QHash>
#include <QHostAddress>
#include <QList>
#include <QObject>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>

#include "support/scriptedserver.h"

namespace tokenpace::test {

// An authority, and a server's key with certificates that it signed: all made for tests alone, they protect
// nothing.
inline constexpr const char* authority = R"(-----BEGIN CERTIFICATE-----
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
inline constexpr const char* goodCertificate = R"(-----BEGIN CERTIFICATE-----
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
inline constexpr const char* expiredCertificate = R"(-----BEGIN CERTIFICATE-----
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
inline constexpr const char* futureCertificate = R"(-----BEGIN CERTIFICATE-----
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
inline constexpr const char* foreignCertificate = R"(-----BEGIN CERTIFICATE-----
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
inline constexpr const char* serverKey = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY/GTGxqoEeW3DoS8
Egl4smxQzmg11QYKzfXk6eLvSGKhRANCAASf0ZXEsP9Qq/DqTRBuidM9Kf2sm9Pd
a0tSpXU6/gA1NCSLyrFqsjnrA49pXzMlvT9fyY1azMKq/Z6N4BSJHLM0
-----END PRIVATE KEY-----
)";

/// Lists one model and answers each request with a short stream, over TLS. Lives on the thread of the test.
class TlsServer final : public QObject {
public:
    explicit TlsServer(const char* certificate = goodCertificate)
    {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificate(QSslCertificate(QByteArray(certificate)));
        tls.setPrivateKey(QSslKey(QByteArray(serverKey), QSsl::Ec));
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
        tls.setAllowedNextProtocols({"h2", "http/1.1"});
        m_server.setSslConfiguration(tls);
        connect(&m_server, &QTcpServer::pendingConnectionAvailable, this, &TlsServer::takeConnection);
        listening = m_server.listen(QHostAddress::LocalHost);
    }

    /// `https://127.0.0.1:PORT/v1`
    [[nodiscard]] QString url() const { return QStringLiteral("https://127.0.0.1:%1/v1").arg(m_server.serverPort()); }

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
        const bool get = received.startsWith("GET");
        if (!received.endsWith(get ? "\r\n\r\n" : "}")) { // the end of the body
            return;
        }
        received.clear();
        ++requests;
        const Script script = get ? Script{send(wholeReply(200, R"({"data":[{"id":"m"}]})"))} : chatScript(2);
        for (const Step& step : script) {
            socket.write(step.bytes.data(), static_cast<qint64>(step.bytes.size()));
        }
    }

    QSslServer m_server;
    QHash<QTcpSocket*, QByteArray> m_received;
};

} // namespace tokenpace::test
