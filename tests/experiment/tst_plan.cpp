// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <map>

#include <QTest>

#include "experiment/plan.h"
#include "experiment/prompts.h"

using namespace tokenpace;

namespace {

RunSpec twoModels()
{
    RunSpec spec;
    Target target;
    target.endpoint.name = QStringLiteral("local");
    target.endpoint.baseUrl = QStringLiteral("http://127.0.0.1:1");
    target.model = QStringLiteral("a");
    spec.targets << target;
    target.model = QStringLiteral("b");
    spec.targets << target;
    spec.promptTokens = {100, 1000, 300};
    spec.repeats = 4;
    spec.seed = 7;
    return spec;
}

} // namespace

class PlanTest final : public QObject {
    Q_OBJECT

private slots:
    void warmUpsComeFirstAtTheMiddleLength();
    void eachRoundHoldsEveryCellOnce();
    void theSeedFixesTheOrder();
    void blockedOrderKeepsRepeatsTogether();
    void aGivenPromptHasNoLength();
    void promptsStartWithTheirNonce();
    void calibrationHitsTheLengthsAskedFor();
};

void PlanTest::warmUpsComeFirstAtTheMiddleLength()
{
    const Plan plan = makePlan(twoModels());
    QCOMPARE(plan.requests.size(), std::size_t{2 + 2 * 3 * 4});
    QCOMPARE(plan.measured, 24);
    for (std::size_t i = 0; i < plan.requests.size(); ++i) {
        QCOMPARE(plan.requests[i].seq, static_cast<int>(i));
        QCOMPARE(plan.requests[i].warmUp, i < 2);
    }
    QCOMPARE(plan.requests[0].promptTokens.value(), 300);
    QCOMPARE(plan.promptTokens, std::int64_t{2 * 300 + 8 * 1400});
}

void PlanTest::eachRoundHoldsEveryCellOnce()
{
    const Plan plan = makePlan(twoModels());
    std::map<std::tuple<int, int, int>, int> seen;
    for (const PlannedRequest& request : plan.requests) {
        if (!request.warmUp) {
            QCOMPARE(request.repeat, (request.seq - 2) / 6);
            ++seen[{request.repeat, request.target, *request.promptTokens}];
        }
    }
    QCOMPARE(seen.size(), std::size_t{24});
}

void PlanTest::theSeedFixesTheOrder()
{
    const auto order = [](quint64 seed) {
        RunSpec spec = twoModels();
        spec.seed = seed;
        std::vector<int> lengths;
        for (const PlannedRequest& request : makePlan(spec).requests) {
            lengths.push_back(*request.promptTokens + request.target);
        }
        return lengths;
    };
    QCOMPARE(order(7), order(7));
    QVERIFY(order(7) != order(8));
}

void PlanTest::blockedOrderKeepsRepeatsTogether()
{
    RunSpec spec = twoModels();
    spec.interleaved = false;
    const Plan plan = makePlan(spec);
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(plan.requests[static_cast<std::size_t>(2 + i)].promptTokens.value(), 100);
        QCOMPARE(plan.requests[static_cast<std::size_t>(2 + i)].target, 0);
    }
}

void PlanTest::aGivenPromptHasNoLength()
{
    RunSpec spec = twoModels();
    spec.experiment = Experiment::Single;
    spec.promptTokens.clear();
    spec.warmup = 0;
    const Plan plan = makePlan(spec);
    QCOMPARE(plan.requests.size(), std::size_t{8});
    QVERIFY(!plan.requests[0].promptTokens);
}

void PlanTest::promptsStartWithTheirNonce()
{
    const std::string nonce = promptNonce(7, "run", 3);
    QCOMPARE(nonce.size(), std::size_t{16});
    QVERIFY(nonce != promptNonce(7, "run", 4));
    QVERIFY(nonce != promptNonce(7, "other", 3));
    const std::string prompt = lengthPrompt(50, nonce, 7, 128);
    QCOMPARE(prompt.substr(1, 16), nonce);
    QCOMPARE(prompt, lengthPrompt(50, nonce, 7, 128));
    QVERIFY(prompt.find("128") != std::string::npos);
}

void PlanTest::calibrationHitsTheLengthsAskedFor()
{
    TokenEstimate estimate;
    const int words = estimate.wordsFor(1000);
    // A server whose tokenizer makes 1.5 tokens of each word.
    const auto served = [](int count) {
        return static_cast<std::int64_t>(60 + 1.5 * count);
    };
    estimate.calibrate(words, served(words));
    QVERIFY(estimate.calibrated);
    for (const int tokens : {100, 1000, 10000}) {
        QVERIFY(std::abs(served(estimate.wordsFor(tokens)) - tokens) <= 2 + tokens / 1000);
    }
    QCOMPARE(estimate.wordsFor(1), 1);
}

QTEST_GUILESS_MAIN(PlanTest)
#include "tst_plan.moc"
