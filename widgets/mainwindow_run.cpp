// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include <QUrl>

#include "charts/chartpanel.h"
#include "chartspage.h"
#include "controls/progressstrip.h"
#include "mainwindow.h"
#include "messagestrip.h"
#include "modelmenu.h"
#include "numbertext.h"
#include "planwords.h"
#include "session.h"
#include "settings/baseurl.h"
#include "tokenraster.h"

// What the window says and shows of a run.
namespace tokenpace {

void MainWindow::onRunStarted()
{
    m_messages->dismiss();
    m_done = 0;
    m_planned = m_session->run() ? m_session->run()->planned : 0;
    m_nextSeq = 0;
    m_lastStopped = false;
    const RunSpec& spec = m_session->run()->spec;
    std::optional<AxisRange> lengths;
    if (spec.experiment == Experiment::Length && !spec.promptTokens.isEmpty()) {
        const auto [low, high] = std::minmax_element(spec.promptTokens.begin(), spec.promptTokens.end());
        lengths = AxisRange{static_cast<double>(*low), static_cast<double>(*high)};
    }
    m_page->ttftPanel()->startRun(lengths);
    m_page->tpotPanel()->startRun();
    m_tick.start();
    refreshNext();
    refreshProgress();
    refreshProvenance();
}

void MainWindow::onRunEnded(bool stopped)
{
    m_tick.stop();
    m_lastStopped = stopped;
    m_page->raster()->setNext({});
    refreshProgress();
    refreshProvenance();
    const Session::Outcome& outcome = m_session->outcome();
    const int bad = outcome.failed + outcome.timeouts;
    if (outcome.ok == 0 && bad > 0) {
        const auto most =
            std::max_element(outcome.reasons.begin(), outcome.reasons.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            });
        const QString why = most == outcome.reasons.end() ? QString() : most->first;
        m_messages->showMessage(MessageStrip::Kind::Error,
                                tr("No request of this run succeeded (%1). %2").arg(outcomeCounts(outcome), why));
    }
}

void MainWindow::onRunFailing(const QString& why)
{
    m_messages->showMessage(MessageStrip::Kind::Error, tr("No request has succeeded so far. %1").arg(why));
}

void MainWindow::onRecordsChanged()
{
    if (m_session->recordsLost() > 0 && !m_saidLost) {
        m_saidLost = true;
        m_messages->showMessage(MessageStrip::Kind::Error,
                                tr("Records can't be written to %1: %2. What is shown here is kept until the window "
                                   "closes; free the place or choose another log, then run again.")
                                    .arg(m_session->logPath(), m_session->lastLogError()));
    }
}

void MainWindow::refreshProgress()
{
    const RunInfo* run = m_session->run();
    if (m_session->running()) {
        const double fraction = m_planned > 0 ? static_cast<double>(m_done) / m_planned : 0;
        QStringList parts{tr("%1 of %2 requests").arg(countText(m_done), countText(m_planned))};
        if (const std::chrono::milliseconds left = m_session->timeLeft(); left.count() > 0) {
            parts.append(tr("%1 left").arg(spanText(left)));
        }
        m_progress->setIconName({});
        m_progress->setParts(parts);
        m_progress->setFraction(fraction);
        return;
    }
    m_progress->setFraction(-1);
    const RunSpec spec = m_session->spec();
    if (run && samePlan(run->spec, spec) && m_session->outcome().ended > 0) {
        const std::chrono::milliseconds took(run->startedAt.msecsTo(run->endedAt));
        QStringList parts{m_lastStopped
                              ? tr("stopped at %1 of %2 requests").arg(countText(m_done), countText(m_planned))
                              : tr("%1 of %2 requests").arg(countText(m_done), countText(m_planned)),
                          outcomeCounts(m_session->outcome()), productText(spec)};
        if (run->endedAt.isValid()) {
            parts.append(spanText(took));
        }
        m_progress->setIconName(m_lastStopped                     ? QStringLiteral("circle-minus")
                                    : m_session->outcome().ok > 0 ? QStringLiteral("circle-check")
                                                                  : QStringLiteral("circle-x"));
        m_progress->setParts(parts);
        return;
    }
    m_progress->setIconName({});
    const QStringList problems = m_session->settings() ? m_session->problems() : QStringList();
    m_progress->setParts(!m_session->settings()   ? QStringList{tr("No endpoint yet")}
                             : problems.isEmpty() ? QStringList{planText(spec)}
                                                  : QStringList{problems.first()});
}

void MainWindow::refreshNext()
{
    const RunInfo* run = m_session->run();
    if (!run || !m_session->running()) {
        return;
    }
    const Plan& plan = m_session->plan();
    const int planned = static_cast<int>(plan.requests.size());
    const RequestsModel& requests = m_session->requests();
    // Places in the plan are taken in their order, so the newest row of this run leads to the next place.
    for (int row = requests.rowCount() - 1; row >= 0; --row) {
        if (requests.row(row).run != run->id) {
            break;
        }
        m_nextSeq = std::max(m_nextSeq, requests.row(row).seq + 1);
        if (requests.row(row).finished()) {
            break;
        }
    }
    if (m_nextSeq >= planned) {
        m_page->raster()->setNext({});
        return;
    }
    const PlannedRequest& next = plan.requests[static_cast<std::size_t>(m_nextSeq)];
    const Target& target = run->spec.targets.at(next.target);
    TokenRaster::NextRow row;
    row.seq = next.seq;
    row.series = m_session->series().find(target.endpoint.name, target.model);
    row.promptTokens = next.promptTokens;
    m_page->raster()->setNext(row);
}

void MainWindow::refreshProvenance()
{
    ChartProvenance provenance;
    provenance.simulated = m_session->simulatedData();
    if (const std::optional<Settings>& settings = m_session->settings()) {
        provenance.settingsHash = settings->hash;
        for (const EndpointSettings& endpoint : settings->endpoints) {
            const QString host = hostLabel(QUrl(endpoint.baseUrl));
            provenance.endpoints.append(host.isEmpty() ? endpoint.name : host);
        }
        provenance.endpoints.removeDuplicates();
    }
    m_page->ttftPanel()->setProvenance(provenance);
    m_page->tpotPanel()->setProvenance(provenance);
    m_page->ttftPanel()->setRedactor(m_session->redactor());
    m_page->tpotPanel()->setRedactor(m_session->redactor());
    refreshLimits();
}

void MainWindow::checkSettings()
{
    refreshProvenance();
    const std::optional<Settings>& settings = m_session->settings();
    if (!settings) {
        return;
    }
    QStringList problems;
    for (const EndpointSettings& endpoint : settings->endpoints) {
        problems.append(endpoint.problems);
        if (endpoint.models.isEmpty() && endpoint.problems.isEmpty()) {
            m_models->fetch(endpoint);
        }
    }
    problems.removeDuplicates();
    if (!problems.isEmpty()) {
        m_messages->showMessage(MessageStrip::Kind::Error, problems.join(QLatin1Char('\n')));
    } else if (!settings->warnings.isEmpty()) {
        m_messages->showMessage(MessageStrip::Kind::Warning, settings->warnings.join(QLatin1Char('\n')));
    }
}

void MainWindow::tryIt()
{
    if (m_session->running()) {
        return;
    }
    const QString error = m_session->useSimulated(m_startUp.logPath);
    if (error.isEmpty()) {
        m_session->start();
    } else {
        m_messages->showMessage(MessageStrip::Kind::Error, tr("The simulated endpoint does not start: %1").arg(error));
    }
}

} // namespace tokenpace
