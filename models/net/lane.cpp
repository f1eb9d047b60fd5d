// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/lane.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <QDateTime>
#include <QNetworkRequest>
#include <QRandomGenerator>

#include "measure/metrics.h"
#include "net/outgoing.h"
#include "net/replyheaders.h"
#include "net/stamps.h"
#include "net/transporterror.h"

namespace tokenpace {

namespace {

using namespace std::chrono_literals;

constexpr int firstFinalStatus = 200;
constexpr int firstErrorStatus = 400;

} // namespace

Lane::Lane(const QUrl& url, Route route, ClientMailbox& mailbox, ConnectionPool& pool)
    : m_origin(originOf(url))
    , m_route(std::move(route))
    , m_mailbox(mailbox)
    , m_pool(pool)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Lane::onTimer);
}

Lane::~Lane()
{
    if (m_reply) {
        m_reply->disconnect(this);
    }
}

bool Lane::serves(const QUrl& url, const Route& route) const
{
    return m_origin == originOf(url) && m_route == route;
}

bool Lane::carries(const QString& run, int seq) const
{
    return m_state != State::Idle && m_request.timeline.seq == seq && m_run == run;
}

void Lane::start(ClientRequest request, Stamp asked, WallClock::time_point askedWall)
{
    m_request = std::move(request);
    m_run = QString::fromStdString(m_request.timeline.run);
    m_asked = asked;
    m_askedWall = askedWall;
    m_attempts = 0;
    m_attemptLog.clear();
    m_request.timeline.startedAtMs =
        std::chrono::duration_cast<std::chrono::milliseconds>(askedWall.time_since_epoch()).count();
    beginAttempt(asked);
}

void Lane::beginAttempt(Stamp asked)
{
    m_state = State::Running;
    if (!m_manager.access) {
        m_manager = makeManager(m_route, m_request.url, &m_pool);
    }
    freshRecord(asked);
    const QString problem = m_manager.problem.isEmpty() ? problemOf(m_request) : m_manager.problem;
    if (!problem.isEmpty()) {
        refuse(problem);
        return;
    }
    ++m_attempts;
    const QNetworkRequest outgoing = outgoingRequest(m_request);
    m_progress.posted = steadyNow();
    m_reply = m_manager.access->post(outgoing, m_request.body);
    // Direct connections: each slot runs in the emission, and its first statement takes the clock.
    connect(m_reply, &QNetworkReply::socketStartedConnecting, this, &Lane::onConnecting);
    connect(m_reply, &QNetworkReply::encrypted, this, &Lane::onEncrypted);
    connect(m_reply, &QNetworkReply::requestSent, this, &Lane::onRequestSent);
    connect(m_reply, &QNetworkReply::uploadProgress, this, &Lane::onUploadProgress);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &Lane::onMetaData);
    connect(m_reply, &QNetworkReply::readyRead, this, &Lane::onReadyRead);
    connect(m_reply, &QNetworkReply::finished, this, &Lane::onFinished);
    arm();
}

void Lane::freshRecord(Stamp asked)
{
    m_reader.reset(); // it refers to the old timeline
    m_progress = {};
    m_progress.sliced = m_manager.coarseAbove > 0 && m_request.body.size() > m_manager.coarseAbove;
    m_told = 0;
    m_timeline = std::make_shared<Timeline>(m_request.timeline);
    m_timeline->marks.asked = asked;
    m_timeline->manager = m_manager.name;
    m_timeline->flags.set(Flag::ViaProxy, !m_manager.proxy.isEmpty());
    m_reader.emplace(m_timeline->protocol, *m_timeline);
}

void Lane::refuse(const QString& why)
{
    RequestError error;
    error.kind = ErrorKind::NotSent;
    error.message = why.toStdString();
    error.phase = Phase::Queued;
    m_reader->abandon(Status::Error, std::move(error), steadyNow());
    endAttempt();
}

void Lane::onConnecting()
{
    const Stamp now = steadyNow();
    if (m_progress.sent) {
        m_progress.posted = now; // a hidden resend: only what belongs to it counts
    }
    m_progress.connecting = now;
    m_progress.secured.reset();
}

void Lane::onEncrypted()
{
    const Stamp now = steadyNow();
    m_progress.secured = now;
}

void Lane::onRequestSent()
{
    const Stamp now = steadyNow();
    // Qt sends a request again by itself when the server closes the connection without a byte. That goes on a new
    // connection, of which it tells nothing.
    if (++m_progress.sentCount > 1) {
        m_timeline->flags.set(Flag::Resent);
        m_progress.resentUnseen = !m_progress.connecting || *m_progress.connecting < *m_progress.sent;
    }
    m_progress.sent = now;
    // Of a body that is written in slices, this was only the first: uploadProgress tells the last one.
    if (!m_progress.sliced || m_progress.uploaded) {
        setZero(sentOf(*m_reply, now));
    }
    arm();
}

