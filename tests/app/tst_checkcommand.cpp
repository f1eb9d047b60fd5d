// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <csignal>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "support/scriptedserver.h"

using namespace tokenpace::test;
using namespace std::chrono_literals;

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
const auto secret = QStringLiteral("sk-T-SECRET1234567");

Script answer(const ReceivedRequest& request)
{
    if (request.method == "GET") {
        return {send(wholeReply(200, R"({"data":[{"id":"m"},{"id":"other"}]})"))};
    }
    return chatScript(3, 10ms, 5ms);
}

QString textOf(const QByteArray& bytes)
{
    return QString::fromUtf8(bytes);
}

} // namespace

/// The real program as a person types it, against servers of the test.
class TestCheckCommand final : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aGoodEndpointEndsWithZeroAndALineAStep();
    void aFailureEndsWithOneAndSaysWhatToChange();
    void theDocumentHasTheFieldsOfTheContract();
    void theDocumentGoesIntoAFileBesideTheLines();
    void theSettingsNameEndpointAndModel();
    void theSystemsProxyIsUsedWhereTheSettingsSaySo();
    void aKeyFromTheEnvironmentIsSentAndNeverShown();
    void severalModelsAndNoneNamedEndWithTwo();
    void aWrongCommandEndsWithTwo_data();
    void aWrongCommandEndsWithTwo();
    void helpNamesTheOptionsAndExits();
    void anInterruptEndsItAtOnceWithAWholeDocument();

private:
    void start(QProcess& process, const QStringList& arguments);
    /// Runs it to its end; the exit code, or -1.
    int run(const QStringList& arguments);
    [[nodiscard]] QJsonObject document() const { return QJsonDocument::fromJson(m_out).object(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
    QByteArray m_out;
    QByteArray m_error;
};

void TestCheckCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"TAOTOKEN_BASE_URL", "TAOTOKEN_API_KEY", "TAOTOKEN_MODEL", "OPENAI_BASE_URL",
                             "OPENAI_API_KEY", "OPENAI_MODEL", "DISPLAY"}) {
        m_environment.remove(QLatin1String(name));
    }
    m_environment.insert(QStringLiteral("HOME"), m_folder->path());
    m_environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder->filePath(QStringLiteral("config")));
}

void TestCheckCommand::start(QProcess& process, const QStringList& arguments)
{
    process.setProcessEnvironment(m_environment);
    process.setWorkingDirectory(m_folder->path());
    process.start(QStringLiteral(TOKENPACE_PROGRAM), QStringList{QStringLiteral("check")} + arguments);
}

int TestCheckCommand::run(const QStringList& arguments)
{
    QProcess process;
    start(process, arguments);
    const bool ended = process.waitForFinished(longWaitMs) && process.exitStatus() == QProcess::NormalExit;
    m_out = process.readAllStandardOutput();
    m_error = process.readAllStandardError();
    return ended ? process.exitCode() : -1;
}

void TestCheckCommand::aGoodEndpointEndsWithZeroAndALineAStep()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return answer(request);
    });
    QCOMPARE(run({QStringLiteral("--base-url"), QString::fromStdString(server.url("/v1")), QStringLiteral("--model"),
                  QStringLiteral("m")}),
             0);
    const QString out = textOf(m_out);
    for (const char* words : {"✓ URL", "- TLS", "✓ Key", "✓ Request", "✓ Streamed request", "✓ Usage", "works"}) {
        QVERIFY2(out.contains(QString::fromUtf8(words)), m_out.constData());
    }
    QVERIFY(!out.contains(u'✗'));
}

void TestCheckCommand::aFailureEndsWithOneAndSaysWhatToChange()
{
    QCOMPARE(
        run({QStringLiteral("--base-url"), QStringLiteral("http://127.0.0.1:%1/v1").arg(ScriptedServer::closedPort()),
             QStringLiteral("--model"), QStringLiteral("m")}),
        1);
    const QString out = textOf(m_out);
    QVERIFY2(out.contains(QStringLiteral("✗ TCP connection")), m_out.constData());
    QVERIFY2(out.contains(QStringLiteral("Check \"baseUrl\"")), m_out.constData());
    QVERIFY2(out.contains(QStringLiteral("skipped, since \"TCP connection\" failed")), m_out.constData());
}

