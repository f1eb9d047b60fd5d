// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "experiment/runcontroller.h"
#include "log/logreader.h"
#include "measure/metrics.h"
#include "measure/summary.h"
#include "sim/simserver.h"

using namespace tokenpace;

namespace {

constexpr int patienceMs = 60000;

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

private slots:
    void init();
    void everyRequestIsLoggedBeforeItIsFinished();
    void warmUpsCalibrateThePromptLengths();
    void aLengthThatDoesNotFitIsLeftOut();
    void stoppingKeepsWhatWasMeasured();
    void concurrencyIsHeld();

private:
    [[nodiscard]] RunSpec spec() const;
    std::vector<TimelinePtr> runToItsEnd(RunController& controller, const RunSpec& runSpec);
    static std::vector<TimelinePtr> finishedOf(RunController& controller);

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

QTEST_GUILESS_MAIN(RunControllerTest)
#include "tst_runcontroller.moc"
