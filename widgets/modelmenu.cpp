// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "modelmenu.h"

#include <QAction>
#include <QMouseEvent>

#include "experiment/endpointcheck.h"
#include "session.h"

namespace tokenpace {

namespace {
constexpr int mostListed = 60; // of one endpoint; gateways list hundreds
}

ModelMenu::ModelMenu(Session& session, QWidget* parent)
    : QMenu(parent)
    , m_session(session)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &ModelMenu::fill);
}

ModelMenu::~ModelMenu() = default;

void ModelMenu::fill()
{
    clear();
    if (!m_session.settings()) {
        addAction(tr("Connect an endpoint…"), this, &ModelMenu::connectRequested);
        return;
    }
    for (const EndpointSettings& endpoint : m_session.settings()->endpoints) {
        QAction* head = addAction(endpoint.simulated ? tr("simulated endpoint") : endpoint.name);
        head->setEnabled(false);
        QStringList named;
        for (const ModelSettings& model : endpoint.models) {
            addModel(endpoint, model);
            named.append(model.name);
        }
        int listed = 0;
        for (const QString& name : m_listed[endpoint.name]) {
            if (!named.contains(name) && listed < mostListed) {
                addModel(endpoint, ModelSettings{name, {}, {}});
                ++listed;
            }
        }
        if (m_listed[endpoint.name].isEmpty() && !endpoint.simulated) {
            addAction(tr("Ask %1 for its models").arg(endpoint.name), this, [this, endpoint] {
                fetch(endpoint);
            });
        }
        addSeparator();
    }
    addAction(tr("Connect an endpoint…"), this, &ModelMenu::connectRequested);
}

void ModelMenu::addModel(const EndpointSettings& endpoint, const ModelSettings& model)
{
    QAction* action = addAction(model.alias.isEmpty() ? model.name : model.alias);
    action->setToolTip(model.name);
    action->setCheckable(true);
    action->setChecked(m_session.isTarget(endpoint.name, model.name));
    connect(action, &QAction::toggled, this, [this, endpoint, model](bool on) {
        m_session.setTarget(endpoint, model, on);
    });
}

// A click on a model ticks it and leaves the menu open: several are chosen in one go.
void ModelMenu::mouseReleaseEvent(QMouseEvent* event)
{
    QAction* action = actionAt(event->pos());
    if (action && action->isCheckable() && action->isEnabled()) {
        action->trigger();
        return;
    }
    QMenu::mouseReleaseEvent(event);
}

void ModelMenu::fetch(const EndpointSettings& endpoint)
{
    if (m_checks.contains(endpoint.name)) {
        return;
    }
    auto check = std::make_unique<EndpointCheck>(endpoint, QString());
    connect(check.get(), &EndpointCheck::finished, this, [this, name = endpoint.name] {
        onListed(name);
    });
    check->startModelsOnly();
    m_checks[endpoint.name] = std::move(check);
}

void ModelMenu::onListed(const QString& endpoint)
{
    const auto found = m_checks.find(endpoint);
    if (found == m_checks.end()) {
        return;
    }
    const std::unique_ptr<EndpointCheck, void (*)(EndpointCheck*)> check(found->second.release(),
                                                                         [](EndpointCheck* done) {
                                                                             done->deleteLater();
                                                                         });
    m_checks.erase(found);
    m_listed[endpoint] = check->models();
    if (!check->models().isEmpty()) {
        emit modelsListed(endpoint, check->models());
        return;
    }
    QString why;
    if (const auto step = check->trouble()) {
        why = step->fix.isEmpty() ? step->message : step->message + QStringLiteral(". ") + step->fix;
    }
    emit listingFailed(tr("%1 lists no models. %2").arg(endpoint, why).trimmed());
}

} // namespace tokenpace
