// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <initializer_list>
#include <optional>

#include <QString>
#include <QStringList>
#include <QUrl>

#include "experiment/checkprobes.h"
#include "experiment/checkstep.h"
#include "settings/settings.h"

namespace tokenpace {

/// What the failures of a check mean and which setting mends them. Pure functions of what was seen; any thread. Texts
/// may hold what a server said, so they pass a Redactor before anyone sees them.
struct CheckAdvice {
    QString meaning; ///< for the message, after what was seen; may be empty
    QString fix;
    std::optional<SettingChange> change;
};

/// What is known of the endpoint when something fails.
struct CheckSituation {
    EndpointSettings endpoint;
    Protocol protocol = Protocol::OpenAiChat;
    QUrl url; ///< that requests go to
    QStringList models; ///< as listed
    QString model;
    std::optional<EnvironmentProxy> environmentProxy;
};

/// For a request that failed, or a list of models: `error.message` is what the server said.
[[nodiscard]] CheckAdvice adviceForRequest(const RequestError& error, const CheckSituation& situation);

/// Does a text in lower case hold one of these?
[[nodiscard]] bool saysOneOf(const QString& lowerCase, std::initializer_list<const char*> phrases);
/// Does this error say that the model is not there? Servers answer 404, gateways also 400 and 503.
[[nodiscard]] bool isUnknownModel(const RequestError& error);
/// Does it say that only streamed requests are served?
[[nodiscard]] bool wantsStream(const RequestError& error);
/// The protocol that a server's words or the shape of its answer belong to, if it is another one.
[[nodiscard]] std::optional<Protocol> protocolSaid(const QString& words, Protocol used);
/// The protocol that the path of a URL belongs to, if it is another one.
[[nodiscard]] std::optional<Protocol> protocolOfPath(const QString& path, Protocol used);

} // namespace tokenpace
