// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "requestcell.h"

#include <QCoreApplication>
#include <QStringList>

#include "definitions.h"
#include "measure/metrics.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

using Row = RequestsModel::Row;

QString text(const char* source)
{
    return QCoreApplication::translate("tokenpace::RequestsModel", source);
}

QString fromUtf8(const std::string& word)
{
    return QString::fromStdString(word);
}

QString lines(QStringList all)
{
    all.removeAll(QString());
    return all.join(u'\n');
}

/// TTFT of a request that still runs, by the same definition.
std::optional<double> liveTtftMs(const Row& row)
{
    if (row.liveArrivals.empty()) {
        return std::nullopt;
    }
    Timeline soFar;
    soFar.zero = row.zero;
    soFar.arrivals = {row.liveArrivals.front()};
    return ttftMs(soFar);
}

std::optional<PromptLength> promptOf(const Row& row)
{
    if (row.timeline) {
        return promptLength(*row.timeline);
    }
    if (row.promptTokensTarget) {
        return PromptLength{static_cast<double>(*row.promptTokensTarget), true};
    }
    return std::nullopt;
}

std::optional<double> number(const Row& row, RequestsModel::Column column)
{
    if (!row.timeline) {
        return column == RequestsModel::Ttft ? liveTtftMs(row) : std::nullopt;
    }
    switch (column) {
    case RequestsModel::Ttft:
        return ttftMs(*row.timeline);
    case RequestsModel::Tpot:
        return tpotMs(*row.timeline);
    case RequestsModel::E2e:
        return e2eMs(*row.timeline);
    case RequestsModel::Throughput:
        return throughputTps(*row.timeline);
    default:
        return std::nullopt;
    }
}

std::optional<qint64> outputOf(const Row& row)
{
    if (row.timeline) {
        return outputTokens(*row.timeline);
    }
    return static_cast<qint64>(row.liveArrivals.size());
}

bool outputIsChunks(const Row& row)
{
    return !row.timeline || tokensAreChunks(*row.timeline);
}

QString statusOf(const Row& row)
{
    if (row.timeline) {
        return statusText(row.timeline->status);
    }
    return row.liveArrivals.empty() ? text("waiting") : text("receiving");
}

/// The finish reason; without one, how a request that did not end ok stands, so that a row of dashes explains itself.
QString finishOf(const Row& row)
{
    if (row.timeline && row.timeline->finishReason) {
        return fromUtf8(*row.timeline->finishReason);
    }
    return row.timeline && row.timeline->status == Status::Ok ? dashText : statusOf(row);
}

