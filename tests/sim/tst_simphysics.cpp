// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QtTest>

#include "sim/prefixcache.h"
#include "sim/simscheduler.h"

using namespace tokenpace::sim;

namespace {

constexpr std::int64_t ms = 1'000'000;

std::vector<std::uint64_t> prompt(int tokens, std::uint64_t start = 0)
{
    std::vector<std::uint64_t> hashes(static_cast<std::size_t>(tokens));
    std::iota(hashes.begin(), hashes.end(), start);
    return hashes;
}

SimModel exactModel()
{
    SimModel model;
    model.name = "exact";
    model.prefillFixedMs = 20;
    model.prefillMsPerToken = 0.1;
    model.decodeFloorMs = 10;
    model.decodeMsPerSequence = 2;
    model.jitterSigma = 0;
    model.maxBatch = 2;
    model.cacheBlocks = 0;
    return model;
}

SimJob job(int tokens, std::int64_t receivedNs)
{
    SimJob made;
    made.prompt = prompt(tokens);
    made.receivedNs = receivedNs;
    return made;
}

} // namespace

class tst_simphysics : public QObject {
    Q_OBJECT

private slots:
    void prefillIsLinearAndQuadraticInUncachedTokens();
    void decodeGrowsWithBatchAndContext();
    void jitterHasMedianOneAndTheGivenSigma();
    void jitterIsAFunctionOfSeedAndCount();
    void aRequestAloneIsPrefilledAndThenDecoded();
    void aNewcomerHoldsUpTheRunningOnes();
    void runningOnesGetATokenBetweenTwoAdmissions();
    void theBatchIsNeverLargerThanAllowedAndTheQueueIsFair();
    void whoIsRemovedFreesItsPlaceWherever();
    void aLittleLatenessIsMadeUpForAndMuchIsNot();
    void aCachedStartIsNotPrefilledAgain();
    void theCacheCountsWholeBlocksAndNeverTheWholePrompt();
    void theCacheChainsItsBlocks();
    void theCacheDropsTheLeastRecentlyUsed();
    void noCacheWithoutBlocks();
};

void tst_simphysics::prefillIsLinearAndQuadraticInUncachedTokens()
{
    SimModel model;
    model.prefillFixedMs = 90;
    model.prefillMsPerToken = 0.12;
    model.prefillMsPerTokenSquared = 0.000007;
    QCOMPARE(prefillMs(model, 0), 90.0);
    QCOMPARE(prefillMs(model, 1000), 90.0 + 120.0 + 7.0);
    QCOMPARE(prefillMs(model, 10000), 90.0 + 1200.0 + 700.0);
}

void tst_simphysics::decodeGrowsWithBatchAndContext()
{
    SimModel model;
    model.decodeFloorMs = 10;
    model.decodeMsPerSequence = 0.5;
    model.decodeMsPerContextToken = 0.001;
    QCOMPARE(decodeMs(model, 1, 0), 10.0);
    QCOMPARE(decodeMs(model, 9, 2000), 10.0 + 4.0 + 2.0);
}

void tst_simphysics::jitterHasMedianOneAndTheGivenSigma()
{
    constexpr std::uint64_t n = 200000;
    constexpr double sigma = 0.1;
    for (const auto jitter : {&decodeJitter, &prefillJitter}) {
        std::vector<double> logs;
        logs.reserve(n);
        for (std::uint64_t i = 0; i < n; ++i) {
            logs.push_back(std::log(jitter(sigma, 5, i)));
        }
        const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(n);
        double square = 0;
        for (const double value : logs) {
            square += (value - mean) * (value - mean);
        }
        std::nth_element(logs.begin(), logs.begin() + n / 2, logs.end());
        QVERIFY(std::abs(logs[n / 2]) < 0.01);
        QVERIFY(std::abs(std::sqrt(square / static_cast<double>(n)) - sigma) < 0.005);
        QCOMPARE(jitter(0, 5, 3), 1.0);
    }
}

void tst_simphysics::jitterIsAFunctionOfSeedAndCount()
{
    QCOMPARE(decodeJitter(0.1, 1, 100), decodeJitter(0.1, 1, 100));
    QVERIFY(decodeJitter(0.1, 1, 100) != decodeJitter(0.1, 2, 100));
    QVERIFY(decodeJitter(0.1, 1, 100) != decodeJitter(0.1, 1, 101));
    QVERIFY(prefillJitter(0.1, 1, 100) != prefillJitter(0.1, 1, 101));
}

