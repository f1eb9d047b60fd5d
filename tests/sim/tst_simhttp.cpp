// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QtTest>

#include "sim/simhttp.h"

using namespace tokenpace::sim;
using State = SimHttpReader::State;

class tst_simhttp : public QObject {
    Q_OBJECT

private slots:
    void requestsAreReadWholeAndByteByByte_data();
    void requestsAreReadWholeAndByteByByte();
    void pipelinedRequestsComeOneAfterTheOther();
    void continueIsAskedForOnce();
    void badInputFailsWithItsStatus_data();
    void badInputFailsWithItsStatus();
    void aReplyWithoutBodySaysItsLength();
    void chunksHaveHexadecimalSizes();
};

void tst_simhttp::requestsAreReadWholeAndByteByByte_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("keepAlive");
    QTest::newRow("length") << QByteArray("POST /p?q=1 HTTP/1.1\r\nHost: h\r\nX-Request-ID: id\r\n"
                                          "Content-Length: 5\r\n\r\nhello")
                            << QByteArray("hello") << true;
    QTest::newRow("chunked") << QByteArray("POST /p HTTP/1.1\r\nHost: h\r\nx-request-id: id\r\n"
                                           "Transfer-Encoding: chunked\r\n\r\n"
                                           "3\r\nhel\r\n2;x=1\r\nlo\r\n0\r\nT: t\r\n\r\n")
                             << QByteArray("hello") << true;
    QTest::newRow("close") << QByteArray("POST /p HTTP/1.1\r\nConnection: close\r\nX-Request-Id: id\r\n"
                                         "Content-Length: 0\r\n\r\n")
                           << QByteArray() << false;
    QTest::newRow("1.0") << QByteArray("POST /p HTTP/1.0\r\nX-Request-Id: id\r\nContent-Length: 1\r\n\r\nx")
                         << QByteArray("x") << false;
}

void tst_simhttp::requestsAreReadWholeAndByteByByte()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, body);
    QFETCH(bool, keepAlive);
    for (const bool whole : {true, false}) {
        SimHttpReader reader;
        QVERIFY(!reader.started());
        const std::string input = bytes.toStdString();
        if (whole) {
            reader.append(input);
        } else {
            for (const char byte : input) {
                QVERIFY(reader.parse() == State::Incomplete);
                reader.append({&byte, 1});
            }
        }
        QVERIFY(reader.parse() == State::Complete);
        const SimHttpRequest request = reader.take();
        QCOMPARE(request.method, std::string("POST"));
        QCOMPARE(request.path, std::string("/p"));
        QCOMPARE(request.requestId, std::string("id"));
        QCOMPARE(request.body, body.toStdString());
        QCOMPARE(request.keepAlive, keepAlive);
        QVERIFY(!reader.started());
    }
}

void tst_simhttp::pipelinedRequestsComeOneAfterTheOther()
{
    SimHttpReader reader;
    reader.append("GET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiGET /c HT");
    QVERIFY(reader.parse() == State::Complete);
    QCOMPARE(reader.take().path, std::string("/a"));
    QVERIFY(reader.parse() == State::Complete);
    const SimHttpRequest second = reader.take();
    QCOMPARE(second.path, std::string("/b"));
    QCOMPARE(second.body, std::string("hi"));
    QVERIFY(reader.parse() == State::Incomplete);
    QVERIFY(reader.started());
    reader.append("TP/1.1\r\n\r\n");
    QVERIFY(reader.parse() == State::Complete);
    QCOMPARE(reader.take().path, std::string("/c"));
}

void tst_simhttp::continueIsAskedForOnce()
{
    SimHttpReader reader;
    reader.append("POST /p HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    QVERIFY(reader.parse() == State::Incomplete);
    QVERIFY(reader.takeContinue());
    QVERIFY(!reader.takeContinue());
    reader.append("hi");
    QVERIFY(reader.parse() == State::Complete);
    QCOMPARE(reader.take().body, std::string("hi"));
    reader.append("POST /p HTTP/1.1\r\nContent-Length: 2\r\n\r\n");
    QVERIFY(reader.parse() == State::Incomplete);
    QVERIFY(!reader.takeContinue());
}

void tst_simhttp::badInputFailsWithItsStatus_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    QTest::newRow("not HTTP") << QByteArray::fromHex("1603010200010001fc0303") + " hello\r\n\r\n" << 400;
    QTest::newRow("bad length") << QByteArray("POST /p HTTP/1.1\r\nContent-Length: x\r\n\r\n") << 400;
    QTest::newRow("bad chunk") << QByteArray("POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") << 400;
    QTest::newRow("body too large") << QByteArray("POST /p HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n") << 413;
    QTest::newRow("header too large") << QByteArray("GET /p HTTP/1.1\r\nA: ") + QByteArray(70000, 'a') + "\r\n\r\n"
                                      << 431;
    QTest::newRow("endless chunk extension")
        << QByteArray("POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;") + QByteArray(70000, 'a') << 431;
}

void tst_simhttp::badInputFailsWithItsStatus()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, status);
    SimHttpReader reader;
    reader.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    QVERIFY(reader.parse() == State::Failed);
    QCOMPARE(reader.failureStatus(), status);
    QVERIFY(!reader.failureText().empty());
    reader.append("GET / HTTP/1.1\r\n\r\n");
    QVERIFY(reader.parse() == State::Failed);
}

void tst_simhttp::aReplyWithoutBodySaysItsLength()
{
    const std::string head = httpReply({.body = "hello", .extraHeaders = "A: b\r\n", .headOnly = true});
    QVERIFY(head.starts_with("HTTP/1.1 200 OK\r\n"));
    QVERIFY(head.find("\r\nContent-Length: 5\r\n") != std::string::npos);
    QVERIFY(head.find("\r\nA: b\r\n") != std::string::npos);
    QVERIFY(head.ends_with("\r\n\r\n"));
    QVERIFY(httpReply({.status = 204, .body = "x", .extraHeaders = {}}).find("Content-") == std::string::npos);
    QVERIFY(httpReply({.body = "x", .extraHeaders = {}, .keepAlive = false}).find("\r\nConnection: close\r\n")
            != std::string::npos);
}

void tst_simhttp::chunksHaveHexadecimalSizes()
{
    QCOMPARE(httpChunk("hello"), std::string("5\r\nhello\r\n"));
    QCOMPARE(httpChunk(std::string(26, 'a')), "1a\r\n" + std::string(26, 'a') + "\r\n");
}

QTEST_GUILESS_MAIN(tst_simhttp)
#include "tst_simhttp.moc"
