// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QNetworkReply>
#include <QString>
#include <QUrl>

#include "measure/timeline.h"

namespace tokenpace {

/// Where a request goes, for messages: host and port, never user, password or query.
[[nodiscard]] QString placeOf(const QUrl& url);

/// Puts a failure of the transport into words: what happened, at which host and port, what to do. `detail` is the
/// reply's own text (used only where it adds something), `proxy` the proxy's host and port or empty, `written`
/// whether the request had been sent, `repeated` whether it went out more than once.
[[nodiscard]] RequestError transportError(QNetworkReply::NetworkError code, const QString& detail, const QUrl& url,
                                          const QString& proxy, bool written, bool repeated);

/// Did this failure hit the content of a reply (a status of 400 and above) and not the way it came?
[[nodiscard]] bool isContentError(QNetworkReply::NetworkError code);

/// May another attempt go better? A certificate, a missing proxy password or an unknown scheme stay as they are.
[[nodiscard]] bool isPassing(QNetworkReply::NetworkError code);

} // namespace tokenpace
