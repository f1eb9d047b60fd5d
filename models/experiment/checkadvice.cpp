// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/checkadvice.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QRegularExpression>

#include "experiment/checkconnection.h"
#include "experiment/checknames.h"
#include "settings/baseurl.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CheckAdvice)
};

QString textOf(const RequestError& error)
{
    return QString::fromStdString(error.message);
}

QString protocolName(Protocol protocol)
{
    const std::string_view word = name(protocol);
    return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

CheckAdvice protocolAdvice(Protocol other)
{
    return {Words::tr("this is the answer of another protocol"),
            Words::tr("Set \"protocol\" to \"%1\".").arg(protocolName(other)),
            SettingChange{QStringLiteral("protocol"), protocolName(other)}};
}

CheckAdvice keyAdvice(const QString& said, const CheckSituation& situation)
{
    const EndpointSettings& endpoint = situation.endpoint;
    const QString key = endpoint.apiKey.trimmed();
    if (key.startsWith(QStringLiteral("sk-ant-oat")) || saysOneOf(said, {"oauth"})) {
        return {Words::tr("this is an OAuth token of a subscription, not an API key"),
                Words::tr("Make an API key in the provider's console, and let \"apiKey\" name its variable."),
                {}};
    }
    if (key.isEmpty()) {
        return {Words::tr("the endpoint wants a key, and none is set"),
                Words::tr("Set \"apiKey\" to \"${NAME}\", the variable that holds the key."),
                {}};
    }
    const QString which = endpoint.apiKeySource.isEmpty() ? QStringLiteral("\"apiKey\"") : endpoint.apiKeySource;
    return {Words::tr("the key is not accepted"),
            Words::tr("Check %1: does it hold a whole key that is still valid, and of this endpoint?").arg(which),
            {}};
}

CheckAdvice modelAdvice(const CheckSituation& situation)
{
    const QString meaning = Words::tr("the endpoint has no such model, or the key may not use it");
    const QStringList near = nearNames(situation.model, situation.models);
    if (!near.isEmpty()) {
        return {meaning, Words::tr("Near names on this endpoint: %1.").arg(near.join(QStringLiteral(", "))),
                SettingChange{QStringLiteral("model"), near.first()}};
    }
    if (situation.models.isEmpty()) {
        return {meaning, Words::tr("Set \"model\" to the name that the endpoint has for it."), {}};
    }
    return {meaning, Words::tr("Set \"model\" to one of the models that the endpoint lists."), {}};
}

CheckAdvice busyAdvice(const RequestError& error, const QString& said)
{
    if (saysOneOf(said, {"quota", "billing", "balance", "credit", "insufficient", "payment"})) {
        return {Words::tr("the account's quota or balance is used up"),
                Words::tr("Top the account up, or let \"apiKey\" name another key."),
                {}};
    }
    QString fix = error.retryAfterMs
        ? Words::tr("Wait %1 s, as the server asks.").arg(*error.retryAfterMs / 1000, 0, 'f', 0)
        : Words::tr("Wait a while.");
    fix += Words::tr(" If it stays: lower \"concurrency.maxParallel\", or set \"concurrency.maxRetries\".");
    return {Words::tr("too many requests or tokens in a short time"), fix, {}};
}

/// `set KEY to VALUE` at the end of a message about a refused parameter.
std::optional<SettingChange> changeSaid(const QString& message)
{
    static const QRegularExpression said(QStringLiteral("; set ([A-Za-z.]+) to ([A-Za-z_]+)"));
    const QRegularExpressionMatch match = said.match(message);
    return match.hasMatch() ? std::optional(SettingChange{match.captured(1), match.captured(2)}) : std::nullopt;
}

CheckAdvice refusedAdvice(const QString& message, const QString& said, const CheckSituation& situation)
{
    if (saysOneOf(said, {"https port", "http request to an https"}) && situation.url.scheme() == u"http") {
        return {Words::tr("the server wants TLS on this port"), Words::tr("Write https:// in \"baseUrl\"."),
                schemeChange(situation.endpoint, QStringLiteral("https"))};
    }
    if (const auto change = changeSaid(message)) {
        return {Words::tr("a parameter of the request is refused"),
                Words::tr("Set \"%1\" to \"%2\".").arg(change->key, change->value), change};
    }
    return {Words::tr("the server refuses the request"),
            Words::tr("Check \"model\", \"limitField\" and \"extraBody\" against what it says."),
            {}};
}

CheckAdvice notFoundAdvice(const CheckSituation& situation)
{
    return {Words::tr("nothing is at %1").arg(displayUrl(situation.url)),
            Words::tr("Check \"baseUrl\" and \"model\"; \"path\" sets another path."),
            {}};
}

CheckAdvice serverAdvice(int status)
{
    constexpr int badGateway = 502;
    constexpr int unavailable = 503;
    constexpr int gatewayTimeout = 504;
    constexpr int overloaded = 529;
    if (status == overloaded || status == unavailable) {
        return {Words::tr("the server is overloaded, or still loading the model"),
                Words::tr("Wait and test again; \"concurrency.maxRetries\" lets requests be tried again."),
                {}};
    }
    if (status == badGateway || status == gatewayTimeout) {
        return {Words::tr("a gateway answered: the server behind it does not"),
                Words::tr("Start the server behind the gateway; its log says more."),
                {}};
    }
    return {Words::tr("the server failed"), Words::tr("Look into the server's log, or test again later."), {}};
}

CheckAdvice statusAdvice(const RequestError& error, const QString& said, const CheckSituation& situation)
{
    const int status = error.httpStatus.value_or(0);
    switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
        return refusedAdvice(textOf(error), said, situation);
    case 401:
        return keyAdvice(said, situation);
    case 402:
    case 429:
        return busyAdvice(error, said);
    case 403: {
        if (situation.endpoint.apiKey.isEmpty() || saysOneOf(said, {"oauth"})) {
            return keyAdvice(said, situation);
        }
        return {Words::tr("the key is known, but may not do this"),
                Words::tr("Choose another \"model\", or let \"apiKey\" name a key that may; a firewall or the region "
                          "can be the reason too."),
                {}};
    }
    case 404:
        return notFoundAdvice(situation);
    case 405:
        return {Words::tr("this path takes no such request"),
                Words::tr("Check \"baseUrl\", \"path\" and \"protocol\"."),
                {}};
    case 407:
        return {Words::tr("the proxy wants a user and a password"),
                Words::tr("Set \"proxy\" to http://USER:PASSWORD@HOST:PORT, with variables as ${NAME}."),
                {}};
    default:
        break;
    }
    constexpr int firstError = 400;
    constexpr int firstServerError = 500;
    if (status >= firstServerError) {
        return serverAdvice(status);
    }
    if (status < firstError) {
        return {Words::tr("the endpoint is somewhere else"), Words::tr("Put that address into \"baseUrl\"."), {}};
    }
    return refusedAdvice(textOf(error), said, situation);
}

