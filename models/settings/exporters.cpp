// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/exporters.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QUrl>

#include "settings/baseurl.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

const QString ownVariable = QStringLiteral("${TAOTOKEN_API_KEY}");

/// JSON's escapes are TOML's, too; U+007F alone is refused there as it stands. A `${` of the value is no variable.
QString tomlText(QString text)
{
    text.replace(QStringLiteral("${"), QStringLiteral("$${"));
    QString json = QString::fromStdString(nlohmann::json(text.toStdString()).dump());
    return json.replace(QChar(0x7F), QStringLiteral("\\u007f"));
}

QString shellText(const QString& text)
{
    static const QString plain = QStringLiteral("-_./:@%+,=");
    bool isPlain = !text.isEmpty();
    for (const QChar c : text) {
        isPlain = isPlain && (c.isLetterOrNumber() || plain.contains(c));
    }
    if (isPlain) {
        return text;
    }
    if (!text.contains(u'\'') && !text.contains(u'\n') && !text.contains(u'\r')) {
        return u'\'' + text + u'\'';
    }
    QString escaped = text;
    escaped.replace(u'\\', QStringLiteral("\\\\"))
        .replace(u'"', QStringLiteral("\\\""))
        .replace(u'$', QStringLiteral("\\$"))
        .replace(u'\n', QStringLiteral("\\n"))
        .replace(u'\r', QStringLiteral("\\r"));
    return u'"' + escaped + u'"';
}

QString numberText(double value)
{
    return QString::fromStdString(nlohmann::json(value).dump());
}

QString switchText(bool value)
{
    return value ? QStringLiteral("true") : QStringLiteral("false");
}

/// Lines and comments, as both shapes have them.
class Writer {
public:
    void line(const QString& text = {}) { m_text += text + u'\n'; }
    /// A line end in the text would end the comment.
    void comment(QString text) { line(QStringLiteral("# ") + text.replace(u'\n', u' ').replace(u'\r', u' ')); }
    [[nodiscard]] QByteArray bytes() const { return m_text.toUtf8(); }

private:
    QString m_text;
};

struct Source {
    const EndpointSettings& endpoint;
    QString baseUrl;
    bool isUrlCut = false; ///< a password or a secret of the query was left out
};

Source sourceOf(const EndpointSettings& endpoint)
{
    const QUrl url(endpoint.baseUrl);
    const QString shown = displayUrl(url);
    const bool isCut = !url.userInfo().isEmpty() || shown.contains(u"***");
    return {endpoint, isCut ? displayUrl(url.adjusted(QUrl::RemoveQuery)) : endpoint.baseUrl, isCut};
}

/// Is the key one that only stands in the settings, or in this desktop's keychain?
bool isKeyLeftOut(const EndpointSettings& endpoint)
{
    const bool isKept = isKeychainReference(endpoint.apiKeySource);
    return isKept || (!endpoint.apiKey.isEmpty() && endpoint.apiKeySource.isEmpty());
}

void writeNotes(Writer& writer, const Settings& settings, const Source& source)
{
    const EndpointSettings& endpoint = source.endpoint;
    if (source.isUrlCut) {
        writer.comment(Words::tr("The base URL's user, password and query are left out."));
    }
    if (isKeyLeftOut(endpoint)) {
        writer.comment(Words::tr("The key itself is left out: set the variable TAOTOKEN_API_KEY to it."));
    }
    for (qsizetype i = 1; i < endpoint.models.size(); ++i) {
        writer.comment(Words::tr("A further model: %1").arg(endpoint.models.at(i).name));
    }
    for (const EndpointSettings& other : settings.endpoints) {
        if (&other != &endpoint) {
            writer.comment(Words::tr("A further endpoint: %1").arg(other.name));
        }
    }
    if (!endpoint.extraHeaders.isEmpty() || !endpoint.extraBody.isEmpty() || !endpoint.path.isEmpty()) {
        writer.comment(Words::tr("This file has no place for the endpoint's path, extra headers and extra body."));
    }
}

QString protocolText(const EndpointSettings& endpoint)
{
    return endpoint.protocol ? QString::fromStdString(std::string(tokenpace::name(*endpoint.protocol))) : QString();
}

} // namespace

