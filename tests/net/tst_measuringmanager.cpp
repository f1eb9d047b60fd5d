// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <functional>
#include <random>

#include <QBuffer>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include "net/clientfixture.h"
#include "net/faultservers.h"
#include "net/replytrace.h"
#include "net/stamps.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

class TestMeasuringManager : public QObject {
    Q_OBJECT
private slots:
    void oneByteASegmentIsReadRight();
    void aReadNeverCrossesAStamp();
    void theStampsAreTheServers();
    void linesAreReadAcrossChunks();
    void anAnswerBeforeTheWholeRequestIsRead();
    void aSlowReaderGetsTheWholeBody();
    void itCanBeCancelledInEachPhase_data();
    void itCanBeCancelledInEachPhase();
    void aReplyMayBeDeletedInAnySlot();
    void whatCannotBeSentFailsLater();
    void aTransferTimeoutEndsIt();
    void manyMutatedRepliesAllEnd();
};

void TestMeasuringManager::oneByteASegmentIsReadRight()
{
    std::string all;
    for (const Step& step : chatScript(1)) {
        all += step.bytes;
    }
    Script script;
    for (const char byte : all) {
        script.push_back(send(std::string(1, byte)));
    }
    ScriptedServer server({script});
    managerUnderTest = Route::ManagerKind::Measuring;
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QCOMPARE(timeline->status, Status::Ok);
    QCOMPARE(timeline->text, std::string("w0 "));
}

void TestMeasuringManager::aReadNeverCrossesAStamp()
{
    ScriptedServer server({chatScript(3, 20ms, 20ms)});
    const MadeManager made({}, Route::ManagerKind::Measuring, urlOf(server));
    QNetworkReply* const reply = made.access().post(plainRequest(urlOf(server)), QByteArray("{}"));
    QSignalSpy finished(reply, &QNetworkReply::finished);
    QVERIFY(finished.wait(longWaitMs)); // nothing is read before the end
    std::vector<Stamp> stamps;
    while (reply->bytesAvailable() > 0) {
        char buffer[65536];
        QVERIFY(reply->read(buffer, sizeof buffer) > 0);
        stamps.push_back(arrivalOf(*reply, Stamp(0)));
    }
    QVERIFY(stamps.size() >= 3);
    QVERIFY(std::is_sorted(stamps.begin(), stamps.end()));
    const auto sent = server.requests().at(0).sentAt;
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(isWithin(stamps[i], sent[i + 1]));
        QVERIFY(i == 2 || stamps[i] < sent[i + 2]); // though all was read at the end
    }
}

void TestMeasuringManager::theStampsAreTheServers()
{
#ifdef Q_OS_LINUX
    ScriptedServer server({chatScript(10, 20ms, 5ms)});
    managerUnderTest = Route::ManagerKind::Measuring;
    ClientFixture fixture;
    const auto timeline = fixture.run(requestTo(server.url()));
    QVERIFY(timeline);
    QVERIFY(timeline->kernelStamps);
    QVERIFY(!timeline->flags.has(Flag::CoarseStamp));
    const auto sent = server.requests().at(0).sentAt;
    for (std::size_t i = 0; i < timeline->arrivals.size(); ++i) {
        QVERIFY(isWithin(timeline->arrivals[i], sent.at(i + 1)));
    }
    QVERIFY(*timeline->marks.headers >= *timeline->zero);
#endif
}

void TestMeasuringManager::linesAreReadAcrossChunks()
{
    ScriptedServer server({Script{send(streamHead()), send(chunk("one ")), send(chunk("line\ntwo"), 20ms),
                                  send(chunk("\nthree") + lastChunk(), 20ms)}});
    const MadeManager made({}, Route::ManagerKind::Measuring, urlOf(server));
    QNetworkReply* const reply = made.access().post(plainRequest(urlOf(server)), QByteArray("{}"));
    QSignalSpy finished(reply, &QNetworkReply::finished);
    QVERIFY(finished.wait(longWaitMs));
    QVERIFY(reply->canReadLine());
    QCOMPARE(reply->peek(3), QByteArray("one"));
    QCOMPARE(reply->bytesAvailable(), 18);
    QCOMPARE(reply->readLine(), QByteArray("one line\n"));
    QCOMPARE(reply->readLine(), QByteArray("two\n"));
    QVERIFY(!reply->canReadLine());
    QCOMPARE(reply->readLine(), QByteArray("three"));
    QCOMPARE(reply->bytesAvailable(), 0);
}

