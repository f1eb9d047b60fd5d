// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The steps of a check that speak HTTP; those before them are in endpointcheck.cpp.

#include <algorithm>

#include "experiment/checknames.h"
#include "experiment/endpointcheck.h"
#include "experiment/requestbuilder.h"
#include "experiment/twoatonce.h"
#include "measure/metrics.h"
#include "settings/baseurl.h"

namespace tokenpace {

namespace {

// Some servers refuse a limit of less than 16 tokens.
constexpr int checkMaxTokens = 16;
constexpr int httpUnauthorized = 401;
constexpr int httpNotFound = 404;
constexpr int httpNotAllowed = 405;
constexpr int httpProxyWantsKey = 407;
constexpr qsizetype modelsShown = 8;

QString textOf(const std::string& text)
{
    return QString::fromStdString(text);
}

QString msText(double ms)
{
    return EndpointCheck::tr("%1 ms").arg(ms, 0, 'f', ms < 10 ? 1 : 0);
}

/// A count and what it counts, without a translator too.
QString counted(qint64 count, const QString& one, const QString& several)
{
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : several);
}

QString modelsText(qint64 count)
{
    return counted(count, EndpointCheck::tr("model"), EndpointCheck::tr("models"));
}

QString tokensText(qint64 count)
{
    return counted(count, EndpointCheck::tr("token"), EndpointCheck::tr("tokens"));
}

RequestError errorOf(const Timeline& timeline)
{
    return timeline.error.value_or(RequestError{});
}

bool isOk(const Timeline& timeline)
{
    return timeline.status == Status::Ok;
}

} // namespace

void EndpointCheck::askForModels()
{
    if (!m_request) {
        endFailed(m_requestProblem, {{}, tr("Change \"apiKey\" or \"extraHeaders\"."), {}});
        return;
    }
    m_listing = std::make_unique<ModelListing>(m_situation.endpoint, *m_request, m_proxy);
    connect(m_listing.get(), &ModelListing::finished, this, &EndpointCheck::onModels);
    m_listing->start();
}

void EndpointCheck::onModels(const ModelListAnswer& answer)
{
    m_situation.models = answer.models;
    for (QString& model : m_situation.models) {
        model = m_redactor.redacted(model);
    }
    m_listError = answer.error;
    if (!answer.error) {
        const QString seen = m_situation.endpoint.apiKey.isEmpty()
            ? tr("no key is set, and the list of models needs none")
            : tr("the list of models came with it");
        if (!answer.atOtherPath) {
            end(CheckState::Passed, seen);
            return;
        }
        const QString path =
            otherVersionPath(m_situation.url.path(QUrl::FullyEncoded), requestPathEnd(m_situation.protocol));
        CheckAdvice advice{tr("the list is at %1").arg(displayUrl(answer.url)), {}, {}};
        if (!path.isEmpty()) {
            advice.fix = tr("If requests fail with 404, set \"path\" to \"%1\".").arg(path);
            advice.change = SettingChange{QStringLiteral("path"), path};
        }
        endFailed(seen, advice, CheckState::Noted);
        return;
    }
    const RequestError& error = *answer.error;
    const int status = error.httpStatus.value_or(0);
    // Not every server lists its models, and not every key may see the list: the request will tell.
    const bool fatal = status == httpUnauthorized || status == httpProxyWantsKey || error.kind == ErrorKind::Transport
        || error.kind == ErrorKind::NotSent;
    if (fatal) {
        endFailed(textOf(error.message), adviceForRequest(error, m_situation));
        return;
    }
    CheckAdvice advice = adviceForRequest(error, m_situation);
    if (error.kind == ErrorKind::Http && (status == httpNotFound || status == httpNotAllowed)) {
        advice = {tr("the key is proved only by a request"), {}, {}};
    }
    endFailed(textOf(error.message), advice, CheckState::Noted);
}

