// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/endpointcheck.h"

#include <algorithm>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>

#include "experiment/requestbuilder.h"
#include "measure/metrics.h"
#include "settings/baseurl.h"
#include "settings/redactor.h"

namespace tokenpace {

namespace {

constexpr int checkMaxTokens = 8;
constexpr int httpUnauthorized = 401;
constexpr int httpForbidden = 403;
constexpr int httpNotFound = 404;
constexpr qint64 maxListBytes = 8 * 1024 * 1024;

QStringList modelNames(const QByteArray& body)
{
    const QJsonObject document = QJsonDocument::fromJson(body).object();
    QStringList names;
    for (const char* list : {"data", "models"}) {
        const QJsonArray entries = document.value(QLatin1String(list)).toArray();
        for (const QJsonValue& entry : entries) {
            const QJsonObject object = entry.toObject();
            const QString id =
                object.value(QLatin1String("id")).toString(object.value(QLatin1String("name")).toString());
            if (!id.isEmpty() && !names.contains(id)) {
                names << id;
            }
        }
        if (!names.isEmpty()) {
            break;
        }
    }
    return names;
}

/// Length of the longest common start plus that of the longest common end: enough to find a slip of the keyboard.
int likeness(const QString& a, const QString& b)
{
    int start = 0;
    while (start < a.size() && start < b.size() && a.at(start) == b.at(start)) {
        ++start;
    }
    int end = 0;
    while (end < a.size() - start && end < b.size() - start && a.at(a.size() - 1 - end) == b.at(b.size() - 1 - end)) {
        ++end;
    }
    return start + end;
}

QString nearest(const QString& name, const QStringList& names)
{
    const auto best = std::max_element(names.begin(), names.end(), [&](const QString& a, const QString& b) {
        return likeness(name, a) < likeness(name, b);
    });
    return best != names.end() && likeness(name, *best) * 2 >= name.size() ? *best : QString();
}

QString fixFor(const RequestError& error, const QStringList& models, const QString& model)
{
    const int status = error.httpStatus.value_or(0);
    if (status == httpUnauthorized || status == httpForbidden) {
        return EndpointCheck::tr("Check the key: is its variable set, and is the key for this endpoint?");
    }
    if (status == httpNotFound && !models.isEmpty() && !models.contains(model)) {
        const QString near = nearest(model, models);
        return near.isEmpty() ? EndpointCheck::tr("Choose a model that the endpoint lists.")
                              : EndpointCheck::tr("The nearest name on this endpoint is %1.").arg(near);
    }
    if (status == httpNotFound) {
        return EndpointCheck::tr("Check base URL and model.");
    }
    if (error.kind == ErrorKind::Timeout) {
        return EndpointCheck::tr("Is the server up? A longer time limit can be set in settings.json.");
    }
    if (error.kind == ErrorKind::Transport) {
        return EndpointCheck::tr("Is the server running at this host and port?");
    }
    if (error.kind == ErrorKind::Parse) {
        return EndpointCheck::tr("Something other than a chat endpoint answered: check the base URL.");
    }
    return {};
}

} // namespace

EndpointCheck::EndpointCheck(EndpointSettings endpoint, QString model, QObject* parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_model(std::move(model))
{
    addSecrets(m_redactor, m_endpoint);
}

EndpointCheck::~EndpointCheck() = default;

bool EndpointCheck::ok() const
{
    return !m_steps.isEmpty() && std::all_of(m_steps.begin(), m_steps.end(), [](const CheckStep& step) {
        return step.ok || step.optional;
    });
}

void EndpointCheck::start()
{
    fetchModels();
}

void EndpointCheck::startModelsOnly()
{
    m_modelsOnly = true;
    fetchModels();
}

void EndpointCheck::addStep(CheckStep step)
{
    step.ms = toMs(steadyNow() - m_stepStart);
    step.message = m_redactor.redacted(step.message);
    m_steps.append(step);
    emit stepFinished(step);
}

void EndpointCheck::fetchModels()
{
    m_stepStart = steadyNow();
    wire::ChatRequest probe;
    probe.model = m_model.toStdString();
    const BuiltRequest built = buildRequest(m_endpoint, probe);
    const RequestUrl url = modelsUrl(m_endpoint.baseUrl, Protocol::OpenAiChat);
    if (!built.request || !url.problem.isEmpty()) {
        addStep({tr("Settings"), false, 0, built.request ? url.problem : built.problem, {}, false});
        QMetaObject::invokeMethod(this, &EndpointCheck::finished, Qt::QueuedConnection);
        return;
    }
    m_manager = std::make_unique<QNetworkAccessManager>();
    if (m_endpoint.proxy == QStringLiteral("none")) {
        m_manager->setProxy(QNetworkProxy::NoProxy);
    }
    QNetworkRequest request(url.url);
    for (const auto& [name, value] : built.request->headers) {
        request.setRawHeader(name, value);
    }
    request.setRawHeader("Accept", "application/json");
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, m_endpoint.http2);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setTransferTimeout(m_endpoint.request.connectTimeoutMs);
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (!m_endpoint.caFile.isEmpty()) {
        tls.addCaCertificates(m_endpoint.caFile);
    }
    request.setSslConfiguration(tls);
    m_reply = m_manager->get(request);
    if (m_endpoint.insecure) {
        m_reply->ignoreSslErrors();
    }
    connect(m_reply, &QNetworkReply::finished, this, &EndpointCheck::onModels);
}

void EndpointCheck::onModels()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QByteArray body = m_reply->read(maxListBytes);
    m_models = modelNames(body);
    CheckStep step;
    step.name = tr("List of models");
    step.ok = status == 200 && !m_models.isEmpty();
    if (step.ok) {
        step.message = tr("%n model(s)", nullptr, static_cast<int>(m_models.size()));
    } else if (status == 0) {
        step.message = m_reply->error() == QNetworkReply::OperationCanceledError
            ? tr("no answer within %1 ms from %2")
                  .arg(m_endpoint.request.connectTimeoutMs)
                  .arg(hostLabel(m_reply->url()))
            : m_reply->errorString();
        step.fix = tr("Is the server running at this host and port?");
    } else if (status == httpUnauthorized || status == httpForbidden) {
        step.message = tr("HTTP %1: the key is not accepted").arg(status);
        step.fix = tr("Check the key: is its variable set, and is the key for this endpoint?");
    } else {
        // Many servers have no such list: that forbids nothing.
        step.message = status == 200 ? tr("the answer lists no models") : tr("HTTP %1").arg(status);
        step.fix = tr("Type the model's name; not every server lists its models.");
        step.optional = true;
    }
    m_reply->deleteLater();
    m_reply = nullptr;
    const bool goOn = step.ok || step.optional;
    addStep(step);
    if (m_model.isEmpty() && m_models.size() == 1) {
        m_model = m_models.first();
    }
    if (m_modelsOnly || !goOn) {
        emit finished();
        return;
    }
    sendMinimalRequest();
}