void TestMeasuringManager::anAnswerBeforeTheWholeRequestIsRead()
{
    // it answers at the first bytes, and reads no more
    ByteServer server([] {
        return std::string("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
    });
    const QUrl url(QStringLiteral("http://127.0.0.1:%1/").arg(server.port));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray(20'000'000, 'x'));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    // the reset that follows may overtake the answer
    QVERIFY(reply->error() != QNetworkReply::NoError);
}

void TestMeasuringManager::aSlowReaderGetsTheWholeBody()
{
    ScriptedServer server(
        [](const ReceivedRequest&, int) {
            return Script{send(wholeReply(200, "{}"))};
        },
        ScriptedServer::Options{200ms, true});
    const MadeManager made({}, Route::ManagerKind::Measuring, urlOf(server));
    QNetworkReply* const reply = made.access().post(plainRequest(urlOf(server)), QByteArray(20'000'000, 'x'));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    QCOMPARE(reply->error(), QNetworkReply::NoError);
    QCOMPARE(server.requests().at(0).body.size(), std::size_t(20'000'000));
    QVERIFY(phasesOf(*reply)->send > Stamp(100ms));
}

void TestMeasuringManager::itCanBeCancelledInEachPhase_data()
{
    QTest::addColumn<QString>("phase");
    for (const char* const phase : {"at once", "connecting", "tls", "sending", "waiting", "headers", "body"}) {
        QTest::newRow(phase) << QString::fromLatin1(phase);
    }
}

void TestMeasuringManager::itCanBeCancelledInEachPhase()
{
    QFETCH(const QString, phase);
    const bool deaf = phase == u"tls" || phase == u"sending";
    ScriptedServer server(
        [](const ReceivedRequest&, int) {
            return Script{send(streamHead(), 50ms), send(chunk(textEvent("a")), 50ms), stall()};
        },
        ScriptedServer::Options{0ms, !deaf});
    QUrl url = urlOf(server);
    url.setScheme(phase == u"tls" ? QStringLiteral("https") : QStringLiteral("http"));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    QNetworkReply* const reply =
        made.access().post(plainRequest(url), QByteArray(phase == u"sending" ? 20'000'000 : 2, 'x'));
    QSignalSpy finished(reply, &QNetworkReply::finished);
    if (phase == u"at once") {
        reply->abort();
    } else if (phase == u"connecting") {
        connect(reply, &QNetworkReply::socketStartedConnecting, reply, &QNetworkReply::abort);
    } else if (phase == u"tls") {
        QVERIFY(QTest::qWaitFor([&] {
            return server.connectionCount() == 1;
        }));
        reply->abort();
    } else if (phase == u"sending") {
        connect(reply, &QNetworkReply::uploadProgress, reply, &QNetworkReply::abort);
    } else if (phase == u"waiting") {
        connect(reply, &QNetworkReply::requestSent, reply, &QNetworkReply::abort);
    } else if (phase == u"headers") {
        connect(reply, &QNetworkReply::metaDataChanged, reply, &QNetworkReply::abort);
    } else {
        connect(reply, &QNetworkReply::readyRead, reply, &QNetworkReply::abort);
    }
    QVERIFY(!finished.isEmpty() || finished.wait(longWaitMs));
    QCOMPARE(reply->error(), QNetworkReply::OperationCanceledError);
    QCoreApplication::processEvents();
    QCOMPARE(finished.size(), 1);
    // the manager is as good as new
    ScriptedServer good({chatScript(1)});
    QNetworkReply* const next = made.access().post(plainRequest(urlOf(good)), QByteArray("{}"));
    Trace trace(next);
    QVERIFY(waitUntilOver(trace));
    QCOMPARE(next->error(), QNetworkReply::NoError);
}

void TestMeasuringManager::aReplyMayBeDeletedInAnySlot()
{
    ScriptedServer server({chatScript(2, 5ms, 5ms)});
    const QUrl url = urlOf(server);
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    using Signal = void (QNetworkReply::*)();
    for (const Signal signal : {Signal(&QNetworkReply::socketStartedConnecting), Signal(&QNetworkReply::requestSent),
                                Signal(&QNetworkReply::metaDataChanged), Signal(&QNetworkReply::readyRead),
                                Signal(&QNetworkReply::readChannelFinished), Signal(&QNetworkReply::finished)}) {
        made.pool->closeIdle(0ms);
        QPointer<QNetworkReply> reply = made.access().post(plainRequest(url), QByteArray("{}"));
        connect(reply, signal, this, [&reply] {
            delete reply.data();
        });
        QVERIFY(QTest::qWaitFor(
            [&] {
                return !reply;
            },
            longWaitMs));
    }
}

