// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/baseurl.h"

#include <algorithm>

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(BaseUrl)
};

constexpr QStringView masked = u"***";

/// A URL whose scheme and host are good, or the problem.
struct ParsedBase {
    QUrl url;
    QString problem;
};

bool isIpAddress(const QString& host)
{
    static const QRegularExpression ipv4(QStringLiteral("^[0-9]{1,3}(\\.[0-9]{1,3}){3}$"));
    return host.startsWith(u'[') || host.contains(u':') || ipv4.match(host).hasMatch();
}

/// What a person without a scheme most likely means, without password and query; empty when it is no host either.
QString withScheme(const QString& text)
{
    QString rest = text;
    while (rest.startsWith(u'/') || rest.startsWith(u':')) {
        if (rest.startsWith(u':') && rest.size() > 1 && rest.at(1).isDigit()) {
            rest.prepend(u"localhost");
            break;
        }
        rest.remove(0, 1);
    }
    static const QRegularExpression onlyPort(QStringLiteral("^[0-9]{2,5}(/.*)?$"));
    if (onlyPort.match(rest).hasMatch()) {
        rest.prepend(u"localhost:");
    }
    const QUrl probe(QStringLiteral("http://") + rest);
    const QString host = probe.host();
    if (!probe.isValid() || host.isEmpty()) {
        return {};
    }
    const int port = probe.port();
    const bool named = host.contains(u'.') && !isIpAddress(host);
    const bool secure = port == 443 || port == 8443 || (port == -1 && named);
    QUrl proposed(probe);
    proposed.setScheme(secure ? QStringLiteral("https") : QStringLiteral("http"));
    proposed.setUserInfo({});
    proposed.setQuery(QString());
    proposed.setFragment({});
    return proposed.toString();
}

QString missingScheme(const QString& text)
{
    const QString proposed = withScheme(text);
    if (proposed.isEmpty()) {
        return Words::tr("the scheme is missing: write the URL with http:// or https:// in front");
    }
    return Words::tr("the scheme is missing: write %1").arg(proposed);
}

/// Something that a URL cannot hold as it stands; QUrl would let it through or encode it.
QString strangeCharacter(const QString& text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        const bool invisible = c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
        if (c.isSpace() || invisible) {
            const QString code = QStringLiteral("%1").arg(c.unicode(), 4, 16, QLatin1Char('0')).toUpper();
            return Words::tr("there is a space or an invisible character (U+%1) inside the URL, at character %2")
                .arg(code)
                .arg(i + 1);
        }
    }
    return {};
}

