// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "requestwords.h"

#include <array>
#include <cmath>

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include "definitions.h"
#include "measure/metrics.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("RequestWords", text);
}

QString timeoutWords(Phase phase)
{
    switch (phase) {
    case Phase::Queued:
    case Phase::Dns:
    case Phase::Connect:
    case Phase::Tls:
    case Phase::Send:
        return tr("Time-out while connecting");
    case Phase::Ttft:
        return tr("Time-out: no output in time");
    case Phase::Idle:
        return tr("Time-out: the stream fell silent");
    case Phase::Total:
        break;
    }
    return tr("Time-out: the whole reply took too long");
}

QString adviceForStatus(int status)
{
    switch (status) {
    case 400:
    case 422:
        return tr("The server refused the request: check the model's name, max_tokens and extraBody.");
    case 401:
        return tr("Check apiKey: the variable it names must hold a key of this endpoint.");
    case 403:
        return tr("The key may not use this model: choose another model or another key.");
    case 404:
        return tr("Check baseUrl, path and the model's name.");
    case 429:
        return tr("Too many requests: lower the concurrency, or set maxRetries.");
    case 529:
        return tr("The server is overloaded: try again later, or lower the concurrency.");
    default:
        break;
    }
    if (status >= 500) {
        return tr("The server failed: look into its log, or try again later.");
    }
    if (status >= 300 && status < 400) {
        return tr("The server redirects: put the address it names into baseUrl.");
    }
    return {};
}

} // namespace

QString outcomeText(const Timeline& timeline)
{
    if (timeline.status == Status::Ok) {
        return {};
    }
    const QString message = timeline.error ? QString::fromStdString(timeline.error->message) : QString();
    QString words;
    switch (timeline.status) {
    case Status::Ok:
        break;
    case Status::Timeout:
        words = timeline.error && timeline.error->phase ? timeoutWords(*timeline.error->phase) : tr("Time-out");
        break;
    case Status::Cancelled:
        words = tr("Stopped before its end");
        break;
    case Status::Truncated:
        words = tr("The stream ended too early");
        break;
    case Status::Error:
        words = timeline.error && timeline.error->kind == ErrorKind::NotSent ? tr("Not sent") : tr("Failed");
        if (timeline.error && timeline.error->kind == ErrorKind::Http && timeline.error->httpStatus) {
            words = QStringLiteral("HTTP %1").arg(*timeline.error->httpStatus);
        }
        break;
    }
    // The message of an HTTP error begins with its status itself.
    return message.isEmpty() ? words : message.startsWith(words) ? message : words + QStringLiteral(": ") + message;
}

QString adviceFor(const RequestError& error)
{
    const QString message = QString::fromStdString(error.message);
    switch (error.kind) {
    case ErrorKind::NotSent:
        return tr("Set what is missing, then run again.");
    case ErrorKind::Http:
        return error.httpStatus ? adviceForStatus(*error.httpStatus) : QString();
    case ErrorKind::Transport:
        if (error.phase == Phase::Dns) {
            return tr("The host's name is not known: check baseUrl and the network.");
        }
        if (error.phase == Phase::Tls) {
            return tr("The certificate was refused: set caFile, or check the host's name.");
        }
        if (message.contains(QStringLiteral("refused"), Qt::CaseInsensitive)) {
            return tr("Nothing listens there: start the server, or check host and port in baseUrl.");
        }
        return tr("Check baseUrl, the network and the proxy setting.");
    case ErrorKind::Parse:
        return tr("What came is no stream of this protocol: check baseUrl, path and protocol.");
    case ErrorKind::Stream:
        return tr("The server reported this inside the reply: see its message.");
    case ErrorKind::Timeout:
        if (error.phase == Phase::Ttft) {
            return tr("Raise ttftTimeoutMs, shorten the prompt, or lower the concurrency.");
        }
        if (error.phase == Phase::Idle) {
            return tr("Raise idleTimeoutMs, or look at the server: it stopped sending.");
        }
        if (error.phase == Phase::Total) {
            return tr("Raise totalTimeoutMs, or ask for less output (max_tokens).");
        }
        return tr("Is the server up? Check baseUrl, or raise connectTimeoutMs.");
    case ErrorKind::Truncated:
        return tr("A server or a proxy closed the stream: look into their logs and limits.");
    case ErrorKind::Cancelled:
        break;
    }
    return {};
}

QString serverTimesText(const std::string& json)
{
    const QJsonObject times = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    struct Known {
        const char* word;
        QJsonValue value;
        double perMs; ///< units in a millisecond
    };
    const QJsonObject timings = times.value(QLatin1String("timings")).toObject(); // llama.cpp
    const QJsonObject usage = times.value(QLatin1String("usage")).toObject(); // Groq
    constexpr double nsPerMs = 1e6; // Ollama
    constexpr double secondsPerMs = 1e-3;
    const std::array<Known, 10> known{{
        {QT_TRANSLATE_NOOP("RequestWords", "queue %1"), usage.value(QLatin1String("queue_time")), secondsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "load %1"), times.value(QLatin1String("load_duration")), nsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "prompt %1"), timings.value(QLatin1String("prompt_ms")), 1},
        {QT_TRANSLATE_NOOP("RequestWords", "prompt %1"), times.value(QLatin1String("prompt_eval_duration")), nsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "prompt %1"), usage.value(QLatin1String("prompt_time")), secondsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "output %1"), timings.value(QLatin1String("predicted_ms")), 1},
        {QT_TRANSLATE_NOOP("RequestWords", "output %1"), times.value(QLatin1String("eval_duration")), nsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "output %1"), usage.value(QLatin1String("completion_time")), secondsPerMs},
        {QT_TRANSLATE_NOOP("RequestWords", "%1 a token"), timings.value(QLatin1String("predicted_per_token_ms")), 1},
        {QT_TRANSLATE_NOOP("RequestWords", "in all %1"), times.value(QLatin1String("total_duration")), nsPerMs},
    }};
    QStringList parts;
    for (const Known& each : known) {
        if (each.value.isDouble()) {
            parts.append(tr(each.word).arg(durationText(each.value.toDouble() / each.perMs)));
        }
    }
    return parts.isEmpty() ? QString() : tr("The server says: %1.").arg(parts.join(QStringLiteral(", ")));
}

QString chunksText(const Timeline& timeline)
{
    const int chunks = chunkCount(timeline);
    const auto tokens = timeline.usage.completionTokens;
    if (chunks == 0 || !tokens || *tokens == 0) {
        return {};
    }
    const double perChunk = static_cast<double>(*tokens) / chunks;
    // The last event of many servers is no token, and one of some is two: that is no chunking.
    constexpr double same = 0.05;
    if (std::abs(perChunk - 1) <= same || std::abs(static_cast<double>(*tokens) - chunks) <= 2) {
        return {};
    }
    return tr("%1 tokens in %2 chunks, %3 a chunk: the gaps are gaps between chunks.")
        .arg(countText(*tokens), countText(chunks), threeDigits(perChunk));
}

QString flagsText(Flags flags)
{
    QStringList sentences;
    for (const std::string_view word : names(flags)) {
        if (const std::optional<Flag> flag = flagFromName(word)) {
            sentences.append(flagWord(*flag) + QStringLiteral(": ") + flagDefinition(*flag));
        }
    }
    return sentences.join(QLatin1Char('\n'));
}

} // namespace tokenpace
