// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include <QObject>
#include <QTest>

#include "net/responseparser.h"

using namespace tokenpace;

namespace {

struct Outcome {
    int status = 0;
    std::string body;
    bool done = false;
    QString problem;
    bool keeps = false;
    std::size_t left = 0; ///< bytes after the end
};

/// Feeds `bytes` in pieces that end at the offsets of `cuts`, giving again what was left, and then the end of input.
Outcome parsed(const std::string& bytes, const std::vector<std::size_t>& cuts, bool bodiless, bool closes)
{
    ResponseParser parser(bodiless);
    Outcome outcome;
    std::string waiting;
    std::size_t begin = 0;
    std::vector<std::size_t> ends = cuts;
    ends.push_back(bytes.size());
    for (const std::size_t end : ends) {
        waiting += bytes.substr(begin, end - begin);
        begin = end;
        // an allocation of exactly that size: reading past it is an error under AddressSanitizer
        const auto exact = std::make_unique<char[]>(waiting.size());
        std::copy(waiting.begin(), waiting.end(), exact.get());
        const std::size_t used = parser.parse({exact.get(), waiting.size()});
        std::size_t last = 0;
        for (const ResponseParser::Piece& piece : parser.pieces()) {
            outcome.body += piece.body;
            if (piece.end < last || piece.end > waiting.size()) {
                outcome.problem = QStringLiteral("pieces are out of order");
            }
            last = piece.end;
        }
        waiting.erase(0, used);
    }
    if (closes) {
        parser.endOfInput();
    }
    outcome.status = parser.hasHead() ? parser.head().status : 0;
    outcome.done = parser.done();
    outcome.problem += parser.problem();
    outcome.keeps = parser.keepsConnection();
    outcome.left = waiting.size();
    return outcome;
}

std::string good(const std::string& head, const std::string& body = {})
{
    return "HTTP/1.1 200 OK\r\n" + head + "\r\n" + body;
}

constexpr auto isChunked = "Transfer-Encoding: chunked\r\n";

} // namespace

class TestResponseParser : public QObject {
    Q_OBJECT
private slots:
    void aResponseIsReadHoweverItIsCut_data();
    void aResponseIsReadHoweverItIsCut();
    void whatIsNoResponseIsRefused_data();
    void whatIsNoResponseIsRefused();
    void anEndTooEarlyIsToldFromOneInPlace();
    void piecesEndWhereChunksEnd();
    void aResponseToHeadEndsWithItsHead();
    void anEndlessExtensionIsCutOff();
    void aBodyOfManyMegabytesHasNoLimit();
    void mutationsNeverHarmIt();
};

void TestResponseParser::aResponseIsReadHoweverItIsCut_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("body");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("length") << good("Content-Length: 3\r\n", "abc") << std::string("abc") << true;
    QTest::newRow("no body") << good("Content-Length: 0\r\n") << std::string() << true;
    QTest::newRow("204") << std::string("HTTP/1.1 204 No Content\r\n\r\n") << std::string() << true;
    QTest::newRow("close") << good("Connection: close\r\nContent-Length: 1\r\n", "a") << std::string("a") << false;
    QTest::newRow("HTTP/1.0") << std::string("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na") << std::string("a")
                              << false;
    QTest::newRow("until close") << good("", "abc") << std::string("abc") << false;
    QTest::newRow("chunked") << good(isChunked, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") << std::string("abcde") << true;
    QTest::newRow("upper case, leading zeros")
        << good(isChunked, "00A\r\n0123456789\r\n0\r\n\r\n") << std::string("0123456789") << true;
    QTest::newRow("extensions") << good(isChunked, "3;x=1;y;z=\"q;\"\r\nabc\r\n0;last\r\n\r\n") << std::string("abc")
                                << true;
    QTest::newRow("trailers") << good(isChunked, "3\r\nabc\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n") << std::string("abc")
                              << true;
    QTest::newRow("100 first") << "HTTP/1.1 100 Continue\r\n\r\n" + good("Content-Length: 1\r\n", "a")
                               << std::string("a") << true;
    QTest::newRow("102 and 103 first")
        << "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + good("Content-Length: 1\r\n", "a")
        << std::string("a") << true;
    QTest::newRow("empty reason") << std::string("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na") << std::string("a")
                                  << true;
    QTest::newRow("folded field") << good("X-A: 1\r\n 2\r\nContent-Length: 1\r\n", "a") << std::string("a") << true;
}

void TestResponseParser::aResponseIsReadHoweverItIsCut()
{
    QFETCH(const std::string, bytes);
    QFETCH(const std::string, body);
    QFETCH(const bool, keeps);
    std::vector<std::vector<std::size_t>> ways{{}};
    std::vector<std::size_t> all;
    for (std::size_t i = 1; i < bytes.size(); ++i) {
        ways.push_back({i});
        all.push_back(i);
    }
    ways.push_back(all);
    for (const auto& cuts : ways) {
        const Outcome outcome = parsed(bytes, cuts, false, true);
        QVERIFY2(outcome.problem.isEmpty(), qPrintable(outcome.problem));
        QVERIFY(outcome.done);
        QCOMPARE(outcome.body, body);
        QVERIFY(outcome.status == 200 || outcome.status == 204);
        QCOMPARE(outcome.keeps, keeps);
        QCOMPARE(outcome.left, std::size_t(0));
    }
}