QString flagsOf(const Row& row)
{
    QStringList words;
    if (row.timeline) {
        for (const std::string_view word : names(row.timeline->flags)) {
            words.append(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
        }
    }
    return words.isEmpty() ? dashText : words.join(QStringLiteral(", "));
}

QString modelToolTip(const Row& row, const SeriesModel& series)
{
    const SeriesModel::Series& its = series.at(row.series);
    QString served;
    if (row.timeline && row.timeline->servedModel && fromUtf8(*row.timeline->servedModel) != its.model) {
        served = text("asked for %1, served by %2").arg(its.model, fromUtf8(*row.timeline->servedModel));
    }
    const QString endpoint = its.endpoint.isEmpty() ? QString() : text("endpoint %1").arg(its.endpoint);
    return lines({its.model, endpoint, served});
}

QString promptToolTip(const Row& row)
{
    const auto prompt = promptOf(row);
    if (!prompt) {
        return text("The length of the prompt is unknown: no usage, no estimate.");
    }
    const auto tokens = countText(static_cast<qint64>(prompt->tokens));
    QStringList all{prompt->estimated ? text("about %1 tokens: an estimate, for want of usage").arg(tokens)
                                      : text("%1 tokens by usage").arg(tokens)};
    if (row.promptTokensTarget) {
        all.append(text("asked for: %1").arg(countText(*row.promptTokensTarget)));
    }
    if (row.timeline && row.timeline->usage.cachedTokens) {
        all.append(text("from the prefix cache: %1").arg(countText(*row.timeline->usage.cachedTokens)));
    }
    return lines(all);
}

/// Why the request is in no figure of the summary; empty when it counts.
QString notCountedNote(const Row& row, bool counted)
{
    if (!row.timeline || counted) {
        return {};
    }
    const Timeline& timeline = *row.timeline;
    if (timeline.status != Status::Ok) {
        return text("Not counted: the request ended as %1.").arg(statusText(timeline.status));
    }
    if (timeline.attempts > 1) {
        return text("Not counted: it needed %1 attempts.").arg(countText(timeline.attempts));
    }
    return text("Not counted, because of its flags: %1.").arg(flagsOf(row));
}

QString numberToolTip(const Row& row, RequestsModel::Column column)
{
    const auto value = number(row, column);
    if (!row.timeline) {
        return value ? exactMs(value) : text("The request is still running.");
    }
    const Timeline& timeline = *row.timeline;
    const QString chunks = tokensAreChunks(timeline) && value ? chunksNote() : QString();
    switch (column) {
    case RequestsModel::Ttft: {
        const auto answer = ttftAnswerMs(timeline);
        const QString toAnswer =
            answer && value && *answer > *value ? text("to the answer: %1").arg(exactMs(answer)) : QString();
        return value ? lines({exactMs(value), toAnswer, notCountedNote(row, ttftCounts(timeline))})
                     : noTtftReason(timeline);
    }
    case RequestsModel::Tpot:
        return value ? lines({exactMs(value), chunks, notCountedNote(row, tpotCounts(timeline))})
                     : noTpotReason(timeline);
    case RequestsModel::E2e: {
        const auto total = totalMs(timeline);
        const QString toEnd = total ? text("to the end of the reply: %1").arg(exactMs(total)) : QString();
        return value ? lines({exactMs(value), toEnd, notCountedNote(row, counts(timeline))}) : noE2eReason(timeline);
    }
    default:
        return value ? lines({text("%1 tokens/s, of this request").arg(exactNumber(value)), chunks,
                              notCountedNote(row, counts(timeline))})
                     : text("Tokens or E2E are unknown.");
    }
}

QString outputToolTip(const Row& row)
{
    if (!row.timeline) {
        const QString soFar = text("%1 output events so far").arg(countText(outputOf(row)));
        return row.expectedTokens > 0 ? lines({soFar, text("limit: %1 tokens").arg(countText(row.expectedTokens))})
                                      : soFar;
    }
    const Timeline& timeline = *row.timeline;
    const auto tokens = outputTokens(timeline);
    if (!tokens) {
        return text("The number of output tokens is unknown.");
    }
    QStringList all{text("%1 tokens").arg(countText(*tokens))};
    all.append(tokensAreChunks(timeline) ? chunksNote()
                                         : text("output events (chunks): %1").arg(countText(chunkCount(timeline))));
    if (timeline.usage.reasoningTokens) {
        all.append(text("of them reasoning: %1").arg(countText(*timeline.usage.reasoningTokens)));
    }
    return lines(all);
}

QString statusToolTip(const Row& row)
{
    if (!row.timeline || !row.timeline->error) {
        return statusOf(row);
    }
    const RequestError& error = *row.timeline->error;
    const QString where = error.phase ? phaseText(*error.phase) : QString();
    const QString http = error.httpStatus ? text("HTTP status %1").arg(*error.httpStatus) : QString();
    return lines({statusOf(row), where, http, fromUtf8(error.message)});
}

QString finishToolTip(const Row& row)
{
    if (row.timeline && row.timeline->finishReason) {
        return lines({text("finish reason, as the server sent it: %1").arg(fromUtf8(*row.timeline->finishReason)),
                      statusToolTip(row)});
    }
    return lines({row.timeline ? text("The server named no finish reason.") : QString(), statusToolTip(row)});
}

QString flagsToolTip(const Row& row)
{
    QStringList all;
    if (row.timeline) {
        for (const std::string_view word : names(row.timeline->flags)) {
            if (const auto flag = flagFromName(word)) {
                all.append(flagDefinition(*flag));
            }
        }
    }
    return all.isEmpty() ? text("No flags.") : all.join(u'\n');
}

} // namespace

QString requestCellText(const Row& row, RequestsModel::Column column, const SeriesModel& series)
{
    switch (column) {
    case RequestsModel::Seq:
        return countText(row.seq);
    case RequestsModel::Model:
        return series.at(row.series).label;
    case RequestsModel::PromptTokens: {
        const auto prompt = promptOf(row);
        if (!prompt) {
            return dashText;
        }
        const QString tokens = countText(static_cast<qint64>(prompt->tokens));
        return prompt->estimated ? approximately(tokens) : tokens;
    }
    case RequestsModel::Ttft:
    case RequestsModel::E2e:
        return threeDigits(number(row, column));
    case RequestsModel::Tpot:
    case RequestsModel::Throughput: {
        const QString figure = threeDigits(number(row, column));
        return row.timeline && tokensAreChunks(*row.timeline) ? approximately(figure) : figure;
    }
    case RequestsModel::OutputTokens: {
        if (!row.timeline && row.liveArrivals.empty()) {
            return dashText;
        }
        const QString tokens = countText(outputOf(row));
        return outputIsChunks(row) ? approximately(tokens) : tokens;
    }
    case RequestsModel::FinishReason:
        return finishOf(row);
    case RequestsModel::StatusText:
        return statusOf(row);
    case RequestsModel::FlagsText:
        return flagsOf(row);
    case RequestsModel::ColumnCount:
        break;
    }
    return {};
}

