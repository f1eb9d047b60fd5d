// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "benchcommand.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include <QCoreApplication>

#include "exitcodes.h"
#include "interrupts.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

constexpr int barCells = 30;
constexpr qint64 plainLineEveryMs = 5000;

void toStandardError(const QByteArray& bytes)
{
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
    std::fflush(stderr);
}

} // namespace

BenchCommand::BenchCommand(RunOptions options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_terminal(::isatty(STDERR_FILENO) != 0)
{
}

BenchCommand::~BenchCommand() = default;

void BenchCommand::say(const QString& line)
{
    if (m_barShown) {
        toStandardError("\r\033[K");
        m_barShown = false;
    }
    toStandardError(line.toUtf8() + '\n');
}

void BenchCommand::start()
{
    m_setup = setUpRun(m_options, true);
    for (const QString& warning : std::as_const(m_setup.warnings)) {
        say(QStringLiteral("tokenpace: warning: ") + warning);
    }
    QStringList errors;
    if (!m_setup.error.isEmpty()) {
        errors << m_setup.error;
    } else {
        errors = problems(*m_setup.spec);
    }
    if (!errors.isEmpty()) {
        const Redactor redactor = m_setup.settings ? redactorFor(*m_setup.settings) : Redactor{};
        for (const QString& error : std::as_const(errors)) {
            say(QStringLiteral("tokenpace: ") + redactor.redacted(error));
        }
        QCoreApplication::exit(ExitUsage);
        return;
    }
    m_controller = std::make_unique<RunController>(m_setup.logPath, redactorFor(*m_setup.settings));
    m_controller->mailbox().setNotify([this] {
        QMetaObject::invokeMethod(this, &BenchCommand::collect, Qt::QueuedConnection);
    });
    connect(m_controller.get(), &RunController::progressed, this, &BenchCommand::onProgress);
    connect(m_controller.get(), &RunController::finished, this, &BenchCommand::onFinished);
    connect(m_controller.get(), &RunController::noticed, this, [this](const QString& text) {
        say(text);
    });
    auto* interrupts = new Interrupts(this);
    connect(interrupts, &Interrupts::interrupted, m_controller.get(), &RunController::stop);
    m_sinceLine.start();
    m_controller->start(*m_setup.spec, *m_setup.settings);
    if (!m_options.quiet && m_controller->running()) {
        say(QStringLiteral("run %1, seed %2: %3 requests, about %4 prompt tokens, about %5")
                .arg(m_controller->info().id)
                .arg(m_controller->info().spec.seed)
                .arg(m_controller->info().planned)
                .arg(countText(m_controller->plan().promptTokens),
                     durationText(static_cast<double>(roughDuration(*m_setup.spec, m_controller->plan()).count()))));
        if (m_setup.logPath.isEmpty()) {
            say(QStringLiteral("no log is kept"));
        } else {
            say(QStringLiteral("log: ") + m_setup.logPath);
        }
    }
}

void BenchCommand::collect()
{
    const std::vector<ClientUpdate> updates = m_controller->mailbox().take();
    for (const ClientUpdate& update : updates) {
        const auto* finished = std::get_if<RequestFinished>(&update);
        if (finished == nullptr) {
            continue;
        }
        m_records.push_back(finished->timeline);
        if (!finished->logError.isEmpty() && finished->logError != m_logError) {
            m_logError = finished->logError;
            say(QStringLiteral("tokenpace: a record could not be logged: ") + m_logError);
        }
    }
}

void BenchCommand::onProgress(int done, int planned)
{
    if (m_options.quiet) {
        return;
    }
    const double leftMs = static_cast<double>(m_controller->timeLeft().count());
    const QString text =
        QStringLiteral("%1 of %2 requests · about %3 left").arg(done).arg(planned).arg(durationText(leftMs));
    if (m_terminal) {
        const int filled = planned > 0 ? barCells * done / planned : 0;
        const QString bar = QString(filled, QLatin1Char('#')) + QString(barCells - filled, QLatin1Char('.'));
        toStandardError("\r\033[K[" + bar.toUtf8() + "] " + text.toUtf8());
        m_barShown = true;
    } else if (m_sinceLine.elapsed() >= plainLineEveryMs) {
        m_sinceLine.restart();
        say(text);
    }
}

void BenchCommand::onFinished(bool stopped)
{
    collect();
    RunResult result;
    result.info = m_controller->info();
    result.records = m_records;
    std::stable_sort(result.records.begin(), result.records.end(), [](const TimelinePtr& a, const TimelinePtr& b) {
        return a->seq < b->seq;
    });
    result.limits = m_setup.settings->limits;
    result.summary = summariseAll(result.records, {result.limits.ttftMs, result.limits.tpotMs, {}});
    result.redactor = redactorFor(*m_setup.settings);

    QStringList errors;
    if (!m_options.jsonFile.isEmpty()) {
        errors << writeFile(m_options.jsonFile, documentText(result));
    }
    if (!m_options.outFolder.isEmpty()) {
        errors << writeOutput(m_options.outFolder, result);
    }
    if (!m_options.quiet) {
        say(QString::fromUtf8(result.redactor.redacted(summaryText(result).toStdString()).c_str()).trimmed());
    }
    errors.removeAll(QString());
    for (const QString& error : std::as_const(errors)) {
        say(QStringLiteral("tokenpace: ") + error);
    }
    QCoreApplication::exit(errors.isEmpty() ? exitCode(stopped) : std::max<int>(ExitSomeFailed, exitCode(stopped)));
}

int BenchCommand::exitCode(bool stopped) const
{
    if (stopped) {
        return ExitInterrupted;
    }
    const auto measured = [](const TimelinePtr& record) {
        return !record->flags.has(Flag::WarmUp);
    };
    const auto ok = [&](const TimelinePtr& record) {
        return measured(record) && record->status == Status::Ok;
    };
    const auto measuredCount = std::count_if(m_records.begin(), m_records.end(), measured);
    const auto okCount = std::count_if(m_records.begin(), m_records.end(), ok);
    if (okCount == 0) {
        return ExitNoneOk;
    }
    return okCount == measuredCount ? ExitOk : ExitSomeFailed;
}

} // namespace tokenpace
