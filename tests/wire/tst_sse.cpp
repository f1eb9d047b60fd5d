// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "wire/sse.h"

using namespace tokenpace;
using namespace tokenpace::wire;

namespace {

struct Seen {
    std::vector<std::string> data;
    std::vector<std::string> names;
    std::vector<Stamp> at;
    std::vector<std::string> stray;
    int tooLong = 0;
};

SseReader readerInto(Seen& seen, std::size_t limit = SseReader::defaultMaxEventBytes)
{
    return SseReader({[&](const SseEvent& event) {
                          seen.data.emplace_back(event.data);
                          seen.names.emplace_back(event.name);
                          seen.at.push_back(event.at);
                      },
                      [&](std::string_view line, Stamp) {
                          seen.stray.emplace_back(line);
                      },
                      [&](Stamp) {
                          ++seen.tooLong;
                      }},
                     limit);
}

Seen readWhole(std::string_view bytes)
{
    Seen seen;
    SseReader reader = readerInto(seen);
    reader.feed(bytes, Stamp{1});
    reader.end();
    return seen;
}

using Strings = std::vector<std::string>;

} // namespace

class SseTest final : public QObject {
    Q_OBJECT

private slots:
    void linesEndAtLfCrAndCrlf_data();
    void linesEndAtLfCrAndCrlf();
    void anyCutGivesTheSameEvents();
    void aCarriageReturnDispatchesAtOnce();
    void oneByteOrderMarkIsDropped();
    void atMostOneSpaceAfterTheColonIsDropped();
    void commentsAndEventsWithoutDataDispatchNothing();
    void emptyDataIsDispatched();
    void dataLinesAreJoinedWithLineFeeds();
    void theNameBelongsToOneEventOnly();
    void aPendingEventIsTakenAtTheEndWithTheLastByte();
    void linesThatAreNoFieldAreReported();
    void anEventOverTheLimitStopsTheReader();
    void unicodeLineSeparatorsAreText();
    void aWrittenEventReadsBack();
};

void SseTest::linesEndAtLfCrAndCrlf_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("LF") << QByteArray("\n");
    QTest::newRow("CR") << QByteArray("\r");
    QTest::newRow("CRLF") << QByteArray("\r\n");
}

void SseTest::linesEndAtLfCrAndCrlf()
{
    QFETCH(const QByteArray, end);
    const std::string e = end.toStdString();
    const Seen seen = readWhole("data: a" + e + e + "event: x" + e + "data: b" + e + "data: c" + e + e);
    QCOMPARE(seen.data, (Strings{"a", "b\nc"}));
    QCOMPARE(seen.names, (Strings{"", "x"}));
}

void SseTest::anyCutGivesTheSameEvents()
{
    const std::string bytes = "\xEF\xBB\xBF"
                              "data: a\r\n\r\n: note\rdata:b\r\r\nevent: n\ndata: c\r\ndata: d\n\n{\"x\":1}\n\n";
    const Seen whole = readWhole(bytes);
    QCOMPARE(whole.data, (Strings{"a", "b", "c\nd"}));
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        Seen seen;
        SseReader reader = readerInto(seen);
        reader.feed(std::string_view(bytes).substr(0, cut), Stamp{1});
        reader.feed(std::string_view(bytes).substr(cut), Stamp{2});
        reader.end();
        QCOMPARE(seen.data, whole.data);
        QCOMPARE(seen.names, whole.names);
        QCOMPARE(seen.stray, whole.stray);
    }
}

void SseTest::aCarriageReturnDispatchesAtOnce()
{
    Seen seen;
    SseReader reader = readerInto(seen);
    reader.feed("data: a\r\n\r", Stamp{10});
    QCOMPARE(seen.at, (std::vector<Stamp>{Stamp{10}}));
    reader.feed("\ndata: b\r\r", Stamp{20});
    QCOMPARE(seen.at, (std::vector<Stamp>{Stamp{10}, Stamp{20}}));
}

