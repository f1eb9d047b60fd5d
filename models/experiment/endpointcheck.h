// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QList>
#include <QNetworkProxy>
#include <QObject>
#include <QString>
#include <QStringList>

#include "experiment/checkadvice.h"
#include "experiment/checkprobes.h"
#include "experiment/checkstep.h"
#include "experiment/modellisting.h"
#include "net/client.h"
#include "settings/redactor.h"

class QHostInfo;

namespace tokenpace {

/// Is the endpoint reachable, the key good, does the model answer, and can it be measured? Steps one after another,
/// each with its time: URL, proxy, name, TCP, TLS, key, models, a request, a streamed one, two at once, usage,
/// streaming, the model that answered. After a step that failed the rest is skipped. Lives on the thread that made it;
/// never blocks; cancelled by deleting it, at any moment, also in a slot of its signals. No secret is in what it tells.
class EndpointCheck final : public QObject {
    Q_OBJECT
public:
    explicit EndpointCheck(EndpointSettings endpoint, QString model, QObject* parent = nullptr);
    ~EndpointCheck() override;

    /// Where proxies are looked for; the process's environment unless set.
    void setEnvironment(EnvironmentLookup environment);

    void start();
    /// Only the list of models: nothing before it, and no request.
    void startModelsOnly();

    [[nodiscard]] const QList<CheckStep>& steps() const { return m_steps; }
    [[nodiscard]] const QStringList& models() const { return m_situation.models; }
    /// The model that is asked: the one given, or the only one listed; may be empty.
    [[nodiscard]] const QString& model() const { return m_situation.model; }
    /// Where requests go, without secrets; empty when the base URL is no URL.
    [[nodiscard]] QString url() const;
    [[nodiscard]] Protocol protocol() const { return m_situation.protocol; }
    /// The step that failed, else the last one that was noted; none when all went well.
    [[nodiscard]] std::optional<CheckStep> trouble() const;
    /// It has finished, and nothing stands in the way.
    [[nodiscard]] bool ok() const;

signals:
    void stepStarted(const QString& name);
    void stepFinished(const tokenpace::CheckStep& step);
    void finished();

private:
    struct Stage {
        const char* id;
        void (EndpointCheck::*run)();
    };
    using Timelines = std::vector<std::shared_ptr<const Timeline>>;

    void begin(std::vector<Stage> stages);
    void runNext();
    void end(CheckState state, const QString& message, const CheckAdvice& advice = {});
    void endFailed(const QString& seen, const CheckAdvice& advice, CheckState state = CheckState::Failed);

    void checkSettings();
    void checkUrl();
    void checkProxy();
    void onProxy(const QNetworkProxy& proxy);
    void lookUpName();
    void onName(const QHostInfo& info);
    void connectTcp();
    void shakeHands();
    void askForModels();
    void onModels(const ModelListAnswer& answer);
    void compareModels();
    void askWhole();
    void onWhole();
    void askAtOtherPath();
    void onOtherPath();
    void askStreamed();
    void onStreamed();
    void askTwice();
    void onTwice();
    void checkUsage();
    void checkStreaming();
    void checkServedModel();

    [[nodiscard]] std::chrono::milliseconds connectLimit() const;
    [[nodiscard]] bool proxied() const { return m_proxy.type() != QNetworkProxy::NoProxy; }
    [[nodiscard]] QString place() const;
    void probe(const ProbeTarget& target, void (EndpointCheck::*then)(const ProbeResult&));
    void onTcp(const ProbeResult& result);
    void onTls(const ProbeResult& result);
    void send(int count, bool stream, const QString& path, void (EndpointCheck::*then)());
    void onRequestEnded(const std::shared_ptr<const Timeline>& timeline);

    CheckSituation m_situation;
    EnvironmentLookup m_environment;
    Redactor m_redactor;
    std::vector<Stage> m_stages;
    std::size_t m_stage = 0;
    bool m_finished = false;
    QString m_failedStep; ///< name of the step that the rest waits for in vain
    Stamp m_stepStart{};
    QList<CheckStep> m_steps;

    std::optional<ClientRequest> m_request; ///< headers and route that all steps share
    QString m_requestProblem;
    QNetworkProxy m_proxy{QNetworkProxy::NoProxy};
    int m_lookup = -1;
    std::unique_ptr<SocketProbe> m_probe;
    std::unique_ptr<ModelListing> m_listing;
    std::optional<RequestError> m_listError;
    std::unique_ptr<ClientMailbox> m_mailbox;
    std::unique_ptr<Client> m_client;
    std::size_t m_expected = 0; ///< requests of this step
    int m_sent = 0; ///< requests so far
    Timelines m_ended; ///< of this step
    void (EndpointCheck::*m_afterRequests)() = nullptr;
    std::shared_ptr<const Timeline> m_whole;
    std::shared_ptr<const Timeline> m_streamed;
};

} // namespace tokenpace
