// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sim/simserver.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "sim/simchat.h"
#include "sim/simengine.h"
#include "sim/simfault.h"
#include "sim/simlog.h"
#include "sim/simloop.h"
#include "sim/simreply.h"
#include "sim/simtext.h"

namespace tokenpace::sim {
namespace {

constexpr std::string_view chatPath = "/v1/chat/completions";
constexpr std::string_view modelsPath = "/v1/models";
constexpr std::string_view healthPath = "/health";

/// A table of descriptors that grows while other threads run makes all of them wait for some 10 ms.
void growDescriptorTable()
{
    for (const int wanted : {2000, 1000}) {
        const int fd = fcntl(0, F_DUPFD_CLOEXEC, wanted);
        if (fd >= 0) {
            ::close(fd);
            return;
        }
    }
}

SimRecord recordOf(const SimHttpRequest& http, const SimChatRequest& chat, std::uint64_t number)
{
    SimRecord record;
    record.request = number;
    record.requestId = http.requestId.empty() ? "sim-" + std::to_string(number) : http.requestId;
    record.model = chat.model;
    record.path = http.path;
    record.stream = chat.stream;
    record.nthOnConnection = http.nthOnConnection;
    record.bodyBytes = http.body.size();
    record.acceptedNs = http.acceptedNs;
    record.firstByteNs = http.firstByteNs;
    record.bodyReceivedNs = http.bodyReceivedNs;
    record.promptTokens = static_cast<int>(chat.prompt.size());
    return record;
}

} // namespace

class SimServer::Private {
public:
    explicit Private(SimOptions given)
        : options(std::move(given))
        , loop(mailbox, [this](const auto& connection, const SimHttpRequest& request) {
            return answer(connection, request);
        })
    {
    }

    std::shared_ptr<void> answer(const std::shared_ptr<SimConnection>& connection, const SimHttpRequest& http);
    std::shared_ptr<void> answerChat(const std::shared_ptr<SimConnection>& connection, const SimHttpRequest& http);
    void answerFault(SimConnection& connection, const SimHttpRequest& http, SimRecord record, SimFault fault);
    void refuse(SimConnection& connection, const SimHttpRequest& http, SimRecord record, const SimError& error);
    static void reply(SimConnection& connection, const SimHttpRequest& http, SimHttpReply reply);
    SimEngine* engineFor(const std::string& model, SimFault fault);

