// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <memory>
#include <optional>

#include <QItemSelectionModel>
#include <QObject>

#include "chartdata.h"
#include "experiment/runcontroller.h"
#include "experiment/simulatedendpoint.h"
#include "livefeed.h"
#include "requestsmodel.h"
#include "seriesmodel.h"
#include "settings/keychainreader.h"
#include "summarymodel.h"

namespace tokenpace {

/// What the window shows and does, without a widget: settings, the experiment as it stands ready, the runs, the models
/// that they fill and the selection over them. A later run adds its rows to those of the earlier ones. GUI thread.
class Session final : public QObject {
    Q_OBJECT
public:
    /// Keys come from `keychain`; none: the desktop's.
    explicit Session(std::shared_ptr<Keychain> keychain = nullptr, QObject* parent = nullptr);
    ~Session() override;

    [[nodiscard]] SeriesModel& series() { return m_series; }
    [[nodiscard]] RequestsModel& requests() { return m_requests; }
    [[nodiscard]] SummaryModel& summary() { return m_summary; }
    [[nodiscard]] ChartData& chartData() { return m_chartData; }
    [[nodiscard]] QItemSelectionModel& selection() { return m_selection; }

    /// Takes settings, with `logPath` in place of theirs where given (empty: no log). Not while a run goes on. What
    /// they keep in the keychain comes later: until then no run can start.
    void setSettings(const Settings& settings, const std::optional<QString>& logPath = {});
    /// Starts the simulated endpoint and takes its settings; says why when it can't.
    [[nodiscard]] QString useSimulated(const std::optional<QString>& logPath = {});
    [[nodiscard]] const std::optional<Settings>& settings() const { return m_settings; }
    [[nodiscard]] bool simulated() const { return m_simulated != nullptr; }
    /// Did any of the requests shown come from a simulated endpoint?
    [[nodiscard]] bool simulatedData() const;
    [[nodiscard]] const Redactor& redactor() const { return m_redactor; }
    /// What is too slow: as the settings say, or as somebody has moved the limits since.
    [[nodiscard]] const LimitSettings& limits() const { return m_limits; }
    void setLimits(const LimitSettings& limits);
    /// The settings' file now holds these limits.
    void noteSavedLimits(const Settings& read);
    [[nodiscard]] const std::shared_ptr<Keychain>& keychain() const { return m_keychain; }

    // The experiment.
    [[nodiscard]] Experiment experiment() const { return m_experiment; }
    void setExperiment(Experiment experiment);
    /// Parameters of the experiment chosen, with every model chosen as target.
    [[nodiscard]] const RunSpec& parameters() const { return m_specs.at(m_experiment); }
    void setParameters(const RunSpec& parameters);
    /// What would run: the parameters with the models that are chosen and shown.
    [[nodiscard]] RunSpec spec() const;
    /// Why it can't run, in words; empty when it may.
    [[nodiscard]] QStringList problems() const;

    // Models of the next run.
    [[nodiscard]] QList<Target> targets() const { return parameters().targets; }
    [[nodiscard]] bool isTarget(const QString& endpoint, const QString& model) const;
    void setTarget(const EndpointSettings& endpoint, const ModelSettings& model, bool on);
    /// Series to show as chips: those with requests, and those of the next run.
    [[nodiscard]] QList<int> chipSeries() const;

    // Runs.
    [[nodiscard]] bool running() const { return m_run && m_run->running(); }
    [[nodiscard]] const RunInfo* run() const { return m_run && m_everRan ? &m_run->info() : nullptr; }
    /// Of the run that goes on, or of the last one; only while run() is there.
    [[nodiscard]] const Plan& plan() const { return m_run->plan(); }
    [[nodiscard]] std::chrono::milliseconds timeLeft() const;
    /// The request of a row as a command of curl, its secrets as variables; none where what was sent is not known here,
    /// as with a record from a log.
    [[nodiscard]] std::optional<QString> curlOf(int row) const;
    /// Starts what spec() says; nothing happens while a run goes on or there are problems.
    void start();
    /// At once, or as soon as the keychain has answered.
    void startWhenReady();
    void stop();

    /// Counts of the last run, warm-ups included.
    struct Outcome {
        int ended = 0;
        int ok = 0;
        int timeouts = 0;
        int cancelled = 0;
        int failed = 0;
        std::map<QString, int> reasons; ///< words and advice of those that did not end ok
    };
    [[nodiscard]] const Outcome& outcome() const { return m_outcome; }

    /// What the status bar says of an endpoint.
    struct EndpointState {
        QString name;
        std::optional<bool> up; ///< by its last request
        std::optional<double> roundTripMs; ///< least time to connect that was seen
        bool simulated = false;
    };
    [[nodiscard]] QList<EndpointState> endpointStates() const { return m_endpoints; }
    [[nodiscard]] QString logPath() const { return m_logPath; }
    [[nodiscard]] int recordsWritten() const;
    [[nodiscard]] int recordsLost() const;
    [[nodiscard]] QString lastLogError() const;

    /// Finished requests from a log, beside what is there.
    void appendLog(const std::vector<TimelinePtr>& records);
    /// Forgets all requests; not while a run goes on.
    void clear();

signals:
    void settingsChanged();
    void limitsChanged();
    void specChanged(); ///< experiment, parameters or models
    void runStarted();
    void runProgressed(int done, int planned);
    void runEnded(bool stopped);
    void noticed(const QString& text);
    void runFailing(const QString& why); ///< once a run: its first requests all failed
    void endpointsChanged();
    void recordsChanged();

private:
    void onKeychainRead(const Settings& filled);
    void registerTargets();
    void prepareRun();
    void keepSentRun();
    void onRequestsFinished(const QList<int>& rows);
    void noteEndpoint(const Timeline& timeline);
    void noteOutcome(const Timeline& timeline);
    void onRunFinished(bool stopped);

    SeriesModel m_series;
    RequestsModel m_requests;
    SummaryModel m_summary;
    ChartData m_chartData;
    QItemSelectionModel m_selection;
    std::optional<Settings> m_settings;
    LimitSettings m_limits;
    std::shared_ptr<Keychain> m_keychain;
    KeychainReader m_keychainReader;
    bool m_startsWhenRead = false;
    std::unique_ptr<SimulatedEndpoint> m_simulated;
    Redactor m_redactor;
    QString m_logPath;
    Experiment m_experiment = Experiment::Length;
    std::map<Experiment, RunSpec> m_specs;
    QList<EndpointState> m_endpoints;
    Outcome m_outcome;
    bool m_everRan = false;
    bool m_saidFailing = false;
    int m_earlierWritten = 0; // by feeds of earlier settings
    int m_earlierLost = 0;
    /// What was sent in a run of this window.
    struct SentRun {
        RunSpec spec;
        Plan plan;
        std::vector<int> promptWords; // by seq
    };
    std::map<QString, SentRun> m_sentRuns; // by name of the run
    std::unique_ptr<RunController> m_run;
    std::unique_ptr<LiveFeed> m_feed; // after m_run: goes first, as it reads the run's mailbox
};

} // namespace tokenpace
