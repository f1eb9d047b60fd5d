// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "measure/metrics.h"
#include "net/client.h"
#include "support/scriptedserver.h"

namespace tokenpace::test {

/// How late a stamp may be on a busy machine; it is never early.
constexpr Stamp lateAllowed = std::chrono::milliseconds(250);
constexpr std::chrono::milliseconds longWait = std::chrono::seconds(20);

inline bool isWithin(Stamp stamp, Stamp serverStamp)
{
    return stamp >= serverStamp && stamp <= serverStamp + lateAllowed;
}

/// Which manager the requests of this pass go through: each suite runs once with each.
inline Route::ManagerKind managerUnderTest = Route::ManagerKind::Stock;

inline bool measures()
{
    return managerUnderTest == Route::ManagerKind::Measuring;
}

/// Runs the suite with each manager.
template <typename Suite> int runWithBothManagers(int argc, char** argv)
{
    int failures = 0;
    for (const auto kind : {Route::ManagerKind::Stock, Route::ManagerKind::Measuring}) {
        managerUnderTest = kind;
        qInfo("with the %s manager", measures() ? "measuring" : "stock");
        Suite suite;
        failures += QTest::qExec(&suite, argc, argv);
    }
    return failures;
}

inline ClientRequest requestTo(const std::string& url, int seq = 0)
{
    ClientRequest request;
    request.url = QUrl(QString::fromStdString(url));
    request.headers = {{"Authorization", "Bearer sk-T-SECRET123"}};
    request.body = R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]})";
    request.route.manager = managerUnderTest;
    request.timeline.run = "r1";
    request.timeline.seq = seq;
    request.timeline.model = "m";
    request.timeline.endpoint = "e";
    request.timeline.keepsText = true;
    return request;
}

/// A client whose finished requests go straight to the mailbox, as if their log lines were written.
class ClientFixture {
public:
    ClientFixture()
        : client(mailbox,
                 [this](std::shared_ptr<Timeline> timeline) {
                     mailbox.push(RequestFinished{std::move(timeline), {}});
                 })
        , ended(&client, &Client::requestEnded)
    {
        client.setBusyAfter(std::chrono::hours(1)); // tests run on busy machines
    }

    /// Waits until that many requests have ended in all.
    [[nodiscard]] bool waitForEnded(qsizetype count)
    {
        QElapsedTimer clock;
        clock.start();
        while (ended.size() < count) {
            if (clock.elapsed() > longWait.count()) {
                return false;
            }
            ended.wait(100);
        }
        return true;
    }

    [[nodiscard]] std::shared_ptr<const Timeline> timeline(qsizetype index) const
    {
        return ended.at(index).at(0).value<std::shared_ptr<const Timeline>>();
    }

    /// Sends it and waits for its end; null when that does not come.
    [[nodiscard]] std::shared_ptr<const Timeline> run(ClientRequest request)
    {
        const qsizetype before = ended.size();
        client.send(std::move(request));
        return waitForEnded(before + 1) ? timeline(before) : nullptr;
    }

    /// Drains the mailbox until `wanted` holds for what came so far; false when that does not happen.
    template <typename Condition> [[nodiscard]] bool drainUntil(Condition wanted)
    {
        return QTest::qWaitFor(
            [&] {
                std::ranges::move(mailbox.take(), std::back_inserter(updates));
                return wanted();
            },
            static_cast<int>(longWait.count()));
    }

    template <typename Update> [[nodiscard]] int count() const
    {
        return static_cast<int>(std::ranges::count_if(updates, [](const auto& u) {
            return std::holds_alternative<Update>(u);
        }));
    }

    ClientMailbox mailbox;
    std::vector<ClientUpdate> updates;
    Client client;
    QSignalSpy ended;
};

} // namespace tokenpace::test
