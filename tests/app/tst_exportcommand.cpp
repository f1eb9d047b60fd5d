// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
const QByteArray secret = "sk-T-SECRET1234567";

} // namespace

/// The real program as a person types it.
class TestExportCommand final : public QObject {
    Q_OBJECT
private slots:
    void init();
    void bothShapesGoToStandardOutput();
    void aLiteralKeyIsLeftOutAndAVariableStaysOne_data();
    void aLiteralKeyIsLeftOutAndAVariableStaysOne();
    void whatIsExportedIsImportedAgain_data();
    void whatIsExportedIsImportedAgain();
    void aFileIsReplacedOnlyWhenAskedFor();
    void aFileThatCannotBeWrittenEndsWithOne();
    void aWrongCommandEndsWithTwo_data();
    void aWrongCommandEndsWithTwo();

private:
    void put(const QString& name, const QByteArray& text) const;
    [[nodiscard]] QByteArray held(const QString& name) const;
    int run(const QString& command, const QStringList& arguments);
    int runExport(const QStringList& arguments)
    {
        return run(QStringLiteral("export"),
                   QStringList{QStringLiteral("--settings"), QStringLiteral("s.json")} + arguments);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_out;
    QByteArray m_error;
};

void TestExportCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    put(QStringLiteral("s.json"),
        "{\"tokenpace\": {\"endpoints\": ["
        "{\"name\": \"literal\", \"baseUrl\": \"http://one.example/api\", \"apiKey\": \""
            + secret
            + "\", \"model\": \"small\"},"
              "{\"name\": \"variable\", \"baseUrl\": \"http://two.example/api\", \"apiKey\": \"${MY_KEY}\", \"model\": "
              "\"large\"}]}}");
}

void TestExportCommand::put(const QString& name, const QByteArray& text) const
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QByteArray TestExportCommand::held(const QString& name) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int TestExportCommand::run(const QString& command, const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder->filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("MY_KEY"), QString::fromLatin1(secret));
    for (const char* name : {"TAOTOKEN_BASE_URL", "OPENAI_BASE_URL", "TAOTOKEN_API_KEY", "OPENAI_API_KEY"}) {
        environment.remove(QString::fromLatin1(name));
    }
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder->path());
    process.start(QStringLiteral(TOKENPACE_PROGRAM), QStringList{command} + arguments);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(longWaitMs);
    m_out = process.readAllStandardOutput();
    m_error = process.readAllStandardError();
    return ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

void TestExportCommand::bothShapesGoToStandardOutput()
{
    QCOMPARE(runExport({}), 0);
    QVERIFY2(m_out.contains("[provider]\n") && m_out.contains("base_url = \"http://one.example/api\""),
             m_out.constData());
    QCOMPARE(
        runExport({QStringLiteral("--format"), QStringLiteral("env"), QStringLiteral("--out"), QStringLiteral("-")}),
        0);
    QVERIFY2(m_out.contains("TAOTOKEN_BASE_URL=http://one.example/api\n"), m_out.constData());
    QVERIFY2(m_out.contains("TAOTOKEN_MODEL=small\n"), m_out.constData());
}

void TestExportCommand::aLiteralKeyIsLeftOutAndAVariableStaysOne_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("config.toml") << QStringLiteral("config.toml");
    QTest::newRow("env") << QStringLiteral("env");
}

void TestExportCommand::aLiteralKeyIsLeftOutAndAVariableStaysOne()
{
    QFETCH(const QString, format);
    QCOMPARE(runExport({QStringLiteral("--format"), format}), 0);
    QVERIFY2(!m_out.contains(secret) && !m_error.contains(secret), "the key was written");
    QVERIFY2(m_out.contains("TAOTOKEN_API_KEY"), m_out.constData()); // where it belongs
    QCOMPARE(runExport({QStringLiteral("--format"), format, QStringLiteral("--endpoint"), QStringLiteral("variable")}),
             0);
    QVERIFY2(m_out.contains("http://two.example/api") && m_out.contains("${MY_KEY}"), m_out.constData());
    QVERIFY2(!m_out.contains(secret) && !m_error.contains(secret), "the variable was expanded");
}

void TestExportCommand::whatIsExportedIsImportedAgain_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("file");
    QTest::newRow("config.toml") << QStringLiteral("config.toml") << QStringLiteral("config.toml");
    QTest::newRow("env") << QStringLiteral("env") << QStringLiteral("my.env");
}

void TestExportCommand::whatIsExportedIsImportedAgain()
{
    QFETCH(const QString, format);
    QFETCH(const QString, file);
    QCOMPARE(runExport({QStringLiteral("--format"), format, QStringLiteral("--endpoint"), QStringLiteral("variable"),
                        QStringLiteral("--out"), file}),
             0);
    QVERIFY2(m_out.isEmpty() && m_error.contains("Written: " + file.toUtf8()), m_error.constData());
    QCOMPARE(run(QStringLiteral("import"),
                 {file, QStringLiteral("--settings"), QStringLiteral("new.json"), QStringLiteral("--yes")}),
             0);
    const QByteArray back = held(QStringLiteral("new.json"));
    QVERIFY2(back.contains("http://two.example/api") && back.contains("${MY_KEY}") && back.contains("large"),
             back.constData());
}

void TestExportCommand::aFileIsReplacedOnlyWhenAskedFor()
{
    put(QStringLiteral("config.toml"), "mine\n");
    const QStringList command{QStringLiteral("--out"), QStringLiteral("config.toml")};
    QCOMPARE(runExport(command), 2);
    QVERIFY2(m_error.contains("--yes"), m_error.constData());
    QCOMPARE(held(QStringLiteral("config.toml")), QByteArray("mine\n"));
    QCOMPARE(runExport(command + QStringList{QStringLiteral("-y")}), 0);
    QVERIFY(held(QStringLiteral("config.toml")).contains("http://one.example/api"));
}

void TestExportCommand::aFileThatCannotBeWrittenEndsWithOne()
{
    QCOMPARE(runExport({QStringLiteral("--out"), QStringLiteral("none/config.toml")}), 1);
    QVERIFY2(m_error.contains("none/config.toml: cannot be written"), m_error.constData());
}

void TestExportCommand::aWrongCommandEndsWithTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("format") << QStringList{QStringLiteral("--format"), QStringLiteral("yaml")} << QByteArray("yaml");
    QTest::newRow("endpoint") << QStringList{QStringLiteral("--endpoint"), QStringLiteral("other")}
                              << QByteArray("other");
    QTest::newRow("argument") << QStringList{QStringLiteral("config.toml")} << QByteArray("--out");
    QTest::newRow("onto the settings") << QStringList{QStringLiteral("--out"), QStringLiteral("s.json"),
                                                      QStringLiteral("--yes")}
                                       << QByteArray("s.json");
    QTest::newRow("settings") << QStringList{QStringLiteral("--settings"), QStringLiteral("none.json")}
                              << QByteArray("none.json");
}

void TestExportCommand::aWrongCommandEndsWithTwo()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, part);
    const QByteArray before = held(QStringLiteral("s.json"));
    QCOMPARE(runExport(arguments), 2);
    QVERIFY2(m_error.contains(part), m_error.constData());
    QCOMPARE(held(QStringLiteral("s.json")), before);
}

QTEST_GUILESS_MAIN(TestExportCommand)
#include "tst_exportcommand.moc"
