// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "net/faultservers.h"
#include "net/replytrace.h"
#include "net/stamps.h"
#include "support/tlsserver.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

/// How the measuring manager gets to a server: names, addresses, TLS, proxies.
class TestMeasuringRoutes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aServerOnIPv6AloneIsReached();
    void aNameIsLookedUpAndForgotten();
    void anUnknownHostIsAnError();
    void aRefusedConnectionIsAnError();
    void aCertificateFaultIsPutIntoWords_data();
    void aCertificateFaultIsPutIntoWords();
    void secureConnectionsAreKeptAndMadeAnew();
    void httpsGoesThroughATunnel();
    void aRefusedTunnelIsAnError();
    void httpThroughAProxyIsInAbsoluteForm();
    void anEndpointCanBeForgotten();

private:
    QTemporaryDir m_folder;
    Route m_trusting = measured();
};

void TestMeasuringRoutes::initTestCase()
{
    m_trusting.caFile = m_folder.filePath(QStringLiteral("ca.pem"));
    QFile file(m_trusting.caFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(authority) > 0);
}

void TestMeasuringRoutes::aServerOnIPv6AloneIsReached()
{
    ByteServer server(
        [] {
            return wholeReply(200, "{}");
        },
        AF_INET6);
    if (!server.listening) { // no IPv6 on this machine: then that is what has to be said
        const QUrl url(QStringLiteral("http://[::1]:9/"));
        const MadeManager made({}, Route::ManagerKind::Measuring, url);
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QVERIFY(reply->error() != QNetworkReply::NoError);
        QVERIFY(!reply->errorString().isEmpty());
        return;
    }
    for (const QString& host : {QStringLiteral("[::1]"), QStringLiteral("localhost")}) {
        const QUrl url(QStringLiteral("http://%1:%2/").arg(host).arg(server.port));
        const MadeManager made({}, Route::ManagerKind::Measuring, url);
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        if (reply->error() == QNetworkReply::ConnectionRefusedError && host == u"localhost") {
            continue; // that name means IPv4 alone here
        }
        QCOMPARE(reply->error(), QNetworkReply::NoError);
    }
}

void TestMeasuringRoutes::aNameIsLookedUpAndForgotten()
{
    ScriptedServer server({Script{send(wholeReply(200, "{}", {{"Connection", "close"}}))}});
    const QUrl url(QStringLiteral("http://localhost:%1/").arg(server.port()));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    const auto lookedUp = [&] {
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        return waitUntilOver(trace) && reply->error() == QNetworkReply::NoError
            ? std::optional(phasesOf(*reply)->dns.has_value())
            : std::nullopt;
    };
    QCOMPARE(lookedUp(), std::optional(true));
    QCOMPARE(lookedUp(), std::optional(false));
    made.pool->forget(QStringLiteral("localhost"));
    QCOMPARE(lookedUp(), std::optional(true));
}

void TestMeasuringRoutes::anUnknownHostIsAnError()
{
    const QUrl url(QStringLiteral("http://nowhere.invalid/"));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    QCOMPARE(reply->error(), QNetworkReply::HostNotFoundError);
    QVERIFY(reply->errorString().contains(u"nowhere.invalid"));
}

void TestMeasuringRoutes::aRefusedConnectionIsAnError()
{
    for (const char* const host : {"127.0.0.1", "localhost"}) {
        const QUrl url(QStringLiteral("http://%1:%2/").arg(QLatin1String(host)).arg(ScriptedServer::closedPort()));
        const MadeManager made({}, Route::ManagerKind::Measuring, url);
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QCOMPARE(reply->error(), QNetworkReply::ConnectionRefusedError);
    }
}

void TestMeasuringRoutes::aCertificateFaultIsPutIntoWords_data()
{
    QTest::addColumn<QByteArray>("certificate");
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown authority") << QByteArray(goodCertificate) << false << QStringLiteral("issuer certificate");
    QTest::newRow("expired") << QByteArray(expiredCertificate) << true << QStringLiteral("certificate has expired");
    QTest::newRow("not yet valid") << QByteArray(futureCertificate) << true << QStringLiteral("not yet valid");
    QTest::newRow("another host") << QByteArray(foreignCertificate) << true << QStringLiteral("mismatch");
    QTest::newRow("good") << QByteArray(goodCertificate) << true << QString();
}