ParsedBase parseBase(const QString& typed)
{
    const QString text = typed.trimmed();
    if (text.isEmpty()) {
        return {{}, Words::tr("the base URL is empty: write one such as http://localhost:8000")};
    }
    if (const QString problem = strangeCharacter(text); !problem.isEmpty()) {
        return {{}, problem};
    }
    static const QString quotes = QStringLiteral("\"'`<>\u201C\u201D\u2018\u2019");
    if (quotes.contains(text.front()) || quotes.contains(text.back())) {
        return {{}, Words::tr("remove the quotes around the URL")};
    }
    // `h:8000` has the form of a scheme, so only `scheme://` counts as one; `http:/h` is a slip of the same kind.
    static const QRegularExpression scheme(QStringLiteral("^([A-Za-z][A-Za-z0-9+.-]*)://"));
    static const QRegularExpression slip(QStringLiteral("^https?(:/?|//?)(?=[^/:0-9])"),
                                         QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = scheme.match(text);
    if (!match.hasMatch()) {
        const QRegularExpressionMatch slipped = slip.match(text);
        return {{}, missingScheme(slipped.hasMatch() ? text.mid(slipped.capturedLength()) : text)};
    }
    const QString schemeName = match.captured(1).toLower();
    if (schemeName != u"http" && schemeName != u"https") {
        return {{}, Words::tr("the scheme %1 is not supported: use http:// or https://").arg(schemeName)};
    }
    QUrl url(text, QUrl::TolerantMode);
    if (!url.isValid()) {
        // Only the first part: what follows in Qt's own text repeats the URL, password included.
        const QString reason = url.errorString().section(u';', 0, 0);
        return {{}, Words::tr("this is not a URL: %1").arg(reason)};
    }
    if (url.host().isEmpty()) {
        const QString rest = text.mid(match.capturedLength());
        if (rest.startsWith(u':')) {
            return {{}, Words::tr("the host is missing: write %1").arg(withScheme(rest))};
        }
        return {{}, Words::tr("the host is missing after %1://").arg(schemeName)};
    }
    if (url.port() == 0) {
        return {{}, Words::tr("0 is not a port")};
    }
    url.setFragment(QString());
    if (url.query().isEmpty()) {
        url.setQuery(QString());
    }
    return {url, {}};
}

QStringList segmentsOf(const QUrl& url)
{
    return url.path(QUrl::FullyEncoded).split(u'/', Qt::SkipEmptyParts);
}

bool isVersion(const QString& segment)
{
    static const QRegularExpression version(
        QStringLiteral("^v[0-9]+([.p][0-9]+)*(-?(alpha|beta|preview|rc|dev)[0-9]*)?$"),
        QRegularExpression::CaseInsensitiveOption);
    return version.match(segment).hasMatch();
}

bool hasVersion(const QStringList& segments)
{
    return std::any_of(segments.begin(), segments.end(), isVersion);
}

bool endsWith(const QStringList& segments, const QStringList& end)
{
    return segments.size() >= end.size() && segments.mid(segments.size() - end.size()) == end;
}

void setSegments(QUrl& url, const QStringList& segments)
{
    url.setPath(u'/' + segments.join(u'/'), QUrl::TolerantMode);
}

/// The segments that each dialect's path ends in.
const QStringList& endpointOf(Protocol protocol)
{
    static const QStringList chat{QStringLiteral("chat"), QStringLiteral("completions")};
    static const QStringList responses{QStringLiteral("responses")};
    static const QStringList messages{QStringLiteral("messages")};
    static const QStringList ollama{QStringLiteral("api"), QStringLiteral("chat")};
    switch (protocol) {
    case Protocol::OpenAiResponses:
        return responses;
    case Protocol::AnthropicMessages:
        return messages;
    case Protocol::OllamaChat:
        return ollama;
    case Protocol::OpenAiChat:
        break;
    }
    return chat;
}

/// Takes another endpoint's end off, where a version stands before it and so no doubt is left: who pasted
/// `https://h/v1/models` means `https://h/v1`.
void dropForeignEndpoint(QStringList& segments)
{
    static const QList<QStringList> ends{endpointOf(Protocol::OpenAiChat),
                                         endpointOf(Protocol::OpenAiResponses),
                                         endpointOf(Protocol::AnthropicMessages),
                                         {QStringLiteral("completions")},
                                         {QStringLiteral("models")},
                                         {QStringLiteral("embeddings")}};
    for (const QStringList& end : ends) {
        const qsizetype left = segments.size() - end.size();
        if (left > 0 && endsWith(segments, end) && isVersion(segments.at(left - 1))) {
            segments = segments.mid(0, left);
            return;
        }
    }
}

/// Ollama's root: what stands before its `/api/...` or before the `/v1` of its OpenAI side.
QStringList ollamaRoot(QStringList segments)
{
    dropForeignEndpoint(segments);
    for (const char16_t* last : {u"chat", u"generate", u"tags"}) {
        if (endsWith(segments, {QStringLiteral("api"), QString::fromUtf16(last)})) {
            segments.removeLast();
        }
    }
    if (!segments.isEmpty() && (segments.last() == u"api" || segments.last() == u"v1")) {
        segments.removeLast();
    }
    return segments;
}

/// Adds `end` behind the base, with `/v1` where no segment is a version; tells the path without that `/v1`.
void addEndpoint(RequestUrl& result, const QStringList& base, const QStringList& end)
{
    if (hasVersion(base)) {
        setSegments(result.url, base + end);
        return;
    }
    setSegments(result.url, base + QStringList{QStringLiteral("v1")} + end);
    result.alternativePath = u'/' + (base + end).join(u'/');
}

} // namespace

