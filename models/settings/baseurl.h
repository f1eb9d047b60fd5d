// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QString>
#include <QUrl>

#include "measure/timeline.h"

namespace tokenpace {

/// The URL to send to, from the base URL that a person typed, or what is wrong with it.
struct RequestUrl {
    QUrl url;
    QString problem; ///< empty when good; says what is wrong and what to type
    QString alternativePath; ///< the other path worth trying when the server answers 404, or empty
};

/// Trims; a path that already ends in the endpoint is used as it is; else `/v1` is added unless a segment looks like a
/// version (`v1`, `v1beta`), then the endpoint. Query kept, fragment dropped. `pathOverride` replaces the path.
[[nodiscard]] RequestUrl requestUrl(const QString& baseUrl, Protocol protocol, const QString& pathOverride = {});

/// The URL of the list of models beside requestUrl().
[[nodiscard]] RequestUrl modelsUrl(const QString& baseUrl, Protocol protocol);

/// What `auto` means: by the path's end or the host, else OpenAI chat.
[[nodiscard]] Protocol protocolFor(const QString& baseUrl);

/// Host, and port where one is given: the name of an endpoint without a name.
[[nodiscard]] QString hostLabel(const QUrl& url);

/// The URL for people and files: no user, no password, query values masked.
[[nodiscard]] QString displayUrl(const QUrl& url);

} // namespace tokenpace