void EndpointCheck::compareModels()
{
    const QStringList& listed = m_situation.models;
    QStringList wanted;
    for (const ModelSettings& model : m_situation.endpoint.models) {
        wanted << model.name;
    }
    if (!m_situation.model.isEmpty() && !wanted.contains(m_situation.model)) {
        wanted.prepend(m_situation.model);
    }
    wanted.removeAll(QString());
    if (m_situation.model.isEmpty()) {
        m_situation.model = !wanted.isEmpty() ? wanted.first() : listed.size() == 1 ? listed.first() : QString();
    }
    if (listed.isEmpty()) {
        endFailed(m_listError ? tr("the endpoint lists no models (%1)").arg(textOf(m_listError->message))
                              : tr("the endpoint's list of models is empty"),
                  {{}, tr("Set \"model\" to the model's name; not every server lists its models."), {}},
                  CheckState::Noted);
        return;
    }
    const QString count = modelsText(listed.size());
    if (wanted.isEmpty()) {
        end(CheckState::Passed, tr("%1: %2").arg(count, listed.mid(0, modelsShown).join(QStringLiteral(", "))));
        return;
    }
    QStringList missing = wanted;
    missing.removeIf([&](const QString& model) {
        return listed.contains(model);
    });
    if (missing.isEmpty()) {
        end(CheckState::Passed, tr("%1, among them %2").arg(count, wanted.join(QStringLiteral(", "))));
        return;
    }
    const QStringList near = nearNames(missing.first(), listed);
    CheckAdvice advice{tr("%1 is not among them").arg(missing.join(QStringLiteral(", "))),
                       tr("Set \"model\" to a name on the list: %1.")
                           .arg((near.isEmpty() ? listed.mid(0, modelsShown) : near).join(QStringLiteral(", "))),
                       {}};
    if (!near.isEmpty()) {
        advice.change = SettingChange{QStringLiteral("model"), near.first(), missing.first()};
    }
    endFailed(count, advice, CheckState::Noted);
}

void EndpointCheck::send(int count, bool stream, const QString& path, void (EndpointCheck::*then)())
{
    EndpointSettings endpoint = m_situation.endpoint;
    endpoint.path = path.isEmpty() ? endpoint.path : path;
    endpoint.concurrency.maxRetries = 0; // a 429 is what a check wants to see
    if (!stream && endpoint.request.ttftTimeoutMs > 0) {
        // A whole answer of a few tokens takes no longer than the first token of a long one may.
        endpoint.request.totalTimeoutMs = std::min(endpoint.request.totalTimeoutMs, endpoint.request.ttftTimeoutMs);
    }
    wire::ChatRequest chat;
    chat.model = m_situation.model.toStdString();
    chat.messages.push_back({"user", "Count from one to twenty."});
    chat.params.maxTokens = checkMaxTokens;
    chat.params.stream = stream;
    const BuiltRequest built = buildRequest(endpoint, chat);
    if (!built.request) {
        endFailed(built.problem, {});
        return;
    }
    if (!m_client) {
        m_mailbox = std::make_unique<ClientMailbox>();
        m_client = std::make_unique<Client>(*m_mailbox, [](std::shared_ptr<Timeline>) {});
        connect(m_client.get(), &Client::requestEnded, this, &EndpointCheck::onRequestEnded);
    }
    m_ended.clear();
    m_expected = static_cast<std::size_t>(count);
    m_afterRequests = then;
    for (int i = 0; i < count; ++i) {
        ClientRequest request = *built.request;
        request.timeline.run = "check";
        request.timeline.seq = m_sent++;
        m_client->send(std::move(request));
    }
}

void EndpointCheck::onRequestEnded(const std::shared_ptr<const Timeline>& timeline)
{
    m_ended.push_back(timeline);
    if (m_ended.size() == m_expected) {
        (this->*m_afterRequests)();
    }
}

void EndpointCheck::askWhole()
{
    if (m_situation.model.isEmpty()) {
        endFailed(tr("no model is chosen"),
                  {{},
                   m_situation.models.isEmpty() ? tr("Set \"model\" to a model's name.")
                                                : tr("Set \"model\" to one of the models listed."),
                   {}});
        return;
    }
    send(1, false, {}, &EndpointCheck::onWhole);
}

