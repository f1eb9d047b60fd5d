// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <QMetaObject>
#include <QObject>

namespace tokenpace {

/// Runs what may block on helper threads, and hands what comes of it to the thread of `owner`. The threads are
/// detached: nobody waits for a name server that does not answer, and what comes after the owner has gone is dropped.
class Aside {
public:
    enum class End {
        Wait, ///< the destructor waits for what still runs: it uses what the end of the process takes away
        LetGo, ///< nobody waits, for a name server that does not answer for one
    };

    Aside(QObject* owner, End end)
        : m_end(end)
        , m_state(std::make_shared<State>())
    {
        m_state->owner = owner;
    }
    ~Aside()
    {
        {
            const std::lock_guard lock(m_state->mutex);
            m_state->owner = nullptr;
        }
        for (std::thread& thread : m_threads) {
            thread.join();
        }
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    /// `work` runs on a thread of its own; `take` gets its result later, on the owner's thread.
    template <typename Work, typename Take> void run(Work work, Take take)
    {
        std::thread thread([state = m_state, work = std::move(work), take = std::move(take)]() mutable {
            auto result = work();
            const std::lock_guard lock(state->mutex);
            if (state->owner) {
                QMetaObject::invokeMethod(
                    state->owner,
                    [take = std::move(take), result = std::move(result)]() mutable {
                        take(std::move(result));
                    },
                    Qt::QueuedConnection);
            }
        });
        if (m_end == End::Wait) {
            m_threads.push_back(std::move(thread));
        } else {
            thread.detach();
        }
    }

private:
    struct State {
        std::mutex mutex; // protects owner
        QObject* owner = nullptr; // null once it has gone
    };
    const End m_end;
    std::vector<std::thread> m_threads; ///< to wait for
    std::shared_ptr<State> m_state; // with the helper threads
};

} // namespace tokenpace