RequestUrl requestUrl(const QString& baseUrl, Protocol protocol, const QString& pathOverride)
{
    const ParsedBase base = parseBase(baseUrl);
    RequestUrl result{base.url, base.problem, {}};
    if (!result.problem.isEmpty()) {
        return result;
    }
    const QString path = pathOverride.trimmed();
    if (!path.isEmpty()) {
        if (const QString problem = strangeCharacter(path); !problem.isEmpty()) {
            return {{}, problem, {}};
        }
        const QString kept = path.section(u'#', 0, 0);
        const qsizetype question = kept.indexOf(u'?');
        const QString only = question < 0 ? kept : kept.left(question);
        result.url.setPath(only.startsWith(u'/') ? only : u'/' + only, QUrl::TolerantMode);
        if (question >= 0) {
            result.url.setQuery(kept.mid(question + 1), QUrl::TolerantMode);
        }
        return result;
    }
    QStringList segments = segmentsOf(result.url);
    const QStringList& end = endpointOf(protocol);
    if (endsWith(segments, end)) {
        setSegments(result.url, segments);
    } else if (protocol == Protocol::OllamaChat) {
        setSegments(result.url, ollamaRoot(segments) + end);
    } else {
        dropForeignEndpoint(segments);
        addEndpoint(result, segments, end);
    }
    return result;
}

RequestUrl modelsUrl(const QString& baseUrl, Protocol protocol)
{
    const ParsedBase base = parseBase(baseUrl);
    RequestUrl result{base.url, base.problem, {}};
    if (!result.problem.isEmpty()) {
        return result;
    }
    QStringList segments = segmentsOf(result.url);
    if (protocol == Protocol::OllamaChat) {
        setSegments(result.url, ollamaRoot(segments) + QStringList{QStringLiteral("api"), QStringLiteral("tags")});
        return result;
    }
    const QStringList models{QStringLiteral("models")};
    const QStringList& end = endpointOf(protocol);
    if (endsWith(segments, end)) {
        // The path was given whole, so nothing is added to it here either.
        setSegments(result.url, segments.mid(0, segments.size() - end.size()) + models);
        return result;
    }
    dropForeignEndpoint(segments);
    addEndpoint(result, segments, models);
    return result;
}

Protocol protocolFor(const QString& baseUrl, const QString& pathOverride)
{
    const QUrl url = parseBase(baseUrl).url;
    const QString path = pathOverride.trimmed().section(u'#', 0, 0).section(u'?', 0, 0);
    const QStringList segments = path.isEmpty() ? segmentsOf(url) : path.split(u'/', Qt::SkipEmptyParts);
    for (const Protocol protocol :
         {Protocol::OpenAiResponses, Protocol::AnthropicMessages, Protocol::OllamaChat, Protocol::OpenAiChat}) {
        if (endsWith(segments, endpointOf(protocol))) {
            return protocol;
        }
    }
    return url.host() == u"api.anthropic.com" ? Protocol::AnthropicMessages : Protocol::OpenAiChat;
}

QString hostLabel(const QUrl& url)
{
    QString label = url.host();
    if (label.contains(u':')) {
        label = u'[' + label + u']';
    }
    if (url.port() >= 0) {
        label += u':' + QString::number(url.port());
    }
    return label;
}

QString displayUrl(const QUrl& url)
{
    QUrl clean(url);
    clean.setUserInfo(QString());
    clean.setFragment(QString());
    if (clean.hasQuery()) {
        QStringList pairs = clean.query(QUrl::FullyEncoded).split(u'&', Qt::SkipEmptyParts);
        for (QString& pair : pairs) {
            const qsizetype equals = pair.indexOf(u'=');
            if (equals < 0) {
                pair = masked.toString();
            } else if (!isHarmlessQueryName(pair.left(equals))) {
                pair.replace(equals + 1, pair.size(), masked.toString());
            }
        }
        clean.setQuery(pairs.isEmpty() ? QString() : pairs.join(u'&'));
    }
    return clean.toString();
}

bool isHarmlessQueryName(const QString& name)
{
    return name.compare(u"api-version", Qt::CaseInsensitive) == 0
        || name.compare(u"api_version", Qt::CaseInsensitive) == 0;
}

bool isSecretName(const QString& name)
{
    static const QRegularExpression secret(
        QStringLiteral("(^|[-_.])(key|token|sig|signature|auth|pwd|pass|jwt|sas|cookie)$"
                       "|api[-_]?key|secret|passw|credential|authori[sz]ation|bearer"
                       "|(access|auth|id|refresh|session)[-_]?token|(access|private|subscription)[-_]?key"),
        QRegularExpression::CaseInsensitiveOption);
    return secret.match(name).hasMatch();
}

} // namespace tokenpace