void EndpointCheck::onWhole()
{
    m_whole = m_ended.front();
    if (isOk(*m_whole)) {
        const auto tokens = outputTokens(*m_whole);
        const QString took = msText(totalMs(*m_whole).value_or(0));
        end(CheckState::Passed,
            tokens ? tr("%1 answered, %2 in %3").arg(m_situation.model, tokensText(*tokens), took)
                   : tr("%1 answered in %2").arg(m_situation.model, took));
        return;
    }
    const RequestError error = errorOf(*m_whole);
    const int status = error.httpStatus.value_or(0);
    const bool nothingThere = error.kind == ErrorKind::Http && (status == httpNotFound || status == httpNotAllowed);
    if (nothingThere && m_situation.endpoint.path.isEmpty() && !isUnknownModel(error)) {
        askAtOtherPath();
        return;
    }
    if (wantsStream(error)) {
        endFailed(textOf(error.message),
                  {tr("this model answers streamed requests only"), tr("Leave \"request.stream\" true."), {}},
                  CheckState::Noted);
        return;
    }
    endFailed(textOf(error.message), adviceForRequest(error, m_situation));
}

void EndpointCheck::askAtOtherPath()
{
    const QString path =
        otherVersionPath(m_situation.url.path(QUrl::FullyEncoded), requestPathEnd(m_situation.protocol));
    if (path.isEmpty()) {
        const RequestError error = errorOf(*m_whole);
        endFailed(textOf(error.message), adviceForRequest(error, m_situation));
        return;
    }
    send(1, false, path, &EndpointCheck::onOtherPath);
}

void EndpointCheck::onOtherPath()
{
    const RequestError first = errorOf(*m_whole);
    const Timeline& second = *m_ended.front();
    const bool knowsModel = !isOk(second) && isUnknownModel(errorOf(second));
    if (!isOk(second) && !knowsModel) {
        endFailed(textOf(first.message), adviceForRequest(first, m_situation));
        return;
    }
    const QString path =
        otherVersionPath(m_situation.url.path(QUrl::FullyEncoded), requestPathEnd(m_situation.protocol));
    endFailed(textOf(first.message),
              {tr("nothing is at %1, but %2 answers").arg(displayUrl(m_situation.url), path),
               tr("Set \"path\" to \"%1\".").arg(path), SettingChange{QStringLiteral("path"), path}});
}

void EndpointCheck::askStreamed()
{
    send(1, true, {}, &EndpointCheck::onStreamed);
}

void EndpointCheck::onStreamed()
{
    m_streamed = m_ended.front();
    if (!isOk(*m_streamed)) {
        const RequestError error = errorOf(*m_streamed);
        const bool alone = m_whole && isOk(*m_whole) && error.kind == ErrorKind::Http && wantsStream(error);
        CheckAdvice advice = adviceForRequest(error, m_situation);
        if (alone && !advice.change) {
            advice.fix = tr("Set \"request.stream\" to \"false\": TTFT and TPOT cannot be measured then.");
            advice.change = SettingChange{QStringLiteral("request.stream"), QStringLiteral("false")};
        }
        endFailed(textOf(error.message), advice);
        return;
    }
    if (const auto ttft = ttftMs(*m_streamed)) {
        end(CheckState::Passed,
            tr("first token after %1, %2 in %3")
                .arg(msText(*ttft), tokensText(outputTokens(*m_streamed).value_or(0)),
                     counted(chunkCount(*m_streamed), tr("chunk"), tr("chunks"))));
        return;
    }
    if (m_streamed->streamed.value_or(true)) {
        const bool cut = m_streamed->finishReason == "length";
        endFailed(tr("the stream ended without any output"),
                  {cut ? tr("the model thinks before it answers, and does not show it")
                       : tr("its \"choices\" stayed empty: a gateway whose server failed, or a filter"),
                   cut ? tr("Measure with a larger \"request.maxTokens\".")
                       : tr("Look into the gateway's log, or choose another \"model\"."),
                   {}},
                  cut ? CheckState::Noted : CheckState::Failed);
        return;
    }
    end(CheckState::Passed, tr("it answered in %1, whole").arg(msText(totalMs(*m_streamed).value_or(0))));
}

void EndpointCheck::askTwice()
{
    send(2, true, {}, &EndpointCheck::onTwice);
}

