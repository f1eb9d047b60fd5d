// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <atomic>
#include <future>
#include <thread>

#include <csignal>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "log/logreader.h"
#include "log/logwriter.h"
#include "support/timelines.h"

using namespace tokenpace;

namespace {

std::string modelLine(const Timeline& timeline)
{
    return "{\"model\":\"" + timeline.model + "\",\"seq\":" + std::to_string(timeline.seq) + "}";
}

std::shared_ptr<const Timeline> numbered(int seq)
{
    Timeline timeline = test::timelineWith({1, 2});
    timeline.seq = seq;
    return test::shared(timeline);
}

/// Appends and waits until it is done; the error, empty when written.
QString appendAndWait(LogWriter& writer, int seq)
{
    std::promise<QString> done;
    writer.append(numbered(seq), [&](const QString& error) {
        done.set_value(error);
    });
    return done.get_future().get();
}

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class LogWriterTest final : public QObject {
    Q_OBJECT

private slots:
    void aLineIsInTheFileWhenDoneIsTold();
    void foldersAreMadeAndOthersCannotReadTheFile();
    void aTornLastLineIsLeftBehind();
    void everythingHandedOverIsWrittenBeforeItGoes();
    void anEmptyPathKeepsNoLogYetTellsInOrder();
    void aDeletedFileIsMadeAnew();
    void twoWritersNeverMixTheirLines();
    void anErrorIsToldAndTheNextLineIsTried();
    void aPartialWriteIsToldAndLeftBehind();
    void aLogReadsBackAroundItsDamage();
    void readingStopsAtTheNumberAskedForAndSaysSo();
};

void LogWriterTest::aLineIsInTheFileWhenDoneIsTold()
{
    const QTemporaryDir folder;
    LogWriter writer(folder.filePath(QStringLiteral("log.jsonl")), modelLine);
    QCOMPARE(appendAndWait(writer, 1), QString());
    QCOMPARE(contents(writer.path()), QByteArray("{\"model\":\"model-a\",\"seq\":1}\n"));
}

void LogWriterTest::foldersAreMadeAndOthersCannotReadTheFile()
{
    const QTemporaryDir folder;
    LogWriter writer(folder.filePath(QStringLiteral("a/b/log.jsonl")), modelLine);
    QCOMPARE(appendAndWait(writer, 1), QString());
    const auto permissions = QFile::permissions(writer.path());
    QVERIFY(!(permissions & (QFile::ReadGroup | QFile::ReadOther)));
}

void LogWriterTest::aTornLastLineIsLeftBehind()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"model\":\"m\",\"ttft");
    file.close();
    LogWriter writer(path, modelLine);
    QCOMPARE(appendAndWait(writer, 1), QString());
    QCOMPARE(appendAndWait(writer, 2), QString());
    QCOMPARE(
        contents(path),
        QByteArray("{\"model\":\"m\",\"ttft\n{\"model\":\"model-a\",\"seq\":1}\n{\"model\":\"model-a\",\"seq\":2}\n"));
}

void LogWriterTest::everythingHandedOverIsWrittenBeforeItGoes()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    std::atomic<int> told = 0;
    {
        LogWriter writer(path, modelLine);
        for (int i = 0; i < 500; ++i) {
            writer.append(numbered(i), [&](const QString&) {
                ++told;
            });
        }
    }
    QCOMPARE(told.load(), 500);
    QCOMPARE(contents(path).count('\n'), 500);
}

void LogWriterTest::anEmptyPathKeepsNoLogYetTellsInOrder()
{
    std::vector<int> order;
    {
        LogWriter writer(QString(), modelLine);
        for (int i = 0; i < 10; ++i) {
            writer.append(numbered(i), [&order, i](const QString&) {
                order.push_back(i);
            });
        }
    }
    QCOMPARE(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

void LogWriterTest::aDeletedFileIsMadeAnew()
{
    const QTemporaryDir folder;
    LogWriter writer(folder.filePath(QStringLiteral("log.jsonl")), modelLine);
    QCOMPARE(appendAndWait(writer, 1), QString());
    QVERIFY(QFile::remove(writer.path()));
    QCOMPARE(appendAndWait(writer, 2), QString());
    QCOMPARE(contents(writer.path()), QByteArray("{\"model\":\"model-a\",\"seq\":2}\n"));
}

void LogWriterTest::twoWritersNeverMixTheirLines()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    {
        LogWriter a(path, modelLine);
        LogWriter b(path, modelLine);
        for (int i = 0; i < 300; ++i) {
            a.append(numbered(i), [](const QString&) {});
            b.append(numbered(i), [](const QString&) {});
        }
    }
    const LoadedLog log = loadLog(path, 10000);
    QCOMPARE(log.records.size(), std::size_t{600});
    QCOMPARE(log.skippedLines, std::size_t{0});
}

void LogWriterTest::anErrorIsToldAndTheNextLineIsTried()
{
    const QTemporaryDir folder;
    const QString inTheWay = folder.filePath(QStringLiteral("taken"));
    QFile file(inTheWay);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    LogWriter writer(inTheWay + QStringLiteral("/log.jsonl"), modelLine);
    QVERIFY(!appendAndWait(writer, 1).isEmpty());
    QVERIFY(QFile::remove(inTheWay));
    QCOMPARE(appendAndWait(writer, 2), QString());
}

void LogWriterTest::aPartialWriteIsToldAndLeftBehind()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    LogWriter writer(path, modelLine);
    QCOMPARE(appendAndWait(writer, 1), QString());
    const auto size = static_cast<rlim_t>(contents(path).size());

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit tight = before;
    tight.rlim_cur = size + 5;
    setrlimit(RLIMIT_FSIZE, &tight);
    const QString partly = appendAndWait(writer, 2);
    const QString full = appendAndWait(writer, 3);
    setrlimit(RLIMIT_FSIZE, &before);

    QVERIFY(partly.contains(QStringLiteral("only part of a line")));
    QVERIFY(!full.isEmpty());
    QCOMPARE(appendAndWait(writer, 4), QString());
    const LoadedLog log = loadLog(path, 100);
    QCOMPARE(log.records.size(), std::size_t{2});
    QCOMPARE(log.skippedLineNumbers, (std::vector<std::size_t>{2}));
}

void LogWriterTest::aLogReadsBackAroundItsDamage()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"model\":\"a\"}\r\n\n");
    file.write(QByteArray("\0\0garbage\n", 10));
    file.write("{\"model\":\"b\",\"v\":7,\"later\":1}\n{\"model\":\"c\",\"ttft");
    file.close();
    const LoadedLog log = loadLog(path, 100);
    QCOMPARE(log.records.size(), std::size_t{2});
    QCOMPARE(log.skippedLines, std::size_t{2});
    QCOMPARE(log.skippedLineNumbers, (std::vector<std::size_t>{3, 5}));
    QVERIFY(!loadLog(folder.filePath(QStringLiteral("none")), 1).error.isEmpty());
}

void LogWriterTest::readingStopsAtTheNumberAskedForAndSaysSo()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.jsonl"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 5; ++i) {
        file.write("{\"model\":\"a\"}\n");
    }
    file.close();
    QVERIFY(!loadLog(path, 5).truncated);
    QCOMPARE(loadLog(path, 4).records.size(), std::size_t{4});
    QVERIFY(loadLog(path, 4).truncated);
    const std::atomic<bool> cancelled = true;
    QVERIFY(loadLog(path, 5, &cancelled).records.empty());
}

QTEST_GUILESS_MAIN(LogWriterTest)
#include "tst_logwriter.moc"
