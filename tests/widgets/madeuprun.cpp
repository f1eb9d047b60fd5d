// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "widgets/madeuprun.h"

#include <cmath>

#include "measure/metrics.h"

namespace tokenpace::test {

namespace {
const QString liveRun = QStringLiteral("made-up-live");
}

QList<MadeUpModel> pictureModels()
{
    const QString local = QStringLiteral("127.0.0.1:8080");
    return {
        {local, QStringLiteral("gemma-3-270m"), {}, 38, 0.055, 8.25},
        {local, QStringLiteral("qwen-small"), {}, 120, 0.25, 17.5},
        {QStringLiteral("gateway.example"), QStringLiteral("large"), QStringLiteral("gateway/large"), 310, 0.42, 36.7},
    };
}

Settings pictureSettings()
{
    Settings settings;
    settings.source = QStringLiteral("made up");
    settings.hash = QStringLiteral("0123abc");
    settings.telemetry.outputPath = QStringLiteral("logs/token_timing.jsonl");
    for (const MadeUpModel& model : pictureModels()) {
        if (settings.endpoints.isEmpty() || settings.endpoints.last().name != model.endpoint) {
            EndpointSettings endpoint;
            endpoint.name = model.endpoint;
            endpoint.baseUrl = QStringLiteral("http://") + model.endpoint + QStringLiteral("/v1");
            settings.endpoints.append(endpoint);
        }
        settings.endpoints.last().models.append(ModelSettings{model.model, model.alias, {}});
    }
    settings.experiment.promptTokens = {100, 300, 1000, 3000, 8000};
    settings.experiment.repeats = 12;
    settings.experiment.warmup = 0;
    return settings;
}

MadeUpRun::MadeUpRun(unsigned seed)
    : m_random(seed)
{
}

double MadeUpRun::noise(double sigma)
{
    return std::exp(std::normal_distribution<double>(0, sigma)(m_random));
}

std::shared_ptr<Timeline> MadeUpRun::request(const MadeUpModel& model, int seq, int promptTokens, int tokens)
{
    auto made = std::make_shared<Timeline>();
    Timeline& timeline = *made;
    timeline.run = runId().toStdString();
    timeline.seq = seq;
    timeline.model = model.model.toStdString();
    timeline.endpoint = model.endpoint.toStdString();
    timeline.startedAtMs = 1700000000000 + seq * 1000;
    timeline.promptTokensTarget = promptTokens;
    timeline.usage.promptTokens = std::lround(promptTokens * 1.0 + 20 * noise(0.5));
    timeline.usage.completionTokens = tokens;
    timeline.streamed = true;
    timeline.finishReason = "length";
    timeline.manager = "stock";
    timeline.reused = true;
    timeline.phases.send = fromMs(0.41);
    const Stamp zero = std::chrono::hours(1) + std::chrono::seconds(seq);
    timeline.zero = zero;
    const double ttft = (model.fixedMs + model.perTokenMs * promptTokens) * noise(0.09);
    timeline.marks.headers = zero + fromMs(ttft * 0.965);
    timeline.marks.firstByte = timeline.marks.headers;
    const double pace = model.tpotMs * noise(0.07);
    double at = ttft;
    for (int i = 0; i < tokens; ++i) {
        timeline.arrivals.push_back(zero + fromMs(at));
        timeline.channels.push_back('t');
        at += pace * noise(0.25);
    }
    timeline.marks.firstText = timeline.arrivals.front();
    timeline.marks.end = timeline.arrivals.back() + fromMs(0.3);
    timeline.marks.lastByte = timeline.marks.end;
    timeline.events = tokens + 2;
    setDerivedFlags(timeline);
    return made;
}

std::shared_ptr<Timeline> MadeUpRun::stalled(const MadeUpModel& model, int seq, int promptTokens, int after,
                                             double stallMs)
{
    std::shared_ptr<Timeline> made = request(model, seq, promptTokens);
    for (std::size_t i = static_cast<std::size_t>(after); i < made->arrivals.size(); ++i) {
        made->arrivals[i] += fromMs(stallMs);
    }
    made->marks.end = made->arrivals.back() + fromMs(0.3);
    made->marks.lastByte = made->marks.end;
    setDerivedFlags(*made);
    return made;
}

std::shared_ptr<Timeline> MadeUpRun::failed(const MadeUpModel& model, int seq, int promptTokens, Status status,
                                            ErrorKind kind, const char* message)
{
    std::shared_ptr<Timeline> made = request(model, seq, promptTokens);
    made->status = status;
    RequestError error;
    error.kind = kind;
    error.message = message;
    if (kind == ErrorKind::Timeout) {
        error.phase = Phase::Ttft;
    }
    made->error = error;
    made->arrivals.clear();
    made->channels.clear();
    made->usage = {};
    made->streamed.reset();
    made->finishReason.reset();
    made->marks = {};
    made->marks.end = *made->zero + fromMs(900);
    made->flags = {};
    return made;
}

int fillPicture(Session& session)
{
    const QList<MadeUpModel> models = pictureModels();
    const QList<int> lengths{100, 300, 1000, 3000, 8000};
    MadeUpRun run(7);
    std::vector<TimelinePtr> made;
    // What the last rows of the picture show, by place in the plan: model and length.
    struct Place {
        int model;
        int length;
    };
    const Place last[] = {{1, 3000}, {0, 3000}, {2, 3000}, {2, 8000}, {0, 8000}, {1, 8000}};
    int seq = 1;
    for (int repeat = 0; repeat < 8 && seq < 115; ++repeat) {
        for (const int length : lengths) {
            for (int model = 0; model < 3 && seq < 115; ++model, ++seq) {
                if (seq == 48) {
                    made.push_back(run.failed(models.at(model), seq, length, Status::Timeout, ErrorKind::Timeout,
                                              "no output within 30 s"));
                    continue;
                }
                const std::shared_ptr<Timeline> timeline = run.request(models.at(model), seq, length);
                if (seq == 41) {
                    timeline->usage.cachedTokens = *timeline->usage.promptTokens / 2;
                    setDerivedFlags(*timeline);
                }
                made.push_back(timeline);
            }
        }
    }
    for (const Place& place : last) {
        if (seq == 117) {
            made.push_back(run.stalled(models.at(place.model), seq, place.length, 52, 580));
        } else {
            made.push_back(run.request(models.at(place.model), seq, place.length));
        }
        ++seq;
    }
    session.appendLog(made);

    // One that is still receiving, as the client tells of it.
    const MadeUpModel& large = models.at(2);
    std::vector<RequestsModel::Announced> announced(static_cast<std::size_t>(seq) + 1);
    announced[static_cast<std::size_t>(seq)] = {session.series().seriesFor(large.endpoint, large.model, large.alias),
                                                100, 128};
    session.requests().announce(liveRun, std::move(announced));
    const std::shared_ptr<Timeline> whole = run.request(large, seq, 100);
    const Stamp zero = steadyNow() - (whole->arrivals[73] - *whole->zero) - fromMs(30);
    std::vector<ClientUpdate> batch{RequestStarted{liveRun, seq, zero}};
    for (std::size_t i = 0; i < 74; ++i) {
        batch.push_back(OutputsArrived{liveRun, seq, zero + (whole->arrivals[i] - *whole->zero), 1, Channel::Text});
    }
    session.requests().apply(batch);
    return session.requests().rowOf(MadeUpRun::runId(), 115);
}

void finishPicture(Session& session)
{
    RequestsModel& requests = session.requests();
    for (int row = 0; row < requests.rowCount(); ++row) {
        const RequestsModel::Row& request = requests.row(row);
        if (request.finished()) {
            continue;
        }
        const std::shared_ptr<Timeline> whole =
            MadeUpRun(11).request(pictureModels().at(2), request.seq, static_cast<int>(*request.promptTokensTarget));
        whole->run = request.run.toStdString();
        requests.apply({RequestFinished{whole, {}}});
    }
}

} // namespace tokenpace::test
