// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QProcess>
#include <QTest>

#include "experiment/curltext.h"
#include "experiment/plannedrequest.h"
#include "settings/importers.h"

using namespace tokenpace;

namespace {

const auto key = QStringLiteral("sk-0123456789abcdef");

EndpointSettings endpoint()
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("gateway");
    endpoint.baseUrl = QStringLiteral("https://gateway.example/api/v1");
    endpoint.apiKey = key;
    endpoint.apiKeySource = QStringLiteral("${TAOTOKEN_API_KEY}");
    return endpoint;
}

RunSpec specOf(const EndpointSettings& endpoint, const QString& prompt)
{
    RunSpec spec;
    spec.experiment = Experiment::Single;
    spec.targets = {Target{endpoint, QStringLiteral("m-1"), {}}};
    spec.prompt = prompt;
    return spec;
}

QString textOf(const EndpointSettings& endpoint, const QString& prompt = QStringLiteral("Hi"))
{
    const BuiltRequest built = buildPlanned(specOf(endpoint, prompt), PlannedRequest{}, QStringLiteral("run"), 0);
    return built.request ? curlText(*built.request, endpoint) : built.problem;
}

/// What a shell hands to curl, word by word.
QList<QByteArray> wordsOf(const QString& command, const QProcessEnvironment& environment = {})
{
    QProcess shell;
    shell.setProcessEnvironment(environment);
    const QString printing = QStringLiteral("curl() { for word do printf '%s\\0' \"$word\"; done; }\n");
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), printing + command});
    if (!shell.waitForFinished()) {
        return {};
    }
    QList<QByteArray> words = shell.readAllStandardOutput().split('\0');
    words.removeLast(); // behind the last end
    return words;
}

QByteArray after(const QList<QByteArray>& words, const QByteArray& option)
{
    const auto at = words.indexOf(option);
    return at >= 0 && at + 1 < words.size() ? words.at(at + 1) : QByteArray();
}

} // namespace

class CurlTextTest final : public QObject {
    Q_OBJECT

private slots:
    void theKeyIsTheVariableOfTheSettings();
    void aShellHandsOverWhatIsSent();
    void aKeyFromElsewhereHasAPlainName();
    void headersMadeFromVariablesAreVariables();
    void theWayThereIsTheSame();
    void whatIsCopiedCanBePastedAsSettings();
    void theSamePlanGivesTheSamePrompt();
};

void CurlTextTest::theKeyIsTheVariableOfTheSettings()
{
    const QString text = textOf(endpoint());
    QVERIFY2(!text.contains(key), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("\"Authorization: Bearer ${TAOTOKEN_API_KEY}\"")), qPrintable(text));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("TAOTOKEN_API_KEY"), key);
    QVERIFY(wordsOf(text, environment).contains("Authorization: Bearer " + key.toUtf8()));
}

void CurlTextTest::aShellHandsOverWhatIsSent()
{
    const QString prompt = QString::fromUtf8("It's $HOME, `id`, \"two\"\nlines \\ and 中文 !");
    const EndpointSettings one = endpoint();
    const BuiltRequest built = buildPlanned(specOf(one, prompt), PlannedRequest{}, QStringLiteral("run"), 0);
    QVERIFY(built.request);
    const QList<QByteArray> words = wordsOf(curlText(*built.request, one));
    QCOMPARE(after(words, "--data-raw"), built.request->body);
    QVERIFY(words.contains("https://gateway.example/api/v1/chat/completions"));
    QVERIFY(words.contains("Content-Type: application/json"));
    QVERIFY(words.contains("-N")); // as the answer comes
}

void CurlTextTest::aKeyFromElsewhereHasAPlainName()
{
    EndpointSettings one = endpoint();
    one.apiKeySource = QStringLiteral("keychain:tokenpace/GATEWAY");
    QVERIFY(textOf(one).contains(QStringLiteral("Bearer ${API_KEY}\"")));
    one.apiKeySource.clear();
    one.apiKey = QStringLiteral("abc"); // too short to be found by value
    const QString text = textOf(one);
    QVERIFY2(text.contains(QStringLiteral("Bearer ${API_KEY}\"")) && !text.contains(QStringLiteral("abc")),
             qPrintable(text));
    one.apiKey.clear();
    QVERIFY(!textOf(one).contains(QStringLiteral("Authorization")));
}

void CurlTextTest::headersMadeFromVariablesAreVariables()
{
    EndpointSettings one = endpoint();
    one.extraHeaders = {{QStringLiteral("X-Team-Token"), QStringLiteral("team-secret-1")},
                        {QStringLiteral("X-Plain"), QStringLiteral("it's plain")}};
    one.secrets = {QStringLiteral("team-secret-1")};
    const QString text = textOf(one);
    QVERIFY2(!text.contains(QStringLiteral("team-secret-1")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("\"X-Team-Token: ${X_TEAM_TOKEN}\"")));
    QVERIFY(wordsOf(text).contains("X-Plain: it's plain"));
}

void CurlTextTest::theWayThereIsTheSame()
{
    EndpointSettings one = endpoint();
    QCOMPARE(after(wordsOf(textOf(one)), "--noproxy"), QByteArray("*"));
    one.proxy = QStringLiteral("http://user:hunter2-hunter2@proxy.example:3128");
    one.caFile = QStringLiteral("/etc/my ca.pem");
    one.insecure = true;
    const QString text = textOf(one);
    const QList<QByteArray> words = wordsOf(text);
    QVERIFY(after(words, "-x").contains("proxy.example:3128"));
    QVERIFY2(!text.contains(QStringLiteral("hunter2")), qPrintable(text));
    QCOMPARE(after(words, "--cacert"), QByteArray("/etc/my ca.pem"));
    QVERIFY(words.contains("--insecure"));
}

void CurlTextTest::whatIsCopiedCanBePastedAsSettings()
{
    const ImportPreview preview = importSettings(textOf(endpoint()).toUtf8(), QStringLiteral("clipboard"));
    QCOMPARE(preview.error, QString());
    const std::string taken = importedDocument(preview).root.dump();
    for (const char* part : {"${TAOTOKEN_API_KEY}", "gateway.example/api/v1", "m-1"}) {
        QVERIFY2(taken.find(part) != std::string::npos, taken.c_str());
    }
}

void CurlTextTest::theSamePlanGivesTheSamePrompt()
{
    RunSpec spec = specOf(endpoint(), {});
    spec.experiment = Experiment::Length;
    spec.seed = 7;
    PlannedRequest planned;
    planned.seq = 3;
    planned.promptTokens = 300;
    const auto body = [&](const QString& run) {
        return buildPlanned(spec, planned, run, 250).request.value_or(ClientRequest{}).body;
    };
    QVERIFY(body(QStringLiteral("a")).size() > 1000);
    QCOMPARE(body(QStringLiteral("a")), body(QStringLiteral("a")));
    QVERIFY(body(QStringLiteral("a")) != body(QStringLiteral("b"))); // no cache may know it
}

QTEST_GUILESS_MAIN(CurlTextTest)
#include "tst_curltext.moc"
