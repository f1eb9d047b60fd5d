// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QSslSocket>
#include <QTemporaryDir>

#include "net/clientfixture.h"
#include "support/tlsserver.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

std::string chatUrl(const TlsServer& server)
{
    return server.url().toStdString() + "/chat/completions";
}

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
        ClientRequest request = requestTo(chatUrl(server), i);
        request.route.caFile = m_caFile;
        const auto timeline = fixture.run(std::move(request));
        QVERIFY(timeline);
        QVERIFY2(timeline->status == Status::Ok, timeline->error ? timeline->error->message.c_str() : "");
        QCOMPARE(timeline->reused, std::optional(i > 0));
        QCOMPARE(timeline->phases.connect.has_value(), i == 0);
        QCOMPARE(timeline->phases.tls.has_value(), measures() && i == 0); // else it is part of connect
        QVERIFY(timeline->phases.send && *timeline->phases.send >= Stamp(0));
        const Stamp known = *timeline->phases.queued + timeline->phases.connect.value_or(Stamp(0))
            + timeline->phases.tls.value_or(Stamp(0)) + *timeline->phases.send;
        const Stamp all = *timeline->zero - *timeline->marks.asked;
        // the measuring manager's phases begin a little after the lane gave it the request
        QVERIFY(measures() ? known <= all && known + lateAllowed >= all : known == all);
    }
    QCOMPARE(server.requests, 2);
    QCOMPARE(server.connections, 1);
}

void TestClientTls::anUnknownAuthorityIsRefusedInWords()
{
    TlsServer server;
    ClientFixture fixture;
    ClientRequest request = requestTo(chatUrl(server));
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
    ClientRequest request = requestTo(chatUrl(server));
    request.route.insecure = true;
    const auto timeline = fixture.run(std::move(request));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    // and only along that route
    const auto strict = fixture.run(requestTo(chatUrl(server), 1));
    QVERIFY(strict);
    QCOMPARE(strict->status, Status::Error);
}

void TestClientTls::http2IsNotOfferedUnlessAsked()
{
    TlsServer server;
    ClientFixture fixture;
    ClientRequest request = requestTo(chatUrl(server));
    request.route.insecure = true;
    QVERIFY(fixture.run(std::move(request)));
    QCOMPARE(server.protocols, QList<QByteArray>{measures() ? QByteArray("http/1.1") : QByteArray()});
}

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return runWithBothManagers<TestClientTls>(argc, argv);
}

#include "tst_clienttls.moc"
