// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/curltext.h"

#include <QRegularExpression>
#include <QStringList>

#include "settings/redactor.h"

namespace tokenpace {

namespace {

/// A word that a shell takes as it is.
QString quoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

/// A header of which `variable` holds the part between the two.
QString withVariable(const QString& before, const QString& variable, const QString& after)
{
    static const QRegularExpression special(QStringLiteral("[\\\\\"$`]"));
    const auto inDoubleQuotes = [](QString text) {
        return text.replace(special, QStringLiteral("\\\\\\0"));
    };
    return QStringLiteral("\"%1${%2}%3\"").arg(inDoubleQuotes(before), variable, inDoubleQuotes(after));
}

QString variableOfKey(const EndpointSettings& endpoint)
{
    static const QRegularExpression one(QStringLiteral("^\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}$"));
    const QRegularExpressionMatch match = one.match(endpoint.apiKeySource);
    return match.hasMatch() ? match.captured(1) : QStringLiteral("API_KEY");
}

QString variableOfHeader(const QString& name)
{
    static const QRegularExpression notInNames(QStringLiteral("[^A-Z0-9]+"));
    return name.toUpper().replace(notInNames, QStringLiteral("_"));
}

QString headerText(const QByteArray& name, const QByteArray& value, const EndpointSettings& endpoint,
                   const Redactor& redactor)
{
    const QString before = QString::fromLatin1(name) + QStringLiteral(": ");
    const QString text = QString::fromUtf8(value);
    const QString key = endpoint.apiKey.trimmed();
    // Only where the key is sent: a key of three letters may be part of any word.
    if (!key.isEmpty() && (text == key || text == QStringLiteral("Bearer ") + key)) {
        return withVariable(before + text.chopped(key.size()), variableOfKey(endpoint), {});
    }
    if (redactor.redacted(text) != text || endpoint.secrets.contains(text)) {
        return withVariable(before, variableOfHeader(QString::fromLatin1(name)), {});
    }
    return quoted(before + text);
}

} // namespace

QString curlText(const ClientRequest& request, const EndpointSettings& endpoint)
{
    Redactor redactor;
    addSecrets(redactor, endpoint);
    QStringList options{QStringLiteral("curl -sS")};
    if (request.timeline.params.stream) {
        options.last() += QStringLiteral(" -N");
    }
    options.last() += QLatin1Char(' ') + quoted(redactor.redacted(request.url.toString(QUrl::FullyEncoded)));
    const auto add = [&options](const QString& option, const QString& word) {
        options.append(option + QLatin1Char(' ') + word);
    };
    add(QStringLiteral("-H"), quoted(QStringLiteral("Content-Type: application/json")));
    for (const auto& [name, value] : request.headers) {
        add(QStringLiteral("-H"), headerText(name, value, endpoint, redactor));
    }
    if (request.route.proxyMode == Route::ProxyMode::Url) {
        add(QStringLiteral("-x"), quoted(redactor.redacted(request.route.proxy.toString(QUrl::FullyEncoded))));
    } else if (request.route.proxyMode == Route::ProxyMode::None) {
        add(QStringLiteral("--noproxy"), quoted(QStringLiteral("*")));
    }
    if (!request.route.caFile.isEmpty()) {
        add(QStringLiteral("--cacert"), quoted(request.route.caFile));
    }
    if (request.route.insecure) {
        options.append(QStringLiteral("--insecure"));
    }
    add(QStringLiteral("--data-raw"), quoted(redactor.redacted(QString::fromUtf8(request.body))));
    return options.join(QStringLiteral(" \\\n  ")) + QLatin1Char('\n');
}

} // namespace tokenpace
