// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "net/attempt.h"

using namespace tokenpace;
using namespace std::chrono_literals;

namespace {

Timeline refusedWith(int status, std::optional<double> waitMs = {})
{
    Timeline timeline;
    timeline.status = Status::Error;
    timeline.error = RequestError{ErrorKind::Http, status, "busy", {}, waitMs, {}};
    return timeline;
}

AttemptProgress sentAt(Stamp posted, Stamp sent)
{
    AttemptProgress progress;
    progress.posted = posted;
    progress.sent = sent;
    progress.sentCount = 1;
    return progress;
}

const TimeLimits limits{10s, 30s, 20s, 120s};

} // namespace

class TestAttempt : public QObject {
    Q_OBJECT
private slots:
    void beforeTheRequestIsSentOnlyTheConnectLimitHolds();
    void afterThatTheFirstOutputIsDue();
    void nothingIsDueOfAWholeReplyOrAnError();
    void theIdleLimitFollowsTheLastByte();
    void theReadersOwnWaitHasNoPhase();
    void limitsOfZeroAreOff();
    void messagesNameThePlaceAndTheLimit();
    void aFreshConnectionHasConnectAndAReusedOneSend();
    void tlsSplitsConnectFromSend();
    void aResendKeepsOnlyWhatIsKnown();
    void onlyPassingFailuresAreTriedAgain();
    void theServersWaitIsKeptToItsFraction();
    void withoutOneTheWaitsDouble();
    void noWaitIsLongerThanAMinute();
};

void TestAttempt::beforeTheRequestIsSentOnlyTheConnectLimitHolds()
{
    AttemptProgress progress;
    progress.posted = 5s;
    const auto next = nextDeadline(limits, progress, {}, false, {});
    QVERIFY(next);
    QCOMPARE(next->at, Stamp(15s));
    QCOMPARE(next->phase, std::optional(Phase::Connect));
}

void TestAttempt::afterThatTheFirstOutputIsDue()
{
    Timeline timeline;
    timeline.zero = 6s;
    auto next = nextDeadline(limits, sentAt(5s, 6s), timeline, false, {});
    QCOMPARE(next->at, Stamp(36s));
    QCOMPARE(next->phase, std::optional(Phase::Ttft));

    timeline.zero.reset(); // sent in part
    next = nextDeadline(limits, sentAt(5s, 6s), timeline, false, {});
    QCOMPARE(next->phase, std::optional(Phase::Send));

    timeline.zero = 6s;
    timeline.arrivals = {7s};
    next = nextDeadline(limits, sentAt(5s, 6s), timeline, false, {});
    QCOMPARE(next->at, Stamp(126s));
    QCOMPARE(next->phase, std::optional(Phase::Total));
}

void TestAttempt::nothingIsDueOfAWholeReplyOrAnError()
{
    Timeline timeline;
    timeline.zero = 6s;
    timeline.params.stream = false;
    QCOMPARE(nextDeadline(limits, sentAt(5s, 6s), timeline, false, {})->phase, std::optional(Phase::Total));
    timeline.params.stream = true;
    QCOMPARE(nextDeadline(limits, sentAt(5s, 6s), timeline, true, {})->phase, std::optional(Phase::Total));
    AttemptProgress progress = sentAt(5s, 6s);
    progress.httpStatus = 429;
    QCOMPARE(nextDeadline(limits, progress, timeline, false, {})->phase, std::optional(Phase::Total));
}

void TestAttempt::theIdleLimitFollowsTheLastByte()
{
    Timeline timeline;
    timeline.zero = 6s;
    timeline.arrivals = {7s};
    timeline.marks.firstByte = 7s;
    timeline.marks.lastByte = 9s;
    const auto next = nextDeadline(limits, sentAt(5s, 6s), timeline, false, {});
    QCOMPARE(next->at, Stamp(29s));
    QCOMPARE(next->phase, std::optional(Phase::Idle));
}

void TestAttempt::theReadersOwnWaitHasNoPhase()
{
    Timeline timeline;
    timeline.zero = 6s;
    const auto next = nextDeadline(limits, sentAt(5s, 6s), timeline, true, Stamp(8s));
    QCOMPARE(next->at, Stamp(8s));
    QVERIFY(!next->phase);
}

void TestAttempt::limitsOfZeroAreOff()
{
    const TimeLimits none{0ms, 0ms, 0ms, 0ms};
    Timeline timeline;
    timeline.zero = 6s;
    timeline.marks.lastByte = 7s;
    QVERIFY(!nextDeadline(none, {}, {}, false, {}));
    QVERIFY(!nextDeadline(none, sentAt(5s, 6s), timeline, false, {}));
}