    SimOptions options;
    std::string startError;
    bool running = false;
    SimLog log; // outlives whatever may hold a reply
    SimMailbox mailbox;
    SimLoop loop;
    std::vector<std::unique_ptr<SimEngine>> engines; ///< of the listed models, then one for unlisted misbehaviour
    std::thread loopThread;
    std::uint64_t requests = 0; ///< the loop's thread
};

void SimServer::Private::reply(SimConnection& connection, const SimHttpRequest& http, SimHttpReply reply)
{
    using After = SimConnection::After;
    reply.keepAlive = http.keepAlive;
    reply.headOnly = http.method == "HEAD";
    (void)connection.send(httpReply(reply), http.keepAlive ? After::Done : After::Close);
}

std::shared_ptr<void> SimServer::Private::answer(const std::shared_ptr<SimConnection>& connection,
                                                 const SimHttpRequest& http)
{
    const bool reads = http.method == "GET" || http.method == "HEAD";
    const bool isChat = http.path == chatPath;
    const std::string modelPrefix = std::string(modelsPath) + "/";
    const bool isModel = http.path.starts_with(modelPrefix);
    if (!isChat && !isModel && http.path != modelsPath && http.path != healthPath) {
        const SimError unknown{404,
                               "Unknown request URL: " + http.method + " " + http.path + ".",
                               "invalid_request_error",
                               {},
                               "unknown_url"};
        reply(*connection, http, {.status = 404, .body = errorBody(unknown), .extraHeaders = {}});
        return {};
    }
    if (isChat ? http.method != "POST" : !reads) {
        const SimError wrong{405,
                             "Not allowed to " + http.method + " on " + http.path + ".",
                             "invalid_request_error",
                             {},
                             "method_not_supported"};
        reply(*connection, http,
              {.status = 405,
               .body = errorBody(wrong),
               .extraHeaders = isChat ? "Allow: POST\r\n" : "Allow: GET, HEAD\r\n"});
        return {};
    }
    if (isChat) {
        return answerChat(connection, http);
    }
    if (isModel) {
        const std::string name = http.path.substr(modelPrefix.size());
        const bool known = std::any_of(options.models.begin(), options.models.end(), [&](const SimModel& model) {
            return model.name == name;
        });
        reply(*connection, http,
              {.status = known ? 200 : 404,
               .body = known ? modelBody(name) : errorBody(errorForStatus(404)),
               .extraHeaders = {}});
    } else {
        reply(
            *connection, http,
            {.body = http.path == modelsPath ? modelsBody(options.models) : R"({"status":"ok"})", .extraHeaders = {}});
    }
    return {};
}

std::shared_ptr<void> SimServer::Private::answerChat(const std::shared_ptr<SimConnection>& connection,
                                                     const SimHttpRequest& http)
{
    SimChatRequest chat;
    const std::optional<SimError> wrong = parseChatRequest(http.body, chat);
    SimRecord record = recordOf(http, chat, ++requests);
    const SimFault fault = faultOf(chat.model);
    if (fault.immediate()) {
        answerFault(*connection, http, std::move(record), fault);
        return {};
    }
    SimEngine* engine = engineFor(chat.model, fault);
    if (wrong || engine == nullptr) {
        const SimError unknown{404, "The model '" + chat.model + "' does not exist.", "invalid_request_error", "model",
                               "model_not_found"};
        refuse(*connection, http, std::move(record), wrong ? *wrong : unknown);
        return {};
    }
    const SimModel& model = engine->model();
    if (const std::optional<SimError> tooLong = checkContext(chat, model)) {
        refuse(*connection, http, std::move(record), *tooLong);
        return {};
    }
    record.tokensPerChunk = model.tokensPerChunk;
    std::uint64_t textSeed = mix(options.seed, hashText(chat.model));
    for (const std::uint64_t token : chat.prompt) {
        textSeed = mix(textSeed, token);
    }
    auto reply = std::make_shared<SimReply>(connection, log, std::move(record), http, chat, fault);
    const int room = model.contextTokens - static_cast<int>(chat.prompt.size());
    const int limit = chat.maxTokens > 0 ? std::min(chat.maxTokens, room) : room;
    auto sequence = std::make_unique<SimSequence>(reply, std::move(chat.prompt), textSeed);
    sequence->receivedNs = http.bodyReceivedNs;
    sequence->natural = model.naturalTokens <= limit;
    sequence->limit = std::min(model.naturalTokens, limit);
    engine->submit(std::move(sequence));
    return reply;
}

void SimServer::Private::answerFault(SimConnection& connection, const SimHttpRequest& http, SimRecord record,
                                     SimFault fault)
{
    if (fault.kind == SimFault::Kind::Status) {
        refuse(connection, http, std::move(record), errorForStatus(fault.status));
        return;
    }
    record.status = 200;
    record.doneNs = steadyNs();
    log.write(record);
    const bool html = fault.kind == SimFault::Kind::Html;
    reply(connection, http,
          {.contentType = html ? "text/html; charset=utf-8" : "text/event-stream; charset=utf-8",
           .body = html ? "<!DOCTYPE html>\n<html><head><title>Simulated portal</title></head>\n"
                          "<body><h1>Please sign in</h1></body></html>\n"
                        : "",
           .extraHeaders = "x-request-id: " + record.requestId + "\r\n"});
}

void SimServer::Private::refuse(SimConnection& connection, const SimHttpRequest& http, SimRecord record,
                                const SimError& error)
{
    record.status = error.status;
    record.doneNs = steadyNs();
    log.write(record);
    std::string headers = "x-request-id: " + record.requestId + "\r\n";
    if (error.status == 429) {
        headers += "Retry-After: 1\r\n";
    }
    if (error.status == 401) {
        headers += "WWW-Authenticate: Bearer\r\n";
    }
    reply(connection, http, {.status = error.status, .body = errorBody(error), .extraHeaders = headers});
}

SimEngine* SimServer::Private::engineFor(const std::string& model, SimFault fault)
{
    for (std::size_t i = 0; i < options.models.size(); ++i) {
        if (options.models[i].name == model) {
            return engines[i].get();
        }
    }
    return fault.kind != SimFault::Kind::None ? engines.back().get() : nullptr;
}

SimServer::SimServer(SimOptions options)
    : d(std::make_unique<Private>(std::move(options)))
{
}

SimServer::~SimServer()
{
    stop();
}

bool SimServer::start()
{
    if (d->running) {
        return true;
    }
    d->startError = d->options.logPath.empty() ? std::string{} : d->log.open(d->options.logPath);
    if (d->startError.empty()) {
        d->startError = d->loop.open(d->options.port);
    }
    if (!d->startError.empty()) {
        d->log.close();
        return false;
    }
    growDescriptorTable();
    d->requests = 0;
    for (const SimModel& model : d->options.models) {
        d->engines.push_back(std::make_unique<SimEngine>(model, d->options.seed, d->mailbox));
    }
    SimModel unlisted = d->options.models.empty() ? SimModel{} : d->options.models.front();
    unlisted.name.clear();
    d->engines.push_back(std::make_unique<SimEngine>(unlisted, d->options.seed, d->mailbox));
    d->loopThread = std::thread([this] {
        d->loop.run();
    });
    d->running = true;
    return true;
}

void SimServer::stop()
{
    if (!d->running) {
        return;
    }
    // The loop first: it alone submits to the engines.
    d->loop.quit();
    d->loopThread.join();
    d->engines.clear();
    d->loop.close();
    (void)d->mailbox.take();
    d->log.close();
    d->running = false;
}

std::string SimServer::baseUrl() const
{
    return "http://127.0.0.1:" + std::to_string(port()) + "/v1";
}

std::uint16_t SimServer::port() const
{
    return d->loop.port();
}

std::string SimServer::error() const
{
    return d->startError;
}

} // namespace tokenpace::sim