void Lane::onUploadProgress(qint64 sent, qint64 total)
{
    const Stamp now = steadyNow();
    if (total <= 0) {
        return; // the stock manager says (0, 0) before the end
    }
    m_progress.uploaded = sent >= total;
    if (!m_progress.uploaded && !m_progress.sent && m_manager.coarseAbove == 0) {
        m_progress.writing = m_progress.writing.value_or(now); // the server is slow to take it
        arm();
    }
    if (m_progress.sliced && m_progress.uploaded && m_progress.sent && !m_timeline->marks.firstByte) {
        setZero(now);
        arm();
    }
}

void Lane::onMetaData()
{
    const Stamp now = steadyNow();
    if (m_progress.httpStatus >= firstFinalStatus) {
        return;
    }
    m_progress.httpStatus = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (!m_timeline->zero) {
        setZero(m_progress.sent.value_or(m_progress.posted)); // an answer before the body was all taken
    }
    if (m_progress.httpStatus < firstFinalStatus) {
        return; // 103 ends the stock manager's reply: see onFinished
    }
    const RawHeaders& headers = m_reply->rawHeaderPairs();
    m_timeline->headers = recordedHeaders(headers);
    m_timeline->requestId = requestIdOf(headers);
    wire::ReplyHead head;
    head.httpStatus = m_progress.httpStatus;
    head.reason = m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString().toStdString();
    head.contentType = m_reply->rawHeader("content-type").toStdString();
    head.contentEncoding = m_reply->rawHeader("content-encoding").toStdString();
    head.location = redirectTarget(m_request.url, m_reply->rawHeader("location")).toStdString();
    head.retryAfterMs = retryAfterMs(headers, QDateTime::currentDateTimeUtc());
    m_reader->head(head, arrivalOf(*m_reply, now));
    if (m_reader->done()) {
        endAttempt();
        return;
    }
    arm();
}

void Lane::onReadyRead()
{
    const Stamp now = steadyNow();
    readAvailable(now);
    if (m_reader->done()) {
        endAttempt();
        return;
    }
    arm();
}

void Lane::readAvailable(Stamp now)
{
    // Piece by piece, never readAll(): one read does not cross a stamp where the manager keeps its own.
    std::array<char, 16384> piece;
    while (m_reply->bytesAvailable() > 0 && !m_reader->done()) {
        const qint64 size = m_reply->read(piece.data(), piece.size());
        if (size <= 0) {
            break;
        }
        const Stamp at = arrivalOf(*m_reply, now);
        if (m_told < m_timeline->arrivals.size() && m_timeline->arrivals.back() != at) {
            tellOutputs();
        }
        m_timeline->kernelStamps = hasKernelStamps(*m_reply);
        m_reader->feed({piece.data(), static_cast<std::size_t>(size)}, at);
    }
    tellOutputs();
}

void Lane::tellOutputs()
{
    const std::string_view channels = std::string_view(m_timeline->channels).substr(m_told);
    for (const Channel channel : {Channel::Text, Channel::Reasoning, Channel::Refusal, Channel::Tool}) {
        const auto count = std::count(channels.begin(), channels.end(), static_cast<char>(channel));
        if (count > 0) {
            m_mailbox.push(
                OutputsArrived{m_run, m_timeline->seq, m_timeline->arrivals.back(), static_cast<int>(count), channel});
        }
    }
    m_told = m_timeline->arrivals.size();
}

void Lane::onFinished()
{
    const Stamp now = steadyNow();
    const QNetworkReply::NetworkError code = m_reply->error();
    if (m_progress.httpStatus < firstFinalStatus) {
        failTransport(code, now);
        endAttempt();
        return;
    }
    readAvailable(now);
    const bool clean =
        code == QNetworkReply::NoError || (m_progress.httpStatus >= firstErrorStatus && isContentError(code));
    const QString how =
        QStringLiteral("the connection to %1 broke in the middle of the reply").arg(placeOf(m_request.url));
    m_reader->endOfBody(now, clean ? wire::BodyEnd::Clean : wire::BodyEnd::Broken,
                        clean ? std::string() : how.toStdString());
    tellOutputs(); // an event that was pending at the end of the stream came out only now
    endAttempt();
}

void Lane::failTransport(QNetworkReply::NetworkError code, Stamp now)
{
    RequestError error = transportError(code, m_reply->errorString(), m_request.url, m_manager.proxy,
                                        m_progress.sentCount > 0, m_progress.sentCount > 1);
    if (m_progress.httpStatus != 0) {
        error.httpStatus = m_progress.httpStatus;
        error.message = "proxy sent " + std::to_string(m_progress.httpStatus)
            + ", an interim answer, and nothing could be read after it";
        error.phase = Phase::Ttft;
    }
    m_progress.passing = m_progress.sentCount == 0 && !m_progress.writing && isPassing(code);
    m_reader->abandon(Status::Error, std::move(error), now);
}