void TestCheckCommand::theDocumentHasTheFieldsOfTheContract()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return answer(request);
    });
    QCOMPARE(run({QStringLiteral("--base-url"), QString::fromStdString(server.url("/v1")), QStringLiteral("--model"),
                  QStringLiteral("m"), QStringLiteral("--json"), QStringLiteral("-")}),
             0);
    const QJsonObject whole = document();
    QCOMPARE(whole.keys().join(u' '), QStringLiteral("endpoint models ok protocol steps url"));
    QCOMPARE(whole[QStringLiteral("endpoint")].toString(), QStringLiteral("127.0.0.1:%1").arg(server.port()));
    QCOMPARE(whole[QStringLiteral("url")].toString(), QString::fromStdString(server.url()));
    QCOMPARE(whole[QStringLiteral("protocol")].toString(), QStringLiteral("openai-chat"));
    QVERIFY(whole[QStringLiteral("ok")].toBool());
    QCOMPARE(whole[QStringLiteral("models")].toArray(), (QJsonArray{QStringLiteral("m"), QStringLiteral("other")}));
    const QJsonArray steps = whole[QStringLiteral("steps")].toArray();
    QCOMPARE(steps.size(), 13);
    for (const QJsonValue& step : steps) {
        QCOMPARE(step.toObject().keys().join(u' '), QStringLiteral("fix message ms name ok"));
        QVERIFY(step[QStringLiteral("ok")].toBool());
        QVERIFY(step[QStringLiteral("ms")].isDouble());
    }
    QVERIFY(textOf(m_error).contains(QStringLiteral("✓ Request"))); // the lines give way
}

void TestCheckCommand::theDocumentGoesIntoAFileBesideTheLines()
{
    QCOMPARE(run({QStringLiteral("--base-url"), QStringLiteral("nowhere"), QStringLiteral("--json"),
                  QStringLiteral("check.json")}),
             1);
    QVERIFY(textOf(m_out).contains(QStringLiteral("✗ URL")));
    QFile file(m_folder->filePath(QStringLiteral("check.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_out = file.readAll();
    QVERIFY(!document()[QStringLiteral("ok")].toBool(true));
    QCOMPARE(document()[QStringLiteral("url")].toString(), QString());
    QVERIFY(document()[QStringLiteral("models")].toArray().isEmpty());
}

void TestCheckCommand::theSettingsNameEndpointAndModel()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return answer(request);
    });
    QFile file(m_folder->filePath(QStringLiteral("settings.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QStringLiteral(R"({"tokenpace": {"endpoints": [
        {"name": "off", "baseUrl": "http://127.0.0.1:%1/v1", "model": "m"},
        {"name": "on", "baseUrl": "http://127.0.0.1:%2/v1", "model": "other"}],
        "experiment": {"experiment": "unheard-of"}}})")
                   .arg(ScriptedServer::closedPort())
                   .arg(server.port())
                   .toUtf8());
    file.close();
    QCOMPARE(run({}), 1);
    QVERIFY(textOf(m_error).contains(QStringLiteral("--endpoint takes another: off, on")));
    QCOMPARE(run({QStringLiteral("--endpoint"), QStringLiteral("on")}), 0);
    QVERIFY2(textOf(m_out).contains(QStringLiteral("other answered")), m_out.constData());
    QVERIFY(server.requests()[1].body.find("\"other\"") != std::string::npos);
}

void TestCheckCommand::theSystemsProxyIsUsedWhereTheSettingsSaySo()
{
    const QString place = QStringLiteral("127.0.0.1:%1").arg(ScriptedServer::closedPort());
    m_environment.insert(QStringLiteral("http_proxy"), QStringLiteral("http://") + place);
    m_environment.remove(QStringLiteral("no_proxy"));
    m_environment.remove(QStringLiteral("NO_PROXY"));
    QFile file(m_folder->filePath(QStringLiteral("settings.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"tokenpace": {"endpoints": [
        {"baseUrl": "http://api.example/v1", "model": "m", "proxy": "system"}]}})");
    file.close();
    QCOMPARE(run({}), 1);
    QVERIFY2(textOf(m_out).contains(QStringLiteral("all goes through the proxy ") + place), m_out.constData());
    QVERIFY2(textOf(m_out).contains(QStringLiteral("Is the proxy running? Check \"proxy\".")), m_out.constData());
}

void TestCheckCommand::aKeyFromTheEnvironmentIsSentAndNeverShown()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return Script{
            send(wholeReply(401, R"({"error":{"message":"wrong: )" + request.header("Authorization") + "\"}}"))};
    });
    m_environment.insert(QStringLiteral("MY_KEY"), secret);
    const QStringList arguments{QStringLiteral("--base-url"),    QString::fromStdString(server.url("/v1")),
                                QStringLiteral("--api-key-env"), QStringLiteral("MY_KEY"),
                                QStringLiteral("--model"),       QStringLiteral("m"),
                                QStringLiteral("--json"),        QStringLiteral("-")};
    QCOMPARE(run(arguments), 1);
    QCOMPARE(server.requests().front().header("Authorization"), "Bearer " + secret.toStdString());
    QVERIFY(textOf(m_out).contains(QStringLiteral("${MY_KEY}")));
    QVERIFY(textOf(m_out).contains(QStringLiteral("[redacted]")));
    QVERIFY(!textOf(m_out + m_error).contains(secret));
}

