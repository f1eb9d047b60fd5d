// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <functional>

#include <QCoreApplication>
#include <QTest>

#include "net/replytrace.h"

using namespace tokenpace;
using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

/// How the measuring manager may differ in a case; the table in measuringmanager.h says why.
enum class Difference {
    None,
    Skips103,
    NoResend,
    SaysWhatIsWrong, ///< an error where the stock manager sees none, or another code
    SilentAfterAbort,
    SentEvenIfEmpty,
    OneUpload,
    AbortInError,
};

struct Case {
    QByteArray name;
    Script script;
    Difference difference = Difference::None;
    QByteArray verb = "POST";
    QByteArray body = "{\"a\":1}";
    std::function<void(QNetworkReply*)> meddle = {}; ///< right after it was sent
};

Script whole(int status, const std::string& body = "{}", const Headers& headers = {})
{
    return {send(wholeReply(status, body, headers))};
}

Script raw(const std::string& bytes, bool closes = false)
{
    return closes ? Script{send(bytes), closeConnection(30ms)} : Script{send(bytes)};
}

std::vector<Case> cases()
{
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const std::string isChunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    std::vector<Case> all{
        {"length", whole(200, "abc")},
        {"no content", whole(200, "")},
        {"204", raw("HTTP/1.1 204 No Content\r\n\r\n")},
        {"chunked", chatScript(3)},
        {"chunks with pauses", chatScript(3, 20ms, 20ms)},
        {"extensions and trailers", raw(isChunked + "3;x=1\r\nabc\r\n0;last\r\nX-T: 1\r\n\r\n")},
        {"upper-case sizes", raw(isChunked + "00A\r\n0123456789\r\n0\r\n\r\n")},
        {"until close", raw(ok + "Connection: close\r\n\r\nabc", true)},
        {"connection close", whole(200, "abc", {{"Connection", "close"}})},
        {"HTTP/1.0", raw("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", true)},
        {"100 first", raw("HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na")},
        {"103 first", raw("HTTP/1.1 103 Early Hints\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na"),
         Difference::Skips103},
        {"no space after the status", raw("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na")},
        {"empty reason", raw("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na")},
        {"one header twice",
         whole(200, "a", {{"X-A", "1"}, {"X-A", "2"}, {"Set-Cookie", "a=1"}, {"Set-Cookie", "b=2"}})},
        {"head in pieces", {send("HTTP/1.1 20"), send("0 OK\r\nContent-Le", 20ms), send("ngth: 1\r\n\r\na", 20ms)}},
        {"close before any header", {closeConnection(20ms)}, Difference::NoResend},
        {"close inside the head", raw(ok, true), Difference::SaysWhatIsWrong},
        {"not HTTP", raw("SSH-2.0-OpenSSH_9.2\r\n", true), Difference::NoResend},
        {"close inside a chunk", raw(isChunked + "3\r\nab", true), Difference::SaysWhatIsWrong},
        {"close without the last chunk", raw(isChunked + "3\r\nabc\r\n", true), Difference::SaysWhatIsWrong},
        {"short body", raw(ok + "Content-Length: 9\r\n\r\nabc", true), Difference::SaysWhatIsWrong},
        {"reset in the body",
         {send(ok + "Content-Length: 9\r\n\r\nabc"), resetConnection(30ms)},
         Difference::SaysWhatIsWrong},
        {"bad chunk size", raw(isChunked + "xyz\r\nabc\r\n", true), Difference::SaysWhatIsWrong},
        {"abort at once", chatScript(1, 20ms), Difference::SilentAfterAbort, "POST", "{}",
         [](QNetworkReply* reply) {
             reply->abort();
         }},
        {"abort in metaDataChanged", chatScript(2, 20ms, 20ms), Difference::None, "POST", "{}",
         [](QNetworkReply* reply) {
             QObject::connect(reply, &QNetworkReply::metaDataChanged, reply, &QNetworkReply::abort);
         }},
        {"abort in readyRead", chatScript(2, 20ms, 20ms), Difference::None, "POST", "{}",
         [](QNetworkReply* reply) {
             QObject::connect(reply, &QNetworkReply::readyRead, reply, &QNetworkReply::abort);
         }},
        {"close in readyRead", chatScript(2, 20ms, 20ms), Difference::None, "POST", "{}",
         [](QNetworkReply* reply) {
             QObject::connect(reply, &QNetworkReply::readyRead, reply, &QNetworkReply::close);
         }},
        {"abort in errorOccurred", whole(500), Difference::AbortInError, "POST", "{}",
         [](QNetworkReply* reply) {
             QObject::connect(reply, &QNetworkReply::errorOccurred, reply, &QNetworkReply::abort);
         }},
        {"abort in finished", whole(200), Difference::None, "POST", "{}",
         [](QNetworkReply* reply) {
             QObject::connect(reply, &QNetworkReply::finished, reply, &QNetworkReply::abort);
         }},
        {"empty body", whole(200), Difference::SentEvenIfEmpty, "POST", ""},
        {"16 KiB", whole(200), Difference::None, "POST", QByteArray(16 * 1024, 'x')},
        {"1 MB", whole(200), Difference::OneUpload, "POST", QByteArray(1'000'000, 'x')},
        {"get", whole(200), Difference::None, "GET", ""},
        {"head", raw(ok + "Content-Length: 3\r\n\r\n"), Difference::None, "HEAD", ""},
        {"put", whole(200), Difference::None, "PUT", "{}"},
        {"delete", whole(200), Difference::None, "DELETE", ""},
    };
    for (const int status : {302, 307, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 501, 502, 503, 529}) {
        all.push_back({QByteArray::number(status), whole(status, "{}", {{"Location", "/elsewhere"}})});
    }
    return all;
}

