// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "experiment/runcontroller.h"
#include "log/logreader.h"
#include "log/record.h"
#include "measure/metrics.h"
#include "measure/summary.h"
#include "sim/simserver.h"
#include "support/scriptedserver.h"

using namespace tokenpace;

namespace {

constexpr int patienceMs = 60000;
constexpr const char* secretKey = "sk-SECRET123";

/// A quick simulated model, so that tests wait for few milliseconds of physics.
sim::SimModel quickModel()
{
    sim::SimModel model;
    model.name = "quick";
    model.prefillFixedMs = 2;
    model.prefillMsPerToken = 0.001;
    model.decodeFloorMs = 1;
    model.contextTokens = 2000;
    return model;
}

} // namespace

class RunControllerTest final : public QObject {
    Q_OBJECT

public:
    explicit RunControllerTest(QString manager)
        : m_manager(std::move(manager))
    {
    }

private slots:
    void init();
    void everyRequestIsLoggedBeforeItIsFinished();
    void warmUpsCalibrateThePromptLengths();
    void aLengthThatDoesNotFitIsLeftOut();
    void stoppingKeepsWhatWasMeasured();
    void concurrencyIsHeld();
    void aKeyThatAServerEchoesGoesNoFurther_data();
    void aKeyThatAServerEchoesGoesNoFurther();
    void aReplyThatNamesAnotherModelThanItsSeriesIsFlagged();

private:
    [[nodiscard]] RunSpec spec() const;
    std::vector<TimelinePtr> runToItsEnd(RunController& controller, const RunSpec& runSpec);
    static std::vector<TimelinePtr> finishedOf(RunController& controller);

    const QString m_manager; ///< of all runs: the whole suite runs once with each
    std::unique_ptr<sim::SimServer> m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void RunControllerTest::init()
{
    sim::SimOptions options;
    options.models = {quickModel()};
    m_server = std::make_unique<sim::SimServer>(std::move(options));
    QVERIFY2(m_server->start(), m_server->error().c_str());
    m_folder = std::make_unique<QTemporaryDir>();
}

RunSpec RunControllerTest::spec() const
{
    RunSpec runSpec;
    runSpec.manager = m_manager;
    Target target;
    target.endpoint.name = QStringLiteral("sim");
    target.endpoint.baseUrl = QString::fromStdString(m_server->baseUrl());
    target.model = QStringLiteral("quick");
    runSpec.targets = {target};
    runSpec.promptTokens = {100, 400};
    runSpec.repeats = 3;
    runSpec.maxTokens = 8;
    runSpec.seed = 5;
    return runSpec;
}

std::vector<TimelinePtr> RunControllerTest::finishedOf(RunController& controller)
{
    std::vector<TimelinePtr> records;
    for (const ClientUpdate& update : controller.mailbox().take()) {
        if (const auto* finished = std::get_if<RequestFinished>(&update)) {
            records.push_back(finished->timeline);
        }
    }
    return records;
}

std::vector<TimelinePtr> RunControllerTest::runToItsEnd(RunController& controller, const RunSpec& runSpec)
{
    QSignalSpy finished(&controller, &RunController::finished);
    controller.start(runSpec, {});
    if (finished.isEmpty() && !finished.wait(patienceMs)) {
        return {};
    }
    return finishedOf(controller);
}

void RunControllerTest::everyRequestIsLoggedBeforeItIsFinished()
{
    const QString path = m_folder->filePath(QStringLiteral("log.jsonl"));
    RunController controller(path, {});
    const auto records = runToItsEnd(controller, spec());
    QCOMPARE(records.size(), std::size_t{7});
    QCOMPARE(loadLog(path, 100).records.size(), std::size_t{7});
    for (const TimelinePtr& record : records) {
        QCOMPARE(record->status, Status::Ok);
        QVERIFY(ttftMs(*record));
    }
    QVERIFY(records.front()->flags.has(Flag::WarmUp));
    QVERIFY(!controller.running());
    QCOMPARE(controller.info().done, 7);
}

void RunControllerTest::warmUpsCalibrateThePromptLengths()
{
    RunController controller({}, {});
    const auto records = runToItsEnd(controller, spec());
    QVERIFY(!records.empty());
    for (const TimelinePtr& record : records) {
        if (record->flags.has(Flag::WarmUp)) {
            continue;
        }
        const auto target = static_cast<double>(record->promptTokensTarget.value());
        const auto tokens = static_cast<double>(record->usage.promptTokens.value());
        QVERIFY2(std::abs(tokens - target) <= std::max(30.0, 0.05 * target), qPrintable(QString::number(tokens)));
        QVERIFY(!record->flags.has(Flag::Cached));
    }
}

void RunControllerTest::aLengthThatDoesNotFitIsLeftOut()
{
    RunController controller({}, {});
    QSignalSpy noticed(&controller, &RunController::noticed);
    RunSpec runSpec = spec();
    runSpec.promptTokens = {100, 400, 3000};
    const auto records = runToItsEnd(controller, runSpec);
    int tooLong = 0;
    for (const TimelinePtr& record : records) {
        tooLong += record->promptTokensTarget == 3000 ? 1 : 0;
    }
    QCOMPARE(tooLong, 1);
    QCOMPARE(records.size(), std::size_t{8});
    QCOMPARE(noticed.size(), 1);
}

void RunControllerTest::stoppingKeepsWhatWasMeasured()
{
    RunController controller({}, {});
    QSignalSpy finished(&controller, &RunController::finished);
    QSignalSpy progressed(&controller, &RunController::progressed);
    RunSpec runSpec = spec();
    runSpec.repeats = 5000;
    controller.start(runSpec, {});
    QTRY_VERIFY_WITH_TIMEOUT(progressed.size() >= 3, patienceMs);
    controller.stop();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patienceMs);
    QCOMPARE(finished.first().first().toBool(), true);
    const auto records = finishedOf(controller);
    QVERIFY(records.size() >= 3);
    QCOMPARE(static_cast<int>(records.size()), controller.info().done);
}

