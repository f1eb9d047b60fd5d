// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include "net/clientrequest.h"
#include "settings/settings.h"

namespace tokenpace {

/// A command line of curl that sends what `request`, built from `endpoint`, sends, for a POSIX shell. Secrets are
/// variables of that shell: the key the one that the settings name, else `API_KEY`; a header made from variables one of
/// its own name. What is secret in the address or the body is `[redacted]`. Any thread.
[[nodiscard]] QString curlText(const ClientRequest& request, const EndpointSettings& endpoint);

} // namespace tokenpace
