// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>

#include <QObject>
#include <QTimer>

#include "settings/keychain.h"

namespace tokenpace::test {

/// A keychain of the given entries. It answers from the event loop, or, while locked, when it is unlocked.
class FakeKeychain final : public Keychain {
public:
    std::map<QString, QString> entries; ///< by `SERVICE/NAME`
    QString problem; ///< of every writing
    int reads = 0;

    void read(const KeychainName& entry, std::function<void(const Answer&)> answered) override
    {
        ++reads;
        const QString key = entry.service + u'/' + entry.name;
        enqueue([this, key, answered = std::move(answered)] {
            const auto found = entries.find(key);
            answered(found == entries.end()
                         ? Answer{std::nullopt, true, QStringLiteral("the keychain has no entry ") + key}
                         : Answer{found->second, false, {}});
        });
    }

    void write(const KeychainName& entry, const QString& value, std::function<void(const QString&)> written) override
    {
        enqueue([this, key = entry.service + u'/' + entry.name, value, written = std::move(written)] {
            if (problem.isEmpty()) {
                entries[key] = value;
            }
            written(problem);
        });
    }

    void lock() { m_locked = true; }
    void unlock()
    {
        m_locked = false;
        for (auto& work : std::exchange(m_waiting, {})) {
            enqueue(std::move(work));
        }
    }

private:
    void enqueue(std::function<void()> work)
    {
        if (m_locked) {
            m_waiting.push_back(std::move(work));
        } else {
            QTimer::singleShot(0, &m_life, std::move(work));
        }
    }

    QObject m_life;
    bool m_locked = false;
    std::vector<std::function<void()>> m_waiting;
};

} // namespace tokenpace::test
