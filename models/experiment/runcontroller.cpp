// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/runcontroller.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <QRandomGenerator>

#include <nlohmann/json.hpp>

#include "experiment/plannedrequest.h"
#include "log/record.h"
#include "measure/metrics.h"

namespace tokenpace {

namespace {

QString newRunId(const QDateTime& at)
{
    constexpr int suffixDigits = 4;
    return at.toString(QStringLiteral("yyyyMMdd-hhmmss-"))
        + QStringLiteral("%1").arg(QRandomGenerator::global()->bounded(0x10000), suffixDigits, 16, QLatin1Char('0'));
}

/// Whatever a server echoes must not carry a key any further.
void redact(Timeline& timeline, const Redactor& redactor)
{
    if (redactor.empty()) {
        return;
    }
    const auto clean = [&](std::string& text) {
        if (!text.empty()) {
            text = redactor.redacted(std::string_view(text));
        }
    };
    const auto cleanIf = [&](std::optional<std::string>& text) {
        if (text) {
            clean(*text);
        }
    };
    if (timeline.error) {
        clean(timeline.error->message);
        cleanIf(timeline.error->param);
    }
    cleanIf(timeline.servedModel);
    cleanIf(timeline.systemFingerprint);
    cleanIf(timeline.requestId);
    cleanIf(timeline.finishReason);
    clean(timeline.serverTimes);
    for (auto& [key, value] : timeline.headers) {
        clean(value);
    }
    clean(timeline.text);
    clean(timeline.reasoning);
    clean(timeline.refusal);
    for (ToolCall& call : timeline.tools) {
        clean(call.name);
        clean(call.arguments);
    }
}

/// Flags replies that name another model than the first reply of their series. A series whose replies all name one
/// model is what the gateway makes of the name asked for.
class ServedModels {
public:
    void check(Timeline& timeline)
    {
        if (!timeline.servedModel) {
            return;
        }
        const auto [reference, isFirst] =
            m_first.try_emplace(timeline.run + '\n' + timeline.endpoint + '\n' + timeline.model, *timeline.servedModel);
        timeline.flags.set(Flag::OtherModel, !isFirst && !sameModel(reference->second, *timeline.servedModel));
    }

private:
    std::map<std::string, std::string> m_first; ///< by series
};

bool isContextLengthError(const Timeline& timeline)
{
    if (!timeline.error || (timeline.error->kind != ErrorKind::Http && timeline.error->kind != ErrorKind::Stream)) {
        return false;
    }
    std::string message = timeline.error->message;
    std::transform(message.begin(), message.end(), message.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    constexpr std::array<std::string_view, 10> phrases{
        "context length", "context_length",     "context window",    "context size",          "maximum context",
        "context limit",  "prompt is too long", "input is too long", "too many input tokens", "maximum prompt length"};
    return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
        return message.find(phrase) != std::string::npos;
    });
}

} // namespace

RunController::RunController(QString logPath, Redactor redactor, QObject* parent)
    : QObject(parent)
    , m_mailbox(std::make_unique<ClientMailbox>())
    , m_redactor(std::move(redactor))
    , m_log(std::make_unique<LogWriter>(std::move(logPath), [redactor = m_redactor](const Timeline& timeline) {
        nlohmann::ordered_json record = recordJson(timeline);
        redactor.redact(record);
        return recordLine(record);
    }))
{
    const auto servedModels = std::make_shared<ServedModels>();
    const auto onFinished = [this, servedModels](std::shared_ptr<Timeline> timeline) {
        redact(*timeline, m_redactor);
        servedModels->check(*timeline);
        m_log->append(timeline, [this, timeline](const QString& error) {
            m_mailbox->push(RequestFinished{timeline, error});
            QMetaObject::invokeMethod(
                this,
                [this, run = timeline->run] {
                    onRecorded(run);
                },
                Qt::QueuedConnection);
        });
    };
    m_client = std::make_unique<Client>(*m_mailbox, onFinished);
    connect(m_client.get(), &Client::requestEnded, this, &RunController::onRequestEnded);
}

