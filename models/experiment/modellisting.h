// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QList>
#include <QNetworkProxy>
#include <QObject>
#include <QStringList>
#include <QUrl>

#include "net/clientrequest.h"
#include "settings/settings.h"

class QNetworkAccessManager;
class QNetworkReply;

namespace tokenpace {

/// What asking an endpoint for its models brought.
struct ModelListAnswer {
    QStringList models;
    std::optional<RequestError> error; ///< of the first place that was asked, unless the second one answered
    QUrl url; ///< the place that this is about
    bool atOtherPath = false; ///< the place beside it, with or without `/v1`, is the one that answered
};

/// GET of the list of models beside the requests' path, with the headers and the route of a request; where that is
/// 404, once more with `/v1` put in or left out. Lives on the thread that made it; never blocks; cancelled by deleting
/// it.
class ModelListing final : public QObject {
    Q_OBJECT
public:
    /// `request` brings headers, limits, route and protocol; `proxy` is the one that its route means.
    ModelListing(const EndpointSettings& endpoint, const ClientRequest& request, const QNetworkProxy& proxy,
                 QObject* parent = nullptr);
    ~ModelListing() override;

    void start();

signals:
    void finished(const tokenpace::ModelListAnswer& answer);

private:
    void get(const QUrl& url);
    void onReply();
    [[nodiscard]] RequestError errorOf(int status, const QByteArray& body) const;

    ClientRequest m_request; ///< its headers and route; no body
    QUrl m_url;
    QUrl m_otherUrl; ///< empty once it was tried
    ModelListAnswer m_answer;
    std::unique_ptr<QNetworkAccessManager> m_manager;
    QNetworkReply* m_reply = nullptr; // owned by m_manager
    QString m_proxyPlace;
    QString m_problem;
};

} // namespace tokenpace
