// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QFile>
#include <QSignalSpy>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>

#include "experiment/endpointcheck.h"
#include "support/tlsserver.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer

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