void Lane::setZero(Stamp at)
{
    m_timeline->zero = at;
    m_mailbox.push(RequestStarted{m_run, m_timeline->seq, at});
}

std::optional<Deadline> Lane::deadline() const
{
    if (m_state == State::Waiting) {
        return Deadline{m_waitUntil, {}};
    }
    return nextDeadline(m_request.limits, m_progress, *m_timeline, m_reader->hasEnding(), m_reader->deadline());
}

void Lane::arm()
{
    const auto next = deadline();
    if (!next) {
        m_timer.stop();
        return;
    }
    // A limit that moved away is looked at when the timer fires: no timer is restarted for each token.
    if (m_timer.isActive() && m_armedFor <= next->at) {
        return;
    }
    m_armedFor = next->at;
    constexpr std::chrono::milliseconds longest = 1h; // it is armed anew then; a timer's milliseconds are an int
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next->at - steadyNow());
    m_timer.start(std::clamp(left, 0ms, longest));
}

void Lane::onTimer()
{
    const Stamp now = steadyNow();
    const auto next = deadline();
    if (!next || now < next->at) {
        arm();
        return;
    }
    if (m_state == State::Waiting) {
        m_attemptLog.back().waitMs = toMs(now - m_waitBegan);
        beginAttempt(now);
        return;
    }
    if (next->phase) {
        m_progress.passing = next->phase == Phase::Connect;
        m_reader->abandon(Status::Timeout, timeOutError(*next->phase, m_request.limits, placeOf(m_request.url)), now);
    } else {
        m_reader->expire(now);
    }
    if (m_reader->done()) {
        endAttempt();
        return;
    }
    arm();
}

void Lane::cancel()
{
    if (m_state == State::Idle) {
        return;
    }
    const Stamp now = steadyNow();
    RequestError error;
    error.kind = ErrorKind::Cancelled;
    error.message = "cancelled";
    if (m_state == State::Waiting) {
        Attempt& last = m_attemptLog.back();
        last.waitMs = toMs(now - m_waitBegan);
        error.message = "cancelled while waiting to send it again";
        freshRecord(m_asked);
    }
    m_reader->abandon(Status::Cancelled, std::move(error), now);
    m_request.maxRetries = 0;
    endAttempt();
}

void Lane::noteBusy()
{
    if (m_state == State::Running && m_timeline->zero) {
        m_timeline->flags.set(Flag::ClientBusy);
    }
}

void Lane::endAttempt()
{
    m_timer.stop();
    if (m_reply) {
        fillPhases();
        dropReply();
    }
    const double chance = QRandomGenerator::global()->generateDouble();
    const auto wait = retryWait(*m_timeline, m_progress, m_attempts, m_request.maxRetries, chance);
    if (wait) {
        waitForRetry(*wait);
    } else {
        complete();
    }
}

void Lane::fillPhases()
{
    Timeline& timeline = *m_timeline;
    if (m_progress.sent || m_progress.connecting) {
        timeline.reused = !m_progress.connecting && !m_progress.resentUnseen;
        timeline.flags.set(Flag::CoarseStamp, m_progress.sliced && *timeline.reused);
    }
    timeline.phases = phasesFrom(m_progress, *timeline.marks.asked, timeline.zero);
    if (const auto own = phasesOf(*m_reply)) {
        const auto queued = timeline.phases.queued;
        timeline.phases = *own;
        timeline.phases.queued = queued;
    }
}

void Lane::waitForRetry(std::chrono::milliseconds wait)
{
    m_attemptLog.push_back(
        {m_timeline->status, m_timeline->error ? m_timeline->error->httpStatus : std::nullopt, toMs(wait)});
    m_reader.reset();
    m_progress = {};
    m_state = State::Waiting;
    m_waitBegan = steadyNow();
    m_waitUntil = m_waitBegan + wait;
    arm();
}

void Lane::dropReply()
{
    m_reply->disconnect(this);
    if (m_reply->isFinished()) {
        m_reply->deleteLater();
    } else {
        // Its connection is of no more use; a new manager starts clean, whatever the old one still had under way.
        if (m_reply->error() == QNetworkReply::NoError) {
            m_reply->abort(); // Qt warns of a second error
        }
        m_manager.access.release()->deleteLater(); // takes the reply along
    }
    m_reply = nullptr;
}

void Lane::complete()
{
    Timeline& timeline = *m_timeline;
    timeline.attempts = m_attempts;
    timeline.attemptLog = std::exchange(m_attemptLog, {});
    timeline.flags.set(Flag::ClockJump, clockJumped(WallClock::now() - m_askedWall, steadyNow() - m_asked));
    setDerivedFlags(timeline);
    m_reader.reset();
    m_state = State::Idle;
    m_idleSince = steadyNow();
    m_request = {};
    emit ended(std::exchange(m_timeline, nullptr));
}

} // namespace tokenpace