void RunControllerTest::concurrencyIsHeld()
{
    RunController controller({}, {});
    RunSpec runSpec = spec();
    runSpec.concurrency = 4;
    runSpec.repeats = 8;
    const auto records = runToItsEnd(controller, runSpec);
    QCOMPARE(records.size(), std::size_t{17});
    for (const TimelinePtr& at : records) {
        int inFlight = 0;
        for (const TimelinePtr& other : records) {
            const bool overlaps = other->zero <= at->zero && other->marks.lastByte > at->zero;
            inFlight += overlaps ? 1 : 0;
        }
        QVERIFY(inFlight <= 4);
        QCOMPARE(at->params.concurrency, 4);
    }
}

void RunControllerTest::aKeyThatAServerEchoesGoesNoFurther_data()
{
    using namespace tokenpace::test;
    const std::string key = secretKey;
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QString>("endpointName");
    const auto row = [](const char* name, const std::string& reply, const QString& endpointName = QStringLiteral("e")) {
        QTest::newRow(name) << QByteArray::fromStdString(reply) << endpointName;
    };
    row("in an error", wholeReply(401, R"({"error":{"message":"Incorrect API key: )" + key + R"("}})"));
    row("in a page", wholeReply(502, "<title>Bearer " + key + "</title>", {}, "text/html"));
    row("in a header", wholeReply(500, "{}", {{"x-request-id", "for-" + key}}));
    row("in the text of two events",
        streamHead() + chunk(textEvent(key.substr(0, 6)) + textEvent(key.substr(6)) + doneEvent()) + lastChunk());
    row("as the model's name",
        streamHead()
            + chunk(test::event(R"({"model":")" + key + R"(","choices":[{"delta":{"content":"a"}}]})") + doneEvent())
            + lastChunk());
    row("in the settings' own words", streamHead() + chunk(textEvent("a") + doneEvent()) + lastChunk(),
        QString::fromStdString("my " + key));
}

void RunControllerTest::aKeyThatAServerEchoesGoesNoFurther()
{
    QFETCH(const QByteArray, reply);
    QFETCH(const QString, endpointName);
    test::ScriptedServer server({test::Script{test::send(reply.toStdString())}});
    Redactor redactor;
    redactor.addSecret(QString::fromLatin1(secretKey));
    const QString path = m_folder->filePath(QStringLiteral("log.jsonl"));
    RunController controller(path, redactor);
    RunSpec runSpec = spec();
    runSpec.experiment = Experiment::Single;
    runSpec.promptTokens.clear();
    runSpec.prompt = QStringLiteral("hi");
    runSpec.repeats = 1;
    runSpec.warmup = 0;
    runSpec.keepText = true;
    runSpec.targets[0].endpoint.baseUrl = QString::fromStdString(server.url());
    runSpec.targets[0].endpoint.name = endpointName;
    runSpec.targets[0].endpoint.apiKey = QString::fromLatin1(secretKey);
    const auto records = runToItsEnd(controller, runSpec);

    QCOMPARE(server.requests().at(0).header("authorization"), std::string("Bearer ") + secretKey);
    QCOMPARE(records.size(), std::size_t{1});
    QFile log(path);
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QByteArray line = log.readAll();
    QVERIFY(line.contains("[redacted]"));
    QVERIFY2(!line.contains(secretKey), line.constData());
    if (endpointName == QStringLiteral("e")) {
        QVERIFY(recordJson(*records.front()).dump().find(secretKey) == std::string::npos);
    }
}

void RunControllerTest::aReplyThatNamesAnotherModelThanItsSeriesIsFlagged()
{
    using namespace tokenpace::test;
    const auto answerOf = [](const std::string& model) {
        return Script{send(
            streamHead()
            + chunk(test::event(R"({"model":")" + model + R"(","choices":[{"delta":{"content":"a"}}]})") + doneEvent())
            + lastChunk())};
    };
    // What the gateway makes of the name asked for is no flag; another name among these is one.
    ScriptedServer server({answerOf("org/large-2024-08-06"), answerOf("Large"), answerOf("small"), answerOf("large")});
    RunController controller({}, {});
    RunSpec runSpec = spec();
    runSpec.experiment = Experiment::Single;
    runSpec.promptTokens.clear();
    runSpec.prompt = QStringLiteral("hi");
    runSpec.repeats = 4;
    runSpec.warmup = 0;
    runSpec.targets[0].endpoint.baseUrl = QString::fromStdString(server.url());
    const auto records = runToItsEnd(controller, runSpec);
    QCOMPARE(records.size(), std::size_t{4});
    std::vector<bool> flagged;
    for (const TimelinePtr& record : records) {
        flagged.push_back(record->flags.has(Flag::OtherModel));
    }
    QCOMPARE(flagged, (std::vector<bool>{false, false, true, false}));
}

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (const QString& manager : {QStringLiteral("stock"), QStringLiteral("measuring")}) {
        RunControllerTest test(manager);
        failures += QTest::qExec(&test, argc, argv);
    }
    return failures;
}

#include "tst_runcontroller.moc"
