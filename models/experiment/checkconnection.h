// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include "experiment/checkadvice.h"
#include "experiment/checkprobes.h"

namespace tokenpace {

/// What a probe's failures mean, as checkadvice.h has it for requests. Pure functions; any thread.

/// For a connection that could not be opened, TLS apart.
[[nodiscard]] CheckAdvice adviceForConnection(const ProbeResult& result, const CheckSituation& situation);
/// For a handshake that failed, and for certificates that `insecure` let pass.
[[nodiscard]] CheckAdvice adviceForTls(const ProbeResult& result, const CheckSituation& situation);

/// A certificate that was accepted, for people.
[[nodiscard]] QString certificateText(const ProbeResult& result);

/// A change of baseUrl to the other scheme, unless the URL holds what no message may.
[[nodiscard]] std::optional<SettingChange> schemeChange(const EndpointSettings& endpoint, const QString& scheme);

} // namespace tokenpace
