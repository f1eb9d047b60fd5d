// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "experiment/checkadvice.h"
#include "experiment/checknames.h"
#include "experiment/twoatonce.h"

using namespace tokenpace;

namespace {

CheckSituation situation(Protocol protocol = Protocol::OpenAiChat)
{
    CheckSituation result;
    result.endpoint.baseUrl = QStringLiteral("http://h:8000/v1");
    result.endpoint.apiKey = QStringLiteral("sk-T-SECRET123");
    result.endpoint.apiKeySource = QStringLiteral("${MY_KEY}");
    result.protocol = protocol;
    result.url = QUrl(QStringLiteral("http://h:8000/v1/chat/completions"));
    result.models = {QStringLiteral("gateway/qwen-small"), QStringLiteral("gemma")};
    result.model = QStringLiteral("qwen-smal");
    return result;
}

RequestError httpError(int status, const char* message)
{
    RequestError error;
    error.kind = ErrorKind::Http;
    error.httpStatus = status;
    error.message = message;
    return error;
}

QString changeText(const std::optional<SettingChange>& change)
{
    return change ? change->key + u'=' + change->value : QString();
}

/// A request of that span, in ms of one clock; its first output and its end count from there.
Timeline request(double begin, double output, double end)
{
    Timeline timeline;
    timeline.zero = fromMs(begin);
    timeline.streamed = true;
    timeline.arrivals = {fromMs(begin + output), fromMs(begin + end)};
    timeline.channels = "tt";
    timeline.marks.lastByte = fromMs(begin + end);
    timeline.marks.terminal = fromMs(begin + end);
    return timeline;
}

} // namespace

class TestCheckAdvice final : public QObject {
    Q_OBJECT
private slots:
    void eachAnswerSaysWhichSettingToChange_data();
    void eachAnswerSaysWhichSettingToChange();
    void anOAuthKeyIsNamedAsSuch();
    void withoutAKeyOneIsAskedFor();
    void aWrongModelIsRecognisedByItsWords_data();
    void aWrongModelIsRecognisedByItsWords();
    void aPathOfAnotherProtocolIsSeen();
    void theOtherPathHasTheVersionInOrOut_data();
    void theOtherPathHasTheVersionInOrOut();
    void nearNamesComeFirst();
    void twoAtOnceAreJudgedByTheSecondOnesWait_data();
    void twoAtOnceAreJudgedByTheSecondOnesWait();
};

void TestCheckAdvice::eachAnswerSaysWhichSettingToChange_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("inMeaning");
    QTest::addColumn<QString>("inFix");
    QTest::addColumn<QString>("change");
    const auto row = [](const char* name, int status, const char* message, const char* meaning, const char* fix,
                        const char* change = "") {
        QTest::newRow(name) << status << QByteArray(message) << QString::fromUtf8(meaning) << QString::fromUtf8(fix)
                            << QString::fromUtf8(change);
    };
    row("wrong key", 401, "HTTP 401: bad key", "not accepted", "${MY_KEY}");
    row("OAuth in words", 401, "HTTP 401: OAuth authentication is currently not supported", "OAuth token", "API key");
    row("forbidden", 403, "HTTP 403: no", "may not", "\"model\"");
    row("nothing there", 404, "HTTP 404", "nothing is at http://h:8000/v1/chat/completions", "\"baseUrl\"");
    row("model not found", 404, "HTTP 404: The model `qwen-smal` does not exist", "no such model", "gateway/qwen-small",
        "model=gateway/qwen-small");
    row("model in a 400", 400, "HTTP 400: Invalid model name passed in model=qwen-smal", "no such model",
        "gateway/qwen-small", "model=gateway/qwen-small");
    row("refused limit", 400, "HTTP 400: Unsupported parameter: max_tokens; set limitField to max_completion_tokens",
        "refused", "\"limitField\"", "limitField=max_completion_tokens");
    row("TLS wanted", 400, "HTTP 400: Client sent an HTTP request to an HTTPS server.", "wants TLS", "https://",
        "baseUrl=https://h:8000/v1");
    row("a proxy's password", 407, "HTTP 407", "proxy", "\"proxy\"");
    row("too many", 429, "HTTP 429: slow down", "too many", "concurrency.maxParallel");
    row("quota", 429, "HTTP 429: You exceeded your current quota", "quota", "Top the account up");
    row("payment", 402, "HTTP 402: Insufficient Balance", "quota", "Top the account up");
    row("server error", 500, "HTTP 500: oops", "failed", "log");
    row("gateway", 502, "HTTP 502", "gateway", "behind the gateway");
    row("loading", 503, "HTTP 503: Loading model", "loading", "Wait");
    row("redirect", 308, "the server redirects to https://h/v1", "somewhere else", "\"baseUrl\"");
    row("Responses only", 400, "HTTP 400: This model is only supported in v1/responses and not in v1/chat/completions.",
        "another protocol", "\"protocol\"", "protocol=openai-responses");
    row("a model of Responses only", 404, "HTTP 404: The model m is not available here, use v1/responses instead.",
        "another protocol", "\"protocol\"", "protocol=openai-responses");
    row("a gateway with either header", 401, "HTTP 401: missing Authorization or x-api-key header", "not accepted",
        "${MY_KEY}");
    row("Anthropic's key", 401, "HTTP 401: x-api-key header is required", "another protocol", "\"protocol\"",
        "protocol=anthropic-messages");
}

