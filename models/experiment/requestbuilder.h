// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QString>

#include "experiment/runspec.h"
#include "net/clientrequest.h"
#include "wire/chatrequest.h"

namespace tokenpace {

/// A request ready to send, or why none may be sent (with the setting to change).
struct BuiltRequest {
    std::optional<ClientRequest> request;
    QString problem;
};

/// Endpoint and chat into URL, checked headers, authentication of the protocol, body, limits and route.
[[nodiscard]] BuiltRequest buildRequest(const EndpointSettings& endpoint, const wire::ChatRequest& chat);

} // namespace tokenpace
