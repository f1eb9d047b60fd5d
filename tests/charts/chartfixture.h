// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <QItemSelectionModel>

#include "chartdata.h"
#include "requestsmodel.h"
#include "seriesmodel.h"

namespace tokenpace::test {

/// Models as the window has them, to be filled with made-up requests.
struct ChartFixture {
    SeriesModel series;
    RequestsModel requests{series};
    ChartData data{requests};
    QItemSelectionModel selection{&requests};
    int nextSeq = 0;

    /// A finished request of 128 tokens; on a fake clock, written at 1 s.
    [[nodiscard]] Timeline timeline(const std::string& model, std::int64_t target, std::int64_t prompt, double ttft,
                                    double tpot)
    {
        constexpr int tokens = 128;
        Timeline timeline;
        timeline.run = "run";
        timeline.seq = nextSeq++;
        timeline.model = model;
        timeline.endpoint = "local";
        timeline.zero = fromMs(1000);
        timeline.streamed = true;
        timeline.usage.promptTokens = prompt;
        timeline.usage.completionTokens = tokens;
        timeline.promptTokensTarget = target;
        timeline.arrivals = {fromMs(1000 + ttft), fromMs(1000 + ttft + tpot * 60),
                             fromMs(1000 + ttft + tpot * (tokens - 1))};
        timeline.channels = "ttt";
        timeline.marks.firstText = timeline.arrivals.front();
        timeline.marks.lastByte = timeline.arrivals.back();
        return timeline;
    }

    void add(const std::vector<Timeline>& timelines)
    {
        std::vector<TimelinePtr> batch;
        for (const Timeline& one : timelines) {
            batch.push_back(std::make_shared<const Timeline>(one));
        }
        requests.append(batch);
    }

    void add(const std::string& model, std::int64_t target, double ttft, double tpot)
    {
        add({timeline(model, target, target, ttft, tpot)});
    }
};

/// A model of the made-up kind: fixed cost, cost per token, TPOT, and how much all of them vary.
struct MadeUpModel {
    std::string name;
    double fixedMs;
    double perTokenMs;
    double quadraticMs; ///< per million of squared tokens
    double tpotMs;
    double spread; ///< standard deviation of the logarithms
};

/// `repeats` rounds over all models and lengths, seeded.
inline void fill(ChartFixture& fixture, const std::vector<MadeUpModel>& models, const std::vector<int>& lengths,
                 int repeats, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Timeline> batch;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (const int length : lengths) {
            for (const MadeUpModel& model : models) {
                const double prompt = length * (1 + 0.03 * normal(random));
                const double base =
                    model.fixedMs + model.perTokenMs * prompt + model.quadraticMs * prompt * prompt / 1e6;
                const double late = 1 + std::max(0.0, normal(random) - 1.6) * 0.5; // the long tail of servers
                batch.push_back(fixture.timeline(model.name, length, std::lround(prompt),
                                                 base * std::exp(model.spread * normal(random)) * late,
                                                 model.tpotMs * std::exp(model.spread * 0.7 * normal(random))));
            }
        }
    }
    fixture.add(batch);
}

} // namespace tokenpace::test
