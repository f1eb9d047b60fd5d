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
    QString problem; ///< empty when good; says what is wrong and what to type, never a password or a query
    QString alternativePath; ///< the other path worth trying when the server answers 404, or empty
};

/// Trims; a path that already ends in the endpoint is used as it is; else `/v1` is added unless a segment looks like a
/// version (`v1`, `v1beta`), then the endpoint. Query kept, fragment dropped. `pathOverride` replaces the path; a query
/// in it replaces the query. Ollama's own `/api/chat` takes the place of a last `/api` or `/v1`.
[[nodiscard]] RequestUrl requestUrl(const QString& baseUrl, Protocol protocol, const QString& pathOverride = {});

/// The URL of the list of models beside requestUrl(): `/models` there, for Ollama `/api/tags`.
[[nodiscard]] RequestUrl modelsUrl(const QString& baseUrl, Protocol protocol);

/// What `auto` means: by the path's end (the override's, where there is one) or the host, else OpenAI chat.
[[nodiscard]] Protocol protocolFor(const QString& baseUrl, const QString& pathOverride = {});

/// Host, and port where one is given: the name of an endpoint without a name. IPv6 addresses keep their brackets.
[[nodiscard]] QString hostLabel(const QUrl& url);

/// The URL for people and files: no user, no password, query values masked (`api-version` apart), no fragment.
[[nodiscard]] QString displayUrl(const QUrl& url);

/// Names in a query whose values are no secrets.
[[nodiscard]] bool isHarmlessQueryName(const QString& name);

/// Names of fields, headers and query items that say that their value is a secret, such as `api_key` or `sig`.
[[nodiscard]] bool isSecretName(const QString& name);

} // namespace tokenpace