void tst_simphysics::aRequestAloneIsPrefilledAndThenDecoded()
{
    SimScheduler scheduler(exactModel(), 1);
    QVERIFY(scheduler.idle());
    QVERIFY(scheduler.next().kind == SimStep::Kind::Idle);

    SimJob only = job(100, 1000 * ms);
    scheduler.submit(only);
    QCOMPARE(scheduler.admit(), std::vector<SimJob*>{&only});
    SimStep step = scheduler.next();
    QVERIFY(step.kind == SimStep::Kind::Prefill);
    QCOMPARE(step.startNs, 1000 * ms);
    QCOMPARE(step.endNs, 1030 * ms);
    QCOMPARE(only.generated, 1);

    for (int token = 2; token <= 4; ++token) {
        QVERIFY(scheduler.admit().empty());
        step = scheduler.next();
        QVERIFY(step.kind == SimStep::Kind::Decode);
        QCOMPARE(step.endNs, (1030 + 10 * (token - 1)) * ms);
        QCOMPARE(only.generated, token);
    }
    scheduler.remove(only);
    QVERIFY(scheduler.idle());
}

void tst_simphysics::aNewcomerHoldsUpTheRunningOnes()
{
    SimScheduler scheduler(exactModel(), 1);
    SimJob first = job(100, 0);
    scheduler.submit(first);
    (void)scheduler.admit();
    (void)scheduler.next(); // prefill to 30
    (void)scheduler.admit();
    (void)scheduler.next(); // decode to 40
    SimJob second = job(200, 35 * ms);
    scheduler.submit(second);
    QCOMPARE(scheduler.admit(), std::vector<SimJob*>{&second});
    const SimStep prefill = scheduler.next();
    QCOMPARE(prefill.jobs, std::vector<SimJob*>{&second});
    QCOMPARE(prefill.startNs, 40 * ms);
    QCOMPARE(prefill.endNs, 80 * ms);
    QCOMPARE(first.generated, 2);
    (void)scheduler.admit();
    const SimStep decode = scheduler.next();
    QCOMPARE(decode.jobs.size(), std::size_t{2});
    QCOMPARE(decode.endNs, 92 * ms); // floor 10 and 2 for the second sequence
    QCOMPARE(first.generated, 3);
    QCOMPARE(second.generated, 2);
}

void tst_simphysics::runningOnesGetATokenBetweenTwoAdmissions()
{
    SimModel model = exactModel();
    model.maxBatch = 8;
    SimScheduler scheduler(model, 1);
    std::vector<SimJob> jobs(8, job(10, 0));
    bool decodedSinceAdmission = true;
    int admissions = 0;
    for (SimJob& one : jobs) {
        scheduler.submit(one);
        if (!scheduler.admit().empty()) {
            QVERIFY(decodedSinceAdmission);
            decodedSinceAdmission = false;
            ++admissions;
        }
        decodedSinceAdmission = scheduler.next().kind == SimStep::Kind::Decode || decodedSinceAdmission;
    }
    QVERIFY(admissions > 1);
}

void tst_simphysics::theBatchIsNeverLargerThanAllowedAndTheQueueIsFair()
{
    SimScheduler scheduler(exactModel(), 1);
    std::vector<SimJob> jobs(7, job(10, 0));
    for (SimJob& one : jobs) {
        scheduler.submit(one);
    }
    std::vector<SimJob*> entered;
    while (!scheduler.idle()) {
        const std::vector<SimJob*> now = scheduler.admit();
        entered.insert(entered.end(), now.begin(), now.end());
        QVERIFY(scheduler.inBatch() <= 2);
        for (SimJob* one : scheduler.next().jobs) {
            if (one->generated == 3) {
                scheduler.remove(*one);
            }
        }
    }
    QCOMPARE(entered.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        QCOMPARE(entered[i], &jobs[i]);
        QCOMPARE(jobs[i].ordinal, i);
    }
}

