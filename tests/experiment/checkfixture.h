// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <memory>

#include <QHash>
#include <QSignalSpy>
#include <QTest>

#include "experiment/endpointcheck.h"
#include "support/scriptedserver.h"

namespace tokenpace::test {

using namespace std::chrono_literals;

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
inline const auto checkSecret = QStringLiteral("sk-T-SECRET1234567");
inline const std::string twoModels = R"({"data":[{"id":"m"},{"id":"other"}]})";

using Handler = ScriptedServer::Handler;

inline Script reply(int status, const std::string& body, const Headers& headers = {},
                    std::string_view type = "application/json")
{
    return {send(wholeReply(status, body, headers, type))};
}

inline std::string errorBody(const std::string& message)
{
    return R"({"error":{"message":")" + message + R"("}})";
}

inline bool isStreamed(const ReceivedRequest& request)
{
    return request.body.find("\"stream\":true") != std::string::npos;
}

inline Script wholeAnswer(const std::string& model = "m")
{
    return reply(
        200,
        R"({"id":"c1","object":"chat.completion","model":")" + model
            + R"(","choices":[{"index":0,"message":{"role":"assistant","content":"one two"},)"
              R"("finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}})");
}

/// A server with nothing to complain of.
inline Script goodServer(const ReceivedRequest& request, int /*index*/ = 0)
{
    if (request.method == "GET") {
        return request.target == "/v1/models" ? reply(200, twoModels) : reply(404, "{}");
    }
    return isStreamed(request) ? chatScript(4, 10ms, 5ms) : wholeAnswer();
}

/// Good, apart from what it answers to a POST.
inline Handler withAnswer(std::function<Script(const ReceivedRequest&)> answer)
{
    return [answer = std::move(answer)](const ReceivedRequest& request, int) {
        return request.method == "GET" ? goodServer(request) : answer(request);
    };
}

inline Handler failing(int status, const std::string& body, const Headers& headers = {})
{
    return withAnswer([=](const ReceivedRequest&) {
        return reply(status, body, headers);
    });
}

inline EndpointSettings endpointAt(const QString& baseUrl)
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("e");
    endpoint.baseUrl = baseUrl;
    endpoint.apiKey = checkSecret;
    endpoint.apiKeySource = QStringLiteral("${MY_KEY}");
    return endpoint;
}

inline EndpointSettings endpointAt(const ScriptedServer& server)
{
    return endpointAt(QString::fromStdString(server.url("/v1")));
}

inline EnvironmentLookup table(const QHash<QString, QString>& variables = {})
{
    return [variables](const QString& name) {
        return variables.contains(name) ? std::optional(variables[name]) : std::nullopt;
    };
}

/// A check that has run to its end.
inline std::unique_ptr<EndpointCheck> checked(const EndpointSettings& endpoint,
                                              const QString& model = QStringLiteral("m"),
                                              const EnvironmentLookup& environment = table())
{
    auto check = std::make_unique<EndpointCheck>(endpoint, model);
    check->setEnvironment(environment);
    QSignalSpy finished(check.get(), &EndpointCheck::finished);
    check->start();
    return finished.wait(longWaitMs) ? std::move(check) : nullptr;
}

inline CheckStep stepOf(const EndpointCheck& check, const char* id)
{
    for (const CheckStep& step : check.steps()) {
        if (step.id == QLatin1String(id)) {
            return step;
        }
    }
    return {};
}

inline QString allWords(const EndpointCheck& check)
{
    QStringList lines;
    for (const CheckStep& step : check.steps()) {
        lines << QStringLiteral("%1 %2: %3 [%4] %5=%6")
                     .arg(static_cast<int>(step.state))
                     .arg(step.id, step.message, step.fix, step.change ? step.change->key : QString(),
                          step.change ? step.change->value : QString());
    }
    return lines.join(u'\n');
}

inline QString changeText(const CheckStep& step)
{
    return step.change ? step.change->key + u'=' + step.change->value : QString();
}

} // namespace tokenpace::test

Q_DECLARE_METATYPE(tokenpace::test::Handler)