struct Seen {
    QStringList lines;
    QByteArray body;
    int requests = 0;
    QNetworkReply::NetworkError error = QNetworkReply::NoError;
    QList<QNetworkReply::RawHeaderPair> headers;
    QString errorString;
};

Seen seen(const Case& one, Route::ManagerKind kind)
{
    ScriptedServer server({one.script});
    const QUrl url(QString::fromStdString(server.url()));
    const MadeManager made({}, kind, url);
    const QNetworkRequest request = plainRequest(url);
    QNetworkAccessManager& access = made.access();
    QNetworkReply* const reply = one.verb == "GET" ? access.get(request)
        : one.verb == "HEAD"                       ? access.head(request)
        : one.verb == "DELETE"                     ? access.deleteResource(request)
        : one.verb == "PUT"                        ? access.put(request, one.body)
                                                   : access.post(request, one.body);
    Seen result;
    Trace trace(reply);
    if (one.meddle) {
        one.meddle(reply);
    }
    if (!QTest::qWaitFor(
            [&] {
                return trace.over;
            },
            longWaitMs)) {
        result.lines = trace.lines() << QStringLiteral("never finished");
        return result;
    }
    QCoreApplication::processEvents(); // what is told after the end is a difference too
    result = {trace.lines(),           trace.body,          server.requestCount(), reply->error(),
              reply->rawHeaderPairs(), reply->errorString()};
    return result;
}

void dropAll(QStringList& lines, const QString& prefix)
{
    lines.removeIf([&](const QString& line) {
        return line.startsWith(prefix);
    });
}

} // namespace

class TestManagers : public QObject {
    Q_OBJECT
private slots:
    void bothManagersTellTheSame_data();
    void bothManagersTellTheSame();
};

void TestManagers::bothManagersTellTheSame_data()
{
    QTest::addColumn<int>("index");
    const auto all = cases();
    QVERIFY(all.size() >= 40);
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i].name.constData()) << static_cast<int>(i);
    }
}

void TestManagers::bothManagersTellTheSame()
{
    QFETCH(const int, index);
    const Case one = cases()[static_cast<std::size_t>(index)];
    Seen stock = seen(one, Route::ManagerKind::Stock);
    Seen ours = seen(one, Route::ManagerKind::Measuring);
    dropAll(stock.lines, QStringLiteral("uploadProgress 0/0")); // in every case
    dropAll(ours.lines, QStringLiteral("uploadProgress 0/0"));
    switch (one.difference) {
    case Difference::None:
        break;
    case Difference::Skips103:
        QCOMPARE(ours.error, QNetworkReply::NoError);
        QCOMPARE(ours.body, QByteArray("a"));
        return;
    case Difference::NoResend:
        QCOMPARE(ours.requests, 1);
        QVERIFY(ours.error == QNetworkReply::RemoteHostClosedError || ours.error == QNetworkReply::ProtocolFailure);
        QVERIFY(!ours.errorString.isEmpty());
        return;
    case Difference::SaysWhatIsWrong:
        QVERIFY(ours.error == QNetworkReply::RemoteHostClosedError || ours.error == QNetworkReply::ProtocolFailure);
        QCOMPARE(ours.body, stock.body);
        QCOMPARE(ours.requests, 1);
        return;
    case Difference::SilentAfterAbort:
        QVERIFY(ours.lines.last().startsWith(u"errorOccurred") || ours.lines.last().startsWith(u"finished"));
        QCOMPARE(ours.error, QNetworkReply::OperationCanceledError);
        return;
    case Difference::SentEvenIfEmpty:
        dropAll(stock.lines, QStringLiteral("requestSent"));
        dropAll(ours.lines, QStringLiteral("requestSent"));
        break;
    case Difference::OneUpload:
        QCOMPARE(ours.lines.filter(QStringLiteral("uploadProgress 1000000/1000000")).size(), 1);
        for (Seen* const each : {&stock, &ours}) {
            dropAll(each->lines, QStringLiteral("uploadProgress"));
            dropAll(each->lines, QStringLiteral("requestSent"));
        }
        break;
    case Difference::AbortInError:
        QCOMPARE(ours.lines.filter(QStringLiteral("finished finished=1")).size(), 1);
        return;
    }
    for (qsizetype i = 0; i < std::min(ours.lines.size(), stock.lines.size()); ++i) {
        QCOMPARE(ours.lines.at(i), stock.lines.at(i));
    }
    QCOMPARE(ours.lines.size(), stock.lines.size());
    QCOMPARE(ours.body, stock.body);
    QCOMPARE(ours.requests, stock.requests);
    QCOMPARE(ours.error, stock.error);
    QVERIFY(ours.headers == stock.headers);
}

QTEST_GUILESS_MAIN(TestManagers)

#include "tst_managers.moc"