void tst_simphysics::whoIsRemovedFreesItsPlaceWherever()
{
    SimScheduler scheduler(exactModel(), 1);
    std::vector<SimJob> jobs(4, job(10, 0));
    for (SimJob& one : jobs) {
        scheduler.submit(one);
    }
    (void)scheduler.admit();
    (void)scheduler.next();
    scheduler.remove(jobs[0]); // running
    scheduler.remove(jobs[1]); // admitted, not prefilled
    scheduler.remove(jobs[2]); // waiting
    QCOMPARE(scheduler.inBatch(), std::size_t{0});
    QCOMPARE(scheduler.admit(), std::vector<SimJob*>{&jobs[3]});
}

void tst_simphysics::aLittleLatenessIsMadeUpForAndMuchIsNot()
{
    SimScheduler scheduler(exactModel(), 1);
    SimJob only = job(100, 0);
    scheduler.submit(only);
    (void)scheduler.admit();
    QCOMPARE(scheduler.next().endNs, 30 * ms);
    scheduler.settle(34 * ms);
    QCOMPARE(scheduler.next().endNs, 40 * ms);
    scheduler.settle(60 * ms);
    QCOMPARE(scheduler.next().endNs, 70 * ms);
}

void tst_simphysics::aCachedStartIsNotPrefilledAgain()
{
    SimModel model = exactModel();
    model.cacheBlocks = 100;
    SimScheduler scheduler(model, 1);
    SimJob first = job(100, 0);
    scheduler.submit(first);
    (void)scheduler.admit();
    QCOMPARE(scheduler.next().endNs, 30 * ms);
    QCOMPARE(first.cachedTokens, 0);
    scheduler.remove(first);

    SimJob second = job(100, 100 * ms);
    scheduler.submit(second);
    (void)scheduler.admit();
    const SimStep step = scheduler.next();
    QCOMPARE(second.cachedTokens, 96); // six blocks of 16
    QCOMPARE(step.endNs - step.startNs, 20 * ms + 4 * ms / 10);
}

void tst_simphysics::theCacheCountsWholeBlocksAndNeverTheWholePrompt()
{
    PrefixCache cache(16, 100);
    QCOMPARE(cache.cachedTokens(prompt(64)), 0);
    cache.insert(prompt(64));
    QCOMPARE(cache.cachedTokens(prompt(64)), 48);
    QCOMPARE(cache.cachedTokens(prompt(65)), 64);
    QCOMPARE(cache.cachedTokens(prompt(200)), 64);
    QCOMPARE(cache.cachedTokens(prompt(40)), 32);
    QCOMPARE(cache.cachedTokens(prompt(15)), 0);
    QCOMPARE(cache.cachedTokens({}), 0);
}

void tst_simphysics::theCacheChainsItsBlocks()
{
    PrefixCache cache(4, 100);
    cache.insert({1, 2, 3, 4, 5, 6, 7, 8});
    QCOMPARE(cache.cachedTokens({9, 2, 3, 4, 5, 6, 7, 8, 0}), 0);
    QCOMPARE(cache.cachedTokens({5, 6, 7, 8, 0}), 0);
    QCOMPARE(cache.cachedTokens({1, 2, 3, 4, 9, 6, 7, 8, 0}), 4);
}

void tst_simphysics::theCacheDropsTheLeastRecentlyUsed()
{
    PrefixCache cache(4, 4);
    const auto a = prompt(9, 100);
    const auto b = prompt(9, 200);
    const auto c = prompt(5, 300);
    cache.insert(a);
    cache.insert(b);
    QCOMPARE(cache.cachedTokens(a), 8); // a is now the more recent one
    cache.insert(c);
    QCOMPARE(cache.cachedTokens(c), 4);
    QCOMPARE(cache.cachedTokens(a), 8);
    QCOMPARE(cache.cachedTokens(b), 4); // its end went first, its start is still of use
}

void tst_simphysics::noCacheWithoutBlocks()
{
    for (PrefixCache cache : {PrefixCache(16, 0), PrefixCache(0, 16)}) {
        cache.insert(prompt(64));
        QCOMPARE(cache.cachedTokens(prompt(64)), 0);
    }
}

QTEST_GUILESS_MAIN(tst_simphysics)
#include "tst_simphysics.moc"