RunController::~RunController() = default;

void RunController::start(const RunSpec& spec, const Settings& settings)
{
    m_spec = spec;
    if (m_spec.seed == 0) {
        m_spec.seed = freshSeed();
    }
    m_plan = makePlan(m_spec);
    m_info = {};
    m_info.startedAt = QDateTime::currentDateTimeUtc();
    m_info.id = newRunId(m_info.startedAt);
    m_info.spec = m_spec;
    m_info.planned = static_cast<int>(m_plan.requests.size());
    m_info.settingsHash = settings.hash;
    m_info.settingsJson = settingsJson(settings);
    m_estimates.assign(static_cast<std::size_t>(m_spec.targets.size()), {});
    m_words.assign(m_plan.requests.size(), 0);
    m_pending.clear();
    for (const PlannedRequest& planned : m_plan.requests) {
        m_pending.push_back(planned.seq);
    }
    m_tooLong.clear();
    m_took.clear();
    m_inFlightByEndpoint.clear();
    m_warmUpsLeft = m_info.planned - m_plan.measured;
    m_inFlight = 0;
    m_sent = 0;
    m_recorded = 0;
    m_running = true;
    m_stopping = false;
    emit started();
    sendNext();
    finishIfDone();
}

void RunController::stop()
{
    if (!m_running || m_stopping) {
        return;
    }
    m_stopping = true;
    m_pending.clear();
    m_client->cancelAll();
    finishIfDone();
}

bool RunController::mayGo(const PlannedRequest& planned) const
{
    if (!planned.warmUp && m_warmUpsLeft > 0) {
        return false;
    }
    const EndpointSettings& endpoint = m_spec.targets.at(planned.target).endpoint;
    const auto inFlight = m_inFlightByEndpoint.find(endpoint.name);
    return !m_spec.limitPerEndpoint || inFlight == m_inFlightByEndpoint.end()
        || inFlight->second < endpoint.concurrency.maxParallel;
}

void RunController::sendNext()
{
    while (!m_stopping && m_inFlight < m_spec.concurrency) {
        const auto next = std::find_if(m_pending.begin(), m_pending.end(), [this](int seq) {
            return mayGo(m_plan.requests[static_cast<std::size_t>(seq)]);
        });
        if (next == m_pending.end()) {
            return;
        }
        const PlannedRequest planned = m_plan.requests[static_cast<std::size_t>(*next)];
        m_pending.erase(next);
        if (m_tooLong.count({planned.target, planned.promptTokens.value_or(0)}) == 0) {
            sendRequest(planned);
        } else if (planned.warmUp) {
            --m_warmUpsLeft;
        }
    }
}

void RunController::sendRequest(const PlannedRequest& planned)
{
    const Target& target = m_spec.targets.at(planned.target);
    std::optional<std::int64_t> estimate;
    int& words = m_words[static_cast<std::size_t>(planned.seq)];
    if (planned.promptTokens) {
        const TokenEstimate& tokens = m_estimates[static_cast<std::size_t>(planned.target)];
        words = tokens.wordsFor(*planned.promptTokens);
        estimate = tokens.tokensFor(words);
    }
    BuiltRequest built = buildPlanned(m_spec, planned, m_info.id, words);
    if (!built.request) {
        m_warmUpsLeft -= planned.warmUp ? 1 : 0;
        emit noticed(m_redactor.redacted(built.problem));
        return;
    }
    built.request->route.manager = managerNamed(m_spec.manager).value_or(Route::ManagerKind::Stock);
    Timeline& timeline = built.request->timeline;
    timeline.run = m_info.id.toStdString();
    timeline.seq = planned.seq;
    timeline.promptTokensTarget = planned.promptTokens;
    timeline.promptTokensEstimate = estimate;
    timeline.keepsText = m_spec.keepText;
    timeline.flags.set(Flag::WarmUp, planned.warmUp);
    ++m_inFlight;
    ++m_sent;
    ++m_inFlightByEndpoint[target.endpoint.name];
    m_client->send(std::move(*built.request));
}

