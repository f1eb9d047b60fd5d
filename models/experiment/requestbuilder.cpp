// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/requestbuilder.h"

#include "net/headervalue.h"
#include "settings/baseurl.h"
#include "wire/dialects.h"

namespace tokenpace {

namespace {

struct BuiltHeaders {
    QList<QPair<QByteArray, QByteArray>> headers;
    QString problem;
};

bool isAzureHost(const QString& host)
{
    return host.endsWith(QStringLiteral(".openai.azure.com")) || host.endsWith(QStringLiteral(".azure.com"));
}

BuiltHeaders buildHeaders(const EndpointSettings& endpoint, Protocol protocol, const QUrl& url)
{
    BuiltHeaders built;
    const HeaderValue key = keyValue(endpoint.apiKey);
    if (!key.problem.isEmpty()) {
        built.problem =
            QStringLiteral("endpoint \"%1\": the API key cannot be sent: %2").arg(endpoint.name, key.problem);
        return built;
    }
    if (protocol == Protocol::AnthropicMessages) {
        built.headers.append({QByteArrayLiteral("anthropic-version"), QByteArrayLiteral("2023-06-01")});
    }
    if (!key.value.isEmpty()) {
        if (protocol == Protocol::AnthropicMessages) {
            built.headers.append({QByteArrayLiteral("x-api-key"), key.value});
        } else if (isAzureHost(url.host())) {
            built.headers.append({QByteArrayLiteral("api-key"), key.value});
        } else {
            built.headers.append({QByteArrayLiteral("Authorization"), QByteArrayLiteral("Bearer ") + key.value});
        }
    }
    for (const auto& [name, text] : endpoint.extraHeaders) {
        const HeaderValue value = headerValue(text);
        if (!value.problem.isEmpty()) {
            built.problem = QStringLiteral("endpoint \"%1\": the header %2 cannot be sent: %3")
                                .arg(endpoint.name, name, value.problem);
            return built;
        }
        const QByteArray rawName = name.toLatin1();
        built.headers.removeIf([&](const auto& header) {
            return header.first.compare(rawName, Qt::CaseInsensitive) == 0;
        });
        built.headers.append({rawName, value.value});
    }
    return built;
}

Route routeOf(const EndpointSettings& endpoint)
{
    Route route;
    route.caFile = endpoint.caFile;
    route.insecure = endpoint.insecure;
    route.http2 = endpoint.http2;
    if (endpoint.proxy == QStringLiteral("system")) {
        route.proxyMode = Route::ProxyMode::System;
    } else if (!endpoint.proxy.isEmpty() && endpoint.proxy != QStringLiteral("none")) {
        route.proxyMode = Route::ProxyMode::Url;
        route.proxy = QUrl(endpoint.proxy);
    }
    return route;
}

} // namespace

BuiltRequest buildRequest(const EndpointSettings& endpoint, const wire::ChatRequest& chat)
{
    if (!endpoint.problems.isEmpty()) {
        return {std::nullopt, endpoint.problems.first()};
    }
    if (!endpoint.keychain.isEmpty()) {
        return {std::nullopt, QStringLiteral("endpoint \"%1\": waiting for the keychain").arg(endpoint.name)};
    }
    const Protocol protocol = endpoint.protocol.value_or(protocolFor(endpoint.baseUrl, endpoint.path));
    const RequestUrl url = requestUrl(endpoint.baseUrl, protocol, endpoint.path);
    if (!url.problem.isEmpty()) {
        return {std::nullopt, QStringLiteral("endpoint \"%1\": baseUrl: %2").arg(endpoint.name, url.problem)};
    }
    BuiltHeaders headers = buildHeaders(endpoint, protocol, url.url);
    if (!headers.problem.isEmpty()) {
        return {std::nullopt, headers.problem};
    }

    wire::ChatRequest complete = chat;
    complete.limitField = endpoint.limitField.toStdString();
    complete.includeUsage = endpoint.streamOptions;
    complete.extraBody = endpoint.extraBody.toStdString();

    ClientRequest request;
    request.url = url.url;
    request.headers = std::move(headers.headers);
    request.body = QByteArray::fromStdString(wire::requestBody(protocol, complete));
    request.limits.connect = std::chrono::milliseconds(endpoint.request.connectTimeoutMs);
    request.limits.ttft = std::chrono::milliseconds(endpoint.request.ttftTimeoutMs);
    request.limits.idle = std::chrono::milliseconds(endpoint.request.idleTimeoutMs);
    request.limits.total = std::chrono::milliseconds(endpoint.request.totalTimeoutMs);
    request.maxRetries = endpoint.concurrency.maxRetries;
    request.route = routeOf(endpoint);
    request.timeline.model = chat.model;
    request.timeline.endpoint = endpoint.name.toStdString();
    request.timeline.protocol = protocol;
    request.timeline.params = chat.params;
    return {std::move(request), {}};
}

} // namespace tokenpace