void TestCheckCommand::severalModelsAndNoneNamedEndWithTwo()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return answer(request);
    });
    QCOMPARE(run({QStringLiteral("--base-url"), QString::fromStdString(server.url("/v1"))}), 2);
    QVERIFY(textOf(m_error).contains(QStringLiteral("--model")));
    QVERIFY(textOf(m_out).contains(QStringLiteral("m, other")));
}

void TestCheckCommand::aWrongCommandEndsWithTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("inError");
    const auto row = [](const char* name, const char* arguments, const char* error) {
        QTest::newRow(name) << QString::fromUtf8(arguments).split(u' ', Qt::SkipEmptyParts) << QString::fromUtf8(error);
    };
    row("nothing to check", "", "no settings were found");
    row("an unknown option", "--frobnicate", "frobnicate");
    row("an argument", "--base-url http://127.0.0.1:1 more", "unexpected argument \"more\"");
    row("an unknown protocol", "--base-url http://127.0.0.1:1 --protocol smtp", "\"smtp\" is no protocol");
    row("two models", "--base-url http://127.0.0.1:1 --model a --model b", "one model at a time");
    row("an unset variable", "--base-url http://127.0.0.1:1 --api-key-env TOKENPACE_NO_SUCH_KEY",
        "TOKENPACE_NO_SUCH_KEY is not set");
    row("a file that is not there", "--settings none.json", "none.json");
}

void TestCheckCommand::aWrongCommandEndsWithTwo()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, inError);
    QCOMPARE(run(arguments), 2);
    QVERIFY2(textOf(m_error).contains(inError), m_error.constData());
    QVERIFY(m_out.isEmpty());
}

void TestCheckCommand::helpNamesTheOptionsAndExits()
{
    QCOMPARE(run({QStringLiteral("--help")}), 0);
    for (const char* option : {"tokenpace check", "--settings", "--endpoint", "--base-url", "--api-key-env", "--model",
                               "--protocol", "--json"}) {
        QVERIFY2(textOf(m_out).contains(QString::fromUtf8(option)), option);
    }
}

void TestCheckCommand::anInterruptEndsItAtOnceWithAWholeDocument()
{
    const ScriptedServer server([](const ReceivedRequest& request, int) {
        return request.method == "GET" ? answer(request) : Script{stall()};
    });
    QProcess process;
    start(process,
          {QStringLiteral("--base-url"), QString::fromStdString(server.url("/v1")), QStringLiteral("--model"),
           QStringLiteral("m"), QStringLiteral("--json"), QStringLiteral("-")});
    QVERIFY(process.waitForStarted(longWaitMs));
    QVERIFY(server.waitForRequests(2, std::chrono::milliseconds(longWaitMs)));
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(longWaitMs));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    m_out = process.readAllStandardOutput();
    QVERIFY(!document()[QStringLiteral("ok")].toBool(true));
    QCOMPARE(document()[QStringLiteral("steps")].toArray().size(), 7); // those before the request
}

QTEST_GUILESS_MAIN(TestCheckCommand)
#include "tst_checkcommand.moc"
