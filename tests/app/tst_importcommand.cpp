// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
const QByteArray secret = "sk-T-SECRET1234567";

} // namespace

/// The real program as a person types it.
class TestImportCommand final : public QObject {
    Q_OBJECT
private slots:
    void init();
    void whatIsTakenIsShownAndWritten();
    void aDryRunAndASecondTimeWriteNothing();
    void withoutAnybodyToAskNothingIsWritten();
    void standardInputIsReadAsAFileIs();
    void whatTheFileHoldsAlreadyStays();
    void aWrongCommandEndsWithTwo_data();
    void aWrongCommandEndsWithTwo();

private:
    void put(const QString& name, const QByteArray& text) const;
    [[nodiscard]] QByteArray held(const QString& name) const;
    int run(const QStringList& arguments, const QByteArray& input = {});

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_out;
    QByteArray m_error;
};

void TestImportCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    put(QStringLiteral("my.env"),
        "TAOTOKEN_BASE_URL=http://gateway.example/api\nTAOTOKEN_API_KEY=" + secret
            + "\nTAOTOKEN_MODEL=small\nSHELL=/bin/sh\n");
}

void TestImportCommand::put(const QString& name, const QByteArray& text) const
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QByteArray TestImportCommand::held(const QString& name) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int TestImportCommand::run(const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder->filePath(QStringLiteral("config")));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder->path());
    process.start(QStringLiteral(TOKENPACE_PROGRAM), QStringList{QStringLiteral("import")} + arguments);
    process.write(input);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(longWaitMs);
    m_out = process.readAllStandardOutput();
    m_error = process.readAllStandardError();
    return ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

void TestImportCommand::whatIsTakenIsShownAndWritten()
{
    QCOMPARE(run({QStringLiteral("my.env"), QStringLiteral("--settings"), QStringLiteral("s.json"),
                  QStringLiteral("--yes")}),
             0);
    QVERIFY2(m_out.contains("my.env") && m_out.contains("http://gateway.example/api"), m_out.constData());
    QVERIFY2(!m_out.contains(secret) && !m_error.contains(secret), "the key was shown");
    const QByteArray written = held(QStringLiteral("s.json"));
    QVERIFY(written.contains("http://gateway.example/api") && written.contains("small"));
    QVERIFY(!QFileInfo(m_folder->filePath(QStringLiteral("s.json"))).permission(QFile::ReadOther));
}

void TestImportCommand::aDryRunAndASecondTimeWriteNothing()
{
    const QStringList command{QStringLiteral("my.env"), QStringLiteral("--settings"), QStringLiteral("s.json")};
    QCOMPARE(run(command + QStringList{QStringLiteral("--dry-run")}), 0);
    QVERIFY(held(QStringLiteral("s.json")).isEmpty());
    QCOMPARE(run(command + QStringList{QStringLiteral("-y")}), 0);
    const QByteArray first = held(QStringLiteral("s.json"));
    QVERIFY(!first.isEmpty());
    QCOMPARE(run(command + QStringList{QStringLiteral("-y")}), 0);
    QCOMPARE(held(QStringLiteral("s.json")), first);
    QVERIFY2(m_out.contains("Nothing to write"), m_out.constData());
}

void TestImportCommand::withoutAnybodyToAskNothingIsWritten()
{
    QCOMPARE(run({QStringLiteral("my.env"), QStringLiteral("--settings"), QStringLiteral("s.json")}), 2);
    QVERIFY2(m_error.contains("--yes"), m_error.constData());
    QVERIFY(held(QStringLiteral("s.json")).isEmpty());
}

void TestImportCommand::standardInputIsReadAsAFileIs()
{
    QCOMPARE(run({QStringLiteral("-"), QStringLiteral("--settings"), QStringLiteral("s.json"), QStringLiteral("-y")},
                 "curl http://c.example/v1/chat/completions -d '{\"model\": \"m\"}'"),
             0);
    QVERIFY(held(QStringLiteral("s.json")).contains("http://c.example"));
}

void TestImportCommand::whatTheFileHoldsAlreadyStays()
{
    const QByteArray mine =
        "{\n  // mine\n  \"other.tool\": 0.10,\n  \"tokenpace\": {\"provider\": {\"baseUrl\": \"http://a\"}}\n}\n";
    put(QStringLiteral("s.json"), mine);
    QCOMPARE(
        run({QStringLiteral("my.env"), QStringLiteral("--settings"), QStringLiteral("s.json"), QStringLiteral("-y")}),
        0);
    const QByteArray written = held(QStringLiteral("s.json"));
    QVERIFY(written.startsWith("{\n  // mine\n  \"other.tool\": 0.10,\n"));
    QVERIFY(written.contains("{\"baseUrl\": \"http://a\"}") && written.contains("http://gateway.example/api"));
}

void TestImportCommand::aWrongCommandEndsWithTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("no file") << QStringList() << QByteArray("no file is given");
    QTest::newRow("not there") << QStringList{QStringLiteral("none.toml")} << QByteArray("none.toml: cannot be read");
    QTest::newRow("a folder") << QStringList{QStringLiteral(".")} << QByteArray("folder");
    QTest::newRow("onto itself") << QStringList{QStringLiteral("my.env"), QStringLiteral("--settings"),
                                                QStringLiteral("my.env")}
                                 << QByteArray("my.env");
}

void TestImportCommand::aWrongCommandEndsWithTwo()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, part);
    QCOMPARE(run(arguments), 2);
    QVERIFY2(m_error.contains(part), m_error.constData());
}

QTEST_GUILESS_MAIN(TestImportCommand)
#include "tst_importcommand.moc"