void EndpointCheck::onTwice()
{
    const auto failed = std::find_if(m_ended.begin(), m_ended.end(), [](const auto& timeline) {
        return !isOk(*timeline);
    });
    const bool several = m_situation.endpoint.concurrency.maxParallel > 1;
    const auto oneOnly = several
        ? std::optional(SettingChange{QStringLiteral("concurrency.maxParallel"), QStringLiteral("1")})
        : std::nullopt;
    if (failed != m_ended.end()) {
        endFailed(textOf(errorOf(**failed).message),
                  {tr("two requests at once are too many for it"),
                   tr("Leave \"concurrency.maxParallel\" at 1, or set \"concurrency.maxRetries\"."), oneOnly},
                  CheckState::Noted);
        return;
    }
    const TwoAtOnce result = judgeTwoAtOnce(*m_streamed, *m_ended[0], *m_ended[1]);
    switch (result.verdict) {
    case TwoAtOnce::Verdict::Together:
        end(CheckState::Passed, tr("both are served at the same time"));
        return;
    case TwoAtOnce::Verdict::TooQuick:
        end(CheckState::Passed, tr("both were answered, too quickly to tell whether together"));
        return;
    case TwoAtOnce::Verdict::OneByOne:
        break;
    }
    endFailed(tr("one after the other: the second waited %1 for the first").arg(msText(result.waitedMs)),
              {{},
               tr("Leave \"concurrency.maxParallel\" at 1, or give the server more slots (llama.cpp: --parallel, "
                  "Ollama: OLLAMA_NUM_PARALLEL)."),
               oneOnly},
              CheckState::Noted);
}

void EndpointCheck::checkUsage()
{
    const Usage& usage = m_streamed->usage;
    if (usage.completionTokens) {
        end(CheckState::Passed,
            usage.promptTokens ? tr("%1 prompt and %2 output tokens, as the server counts")
                                     .arg(*usage.promptTokens)
                                     .arg(*usage.completionTokens)
                               : tr("%1 output tokens, as the server counts").arg(*usage.completionTokens));
        return;
    }
    CheckAdvice advice{
        tr("chunks are counted in their place"), tr("Look for the server's option that reports usage in streams."), {}};
    if (!m_situation.endpoint.streamOptions) {
        advice.fix = tr("Set \"streamOptions\" to \"true\".");
        advice.change = SettingChange{QStringLiteral("streamOptions"), QStringLiteral("true")};
    }
    const bool whole = m_whole && m_whole->usage.completionTokens;
    endFailed(whole ? tr("the server counts tokens only in whole answers") : tr("the server reports no token counts"),
              advice, CheckState::Noted);
}

void EndpointCheck::checkStreaming()
{
    const QString fix =
        tr("Switch buffering off on the way (nginx: proxy_buffering off), or ask the server without the gateway.");
    if (!m_streamed->streamed.value_or(true)) {
        endFailed(tr("the answer came whole: TTFT and TPOT cannot be measured"),
                  {{}, tr("A gateway that collects, or a server that ignores \"stream\". ") + fix, {}},
                  CheckState::Noted);
        return;
    }
    const auto together = [](const Timeline& timeline, Flag flag) {
        return timeline.flags.has(flag);
    };
    const auto all = [&](Flag flag) {
        // One read for all may be chance with so few tokens; three times it is not.
        return together(*m_streamed, flag) && std::all_of(m_ended.begin(), m_ended.end(), [&](const auto& timeline) {
                   return !isOk(*timeline) || together(*timeline, flag);
               });
    };
    if (all(Flag::Buffered)) {
        endFailed(tr("the tokens came all at once: something on the way collects them"), {{}, fix, {}},
                  CheckState::Noted);
        return;
    }
    if (all(Flag::Bursty)) {
        endFailed(tr("the tokens come in bursts: TPOT holds, gaps between tokens do not"), {{}, fix, {}},
                  CheckState::Noted);
        return;
    }
    end(CheckState::Passed, tr("tokens arrive one by one, as they are made"));
}

void EndpointCheck::checkServedModel()
{
    const auto& served = m_streamed->servedModel ? m_streamed->servedModel : m_whole->servedModel;
    if (!served) {
        end(CheckState::Passed, tr("the server does not say which model answered"));
        return;
    }
    const QString name = textOf(*served);
    if (sameModel(m_situation.model.toStdString(), *served)) {
        end(CheckState::Passed, name);
        return;
    }
    endFailed(tr("%1 answered, not %2").arg(name, m_situation.model),
              {tr("a gateway's other name for it, or another model in its place"),
               tr("If it is the one you mean, set \"model\" to \"%1\".").arg(name),
               SettingChange{QStringLiteral("model"), name}},
              CheckState::Noted);
}

} // namespace tokenpace
