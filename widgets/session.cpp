// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session.h"

#include <algorithm>
#include <utility>

#include "experiment/curltext.h"
#include "experiment/plannedrequest.h"
#include "requestwords.h"
#include "settings/messagefilter.h"

namespace tokenpace {

namespace {

// So many failures and no success at a run's start say that something is set up wrongly.
constexpr int failingAfter = 3;

const QString simulatedName = QStringLiteral("simulated");

GoodputLimits limitsOf(const LimitSettings& limits)
{
    return {limits.ttftMs, limits.tpotMs, std::nullopt};
}

} // namespace

Session::Session(std::shared_ptr<Keychain> keychain, QObject* parent)
    : QObject(parent)
    , m_requests(m_series)
    , m_summary(m_requests, limitsOf(LimitSettings()))
    , m_chartData(m_requests)
    , m_selection(&m_requests)
    , m_keychain(keychain ? std::move(keychain) : std::shared_ptr<Keychain>(desktopKeychain()))
    , m_keychainReader(*m_keychain)
{
    connect(&m_keychainReader, &KeychainReader::filled, this, &Session::onKeychainRead);
    m_specs[Experiment::Length] = RunSpec();
    m_specs[Experiment::Single] = RunSpec();
    m_specs[Experiment::Single].experiment = Experiment::Single;
    connect(&m_requests, &RequestsModel::requestsFinished, this, &Session::onRequestsFinished);
    connect(&m_series, &SeriesModel::shownChanged, this, &Session::specChanged);
}

// The run ends before the models that its feed fills: what is in flight is cancelled and its lines are written.
Session::~Session()
{
    if (m_run) {
        m_run->disconnect(this);
    }
    m_feed.reset();
    m_run.reset();
}

void Session::setSettings(const Settings& settings, const std::optional<QString>& logPath)
{
    if (running()) {
        return;
    }
    m_settings = settings;
    m_startsWhenRead = false;
    m_keychainReader.cancel();
    if (waitsForKeychain(settings)) {
        m_keychainReader.fill(settings);
    }
    m_redactor = redactorFor(settings);
    hideInMessages(m_redactor);
    m_logPath = logPath ? *logPath : settings.telemetry.recordTokenTiming ? settings.telemetry.outputPath : QString();
    m_limits = settings.limits;
    m_summary.setLimits(limitsOf(m_limits));
    for (const Experiment each : {Experiment::Length, Experiment::Single}) {
        m_specs[each] = defaultSpec(each, settings);
        if (m_specs[each].targets.isEmpty()) {
            for (const EndpointSettings& endpoint : settings.endpoints) {
                for (const ModelSettings& model : endpoint.models) {
                    m_specs[each].targets.append(Target{endpoint, model.name, model.alias});
                }
            }
        }
    }
    if (settings.experiment.experiment) {
        m_experiment = experimentFromName(*settings.experiment.experiment).value_or(m_experiment);
    }
    for (const EndpointSettings& endpoint : settings.endpoints) {
        const bool known = std::any_of(m_endpoints.begin(), m_endpoints.end(), [&endpoint](const EndpointState& state) {
            return state.name == endpoint.name;
        });
        if (!known) {
            m_endpoints.append({endpoint.name, std::nullopt, std::nullopt, endpoint.simulated});
        }
    }
    registerTargets();
    prepareRun();
    emit settingsChanged();
    emit endpointsChanged();
    emit specChanged();
}

void Session::setLimits(const LimitSettings& limits)
{
    if (limits == m_limits) {
        return;
    }
    m_limits = limits;
    m_summary.setLimits(limitsOf(m_limits));
    emit limitsChanged();
}

void Session::noteSavedLimits(const Settings& read)
{
    if (m_settings) {
        m_settings->limits = read.limits;
        m_settings->hash = read.hash;
        emit limitsChanged();
    }
}

void Session::onKeychainRead(const Settings& filled)
{
    m_settings = filled;
    m_redactor = redactorFor(filled);
    hideInMessages(m_redactor);
    for (auto& [experiment, spec] : m_specs) {
        for (Target& target : spec.targets) {
            for (const EndpointSettings& endpoint : filled.endpoints) {
                if (endpoint.name == target.endpoint.name) {
                    target.endpoint = endpoint;
                }
            }
        }
    }
    prepareRun(); // with the redactor that knows the keys
    emit settingsChanged();
    emit specChanged();
    if (std::exchange(m_startsWhenRead, false)) {
        start();
    }
}

QString Session::useSimulated(const std::optional<QString>& logPath)
{
    if (!m_simulated) {
        auto simulated = std::make_unique<SimulatedEndpoint>(freshSeed());
        if (!simulated->error().isEmpty()) {
            return simulated->error();
        }
        m_simulated = std::move(simulated);
    }
    setSettings(m_simulated->settings(), logPath);
    return {};
}

bool Session::simulatedData() const
{
    for (int i = 0; i < m_series.count(); ++i) {
        if (m_series.at(i).endpoint == simulatedName) {
            return true;
        }
    }
    return false;
}

void Session::registerTargets()
{
    for (const Target& target : parameters().targets) {
        m_series.seriesFor(target.endpoint.name, target.model, target.alias);
    }
}

void Session::prepareRun()
{
    m_earlierWritten = recordsWritten();
    m_earlierLost = recordsLost();
    m_feed.reset();
    keepSentRun();
    m_everRan = false;
    m_run = std::make_unique<RunController>(m_logPath, m_redactor);
    m_feed = std::make_unique<LiveFeed>(m_run->mailbox(), m_requests);
    connect(m_run.get(), &RunController::progressed, this, &Session::runProgressed);
    connect(m_run.get(), &RunController::noticed, this, &Session::noticed);
    connect(m_run.get(), &RunController::finished, this, &Session::onRunFinished);
    connect(m_feed.get(), &LiveFeed::drained, this, &Session::recordsChanged);
}

void Session::setExperiment(Experiment experiment)
{
    if (m_experiment == experiment) {
        return;
    }
    // The models chosen stay chosen: they are what is compared, whichever way.
    m_specs[experiment].targets = parameters().targets;
    m_experiment = experiment;
    emit specChanged();
}

void Session::setParameters(const RunSpec& parameters)
{
    m_experiment = parameters.experiment;
    m_specs[m_experiment] = parameters;
    registerTargets();
    emit specChanged();
}

RunSpec Session::spec() const
{
    RunSpec spec = parameters();
    spec.targets.removeIf([this](const Target& target) {
        const int series = m_series.find(target.endpoint.name, target.model);
        return series >= 0 && !m_series.isShown(series);
    });
    return spec;
}

QStringList Session::problems() const
{
    if (!m_settings) {
        return {tr("No endpoint yet")};
    }
    const RunSpec ready = spec();
    if (ready.targets.isEmpty()) {
        return {parameters().targets.isEmpty() ? tr("No model chosen: choose one with +")
                                               : tr("All models are switched off")};
    }
    if (m_keychainReader.filling()) {
        return {tr("Waiting for the keychain, which may have to be unlocked")};
    }
    QStringList found;
    for (const Target& target : ready.targets) {
        found.append(target.endpoint.problems);
    }
    found.append(tokenpace::problems(ready));
    found.removeDuplicates();
    return found;
}

bool Session::isTarget(const QString& endpoint, const QString& model) const
{
    const QList<Target>& all = parameters().targets;
    return std::any_of(all.begin(), all.end(), [&](const Target& target) {
        return target.endpoint.name == endpoint && target.model == model;
    });
}

void Session::setTarget(const EndpointSettings& endpoint, const ModelSettings& model, bool on)
{
    QList<Target>& all = m_specs[m_experiment].targets;
    all.removeIf([&](const Target& target) {
        return target.endpoint.name == endpoint.name && target.model == model.name;
    });
    if (on) {
        all.append(Target{endpoint, model.name, model.alias});
        const int series = m_series.seriesFor(endpoint.name, model.name, model.alias);
        m_series.setShown(series, true);
    }
    emit specChanged();
}

QList<int> Session::chipSeries() const
{
    std::vector<bool> used(static_cast<std::size_t>(m_series.count()), false);
    for (int row = 0; row < m_requests.rowCount(); ++row) {
        if (const int series = m_requests.row(row).series; series >= 0) {
            used[static_cast<std::size_t>(series)] = true;
        }
    }
    for (const Target& target : parameters().targets) {
        if (const int series = m_series.find(target.endpoint.name, target.model); series >= 0) {
            used[static_cast<std::size_t>(series)] = true;
        }
    }
    QList<int> chips;
    for (int series = 0; series < m_series.count(); ++series) {
        if (used[static_cast<std::size_t>(series)]) {
            chips.append(series);
        }
    }
    return chips;
}

std::chrono::milliseconds Session::timeLeft() const
{
    return m_run ? m_run->timeLeft() : std::chrono::milliseconds(0);
}

void Session::start()
{
    if (!m_run || running() || !problems().isEmpty()) {
        return;
    }
    RunSpec ready = spec();
    if (ready.seed == 0) {
        ready.seed = freshSeed();
    }
    keepSentRun();
    m_outcome = {};
    m_saidFailing = false;
    m_everRan = true;
    m_run->start(ready, *m_settings);
    // Updates reach the model from the event loop only, so this comes before the first of them.
    std::vector<RequestsModel::Announced> announced(m_run->plan().requests.size());
    for (const PlannedRequest& planned : m_run->plan().requests) {
        const Target& target = ready.targets.at(planned.target);
        RequestsModel::Announced& entry = announced[static_cast<std::size_t>(planned.seq)];
        entry.series = m_series.seriesFor(target.endpoint.name, target.model, target.alias);
        entry.promptTokensTarget = planned.promptTokens;
        entry.expectedTokens = ready.maxTokens.value_or(0);
    }
    m_requests.announce(m_run->info().id, std::move(announced));
    emit runStarted();
}

void Session::keepSentRun()
{
    if (const RunInfo* before = run()) {
        m_sentRuns[before->id] = {before->spec, plan(), m_run->promptWords()};
    }
}

std::optional<QString> Session::curlOf(int row) const
{
    const RequestsModel::Row& request = m_requests.row(row);
    const bool goesOn = run() && run()->id == request.run;
    const auto known = m_sentRuns.find(request.run);
    if (!goesOn && known == m_sentRuns.end()) {
        return std::nullopt;
    }
    const RunSpec& sent = goesOn ? run()->spec : known->second.spec;
    const Plan& itsPlan = goesOn ? plan() : known->second.plan;
    const std::vector<int>& words = goesOn ? m_run->promptWords() : known->second.promptWords;
    const auto seq = static_cast<std::size_t>(request.seq);
    if (request.seq < 0 || seq >= itsPlan.requests.size()) {
        return std::nullopt;
    }
    const PlannedRequest& planned = itsPlan.requests[seq];
    const BuiltRequest built = buildPlanned(sent, planned, request.run, words.at(seq));
    return built.request ? std::optional(curlText(*built.request, sent.targets.at(planned.target).endpoint))
                         : std::nullopt;
}

void Session::startWhenReady()
{
    m_startsWhenRead = m_keychainReader.filling();
    if (!m_startsWhenRead) {
        start();
    }
}

void Session::stop()
{
    m_startsWhenRead = false;
    if (running()) {
        m_run->stop();
    }
}

void Session::onRunFinished(bool stopped)
{
    m_feed->drain();
    emit recordsChanged();
    emit runEnded(stopped);
}

void Session::onRequestsFinished(const QList<int>& rows)
{
    for (const int row : rows) {
        const TimelinePtr& timeline = m_requests.row(row).timeline;
        if (m_everRan && timeline && QString::fromStdString(timeline->run) == m_run->info().id) {
            noteEndpoint(*timeline);
            noteOutcome(*timeline);
        }
    }
    if (!m_saidFailing && m_outcome.ok == 0 && m_outcome.failed + m_outcome.timeouts >= failingAfter) {
        m_saidFailing = true;
        emit runFailing(m_outcome.reasons.empty() ? QString() : m_outcome.reasons.begin()->first);
    }
    emit endpointsChanged();
}

void Session::noteEndpoint(const Timeline& timeline)
{
    const QString name = QString::fromStdString(timeline.endpoint);
    for (EndpointState& state : m_endpoints) {
        if (state.name != name) {
            continue;
        }
        if (timeline.marks.headers || timeline.status == Status::Ok) {
            state.up = true;
        } else if (timeline.error
                   && (timeline.error->kind == ErrorKind::Transport || timeline.error->kind == ErrorKind::Timeout)) {
            state.up = false;
        }
        if (timeline.phases.connect) {
            const double ms = toMs(*timeline.phases.connect);
            state.roundTripMs = std::min(state.roundTripMs.value_or(ms), ms);
        }
    }
}

void Session::noteOutcome(const Timeline& timeline)
{
    ++m_outcome.ended;
    switch (timeline.status) {
    case Status::Ok:
        ++m_outcome.ok;
        return;
    case Status::Cancelled:
        ++m_outcome.cancelled;
        return;
    case Status::Timeout:
        ++m_outcome.timeouts;
        break;
    case Status::Truncated:
    case Status::Error:
        ++m_outcome.failed;
        break;
    }
    const QString advice = timeline.error ? adviceFor(*timeline.error) : QString();
    const QString words = m_redactor.redacted(outcomeText(timeline));
    ++m_outcome.reasons[advice.isEmpty() ? words : words + QStringLiteral(". ") + advice];
}

int Session::recordsWritten() const
{
    return m_earlierWritten + (m_feed ? m_feed->recordsWritten() : 0);
}

int Session::recordsLost() const
{
    return m_earlierLost + (m_feed ? m_feed->recordsLost() : 0);
}

QString Session::lastLogError() const
{
    return m_feed ? m_feed->lastLogError() : QString();
}

void Session::appendLog(const std::vector<TimelinePtr>& records)
{
    m_requests.append(records);
    emit specChanged();
}

void Session::clear()
{
    if (!running()) {
        m_selection.clear();
        m_requests.clear();
        m_sentRuns.clear();
        emit specChanged();
    }
}

} // namespace tokenpace