void SseTest::oneByteOrderMarkIsDropped()
{
    QCOMPARE(readWhole("\xEF\xBB\xBF"
                       "data: a\n\n")
                 .data,
             (Strings{"a"}));
    const Seen twice = readWhole("\xEF\xBB\xBF\xEF\xBB\xBF"
                                 "data: a\n\n");
    QVERIFY(twice.data.empty());
    QCOMPARE(twice.stray.size(), std::size_t{1});
}

void SseTest::atMostOneSpaceAfterTheColonIsDropped()
{
    QCOMPARE(readWhole("data:a\n\ndata: a\n\ndata:  a\n\n").data, (Strings{"a", "a", " a"}));
}

void SseTest::commentsAndEventsWithoutDataDispatchNothing()
{
    const Seen seen = readWhole(":\n\n: data: no\n\nretry: 3000\nid: 7\nevent: noop\n\ndata: yes\n\n");
    QCOMPARE(seen.data, (Strings{"yes"}));
    QCOMPARE(seen.names, (Strings{""}));
}

void SseTest::emptyDataIsDispatched()
{
    QCOMPARE(readWhole("data\n\ndata:\n\ndata: \n\n").data, (Strings{"", "", ""}));
}

void SseTest::dataLinesAreJoinedWithLineFeeds()
{
    QCOMPARE(readWhole("data: a\ndata:\ndata: c\n\n").data, (Strings{"a\n\nc"}));
}

void SseTest::theNameBelongsToOneEventOnly()
{
    QCOMPARE(readWhole("event: one\ndata: a\n\ndata: b\n\n").names, (Strings{"one", ""}));
}

void SseTest::aPendingEventIsTakenAtTheEndWithTheLastByte()
{
    Seen seen;
    SseReader reader = readerInto(seen);
    reader.feed("data: a\n", Stamp{5});
    reader.feed("data: b", Stamp{9});
    QVERIFY(seen.data.empty());
    reader.end();
    QCOMPARE(seen.data, (Strings{"a\nb"}));
    QCOMPARE(seen.at.front(), Stamp{9});
}

void SseTest::linesThatAreNoFieldAreReported()
{
    const Seen seen = readWhole("error: {\"code\":400}\n{\"error\":1}\nid\nretry: 1\n\n");
    QCOMPARE(seen.stray, (Strings{"error: {\"code\":400}", "{\"error\":1}"}));
}

void SseTest::anEventOverTheLimitStopsTheReader()
{
    Seen seen;
    SseReader reader = readerInto(seen, 10);
    reader.feed("data: 12345\n\n", Stamp{1});
    QCOMPARE(seen.tooLong, 1);
    reader.feed("data: 1\n\n", Stamp{2});
    reader.end();
    QVERIFY(seen.data.empty());
    QCOMPARE(seen.tooLong, 1);

    Seen many;
    SseReader lines = readerInto(many, 10);
    lines.feed("data: 1234\ndata: 5678\ndata: 90\n", Stamp{1});
    lines.feed("data: 123\n\n", Stamp{1});
    QCOMPARE(many.tooLong, 1);
}

void SseTest::unicodeLineSeparatorsAreText()
{
    QCOMPARE(readWhole("data: a\xE2\x80\xA8"
                       "b\xE2\x80\xA9"
                       "c\xC2\x85"
                       "d\x0B\n\n")
                 .data,
             (Strings{"a\xE2\x80\xA8"
                      "b\xE2\x80\xA9"
                      "c\xC2\x85"
                      "d\x0B"}));
}

void SseTest::aWrittenEventReadsBack()
{
    const Seen seen = readWhole(sseEvent("one\ntwo", "n") + sseEvent("[DONE]"));
    QCOMPARE(seen.data, (Strings{"one\ntwo", "[DONE]"}));
    QCOMPARE(seen.names, (Strings{"n", ""}));
}

QTEST_GUILESS_MAIN(SseTest)
#include "tst_sse.moc"