void EndpointCheck::sendMinimalRequest()
{
    m_stepStart = steadyNow();
    if (m_model.isEmpty()) {
        addStep({tr("Model answers"), false, 0, tr("no model is chosen"),
                 m_models.isEmpty() ? tr("Type a model's name.") : tr("Choose one of the models listed."), false});
        emit finished();
        return;
    }
    wire::ChatRequest chat;
    chat.model = m_model.toStdString();
    chat.messages.push_back({"user", "Say hello."});
    chat.params.maxTokens = checkMaxTokens;
    BuiltRequest built = buildRequest(m_endpoint, chat);
    if (!built.request) {
        addStep({tr("Model answers"), false, 0, built.problem, {}, false});
        emit finished();
        return;
    }
    m_mailbox = std::make_unique<ClientMailbox>();
    m_client = std::make_unique<Client>(*m_mailbox, [](std::shared_ptr<Timeline>) {});
    connect(m_client.get(), &Client::requestEnded, this, &EndpointCheck::onRequestEnded);
    m_client->send(std::move(*built.request));
}

void EndpointCheck::onRequestEnded(const std::shared_ptr<const Timeline>& timeline)
{
    CheckStep step;
    step.name = tr("Model answers");
    step.ok = timeline->status == Status::Ok;
    if (!step.ok && timeline->error) {
        step.message = m_model + QStringLiteral(": ") + QString::fromStdString(timeline->error->message);
        step.fix = fixFor(*timeline->error, m_models, m_model);
        const RequestUrl url = requestUrl(m_endpoint.baseUrl, timeline->protocol, m_endpoint.path);
        if (timeline->error->httpStatus == httpNotFound) {
            step.message += QStringLiteral(" (%1)").arg(displayUrl(url.url));
            if (!url.alternativePath.isEmpty()) {
                step.fix += tr(" Or try the path %1.").arg(url.alternativePath);
            }
        }
    } else if (const auto ttft = ttftMs(*timeline)) {
        step.message = tr("first token after %1 ms, %2 tokens in %3 chunks")
                           .arg(*ttft, 0, 'f', 1)
                           .arg(static_cast<qlonglong>(outputTokens(*timeline).value_or(0)))
                           .arg(chunkCount(*timeline));
    } else {
        step.message = tr("it answered whole: TTFT and TPOT cannot be measured here");
        step.fix = tr("A proxy that buffers, or a server that ignores \"stream\".");
    }
    addStep(step);
    if (step.ok && !timeline->usage.completionTokens) {
        m_stepStart = steadyNow();
        addStep({tr("Usage"), false, 0, tr("the server reports no token counts; chunks are counted instead"),
                 tr("Set streamOptions to true, or look for the server's option that reports usage."), true});
    }
    emit finished();
}

} // namespace tokenpace
