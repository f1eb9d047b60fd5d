// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planwords.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "experiment/plan.h"
#include "numbertext.h"

namespace tokenpace {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("PlanWords", text);
}

// English plurals without a translation file: "1 model", "2 models".
QString counted(int n, const char* one, const char* many)
{
    return tr(n == 1 ? one : many).arg(countText(n));
}

} // namespace

QString productText(const RunSpec& spec)
{
    QStringList factors{counted(static_cast<int>(spec.targets.size()), "%1 model", "%1 models")};
    if (spec.experiment == Experiment::Length) {
        factors.append(counted(static_cast<int>(spec.promptTokens.size()), "%1 length", "%1 lengths"));
    }
    factors.append(counted(spec.repeats, "%1 repeat", "%1 repeats"));
    return factors.join(QStringLiteral(" × "));
}

QString planText(const RunSpec& spec)
{
    const Plan plan = makePlan(spec);
    QString text = productText(spec) + QStringLiteral(" = ") + counted(plan.measured, "%1 request", "%1 requests");
    const int warmUps = static_cast<int>(plan.requests.size()) - plan.measured;
    if (warmUps > 0) {
        text += tr(" and ") + counted(warmUps, "%1 warm-up", "%1 warm-ups");
    }
    if (plan.promptTokens > 0) {
        text += tr(", about %1 prompt tokens").arg(aboutCount(plan.promptTokens));
    }
    return text + QStringLiteral(", ") + aboutText(roughDuration(spec, plan));
}

QString aboutText(std::chrono::milliseconds duration)
{
    const double seconds = static_cast<double>(duration.count()) / 1000.0;
    if (seconds < 10) {
        return tr("a few seconds");
    }
    if (seconds < 55) {
        return tr("about %1 s").arg(std::lround(seconds / 5) * 5);
    }
    const auto minutes = std::max(1L, std::lround(seconds / 60));
    if (minutes < 60) {
        return tr("about %1 min").arg(minutes);
    }
    return tr("about %1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString spanText(std::chrono::milliseconds duration)
{
    const auto seconds = (duration.count() + 500) / 1000;
    if (seconds < 60) {
        return tr("%1 s").arg(seconds);
    }
    if (seconds < 3600) {
        return tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
    }
    return tr("%1 h %2 min").arg(seconds / 3600).arg(seconds % 3600 / 60);
}

QString aboutCount(std::int64_t count)
{
    if (count < 1000) {
        return QString::number(count);
    }
    if (count < 1000000) {
        const double thousands = static_cast<double>(count) / 1000.0;
        return thousands < 10 ? QString::number(thousands, 'f', 1) + QLatin1Char('k')
                              : QString::number(std::lround(thousands)) + QLatin1Char('k');
    }
    return QString::number(static_cast<double>(count) / 1e6, 'f', 1) + QLatin1Char('M');
}

QString outcomeCounts(const Session::Outcome& outcome)
{
    QStringList parts{tr("%1 ok").arg(countText(outcome.ok))};
    if (outcome.timeouts > 0) {
        parts.append(counted(outcome.timeouts, "%1 time-out", "%1 time-outs"));
    }
    if (outcome.failed > 0) {
        parts.append(tr("%1 failed").arg(countText(outcome.failed)));
    }
    if (outcome.cancelled > 0) {
        parts.append(tr("%1 stopped").arg(countText(outcome.cancelled)));
    }
    return parts.join(QStringLiteral(", "));
}

bool samePlan(const RunSpec& a, const RunSpec& b)
{
    const bool sameTargets =
        std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(),
                   [](const Target& left, const Target& right) {
                       return left.endpoint.name == right.endpoint.name && left.model == right.model;
                   });
    return sameTargets && a.experiment == b.experiment
        && (a.experiment == Experiment::Single || a.promptTokens == b.promptTokens) && a.repeats == b.repeats
        && a.warmup == b.warmup && a.concurrency == b.concurrency && a.interleaved == b.interleaved
        && a.maxTokens == b.maxTokens && a.prompt == b.prompt && a.system == b.system;
}

} // namespace tokenpace
