// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>

#include <QByteArray>
#include <QNetworkRequest>
#include <QString>
#include <QUrl>

#include "net/clientrequest.h"

namespace tokenpace {

/// Scheme, host and port, as a key for connections.
[[nodiscard]] QUrl originOf(const QUrl& url);

/// Why a request must not be sent, or empty: a URL that is none, or a header that would break the request apart. The
/// value is never repeated.
[[nodiscard]] QString problemOf(const ClientRequest& request);

/// URL and headers for the manager: the request's own, and what measuring asks for.
[[nodiscard]] QNetworkRequest outgoingRequest(const ClientRequest& request);

/// Where a redirect points, in full and without user, query and fragment; empty without a location.
[[nodiscard]] QString redirectTarget(const QUrl& url, const QByteArray& location);

/// Did the wall clock and the steady clock drift apart by more than 1 s? (A clock that was set, or a machine that
/// slept.)
[[nodiscard]] bool clockJumped(std::chrono::nanoseconds wall, std::chrono::nanoseconds steady);

} // namespace tokenpace