void TestMeasuringManager::whatCannotBeSentFailsLater()
{
    const QUrl url(QStringLiteral("http://127.0.0.1:1/"));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    QNetworkRequest injecting = plainRequest(url);
    injecting.setRawHeader("X-A", "1\r\nX-B: 2");
    QBuffer closed;
    const QList<std::function<QNetworkReply*()>> posts{
        [&] {
            return made.access().post(injecting, QByteArray("{}"));
        },
        [&] {
            return made.access().post(plainRequest(url), &closed);
        },
        [&] {
            return made.access().post(plainRequest(QUrl(QStringLiteral("ftp://h/"))), QByteArray("{}"));
        },
    };
    for (const auto& post : posts) {
        QNetworkReply* const reply = post();
        QVERIFY(!reply->isFinished());
        Trace trace(reply);
        QVERIFY(waitUntilOver(trace));
        QVERIFY(reply->error() != QNetworkReply::NoError);
        QVERIFY(!reply->errorString().isEmpty());
    }
}

void TestMeasuringManager::aTransferTimeoutEndsIt()
{
    ScriptedServer server({Script{send(streamHead()), stall()}});
    const MadeManager made({}, Route::ManagerKind::Measuring, urlOf(server));
    made.access().setTransferTimeout(100);
    QNetworkReply* const reply = made.access().post(plainRequest(urlOf(server)), QByteArray("{}"));
    Trace trace(reply);
    QVERIFY(waitUntilOver(trace));
    QCOMPARE(reply->error(), QNetworkReply::OperationCanceledError);
}

void TestMeasuringManager::manyMutatedRepliesAllEnd()
{
    constexpr int wanted = 10'000;
    constexpr int atOnce = 16;
    constexpr qint64 watchdogMs = 240'000;
    std::mt19937 random(11); // of the server's thread alone
    const std::vector<std::string> seeds{
        streamHead() + chunk(textEvent("a")) + chunk(finishEvent() + doneEvent()) + lastChunk(),
        wholeReply(200, "{\"a\":1}"), "HTTP/1.1 100 Continue\r\n\r\n" + wholeReply(500, "{}"),
        std::string("HTTP/1.0 200 OK\r\n\r\nuntil close")};
    const auto below = [](std::mt19937& from, std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(from);
    };
    ByteServer server([&] {
        std::string bytes = seeds[below(random, seeds.size())];
        for (std::size_t n = below(random, 3); n > 0; --n) {
            bytes[below(random, bytes.size())] = static_cast<char>(below(random, 256));
        }
        bytes.resize(below(random, bytes.size() + 1));
        return bytes;
    });
    const QUrl url(QStringLiteral("http://127.0.0.1:%1/").arg(server.port));
    const MadeManager made({}, Route::ManagerKind::Measuring, url);
    std::mt19937 choice(12);
    int started = 0;
    int ended = 0;
    const auto begin = [&] {
        ++started;
        QNetworkReply* const reply = made.access().post(plainRequest(url), QByteArray("{}"));
        connect(reply, &QObject::destroyed, this, [&ended] {
            ++ended;
        });
        connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
        switch (below(choice, 8)) {
        case 0:
            connect(reply, &QNetworkReply::metaDataChanged, reply, &QNetworkReply::abort);
            break;
        case 1:
            connect(reply, &QNetworkReply::readyRead, reply, &QNetworkReply::close);
            break;
        case 2:
            connect(reply, &QNetworkReply::readyRead, reply, &QObject::deleteLater);
            break;
        case 3:
            connect(reply, &QNetworkReply::requestSent, this, [reply] {
                delete reply;
            });
            break;
        default:
            connect(reply, &QNetworkReply::readyRead, reply, [reply] {
                reply->readAll();
            });
            break;
        }
    };
    QElapsedTimer watchdog;
    watchdog.start();
    while (ended < wanted) {
        while (started < wanted && started - ended < atOnce) {
            begin();
        }
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY2(watchdog.elapsed() < watchdogMs, qPrintable(QStringLiteral("%1 ended").arg(ended)));
    }
}

QTEST_GUILESS_MAIN(TestMeasuringManager)

#include "tst_measuringmanager.moc"
