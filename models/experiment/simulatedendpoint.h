// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include "settings/settings.h"
#include "sim/simserver.h"

namespace tokenpace {

/// The simulated endpoint as settings of the program's own: starts the server and describes it. The server runs as
/// long as this object lives.
class SimulatedEndpoint {
public:
    explicit SimulatedEndpoint(quint64 seed);

    /// Empty when it runs; else why it does not.
    [[nodiscard]] QString error() const;
    /// One endpoint named `simulated`, with the simulated models; the log goes where no settings file would put it.
    [[nodiscard]] Settings settings() const;

private:
    std::unique_ptr<sim::SimServer> m_server;
    QString m_error;
};

} // namespace tokenpace
