// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "statusstrip.h"

#include <QDir>
#include <QHBoxLayout>

#include "controls/statusitem.h"
#include "controls/toolbarparts.h"
#include "lagprobe.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

constexpr int itemGap = 16;
constexpr int endpointsShown = 3; // more of them are told by a count
constexpr double lateMs = 50; // above this the window feels slow

// The log's path as people would type it: relative to here where it lies below, else with ~ for the home folder.
QString shortPath(const QString& path)
{
    const QString relative = QDir::current().relativeFilePath(path);
    if (!relative.startsWith(QStringLiteral(".."))) {
        return relative;
    }
    const QString home = QDir::homePath() + QLatin1Char('/');
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

} // namespace

StatusStrip::StatusStrip(Session& session, LagProbe& probe, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_probe(probe)
    , m_endpointRow(new QHBoxLayout)
    , m_log(new StatusItem)
    , m_lost(new StatusItem)
    , m_lag(new StatusItem)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* bar = new BarFrame(BarFrame::Kind::Status);
    outer->addWidget(bar);
    auto* layout = qobject_cast<QHBoxLayout*>(bar->layout());
    m_endpointRow->setSpacing(itemGap);
    layout->setSpacing(itemGap);
    layout->addLayout(m_endpointRow);
    layout->addWidget(new BarSeparator);
    layout->addWidget(m_log);
    layout->addWidget(m_lost);
    layout->addStretch(1);
    layout->addWidget(m_lag);
    setAccessibleName(tr("Status"));
    m_lag->setToolTip(tr("How late the window's event loop answered, median of the last ten seconds. A thread posts a "
                         "stamped event every 50 ms; arrivals are stamped on another thread."));

    connect(&m_session, &Session::endpointsChanged, this, &StatusStrip::refreshEndpoints);
    connect(&m_session, &Session::settingsChanged, this, &StatusStrip::refreshLog);
    connect(&m_session, &Session::recordsChanged, this, &StatusStrip::refreshLog);
    connect(&m_probe, &LagProbe::measured, this, &StatusStrip::refreshLag);
    refreshEndpoints();
    refreshLog();
    refreshLag();
}

void StatusStrip::setOpenedLog(const QString& path)
{
    m_openedLog = path;
    refreshLog();
}

void StatusStrip::refreshEndpoints()
{
    const QList<Session::EndpointState> states = m_session.endpointStates();
    const int shown = std::min<int>(states.size(), endpointsShown);
    const int needed = states.isEmpty() ? 1 : shown + (states.size() > shown ? 1 : 0);
    while (m_endpoints.size() < needed) {
        m_endpoints.append(new StatusItem);
        m_endpointRow->addWidget(m_endpoints.last());
    }
    while (m_endpoints.size() > needed) {
        delete m_endpoints.takeLast();
    }
    if (states.isEmpty()) {
        m_endpoints.first()->setText(tr("no endpoint"));
        m_endpoints.first()->setState(StatusItem::State::Unknown);
        return;
    }
    for (int i = 0; i < shown; ++i) {
        const Session::EndpointState& state = states.at(i);
        QString text = state.simulated ? tr("simulated endpoint") : state.name;
        if (state.up) {
            text += *state.up ? tr(" up") : tr(" not reached");
        }
        if (state.up.value_or(false) && state.roundTripMs) {
            text += QStringLiteral(", ") + durationText(state.roundTripMs);
        }
        m_endpoints.at(i)->setText(text);
        m_endpoints.at(i)->setState(!state.up       ? StatusItem::State::Unknown
                                        : *state.up ? StatusItem::State::Good
                                                    : StatusItem::State::Error);
        m_endpoints.at(i)->setToolTip(
            state.simulated
                ? tr("Simulated on this machine: its figures follow stated rules and say nothing of a model")
                : tr("By the last request to it. The time is the least that connecting took."));
    }
    if (states.size() > shown) {
        m_endpoints.last()->setText(tr("%n more", nullptr, static_cast<int>(states.size()) - shown));
        m_endpoints.last()->setState(StatusItem::State::None);
    }
}

void StatusStrip::refreshLog()
{
    const QString path = m_session.logPath();
    const bool known = m_session.settings().has_value();
    if (!known) {
        m_log->setText(m_openedLog.isEmpty() ? tr("no log open") : tr("%1 open").arg(shortPath(m_openedLog)));
    } else if (path.isEmpty()) {
        m_log->setText(tr("recording off"));
    } else {
        m_log->setText(tr("%1, %2 records written").arg(shortPath(path), countText(m_session.recordsWritten())));
    }
    m_log->setToolTip(path.isEmpty() ? tr("Finished requests are kept in memory only") : path);
    const int lost = m_session.recordsLost();
    m_lost->setVisible(known && !path.isEmpty());
    m_lost->setText(lost > 0 ? tr("%1 lost: %2").arg(countText(lost), m_session.lastLogError()) : tr("0 lost"));
    m_lost->setState(lost > 0 ? StatusItem::State::Error : StatusItem::State::None);
    m_lost->setToolTip(lost > 0 ? m_session.lastLogError() : tr("Finished requests that could not be written"));
}

void StatusStrip::refreshLag()
{
    const std::optional<double> lag = m_probe.medianMs();
    m_lag->setText(lag ? tr("event-loop lag %1 ms").arg(*lag, 0, 'f', *lag < 10 ? 1 : 0) : tr("event-loop lag –"));
    m_lag->setState(lag && *lag > lateMs ? StatusItem::State::Warning : StatusItem::State::None);
}

void StatusStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Below this width the log's words need the room more.
    m_lag->setVisible(width() >= 720);
}

QString StatusStrip::text() const
{
    QStringList parts;
    for (const StatusItem* item : m_endpoints) {
        parts.append(item->text());
    }
    parts.append(m_log->text());
    if (!m_lost->isHidden()) {
        parts.append(m_lost->text());
    }
    parts.append(m_lag->text());
    return parts.join(QStringLiteral(" | "));
}

} // namespace tokenpace
