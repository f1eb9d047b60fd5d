// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <atomic>
#include <memory>
#include <numeric>
#include <thread>

#include <QTest>

#include "net/mailbox.h"

using namespace tokenpace;

class TestMailbox : public QObject {
    Q_OBJECT
private slots:
    void manyPushesBeforeATakeNotifyOnce();
    void theOrderIsKept();
    void aTakeLetsTheNextPushNotifyAgain();
    void nothingIsLostBetweenThreads();
    void itemsThatOnlyMoveAreTaken();
};

void TestMailbox::manyPushesBeforeATakeNotifyOnce()
{
    constexpr int pushes = 10'000;
    std::atomic<int> notified = 0;
    Mailbox<int> box;
    box.setNotify([&] {
        ++notified;
    });
    std::thread pusher([&] {
        for (int i = 0; i < pushes; ++i) {
            box.push(i);
        }
    });
    pusher.join();
    QCOMPARE(notified.load(), 1);
    QCOMPARE(box.take().size(), std::size_t(pushes));
    QVERIFY(box.take().empty());
}

void TestMailbox::theOrderIsKept()
{
    Mailbox<int> box;
    for (int i = 0; i < 100; ++i) {
        box.push(i);
    }
    std::vector<int> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    QVERIFY(box.take() == expected);
}

void TestMailbox::aTakeLetsTheNextPushNotifyAgain()
{
    int notified = 0;
    Mailbox<int> box;
    box.push(0); // before there is anybody to notify
    QCOMPARE(box.take().size(), std::size_t(1));
    box.setNotify([&] {
        ++notified;
    });
    box.push(1);
    box.push(2);
    QCOMPARE(notified, 1);
    QCOMPARE(box.take().size(), std::size_t(2));
    box.push(3);
    QCOMPARE(notified, 2);
}

void TestMailbox::nothingIsLostBetweenThreads()
{
    constexpr int pushes = 20'000;
    constexpr int pushers = 3;
    std::atomic<int> notified = 0;
    Mailbox<int> box;
    box.setNotify([&] {
        ++notified;
    });
    std::vector<std::thread> threads;
    for (int n = 0; n < pushers; ++n) {
        threads.emplace_back([&, n] {
            for (int i = 0; i < pushes; ++i) {
                box.push(n * pushes + i);
            }
        });
    }
    std::vector<int> last(pushers, -1);
    int taken = 0;
    int batches = 0;
    bool ordered = true;
    while (taken < pushes * pushers) {
        const std::vector<int> items = box.take();
        batches += items.empty() ? 0 : 1;
        for (const int item : items) {
            int& previous = last[static_cast<std::size_t>(item / pushes)];
            ordered = ordered && item % pushes == previous + 1;
            previous = item % pushes;
            ++taken;
        }
        std::this_thread::yield();
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    QVERIFY(ordered); // each thread's items in its own order
    QVERIFY(box.take().empty());
    QCOMPARE(notified.load(), batches); // one for each time that it was not empty
}

void TestMailbox::itemsThatOnlyMoveAreTaken()
{
    Mailbox<std::unique_ptr<int>> box;
    box.push(std::make_unique<int>(5));
    QCOMPARE(*box.take().front(), 5);
}

QTEST_GUILESS_MAIN(TestMailbox)

#include "tst_mailbox.moc"
