// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <memory>

#include <QMenu>

#include "settings/settings.h"

namespace tokenpace {

class EndpointCheck;
class Session;

/// The menu of the + button: every model of every endpoint with a check mark, those of the settings and, on demand,
/// those that the endpoint lists. Stays open while models are ticked. GUI thread; does not own the session.
class ModelMenu final : public QMenu {
    Q_OBJECT
public:
    ModelMenu(Session& session, QWidget* parent = nullptr);
    ~ModelMenu() override;

    /// Asks an endpoint for its models; they are in the menu from then on.
    void fetch(const EndpointSettings& endpoint);

signals:
    void connectRequested();
    void modelsListed(const QString& endpoint, const QStringList& models);
    void listingFailed(const QString& why);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void fill();
    void addModel(const EndpointSettings& endpoint, const ModelSettings& model);
    void onListed(const QString& endpoint);

    Session& m_session; // not owned
    std::map<QString, QStringList> m_listed; // by endpoint
    std::map<QString, std::unique_ptr<EndpointCheck>> m_checks; // going on, by endpoint
};

} // namespace tokenpace