void TestCheckAdvice::eachAnswerSaysWhichSettingToChange()
{
    QFETCH(int, status);
    QFETCH(QByteArray, message);
    QFETCH(QString, inMeaning);
    QFETCH(QString, inFix);
    QFETCH(QString, change);
    const CheckAdvice advice = adviceForRequest(httpError(status, message.constData()), situation());
    QVERIFY2(advice.meaning.contains(inMeaning), qPrintable(advice.meaning));
    QVERIFY2(advice.fix.contains(inFix), qPrintable(advice.fix));
    QCOMPARE(changeText(advice.change), change);
}

void TestCheckAdvice::anOAuthKeyIsNamedAsSuch()
{
    CheckSituation with = situation();
    with.endpoint.apiKey = QStringLiteral("sk-ant-oat01-ABCDEFGH");
    const CheckAdvice advice = adviceForRequest(httpError(401, "HTTP 401: no"), with);
    QVERIFY(advice.meaning.contains(QStringLiteral("OAuth token")));
    QVERIFY(!advice.meaning.contains(with.endpoint.apiKey));
}

void TestCheckAdvice::withoutAKeyOneIsAskedFor()
{
    CheckSituation with = situation();
    with.endpoint.apiKey.clear();
    for (const int status : {401, 403}) {
        const CheckAdvice advice = adviceForRequest(httpError(status, "HTTP: no"), with);
        QVERIFY2(advice.fix.contains(QStringLiteral("Set \"apiKey\"")), qPrintable(advice.fix));
    }
}

void TestCheckAdvice::aWrongModelIsRecognisedByItsWords_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<bool>("unknown");
    const auto row = [](const char* name, int status, const char* message, bool unknown = true) {
        QTest::newRow(name) << status << QByteArray(message) << unknown;
    };
    row("OpenAI", 404, "HTTP 404: The model `m` does not exist or you do not have access to it.");
    row("Anthropic", 404, "HTTP 404: model: m");
    row("Ollama", 404, "HTTP 404: model 'm' not found, try pulling it first");
    row("LiteLLM", 400, "HTTP 400: Invalid model name passed in model=m. Call `/v1/models`");
    row("OpenRouter", 400, "HTTP 400: m is not a valid model ID");
    row("OpenRouter without a provider", 404, "HTTP 404: No endpoints found for m.");
    row("DeepSeek", 400, "HTTP 400: Model Not Exist");
    row("one-api", 503, "HTTP 503: no available channel for model m under group default");
    row("a path", 404, "HTTP 404: Not Found", false);
    row("a key", 401, "HTTP 401: the key for this model does not exist", false);
    row("a limit", 400, "HTTP 400: this model's maximum context length is 8 tokens", false);
    row("a busy server", 429, "HTTP 429: model not available, rate limit", false);
}