void RunController::onRequestEnded(const std::shared_ptr<const Timeline>& timeline)
{
    if (timeline->run != m_info.id.toStdString() || !m_running) {
        return; // of a run before this one
    }
    const PlannedRequest& planned = m_plan.requests[static_cast<std::size_t>(timeline->seq)];
    --m_inFlight;
    --m_inFlightByEndpoint[m_spec.targets.at(planned.target).endpoint.name];
    m_warmUpsLeft -= planned.warmUp ? 1 : 0;
    learnFrom(*timeline, planned);
    sendNext();
    finishIfDone();
}

void RunController::learnFrom(const Timeline& timeline, const PlannedRequest& planned)
{
    const std::pair cell{planned.target, planned.promptTokens.value_or(0)};
    if (planned.warmUp && timeline.usage.promptTokens) {
        m_estimates[static_cast<std::size_t>(planned.target)].calibrate(m_words[static_cast<std::size_t>(planned.seq)],
                                                                        *timeline.usage.promptTokens);
    }
    if (const auto total = totalMs(timeline)) {
        Took& took = m_took[cell];
        took.sum += std::chrono::milliseconds(static_cast<qint64>(*total));
        ++took.count;
    }
    if (planned.promptTokens && isContextLengthError(timeline) && m_tooLong.insert(cell).second) {
        const QString model = m_spec.targets.at(planned.target).label();
        emit noticed(tr("%1: %2 prompt tokens do not fit its context; the rest of that length is left out (%3)")
                         .arg(model)
                         .arg(*planned.promptTokens)
                         .arg(m_redactor.redacted(QString::fromStdString(timeline.error->message))));
        std::erase_if(m_pending, [&](int seq) {
            const PlannedRequest& other = m_plan.requests[static_cast<std::size_t>(seq)];
            return !other.warmUp && other.target == planned.target && other.promptTokens == planned.promptTokens;
        });
    }
}

void RunController::onRecorded(const std::string& run)
{
    if (run != m_info.id.toStdString() || !m_running) {
        return;
    }
    ++m_recorded;
    m_info.done = m_recorded;
    emit progressed(m_recorded, m_info.planned);
    finishIfDone();
}

void RunController::finishIfDone()
{
    if (!m_running || m_inFlight > 0 || !m_pending.empty() || m_recorded < m_sent) {
        return;
    }
    m_running = false;
    m_info.endedAt = QDateTime::currentDateTimeUtc();
    emit finished(m_stopping);
}

std::chrono::milliseconds RunController::expectedDuration(const PlannedRequest& planned) const
{
    const auto known = m_took.find({planned.target, planned.promptTokens.value_or(0)});
    if (known != m_took.end() && known->second.count > 0) {
        return known->second.sum / known->second.count;
    }
    Took ofTarget;
    for (const auto& [cell, took] : m_took) {
        if (cell.first == planned.target) {
            ofTarget.sum += took.sum;
            ofTarget.count += took.count;
        }
    }
    return ofTarget.count > 0 ? ofTarget.sum / ofTarget.count : roughDuration(m_spec, planned);
}

std::chrono::milliseconds RunController::timeLeft() const
{
    if (!m_running) {
        return std::chrono::milliseconds{0};
    }
    std::map<std::pair<int, int>, int> pending;
    for (const int seq : m_pending) {
        const PlannedRequest& planned = m_plan.requests[static_cast<std::size_t>(seq)];
        ++pending[{planned.target, planned.promptTokens.value_or(0)}];
    }
    std::chrono::milliseconds left{0};
    for (const auto& [cell, count] : pending) {
        PlannedRequest planned;
        planned.target = cell.first;
        planned.promptTokens = cell.second > 0 ? std::optional(cell.second) : std::nullopt;
        left += expectedDuration(planned) * count;
    }
    return left / std::max(1, m_spec.concurrency);
}

} // namespace tokenpace
