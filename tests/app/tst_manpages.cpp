// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int longWaitMs = 120000; // a busy machine under a sanitizer
const QString manFolder = QStringLiteral(TOKENPACE_MAN_FOLDER);

QByteArray held(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestManPages final : public QObject {
    Q_OBJECT
private slots:
    void thePagesAreWhatTheProgramSays();
    void everyPageIsRightForGroff_data();
    void everyPageIsRightForGroff();
    void theExitCodesAndOptionsAreInThem();
};

void TestManPages::thePagesAreWhatTheProgramSays()
{
    const QTemporaryDir folder;
    QProcess tool;
    tool.start(QStringLiteral(TOKENPACE_MAN_TOOL), {QStringLiteral(TOKENPACE_PROGRAM), folder.path()});
    QVERIFY(tool.waitForFinished(longWaitMs));
    QVERIFY2(tool.exitCode() == 0, tool.readAllStandardError().constData());
    const QStringList made = QDir(folder.path()).entryList(QDir::Files);
    QVERIFY(made.size() == 6);
    QCOMPARE(QDir(manFolder).entryList(QDir::Files), made);
    for (const QString& page : made) {
        QVERIFY2(held(manFolder + u'/' + page) == held(folder.filePath(page)),
                 qPrintable(page + QStringLiteral(": run man_pages (tools) again")));
    }
}

void TestManPages::everyPageIsRightForGroff_data()
{
    QTest::addColumn<QString>("page");
    for (const QString& page : QDir(manFolder).entryList(QDir::Files)) {
        QTest::newRow(qPrintable(page)) << page;
    }
}

void TestManPages::everyPageIsRightForGroff()
{
    QFETCH(const QString, page);
    const QString groff = QStandardPaths::findExecutable(QStringLiteral("groff"));
    QVERIFY2(!groff.isEmpty(), "groff is not here (Debian package groff-base)");
    QProcess process;
    process.start(groff,
                  {QStringLiteral("-man"), QStringLiteral("-Tutf8"), QStringLiteral("-ww"), QStringLiteral("-z"),
                   manFolder + u'/' + page});
    QVERIFY(process.waitForFinished(longWaitMs));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
}

void TestManPages::theExitCodesAndOptionsAreInThem()
{
    const QByteArray bench = held(manFolder + QStringLiteral("/tokenpace-bench.1"));
    QVERIFY2(bench.contains("Exit: 0 every measured request ended ok"), bench.constData());
    QVERIFY2(bench.contains("\\fB\\-\\-prompt\\-tokens\\fR \\fIN[,N...]\\fR\n"), bench.constData());
    QVERIFY2(bench.contains("default 100,300,1000,3000,10000."), bench.constData());
}

QTEST_GUILESS_MAIN(TestManPages)
#include "tst_manpages.moc"