CheckAdvice parseAdvice(const QString& said)
{
    QString packed = said;
    packed.remove(u' ');
    if (packed.contains(QStringLiteral("\"choices\":[]")) || packed.contains(QStringLiteral("\"choices\":null"))) {
        return {Words::tr("the answer has empty \"choices\": a gateway whose server failed, or a filter"),
                Words::tr("Look into the gateway's log, or choose another \"model\"."),
                {}};
    }
    if (saysOneOf(said, {"compressed"})) {
        return {{}, Words::tr("Switch compression off for this path at the server or the gateway."), {}};
    }
    if (saysOneOf(said, {"html"})) {
        return {Words::tr("this is a web page, not an API"),
                Words::tr("Check \"baseUrl\": the API often has another port, or a path such as /v1 or /api/v1."),
                {}};
    }
    return {Words::tr("something other than this protocol answered"),
            Words::tr("Check \"baseUrl\", \"path\" and \"protocol\"."),
            {}};
}

CheckAdvice timeoutAdvice(const RequestError& error)
{
    const auto is = [&](Phase phase) {
        return error.phase == phase;
    };
    if (is(Phase::Ttft) || is(Phase::Total)) {
        return {Words::tr("the server took the request and did not answer in time"),
                Words::tr("Is the model still loading? Else raise \"request.%1\".")
                    .arg(is(Phase::Ttft) ? QStringLiteral("ttftTimeoutMs") : QStringLiteral("totalTimeoutMs")),
                {}};
    }
    if (is(Phase::Idle)) {
        return {Words::tr("the answer stopped in the middle"),
                Words::tr("Look into the server's log, or raise \"request.idleTimeoutMs\"."),
                {}};
    }
    return {Words::tr("no connection in time"),
            Words::tr("Is the server up? Else raise \"request.connectTimeoutMs\"."),
            {}};
}

} // namespace

bool saysOneOf(const QString& lowerCase, std::initializer_list<const char*> phrases)
{
    return std::any_of(phrases.begin(), phrases.end(), [&](const char* phrase) {
        return lowerCase.contains(QLatin1String(phrase));
    });
}