QString requestCellToolTip(const Row& row, RequestsModel::Column column, const SeriesModel& series)
{
    switch (column) {
    case RequestsModel::Seq:
        return row.run.isEmpty() ? text("place in the plan") : text("run %1").arg(row.run);
    case RequestsModel::Model:
        return modelToolTip(row, series);
    case RequestsModel::PromptTokens:
        return promptToolTip(row);
    case RequestsModel::Ttft:
    case RequestsModel::Tpot:
    case RequestsModel::E2e:
    case RequestsModel::Throughput:
        return numberToolTip(row, column);
    case RequestsModel::OutputTokens:
        return outputToolTip(row);
    case RequestsModel::FinishReason:
        return finishToolTip(row);
    case RequestsModel::StatusText:
        return statusToolTip(row);
    case RequestsModel::FlagsText:
        return flagsToolTip(row);
    case RequestsModel::ColumnCount:
        break;
    }
    return {};
}

QVariant requestCellValue(const Row& row, RequestsModel::Column column, const SeriesModel& series)
{
    const auto orInvalid = [](const auto& value) {
        return value ? QVariant::fromValue(*value) : QVariant();
    };
    const auto wordOrInvalid = [](const QString& word) {
        return word == dashText ? QVariant() : QVariant(word);
    };
    switch (column) {
    case RequestsModel::Seq:
        return row.seq;
    case RequestsModel::Model:
        return series.at(row.series).label;
    case RequestsModel::PromptTokens: {
        const auto prompt = promptOf(row);
        return prompt ? QVariant(prompt->tokens) : QVariant();
    }
    case RequestsModel::Ttft:
    case RequestsModel::Tpot:
    case RequestsModel::E2e:
    case RequestsModel::Throughput:
        return orInvalid(number(row, column));
    case RequestsModel::OutputTokens:
        return !row.timeline && row.liveArrivals.empty() ? QVariant() : orInvalid(outputOf(row));
    case RequestsModel::FinishReason:
        return wordOrInvalid(finishOf(row));
    case RequestsModel::StatusText:
        return statusOf(row);
    case RequestsModel::FlagsText:
        return wordOrInvalid(flagsOf(row));
    case RequestsModel::ColumnCount:
        break;
    }
    return {};
}

QString requestColumnTitle(RequestsModel::Column column)
{
    switch (column) {
    case RequestsModel::Seq:
        return text("#");
    case RequestsModel::Model:
        return text("Model");
    case RequestsModel::PromptTokens:
        return text("Prompt, tokens");
    case RequestsModel::Ttft:
        return text("TTFT, ms");
    case RequestsModel::Tpot:
        return text("TPOT, ms");
    case RequestsModel::E2e:
        return text("E2E, ms");
    case RequestsModel::OutputTokens:
        return text("Output");
    case RequestsModel::Throughput:
        return text("Tokens/s");
    case RequestsModel::FinishReason:
        return text("Finish");
    case RequestsModel::StatusText:
        return text("Status");
    case RequestsModel::FlagsText:
        return text("Flags");
    case RequestsModel::ColumnCount:
        break;
    }
    return {};
}

QString requestColumnToolTip(RequestsModel::Column column)
{
    switch (column) {
    case RequestsModel::Seq:
        return text("The request's place in the plan of its run, from 0; warm-ups are numbered too.");
    case RequestsModel::Model:
        return text("The model asked for. One colour per endpoint and model, in every chart and table.");
    case RequestsModel::PromptTokens:
        return definition(Figure::PromptTokens);
    case RequestsModel::Ttft:
        return definition(Figure::Ttft);
    case RequestsModel::Tpot:
        return definition(Figure::Tpot);
    case RequestsModel::E2e:
        return definition(Figure::E2e);
    case RequestsModel::OutputTokens:
        return definition(Figure::OutputTokens);
    case RequestsModel::Throughput:
        return definition(Figure::Throughput);
    case RequestsModel::FinishReason:
        return text("The finish reason as the server sent it; without one, how the request ended.");
    case RequestsModel::StatusText:
        return text("How the request ended: ok, truncated, time-out, cancelled or error.");
    case RequestsModel::FlagsText:
        return text("What was noticed about the request. Some flags keep it out of the summary: the cell's tool tip "
                    "says which.");
    case RequestsModel::ColumnCount:
        break;
    }
    return {};
}

} // namespace tokenpace
