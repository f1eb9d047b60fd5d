// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <chrono>
#include <utility>

#include <QCoreApplication>
#include <QFileInfo>
#include <QObject>
#include <QTimer>

#include <qt6keychain/keychain.h>

#include "settings/keychain.h"

namespace tokenpace {

namespace {

using namespace std::chrono_literals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Keychain)
};

// A locked keychain asks for its password: people need time for that.
constexpr auto patience = 2min;

/// Why no service can be asked at all, or an empty text. The libraries below would start a bus of their own, which has
/// no keychain on it, and wait for that.
QString busProblem()
{
#ifdef Q_OS_LINUX
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const bool hasBus = qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")
        || (!runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/bus")));
    if (!hasBus) {
        return Words::tr("no keychain service runs in this session (there is no D-Bus session bus)");
    }
#endif
    return {};
}

QString wordsFor(const QKeychain::Job& job)
{
    switch (job.error()) {
    case QKeychain::NoError:
        return {};
    case QKeychain::EntryNotFound:
        return Words::tr("the keychain has no entry %1").arg(job.service() + u'/' + job.key());
    case QKeychain::AccessDeniedByUser:
    case QKeychain::AccessDenied:
        return Words::tr("the keychain was not unlocked");
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return Words::tr("no keychain service runs in this session");
    case QKeychain::CouldNotDeleteEntry:
    case QKeychain::OtherError:
        break;
    }
    const QString text = job.errorString();
    // What D-Bus says when no program offers the Secret Service.
    if (text.contains(QStringLiteral("org.freedesktop.secrets"))) {
        return Words::tr("no keychain service runs in this session (%1)").arg(text);
    }
    return text.isEmpty() ? Words::tr("the keychain does not answer") : text;
}

class DesktopKeychain final : public Keychain {
public:
    void read(const KeychainName& entry, std::function<void(const Answer&)> answered) override
    {
        auto* job = new QKeychain::ReadPasswordJob(entry.service);
        start(job, entry, [job, answered = std::move(answered)](const QString& problem) {
            Answer answer;
            if (problem.isEmpty()) {
                answer.value = job->textData();
            }
            answer.isMissing = job->error() == QKeychain::EntryNotFound;
            answer.problem = problem;
            answered(answer);
        });
    }

    void write(const KeychainName& entry, const QString& value, std::function<void(const QString&)> written) override
    {
        auto* job = new QKeychain::WritePasswordJob(entry.service);
        job->setTextData(value);
        start(job, entry, std::move(written));
    }

private:
    /// Calls `ended` once: when the job ends, or when patience does. A job deletes itself at its end, however late.
    void start(QKeychain::Job* job, const KeychainName& entry, std::function<void(const QString&)> ended)
    {
        job->setKey(entry.name);
        auto* watch = new QTimer(&m_life); // its end is the end of waiting
        watch->setSingleShot(true);
        if (const QString problem = busProblem(); !problem.isEmpty()) {
            job->deleteLater();
            QObject::connect(watch, &QTimer::timeout, watch, [watch, problem, ended = std::move(ended)] {
                watch->deleteLater();
                ended(problem);
            });
            watch->start(0);
            return;
        }
        QObject::connect(job, &QKeychain::Job::finished, watch, [watch, ended](QKeychain::Job* done) {
            watch->disconnect();
            watch->deleteLater();
            ended(wordsFor(*done));
        });
        QObject::connect(watch, &QTimer::timeout, watch, [watch, job, ended] {
            QObject::disconnect(job, nullptr, watch, nullptr);
            watch->deleteLater();
            ended(Words::tr("the keychain does not answer"));
        });
        watch->start(patience);
        job->start();
    }

    QObject m_life; ///< owns what waits: nobody is called after it
};

} // namespace

std::unique_ptr<Keychain> desktopKeychain()
{
    return std::make_unique<DesktopKeychain>();
}

} // namespace tokenpace