void TestAttempt::messagesNameThePlaceAndTheLimit()
{
    for (const Phase phase : {Phase::Connect, Phase::Send, Phase::Ttft, Phase::Idle, Phase::Total}) {
        const RequestError error = timeOutError(phase, limits, QStringLiteral("h:1"));
        QCOMPARE(error.kind, ErrorKind::Timeout);
        QCOMPARE(error.phase, std::optional(phase));
        QVERIFY(error.message.find("h:1") != std::string::npos);
        QVERIFY(error.message.find("000 ms") != std::string::npos);
    }
}

void TestAttempt::aFreshConnectionHasConnectAndAReusedOneSend()
{
    AttemptProgress fresh = sentAt(5ms, 9ms);
    fresh.connecting = 6ms;
    const PhaseDurations first = phasesFrom(fresh, 3ms, Stamp(9ms));
    QCOMPARE(first.queued, std::optional<Stamp>(2ms));
    QCOMPARE(first.connect, std::optional<Stamp>(4ms));
    QVERIFY(!first.send && !first.dns && !first.tls);

    fresh.sliced = true; // the rest of the body left later
    QCOMPARE(phasesFrom(fresh, 3ms, Stamp(12ms)).send, std::optional<Stamp>(3ms));

    const PhaseDurations reused = phasesFrom(sentAt(5ms, 6ms), 3ms, Stamp(6ms));
    QVERIFY(!reused.connect);
    QCOMPARE(reused.send, std::optional<Stamp>(1ms));
}

void TestAttempt::tlsSplitsConnectFromSend()
{
    AttemptProgress progress = sentAt(5ms, 30ms);
    progress.connecting = 6ms;
    progress.secured = 28ms;
    const PhaseDurations phases = phasesFrom(progress, 5ms, Stamp(30ms));
    QCOMPARE(phases.connect, std::optional<Stamp>(23ms));
    QCOMPARE(phases.send, std::optional<Stamp>(2ms));
    QVERIFY(!phases.tls);
}

void TestAttempt::aResendKeepsOnlyWhatIsKnown()
{
    AttemptProgress progress = sentAt(5ms, 230ms);
    progress.resentUnseen = true;
    const PhaseDurations phases = phasesFrom(progress, 3ms, Stamp(230ms));
    QCOMPARE(phases.queued, std::optional<Stamp>(2ms));
    QVERIFY(!phases.connect && !phases.send);
}

void TestAttempt::onlyPassingFailuresAreTriedAgain()
{
    AttemptProgress connectFailure;
    connectFailure.passing = true;
    Timeline failed;
    failed.status = Status::Error;
    failed.error = RequestError{};
    QVERIFY(retryWait(failed, connectFailure, 1, 1, 0.5));
    QVERIFY(!retryWait(failed, {}, 1, 1, 0.5));
    QVERIFY(retryWait(refusedWith(429), {}, 1, 1, 0.5));
    QVERIFY(retryWait(refusedWith(503), {}, 1, 1, 0.5));
    for (const int status : {301, 400, 401, 404, 408, 500, 502, 504, 529}) {
        QVERIFY(!retryWait(refusedWith(status), {}, 1, 9, 0.5));
    }
    QVERIFY(!retryWait(refusedWith(429), {}, 1, 0, 0.5));
    QVERIFY(retryWait(refusedWith(429), {}, 2, 2, 0.5));
    QVERIFY(!retryWait(refusedWith(429), {}, 3, 2, 0.5));
}

void TestAttempt::theServersWaitIsKeptToItsFraction()
{
    QCOMPARE(*retryWait(refusedWith(429, 0), {}, 1, 1, 0.5), 0ms);
    QCOMPARE(*retryWait(refusedWith(429, 1500), {}, 1, 1, 0.9), 1500ms);
    QCOMPARE(*retryWait(refusedWith(429, 0.4), {}, 1, 1, 0.5), 1ms); // never earlier than asked
}

void TestAttempt::withoutOneTheWaitsDouble()
{
    QCOMPARE(*retryWait(refusedWith(429), {}, 1, 9, 0.5), 1000ms);
    QCOMPARE(*retryWait(refusedWith(429), {}, 2, 9, 0.5), 2000ms);
    QCOMPARE(*retryWait(refusedWith(429), {}, 3, 9, 0.5), 4000ms);
    QCOMPARE(*retryWait(refusedWith(429), {}, 1, 9, 0.0), 800ms);
    QCOMPARE(*retryWait(refusedWith(429), {}, 1, 9, 1.0), 1200ms);
}

void TestAttempt::noWaitIsLongerThanAMinute()
{
    QCOMPARE(*retryWait(refusedWith(429), {}, 7, 99, 1.0), 60'000ms);
    QCOMPARE(*retryWait(refusedWith(429), {}, 98, 99, 0.5), 60'000ms);
    QCOMPARE(*retryWait(refusedWith(429, 1e9), {}, 1, 9, 0.5), 60'000ms);
}

QTEST_GUILESS_MAIN(TestAttempt)

#include "tst_attempt.moc"
