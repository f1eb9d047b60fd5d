// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "net/outgoing.h"
#include "net/replyheaders.h"
#include "net/transporterror.h"

using namespace tokenpace;
using namespace std::chrono_literals;

class TestReplyHeaders : public QObject {
    Q_OBJECT
private slots:
    void theWaitIsReadInEveryForm_data();
    void theWaitIsReadInEveryForm();
    void millisecondsGoBeforeSeconds();
    void onlyAllowedHeadersAreKept();
    void theRequestIdIsFound();
    void aRedirectIsShownInFullWithoutSecrets();
    void aClockThatWasSetIsNoticed();
    void placesHaveHostAndPort();
    void contentErrorsAreNotTheTransports();
};

void TestReplyHeaders::theWaitIsReadInEveryForm_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<double>("waitMs"); // -1: none
    QTest::newRow("seconds") << QByteArray("2") << 2000.0;
    QTest::newRow("zero") << QByteArray("0") << 0.0;
    QTest::newRow("blanks") << QByteArray(" 3 ") << 3000.0;
    QTest::newRow("decimals") << QByteArray("1.5") << 1500.0;
    QTest::newRow("date") << QByteArray("Thu, 01 Jan 2026 00:00:10 GMT") << 9800.0;
    QTest::newRow("obsolete date") << QByteArray("Thursday, 01-Jan-26 00:00:10 GMT") << 9800.0;
    QTest::newRow("asctime") << QByteArray("Thu Jan  1 00:00:10 2026") << 9800.0;
    QTest::newRow("past") << QByteArray("Wed, 21 Oct 2015 07:28:00 GMT") << 0.0;
    QTest::newRow("past with two digits") << QByteArray("Sunday, 06-Nov-94 08:49:37 GMT") << 0.0;
    QTest::newRow("years ahead") << QByteArray("Thu, 01 Jan 2037 00:00:10 GMT") << 60'000.0;
    QTest::newRow("word") << QByteArray("soon") << -1.0;
    QTest::newRow("empty") << QByteArray("") << -1.0;
    QTest::newRow("endless") << QByteArray("999999999") << 60'000.0;
    QTest::newRow("negative") << QByteArray("-5") << -1.0;
    QTest::newRow("infinite") << QByteArray("inf") << -1.0;
    QTest::newRow("exponent") << QByteArray("1e3") << -1.0;
    QTest::newRow("two points") << QByteArray("1.2.3") << -1.0;
    QTest::newRow("no such day") << QByteArray("Thu, 32 Jan 2026 00:00:10 GMT") << -1.0;
    QTest::newRow("an hour that summer time skips") << QByteArray("Sun, 29 Mar 2026 02:30:00 GMT") << 60'000.0;
}

void TestReplyHeaders::theWaitIsReadInEveryForm()
{
    QFETCH(const QByteArray, value);
    QFETCH(const double, waitMs);
    const QDateTime now(QDate(2026, 1, 1), QTime(0, 0, 0, 200), Qt::UTC);
    const auto wait = retryAfterMs({{"Retry-After", value}}, now);
    QCOMPARE(wait.value_or(-1), waitMs);
}

void TestReplyHeaders::millisecondsGoBeforeSeconds()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QCOMPARE(retryAfterMs({{"retry-after-ms", "250"}}, now), std::optional(250.0));
    QCOMPARE(retryAfterMs({{"Retry-After", "1"}, {"Retry-After-Ms", "250"}}, now), std::optional(250.0));
    QCOMPARE(retryAfterMs({{"Retry-After", "1"}, {"Retry-After-Ms", "?"}}, now), std::optional(1000.0));
    QVERIFY(!retryAfterMs({}, now));
}

void TestReplyHeaders::onlyAllowedHeadersAreKept()
{
    const auto kept = recordedHeaders({{"X-Request-ID", "1"},
                                       {"Request-Id", "2"},
                                       {"X-RateLimit-Limit-Requests", "3"},
                                       {"Server-Timing", "4"},
                                       {"openai-processing-ms", "5"},
                                       {"Retry-After", "6"},
                                       {"Set-Cookie", "7"},
                                       {"Authorization", "8"},
                                       {"Date", "9"}});
    std::vector<std::string> names;
    for (const auto& [name, value] : kept) {
        names.push_back(name);
    }
    const std::vector<std::string> expected{"x-request-id",  "request-id",           "x-ratelimit-limit-requests",
                                            "server-timing", "openai-processing-ms", "retry-after"};
    QVERIFY(names == expected);
    QCOMPARE(kept.front().second, std::string("1"));
}

void TestReplyHeaders::theRequestIdIsFound()
{
    QCOMPARE(requestIdOf({{"X-Request-Id", "a"}, {"request-id", "b"}}), std::optional<std::string>("a"));
    QCOMPARE(requestIdOf({{"Request-ID", "b"}}), std::optional<std::string>("b"));
    QVERIFY(!requestIdOf({{"Date", "b"}}));
}

void TestReplyHeaders::aRedirectIsShownInFullWithoutSecrets()
{
    const QUrl url(QStringLiteral("http://u:pw@h:1/v1/chat/completions?key=s"));
    QCOMPARE(redirectTarget(url, "/login?next=1"), QStringLiteral("http://h:1/login"));
    QCOMPARE(redirectTarget(url, "https://x:pw@other/v1?key=s#f"), QStringLiteral("https://other/v1"));
    QCOMPARE(redirectTarget(url, {}), QString());
}

void TestReplyHeaders::aClockThatWasSetIsNoticed()
{
    QVERIFY(!clockJumped(5s, 5s));
    QVERIFY(!clockJumped(5s, 5900ms));
    QVERIFY(clockJumped(-5s, 300ms));
    QVERIFY(clockJumped(1h, 300ms));
    QVERIFY(clockJumped(60s, 10ms));
}

void TestReplyHeaders::placesHaveHostAndPort()
{
    QCOMPARE(placeOf(QUrl(QStringLiteral("http://u:pw@h/v1?k=s"))), QStringLiteral("h:80"));
    QCOMPARE(placeOf(QUrl(QStringLiteral("https://h/v1"))), QStringLiteral("h:443"));
    QCOMPARE(placeOf(QUrl(QStringLiteral("http://[::1]:8000/v1"))), QStringLiteral("[::1]:8000"));
}

void TestReplyHeaders::contentErrorsAreNotTheTransports()
{
    QVERIFY(isContentError(QNetworkReply::AuthenticationRequiredError));
    QVERIFY(isContentError(QNetworkReply::ServiceUnavailableError));
    QVERIFY(isContentError(QNetworkReply::ProtocolInvalidOperationError)); // Qt's code for 400
    QVERIFY(!isContentError(QNetworkReply::RemoteHostClosedError));
    QVERIFY(!isContentError(QNetworkReply::UnknownNetworkError));
    // words for each code, and never the URL that Qt puts into some texts
    const QUrl url(QStringLiteral("https://u:pw@h/v1?key=secret"));
    for (int code = 0; code <= 499; ++code) {
        const auto error = transportError(static_cast<QNetworkReply::NetworkError>(code),
                                          QStringLiteral("Error transferring https://u:pw@h/v1?key=secret - reply"),
                                          url, {}, code % 2 == 0, false);
        QVERIFY(!error.message.empty());
        QVERIFY(error.message.find("secret") == std::string::npos);
        QVERIFY(error.message.find("pw") == std::string::npos);
        QVERIFY(error.message.find('%') == std::string::npos); // nothing left to fill in
    }
}

QTEST_GUILESS_MAIN(TestReplyHeaders)

#include "tst_replyheaders.moc"
