// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <QDateTime>
#include <QObject>
#include <QString>

#include "experiment/plan.h"
#include "experiment/prompts.h"
#include "experiment/runspec.h"
#include "log/logwriter.h"
#include "net/client.h"
#include "settings/redactor.h"

namespace tokenpace {

/// Who a run was: for the JSON document, exports and the status bar.
struct RunInfo {
    QString id;
    RunSpec spec;
    QDateTime startedAt; ///< UTC
    QDateTime endedAt;
    int planned = 0;
    int done = 0;
    QString settingsHash;
    QByteArray settingsJson; ///< without secrets
};

/// Carries a plan out: warm-ups, calibration of prompt lengths, then the measured requests with at most
/// `concurrency` in flight; a context-length error cancels the rest of that length for that target. Lives on the
/// thread that made it (the GUI thread, or bench's main thread) and never blocks it. Everything measured goes, in
/// order, into mailbox(), whose reader must drain it; a request shows there as finished only after its log line.
class RunController final : public QObject {
    Q_OBJECT
public:
    /// An empty logPath keeps no log.
    explicit RunController(QString logPath, Redactor redactor, QObject* parent = nullptr);
    ~RunController() override;

    [[nodiscard]] ClientMailbox& mailbox() { return *m_mailbox; }
    [[nodiscard]] const RunInfo& info() const { return m_info; }
    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// Words of the prompts of generated length, by seq; 0 before they are sent, and for prompts given as text.
    [[nodiscard]] const std::vector<int>& promptWords() const { return m_words; }
    [[nodiscard]] bool running() const { return m_running; }
    [[nodiscard]] QString logPath() const { return m_log->path(); }
    /// Time left, from what was measured so far; zero when unknown.
    [[nodiscard]] std::chrono::milliseconds timeLeft() const;

    /// Starts; the spec must have no problems().
    void start(const RunSpec& spec, const Settings& settings);
    /// Cancels what is in flight and sends no more; what was measured stays.
    void stop();

signals:
    void started();
    void progressed(int done, int planned);
    void noticed(const QString& text); ///< something a person should know, such as lengths that do not fit
    void finished(bool stopped); ///< all requests have ended and their lines are written

private:
    void sendNext();
    [[nodiscard]] bool mayGo(const PlannedRequest& planned) const;
    void sendRequest(const PlannedRequest& planned);
    void onRequestEnded(const std::shared_ptr<const Timeline>& timeline);
    void onRecorded(const std::string& run);
    void learnFrom(const Timeline& timeline, const PlannedRequest& planned);
    void finishIfDone();
    [[nodiscard]] std::chrono::milliseconds expectedDuration(const PlannedRequest& planned) const;

    /// Time that requests of one target and length took so far.
    struct Took {
        std::chrono::milliseconds sum{0};
        int count = 0;
    };

    std::unique_ptr<ClientMailbox> m_mailbox;
    Redactor m_redactor;
    std::unique_ptr<LogWriter> m_log;
    std::unique_ptr<Client> m_client; // after m_log: its thread stops before the log's
    RunSpec m_spec;
    Plan m_plan;
    RunInfo m_info;
    std::vector<TokenEstimate> m_estimates; ///< one a target
    std::vector<int> m_words; ///< words of each request's prompt, by seq
    std::deque<int> m_pending; ///< seq of what is still to be sent, in order
    std::set<std::pair<int, int>> m_tooLong; ///< target and length that a context-length error ruled out
    std::map<std::pair<int, int>, Took> m_took; ///< by target and length
    std::map<QString, int> m_inFlightByEndpoint;
    int m_warmUpsLeft = 0;
    int m_inFlight = 0;
    int m_sent = 0;
    int m_recorded = 0; ///< of those sent, how many have their log line
    bool m_running = false;
    bool m_stopping = false;
};

} // namespace tokenpace
