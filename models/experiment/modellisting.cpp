// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/modellisting.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>

#include "experiment/checknames.h"
#include "net/manager.h"
#include "net/outgoing.h"
#include "net/transporterror.h"
#include "settings/baseurl.h"
#include "wire/errortext.h"

namespace tokenpace {

namespace {

constexpr int httpOk = 200;
constexpr int firstRedirect = 300;
constexpr int firstError = 400;
constexpr int httpNotFound = 404;
constexpr qint64 maxListBytes = qint64{8} * 1024 * 1024;

QUrl listUrl(const EndpointSettings& endpoint, const ClientRequest& request)
{
    // A path of the settings' own says where the API is, if it ends as requests do.
    const bool placed =
        !endpoint.path.isEmpty() && request.url.path().endsWith(requestPathEnd(request.timeline.protocol));
    return modelsUrl(placed ? request.url.toString(QUrl::FullyEncoded) : endpoint.baseUrl, request.timeline.protocol)
        .url;
}

} // namespace

ModelListing::ModelListing(const EndpointSettings& endpoint, const ClientRequest& request, const QNetworkProxy& proxy,
                           QObject* parent)
    : QObject(parent)
    , m_request(request)
    , m_url(listUrl(endpoint, request))
    , m_otherUrl(m_url)
{
    const QString other = otherVersionPath(m_url.path(QUrl::FullyEncoded), QStringLiteral("/models"));
    m_otherUrl = other.isEmpty() ? QUrl() : m_url;
    if (!other.isEmpty()) {
        m_otherUrl.setPath(other, QUrl::TolerantMode);
    }
    // The proxy is known already: asking the system for it once more could take its time.
    Route route = request.route;
    route.proxyMode = Route::ProxyMode::None;
    Manager made = makeManager(route, m_url);
    m_problem = made.problem;
    m_manager = std::move(made.access);
    if (m_manager) {
        m_manager->setProxy(proxy);
    }
    if (proxy.type() != QNetworkProxy::NoProxy) {
        m_proxyPlace = QStringLiteral("%1:%2").arg(proxy.hostName()).arg(proxy.port());
    }
}

ModelListing::~ModelListing()
{
    if (m_reply) {
        m_reply->disconnect(this);
    }
}

void ModelListing::start()
{
    if (m_manager) {
        get(m_url);
        return;
    }
    RequestError error;
    error.kind = ErrorKind::NotSent;
    error.message = m_problem.toStdString();
    m_answer = {{}, std::move(error), m_url, false};
    QMetaObject::invokeMethod(
        this,
        [this] {
            emit finished(m_answer);
        },
        Qt::QueuedConnection);
}

void ModelListing::get(const QUrl& url)
{
    m_request.url = url;
    QNetworkRequest request = outgoingRequest(m_request);
    request.setRawHeader("Accept", "application/json");
    request.setTransferTimeout(static_cast<int>(m_request.limits.connect.count()));
    m_reply = m_manager->get(request);
    connect(m_reply, &QNetworkReply::finished, this, &ModelListing::onReply);
}

RequestError ModelListing::errorOf(int status, const QByteArray& body) const
{
    RequestError error;
    if (status == 0 && m_reply->error() == QNetworkReply::OperationCanceledError) {
        error.kind = ErrorKind::Timeout;
        error.phase = Phase::Total;
        error.message =
            QStringLiteral("no list of models within %1 ms").arg(m_request.limits.connect.count()).toStdString();
        return error;
    }
    if (status == 0) {
        return transportError(m_reply->error(), m_reply->errorString(), m_request.url, m_proxyPlace, true, false);
    }
    error.httpStatus = status;
    const wire::JsonDocument document(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
    const std::string words = wire::firstWords({body.constData(), static_cast<std::size_t>(body.size())});
    if (status < firstRedirect) {
        error.kind = ErrorKind::Parse;
        error.message = "the answer is no list of models: " + words;
        return error;
    }
    error.kind = ErrorKind::Http;
    error.message = "HTTP " + std::to_string(status);
    if (status < firstError) {
        error.message += " redirects to " + redirectTarget(m_request.url, m_reply->rawHeader("location")).toStdString();
        return error;
    }
    const auto found = document.root() != nullptr ? wire::findError(*document.root()) : std::nullopt;
    const std::string said = found ? found->message : words;
    error.message += said.empty() ? std::string() : ": " + said;
    return error;
}

void ModelListing::onReply()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QByteArray body = m_reply->read(maxListBytes);
    const QStringList models = status == httpOk ? modelNames(body) : QStringList();
    // An empty list is a list: a server that has loaded nothing yet.
    const bool isList = !models.isEmpty()
        || (status == httpOk && body.trimmed().startsWith('{')
            && (body.contains("\"data\"") || body.contains("\"models\"")));
    const bool second = m_request.url != m_url;
    if (isList) {
        m_answer = {models, std::nullopt, m_request.url, second};
    } else if (!second) {
        m_answer = {{}, errorOf(status, body), m_request.url, false};
    }
    m_reply->deleteLater();
    m_reply = nullptr;
    if (!isList && status == httpNotFound && !second && !m_otherUrl.isEmpty()) {
        get(m_otherUrl);
        return;
    }
    emit finished(m_answer);
}

} // namespace tokenpace