void TestCheckAdvice::aWrongModelIsRecognisedByItsWords()
{
    QFETCH(int, status);
    QFETCH(QByteArray, message);
    QFETCH(bool, unknown);
    QCOMPARE(isUnknownModel(httpError(status, message.constData())), unknown);
}

void TestCheckAdvice::aPathOfAnotherProtocolIsSeen()
{
    const auto chat = Protocol::OpenAiChat;
    QCOMPARE(protocolOfPath(QStringLiteral("/v1/responses"), chat), std::optional(Protocol::OpenAiResponses));
    QCOMPARE(protocolOfPath(QStringLiteral("/v1/messages"), chat), std::optional(Protocol::AnthropicMessages));
    QCOMPARE(protocolOfPath(QStringLiteral("/api/chat"), chat), std::optional(Protocol::OllamaChat));
    QCOMPARE(protocolOfPath(QStringLiteral("/v1/chat/completions"), chat), std::optional<Protocol>());
    QCOMPARE(protocolOfPath(QStringLiteral("/v1"), chat), std::optional<Protocol>());
}

void TestCheckAdvice::theOtherPathHasTheVersionInOrOut_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("other");
    QTest::newRow("out") << QStringLiteral("/v1/models") << QStringLiteral("/models");
    QTest::newRow("in") << QStringLiteral("/models") << QStringLiteral("/v1/models");
    QTest::newRow("below a folder") << QStringLiteral("/api/v1/models") << QStringLiteral("/api/models");
    QTest::newRow("another version") << QStringLiteral("/v1beta/models") << QString();
    QTest::newRow("a later version") << QStringLiteral("/v4/models") << QString();
    QTest::newRow("another end") << QStringLiteral("/api/tags") << QString();
}

void TestCheckAdvice::theOtherPathHasTheVersionInOrOut()
{
    QFETCH(QString, path);
    QFETCH(QString, other);
    QCOMPARE(otherVersionPath(path, QStringLiteral("/models")), other);
}

void TestCheckAdvice::nearNamesComeFirst()
{
    const QStringList names{QStringLiteral("gemma"), QStringLiteral("qwen-large"), QStringLiteral("org/qwen-small"),
                            QStringLiteral("text-embedding")};
    QCOMPARE(nearNames(QStringLiteral("qwen-smal"), names).value(0), QStringLiteral("org/qwen-small"));
    QCOMPARE(nearNames(QStringLiteral("other/Qwen-Small"), names).value(0), QStringLiteral("org/qwen-small"));
    QVERIFY(nearNames(QStringLiteral("zzz"), names).isEmpty());
    QVERIFY(nearNames(QStringLiteral("m"), {}).isEmpty());
}

void TestCheckAdvice::twoAtOnceAreJudgedByTheSecondOnesWait_data()
{
    using Verdict = TwoAtOnce::Verdict;
    QTest::addColumn<double>("secondOutput");
    QTest::addColumn<double>("scale");
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("they overlap") << 60.0 << 1.0 << Verdict::Together;
    QTest::newRow("it waited for the other's end") << 250.0 << 1.0 << Verdict::OneByOne;
    QTest::newRow("it came just after the other") << 205.0 << 1.0 << Verdict::OneByOne;
    QTest::newRow("too quick to tell") << 250.0 << 0.05 << Verdict::TooQuick;
    QTest::newRow("quick and overlapping") << 60.0 << 0.05 << Verdict::Together;
}

void TestCheckAdvice::twoAtOnceAreJudgedByTheSecondOnesWait()
{
    QFETCH(double, secondOutput);
    QFETCH(double, scale);
    QFETCH(TwoAtOnce::Verdict, verdict);
    const Timeline alone = request(0, 50 * scale, 200 * scale);
    const Timeline first = request(1000, 50 * scale, 200 * scale);
    const Timeline second = request(1000, secondOutput * scale, (secondOutput + 150) * scale);
    QCOMPARE(judgeTwoAtOnce(alone, first, second).verdict, verdict);
    QCOMPARE(judgeTwoAtOnce(alone, second, first).verdict, verdict);
}

QTEST_GUILESS_MAIN(TestCheckAdvice)
#include "tst_checkadvice.moc"
