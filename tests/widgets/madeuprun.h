// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <random>

#include "session.h"

namespace tokenpace::test {

/// How a made-up model behaves.
struct MadeUpModel {
    QString endpoint;
    QString model;
    QString alias;
    double fixedMs = 0;
    double perTokenMs = 0;
    double tpotMs = 0;
};

/// The three models of the design's pictures.
[[nodiscard]] QList<MadeUpModel> pictureModels();
/// Settings with their two endpoints; nothing listens there.
[[nodiscard]] Settings pictureSettings();

/// Makes finished requests with seeded noise: the same seed, the same timelines. Stamps lie in the past.
class MadeUpRun {
public:
    explicit MadeUpRun(unsigned seed);

    [[nodiscard]] std::shared_ptr<Timeline> request(const MadeUpModel& model, int seq, int promptTokens,
                                                    int tokens = 128);
    /// One whose stream stalls after a number of tokens.
    [[nodiscard]] std::shared_ptr<Timeline> stalled(const MadeUpModel& model, int seq, int promptTokens, int after,
                                                    double stallMs);
    [[nodiscard]] std::shared_ptr<Timeline> failed(const MadeUpModel& model, int seq, int promptTokens, Status status,
                                                   ErrorKind kind, const char* message);

    [[nodiscard]] static QString runId() { return QStringLiteral("made-up"); }

private:
    [[nodiscard]] double noise(double sigma);
    std::mt19937 m_random;
};

/// Fills a session as in the design's picture of a run: 120 finished requests of three models at five lengths, one
/// still receiving. Returns the row of request 115.
int fillPicture(Session& session);
/// Lets the one that is still receiving there end.
void finishPicture(Session& session);

} // namespace tokenpace::test
