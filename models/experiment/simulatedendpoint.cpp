// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/simulatedendpoint.h"

#include "settings/settingsfinder.h"

namespace tokenpace {

SimulatedEndpoint::SimulatedEndpoint(quint64 seed)
{
    sim::SimOptions options;
    options.models = sim::defaultSimModels();
    options.seed = seed;
    m_server = std::make_unique<sim::SimServer>(std::move(options));
    if (!m_server->start()) {
        m_error = QString::fromStdString(m_server->error());
    }
}

QString SimulatedEndpoint::error() const
{
    return m_error;
}

Settings SimulatedEndpoint::settings() const
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("simulated");
    endpoint.baseUrl = QString::fromStdString(m_server->baseUrl());
    endpoint.simulated = true;
    for (const sim::SimModel& model : sim::defaultSimModels()) {
        endpoint.models.push_back({QString::fromStdString(model.name), {}, {}});
    }
    Settings settings;
    settings.source = QStringLiteral("simulated endpoint");
    settings.endpoints.push_back(std::move(endpoint));
    settings.telemetry.outputPath = defaultLogPath(processEnvironment());
    settings.hash = settingsHash(settings);
    return settings;
}

} // namespace tokenpace