bool isUnknownModel(const RequestError& error)
{
    const QString said = textOf(error).toLower();
    if (error.kind != ErrorKind::Http && error.kind != ErrorKind::Stream) {
        return false;
    }
    const int status = error.httpStatus.value_or(0);
    if (status == 401 || status == 429) {
        return false;
    }
    static const QRegularExpression onlyName(QStringLiteral("(^|: )model: \\S+$"));
    return error.param == "model"
        || (saysOneOf(said, {"model", "endpoints found"})
            && saysOneOf(said,
                         {"not found", "not exist", "invalid model", "unknown model", "not a valid model",
                          "no such model", "not available", "no available channel", "model_not_found",
                          "unsupported model", "no endpoints found", "notfound", "not a known model"}))
        || onlyName.match(said).hasMatch();
}

bool wantsStream(const RequestError& error)
{
    const QString said = textOf(error).toLower();
    return error.kind == ErrorKind::Http && said.contains(QStringLiteral("stream"))
        && saysOneOf(said, {"only", "must", "required", "non-stream", "not support"});
}

std::optional<Protocol> protocolSaid(const QString& words, Protocol used)
{
    QString packed = words.toLower();
    packed.remove(u' ');
    struct Sign {
        Protocol protocol;
        std::array<const char*, 4> phrases;
    };
    static constexpr std::array<Sign, 4> signs{{
        {Protocol::OpenAiResponses, {"v1/responses", "responsesapi", "/responsesendpoint", "\"object\":\"response\""}},
        {Protocol::AnthropicMessages, {"x-api-key", "anthropic-version", "v1/messages", "\"type\":\"message\""}},
        {Protocol::OllamaChat, {"/api/chat", "\"done\":true", "\"done\":false", "\"done_reason\""}},
        {Protocol::OpenAiChat,
         {"v1/chat/completions", "chatcompletionsapi", "\"object\":\"chat.completion", "messagesarrayisrequired"}},
    }};
    for (const Sign& sign : signs) {
        // A gateway that takes the key in either header says both names.
        if (sign.protocol == Protocol::AnthropicMessages && packed.contains(QStringLiteral("authorization"))) {
            continue;
        }
        const bool said = std::any_of(sign.phrases.begin(), sign.phrases.end(), [&](const char* phrase) {
            return packed.contains(QLatin1String(phrase));
        });
        if (said && sign.protocol != used) {
            return sign.protocol;
        }
    }
    return std::nullopt;
}

std::optional<Protocol> protocolOfPath(const QString& path, Protocol used)
{
    for (const Protocol other :
         {Protocol::OpenAiResponses, Protocol::AnthropicMessages, Protocol::OllamaChat, Protocol::OpenAiChat}) {
        if (path.endsWith(requestPathEnd(other))) {
            return other == used ? std::nullopt : std::optional(other);
        }
    }
    return std::nullopt;
}

CheckAdvice adviceForRequest(const RequestError& error, const CheckSituation& situation)
{
    const QString said = textOf(error).toLower();
    const int status = error.httpStatus.value_or(0);
    const bool spoke =
        error.kind == ErrorKind::Http || error.kind == ErrorKind::Stream || error.kind == ErrorKind::Parse;
    // A model's name may hold any word, but a path that the server names is meant.
    const bool ofModel = isUnknownModel(error) && !said.contains(QStringLiteral("v1/responses"));
    if (const auto other = spoke && !ofModel && status != 429 ? protocolSaid(said, situation.protocol) : std::nullopt) {
        return protocolAdvice(*other);
    }
    if (ofModel) {
        return modelAdvice(situation);
    }
    switch (error.kind) {
    case ErrorKind::Http:
        return statusAdvice(error, said, situation);
    case ErrorKind::Parse:
        return parseAdvice(said);
    case ErrorKind::Stream:
        if (saysOneOf(said, {"api key", "api_key", "unauthorized", "authentication", "oauth"})) {
            return keyAdvice(said, situation);
        }
        if (saysOneOf(said, {"rate limit", "too many requests", "quota"})) {
            return busyAdvice(error, said);
        }
        return {Words::tr("the server reports this inside its answer"), Words::tr("Look into the server's log."), {}};
    case ErrorKind::Timeout:
        return timeoutAdvice(error);
    case ErrorKind::Truncated:
        return {Words::tr("the answer ended too early"),
                Words::tr("A server or a gateway closed the stream: look into their logs and limits."),
                {}};
    case ErrorKind::Transport:
        return {Words::tr("the connection broke"),
                Words::tr("Look into the server's log; check scheme and port in \"baseUrl\"."),
                {}};
    case ErrorKind::NotSent:
    case ErrorKind::Cancelled:
        break;
    }
    return {};
}

} // namespace tokenpace