void TestResponseParser::whatIsNoResponseIsRefused_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::newRow("another protocol") << std::string("SSH-2.0-OpenSSH_9.2\r\n");
    QTest::newRow("HTTP/2") << std::string("HTTP/2 200 OK\r\n\r\n");
    QTest::newRow("101") << std::string("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    QTest::newRow("status 099") << std::string("HTTP/1.1 099 Odd\r\n\r\n");
    QTest::newRow("gzip, chunked") << good("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n");
    QTest::newRow("identity") << good("Transfer-Encoding: identity\r\n", "abc");
    QTest::newRow("two codings in two fields") << good("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n");
    QTest::newRow("length and chunked") << good("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n");
    QTest::newRow("two lengths") << good("Content-Length: 3\r\nContent-Length: 4\r\n");
    QTest::newRow("bad chunk size") << good(isChunked, "xyz\r\nabc\r\n");
    QTest::newRow("0x3") << good(isChunked, "0x3\r\nabc\r\n0\r\n\r\n");
    QTest::newRow("size too large") << good(isChunked, "fffffffffffffffff\r\n");
    QTest::newRow("no line end after a chunk") << good(isChunked, "3\r\nabcXX0\r\n\r\n");
}

void TestResponseParser::whatIsNoResponseIsRefused()
{
    QFETCH(const std::string, bytes);
    const Outcome outcome = parsed(bytes, {}, false, false);
    QVERIFY(!outcome.done);
    QVERIFY(!outcome.problem.isEmpty());
}

void TestResponseParser::anEndTooEarlyIsToldFromOneInPlace()
{
    for (const std::string& bytes :
         {std::string(), std::string("HTTP/1.1 2"), std::string("HTTP/1.1 100 Continue\r\n\r\n"),
          good("Content-Length: 3\r\n", "ab"), good(isChunked, "3\r\nab"), good(isChunked, "3\r\nabc\r\n")}) {
        ResponseParser parser;
        parser.parse(bytes);
        parser.endOfInput();
        QVERIFY2(parser.closedEarly(), bytes.c_str());
        QVERIFY(!parser.done());
        QCOMPARE(parser.begun(), !bytes.empty());
    }
    // the whole body has come, and a trailer that is none
    ResponseParser parser;
    parser.parse(good(isChunked, "3\r\nabc\r\n0\r\nContent-Length: x\r\n\r\n"));
    QVERIFY(parser.done());
    QVERIFY(!parser.keepsConnection());
}

void TestResponseParser::piecesEndWhereChunksEnd()
{
    const std::string head = good(isChunked);
    const std::string bytes = head + "3\r\nabc\r\n2\r\nde\r\n4\r\nfg";
    ResponseParser parser;
    QCOMPARE(parser.parse(bytes), bytes.size());
    const auto& pieces = parser.pieces();
    QCOMPARE(pieces.size(), std::size_t(4));
    QCOMPARE(pieces[0].end, head.size());
    QVERIFY(pieces[0].border && pieces[0].body.empty());
    QCOMPARE(pieces[1].end, head.size() + 8);
    QVERIFY(pieces[1].border && pieces[2].border && !pieces[3].border);
    QCOMPARE(pieces[2].end, head.size() + 15);
    QCOMPARE(pieces[3].end, bytes.size());
    QCOMPARE(pieces[3].body.data(), bytes.data() + bytes.size() - 2); // no copy
}

void TestResponseParser::aResponseToHeadEndsWithItsHead()
{
    const Outcome outcome = parsed(good("Content-Length: 3\r\n"), {}, true, false);
    QVERIFY(outcome.done);
    QVERIFY(outcome.keeps);
}

void TestResponseParser::anEndlessExtensionIsCutOff()
{
    ResponseParser parser;
    std::string bytes = good(isChunked, "3;");
    bytes += std::string(2 * ResponseParser::longestRest, 'x');
    parser.parse(bytes);
    QVERIFY(parser.failed());
}

void TestResponseParser::aBodyOfManyMegabytesHasNoLimit()
{
    ResponseParser parser;
    parser.parse(good(isChunked));
    const std::string chunk = "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
    std::string waiting;
    for (int i = 0; i < 20; ++i) {
        waiting += chunk;
        waiting.erase(0, parser.parse(waiting));
        QVERIFY(waiting.size() <= 2); // the chunk's line end waits for the next size
    }
    QVERIFY(!parser.failed());
}

void TestResponseParser::mutationsNeverHarmIt()
{
    std::mt19937 random(7);
    const std::vector<std::string> seeds{good(isChunked, "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX: 1\r\n\r\n"),
                                         good("Content-Length: 6\r\nX-A: b\r\n", "abcdef"),
                                         "HTTP/1.1 100 Continue\r\n\r\n" + good("", "until close")};
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    for (int i = 0; i < 20'000; ++i) {
        std::string bytes = seeds[below(seeds.size())];
        for (std::size_t n = below(4); n > 0; --n) {
            bytes[below(bytes.size())] = static_cast<char>(below(256));
        }
        bytes.resize(below(bytes.size()) + 1);
        const Outcome outcome = parsed(bytes, {below(bytes.size()) + 1}, below(10) == 0, true);
        QVERIFY(outcome.done || !outcome.problem.isEmpty());
    }
}

QTEST_GUILESS_MAIN(TestResponseParser)

#include "tst_responseparser.moc"
