// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QNetworkReply>

namespace tokenpace {

using RawHeaders = QList<QNetworkReply::RawHeaderPair>;

/// The response headers that a record keeps, names in lower case: request id, rate limits, the server's own times and
/// retry-after. No others, since they may hold what nobody wants in a log (cookies, for one).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> recordedHeaders(const RawHeaders& headers);

/// The id under which the server's operator finds this request.
[[nodiscard]] std::optional<std::string> requestIdOf(const RawHeaders& headers);

/// How long the server asks us to wait, in ms, from retry-after-ms, else Retry-After (seconds, decimals too, or a
/// date). Past dates are 0, and nothing is longer than 60 s. None where the header is absent or makes no sense.
[[nodiscard]] std::optional<double> retryAfterMs(const RawHeaders& headers, const QDateTime& now);

} // namespace tokenpace