void TestMeasuringRoutes::aCertificateFaultIsPutIntoWords()
{
    QFETCH(const QByteArray, certificate);
    QFETCH(const bool, trusted);
    QFETCH(const QString, words);
    TlsServer server(certificate.constData());
    for (const char* const host : {"127.0.0.1", "localhost"}) {
        QUrl url(server.url());
        url.setHost(QString::fromLatin1(host));
        const MadeManager made(trusted ? m_trusting : measured(), Route::ManagerKind::Measuring, url);
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QCOMPARE(reply->error(), words.isEmpty() ? QNetworkReply::NoError : QNetworkReply::SslHandshakeFailedError);
        QVERIFY2(words.isEmpty() || reply->errorString().contains(words), qPrintable(reply->errorString()));
        QCOMPARE(phasesOf(*reply)->tls.has_value(), words.isEmpty());
    }
}

void TestMeasuringRoutes::secureConnectionsAreKeptAndMadeAnew()
{
    TlsServer server;
    const QUrl url(server.url());
    const MadeManager made(m_trusting, Route::ManagerKind::Measuring, url);
    for (int i = 0; i < 4; ++i) {
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QCOMPARE(reply->error(), QNetworkReply::NoError);
        QVERIFY(trace.body.contains("w0 "));
        if (i % 2 == 1) {
            made.pool->closeIdle(0ms); // the next one may resume the session
        }
    }
    QCOMPARE(server.connections, 2);
    QCOMPARE(server.requests, 4);
}

void TestMeasuringRoutes::httpsGoesThroughATunnel()
{
    TlsServer server;
    const TunnelProxy proxy(static_cast<quint16>(QUrl(server.url()).port()));
    const QUrl url = QUrl(QStringLiteral("https://localhost:443/v1"));
    Route route = m_trusting;
    route.proxyMode = Route::ProxyMode::Url;
    route.proxy = proxy.url();
    const MadeManager made(route, Route::ManagerKind::Measuring, url);
    QCOMPARE(made.manager.name, std::string("measuring"));
    QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    QVERIFY2(reply->error() == QNetworkReply::NoError, qPrintable(reply->errorString()));
    QVERIFY(trace.body.contains("w0 "));
    QVERIFY(proxy.asked.startsWith("CONNECT localhost:443 HTTP/1.1\r\n"));
    QVERIFY(proxy.asked.contains("Proxy-Authorization: Basic " + QByteArray("me:pw").toBase64()));
}

void TestMeasuringRoutes::aRefusedTunnelIsAnError()
{
    const QUrl url = QUrl(QStringLiteral("https://localhost:443/v1"));
    for (const auto& [answer, code] :
         {std::pair(QByteArray("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
                    QNetworkReply::ProxyAuthenticationRequiredError),
          std::pair(QByteArray("HTTP/1.1 502 Bad Gateway\r\n\r\n"), QNetworkReply::UnknownProxyError),
          std::pair(QByteArray("what?\r\n\r\n"), QNetworkReply::UnknownProxyError)}) {
        const TunnelProxy proxy(1, answer);
        Route route = m_trusting;
        route.proxyMode = Route::ProxyMode::Url;
        route.proxy = proxy.url();
        const MadeManager made(route, Route::ManagerKind::Measuring, url);
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QCOMPARE(reply->error(), code);
    }
}

void TestMeasuringRoutes::httpThroughAProxyIsInAbsoluteForm()
{
    ScriptedServer proxy({chatScript(1)});
    const QUrl url(QStringLiteral("http://llm.invalid:81/v1?a=b"));
    Route route = measured();
    route.proxyMode = Route::ProxyMode::Url;
    route.proxy = QUrl(QStringLiteral("http://me:pw@127.0.0.1:%1").arg(proxy.port()));
    const MadeManager made(route, Route::ManagerKind::Measuring, url);
    QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    QCOMPARE(reply->error(), QNetworkReply::NoError);
    QCOMPARE(proxy.requests().at(0).target, std::string("http://llm.invalid:81/v1?a=b"));
    QCOMPARE(proxy.requests().at(0).header("Host"), std::string("llm.invalid:81"));
    QCOMPARE(proxy.requests().at(0).header("Proxy-Authorization"), std::string("Basic bWU6cHc="));
}

void TestMeasuringRoutes::anEndpointCanBeForgotten()
{
    ScriptedServer server({chatScript(1)});
    const QUrl url = urlOf(server);
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    for (int i = 0; i < 3; ++i) {
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        if (i == 1) {
            made.pool->forget(url.host());
        }
    }
    QCOMPARE(server.connectionCount(), 2);
}

QTEST_GUILESS_MAIN(TestMeasuringRoutes)

#include "tst_measuringroutes.moc"