QByteArray exportConfigToml(const Settings& settings, qsizetype endpointIndex)
{
    Writer writer;
    const EndpointSettings none;
    const bool hasEndpoint = endpointIndex >= 0 && endpointIndex < settings.endpoints.size();
    const Source source = sourceOf(hasEndpoint ? settings.endpoints.at(endpointIndex) : none);
    const EndpointSettings& endpoint = source.endpoint;
    const RequestSettings& request = hasEndpoint ? endpoint.request : settings.request;
    const ConcurrencySettings& concurrency = hasEndpoint ? endpoint.concurrency : settings.concurrency;
    const auto put = [&writer](const char* key, const QString& value) {
        writer.line(QStringLiteral("%1 = ").arg(QLatin1String(key)) + value);
    };
    if (hasEndpoint) {
        writeNotes(writer, settings, source);
        writer.line(QStringLiteral("[provider]"));
        put("name", tomlText(endpoint.name));
        put("base_url", tomlText(source.baseUrl));
        if (isKeyLeftOut(endpoint)) {
            put("api_key", u'"' + ownVariable + u'"');
        } else if (!endpoint.apiKeySource.isEmpty()) {
            put("api_key", u'"' + endpoint.apiKeySource + u'"');
        }
        if (const QString protocol = protocolText(endpoint); !protocol.isEmpty()) {
            put("protocol", tomlText(protocol));
        }
        writer.line();
    }
    writer.line(QStringLiteral("[model]"));
    if (!endpoint.models.isEmpty()) {
        put("name", tomlText(endpoint.models.first().name));
    }
    put("max_tokens", QString::number(request.maxTokens));
    if (request.temperature) {
        put("temperature", numberText(*request.temperature));
    }
    if (request.topP) {
        put("top_p", numberText(*request.topP));
    }
    if (request.seed) {
        put("seed", QString::number(*request.seed));
    }
    writer.line();
    writer.line(QStringLiteral("[request]"));
    put("connect_timeout_ms", QString::number(request.connectTimeoutMs));
    put("ttft_timeout_ms", QString::number(request.ttftTimeoutMs));
    put("idle_timeout_ms", QString::number(request.idleTimeoutMs));
    put("total_timeout_ms", QString::number(request.totalTimeoutMs));
    put("stream", switchText(request.stream));
    writer.line();
    writer.line(QStringLiteral("[concurrency]"));
    put("max_parallel", QString::number(concurrency.maxParallel));
    put("max_retries", QString::number(concurrency.maxRetries));
    writer.line();
    writer.line(QStringLiteral("[logging]"));
    put("log_token_timing", switchText(settings.telemetry.recordTokenTiming));
    put("log_path", tomlText(settings.telemetry.outputPath));
    return writer.bytes();
}

QByteArray exportDotenv(const Settings& settings, qsizetype endpointIndex)
{
    Writer writer;
    if (endpointIndex < 0 || endpointIndex >= settings.endpoints.size()) {
        return {};
    }
    const Source source = sourceOf(settings.endpoints.at(endpointIndex));
    const EndpointSettings& endpoint = source.endpoint;
    const auto put = [&writer](const char* name, const QString& value) {
        writer.line(QStringLiteral("TAOTOKEN_%1=").arg(QLatin1String(name)) + value);
    };
    writeNotes(writer, settings, source);
    put("BASE_URL", shellText(source.baseUrl));
    if (endpoint.apiKeySource == ownVariable) {
        writer.comment(Words::tr("TAOTOKEN_API_KEY comes from the environment."));
    } else if (!isKeyLeftOut(endpoint) && !endpoint.apiKeySource.isEmpty()) {
        put("API_KEY", endpoint.apiKeySource);
    }
    if (!endpoint.models.isEmpty()) {
        put("MODEL", shellText(endpoint.models.first().name));
    }
    put("STREAM", switchText(endpoint.request.stream));
    put("MAX_TOKENS", QString::number(endpoint.request.maxTokens));
    if (endpoint.request.temperature) {
        put("TEMPERATURE", numberText(*endpoint.request.temperature));
    }
    put("TTFT_TIMEOUT_MS", QString::number(endpoint.request.ttftTimeoutMs));
    put("TOTAL_TIMEOUT_MS", QString::number(endpoint.request.totalTimeoutMs));
    put("MAX_PARALLEL", QString::number(endpoint.concurrency.maxParallel));
    put("MAX_RETRIES", QString::number(endpoint.concurrency.maxRetries));
    return writer.bytes();
}

} // namespace tokenpace
