// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include "experiment/runspec.h"
#include "net/client.h"
#include "settings/redactor.h"

class QNetworkAccessManager;
class QNetworkReply;

namespace tokenpace {

/// One step of a check, for a person: what was tried, how it went, what to do.
struct CheckStep {
    QString name;
    bool ok = false;
    double ms = 0;
    QString message;
    QString fix; ///< what to change, or empty
    bool optional = false; ///< a failure here forbids nothing
};

/// Is the endpoint reachable, the key good, does the model answer? GET of the list of models, then one minimal
/// streamed request. Lives on the thread that made it; never blocks; cancelled by deleting it.
class EndpointCheck final : public QObject {
    Q_OBJECT
public:
    explicit EndpointCheck(EndpointSettings endpoint, QString model, QObject* parent = nullptr);
    ~EndpointCheck() override;

    void start();
    /// Only the list of models, without the request.
    void startModelsOnly();

    [[nodiscard]] const QList<CheckStep>& steps() const { return m_steps; }
    [[nodiscard]] const QStringList& models() const { return m_models; }
    [[nodiscard]] bool ok() const;

signals:
    void stepFinished(const tokenpace::CheckStep& step);
    void finished();

private:
    void fetchModels();
    void onModels();
    void sendMinimalRequest();
    void onRequestEnded(const std::shared_ptr<const Timeline>& timeline);
    void addStep(CheckStep step);

    EndpointSettings m_endpoint;
    QString m_model;
    Redactor m_redactor;
    bool m_modelsOnly = false;
    Stamp m_stepStart{};
    QList<CheckStep> m_steps;
    QStringList m_models;
    std::unique_ptr<QNetworkAccessManager> m_manager;
    QNetworkReply* m_reply = nullptr; // owned by m_manager
    std::unique_ptr<ClientMailbox> m_mailbox;
    std::unique_ptr<Client> m_client;
};

} // namespace tokenpace
