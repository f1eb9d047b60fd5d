// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <vector>

#include <QByteArray>
#include <QFile>
#include <QString>

#include <nlohmann/json.hpp>

namespace tokenpace::test {

/// One stream as bytes with times, and what a right reader makes of it.
struct StreamCase {
    struct Step {
        double atMs = 0;
        std::string bytes;
    };
    std::string id;
    std::string protocol; ///< `chat`, `anthropic`, `responses` or `ollama`
    bool stalls = false; ///< the socket stays open after the last step
    std::vector<Step> steps;
    nlohmann::json expected;

    [[nodiscard]] std::string allBytes() const
    {
        std::string bytes;
        for (const Step& step : steps) {
            bytes += step.bytes;
        }
        return bytes;
    }
};

/// The field cases of one protocol, or all.
inline std::vector<StreamCase> streamCases(const std::string& protocol = {})
{
    QFile file(QStringLiteral(TOKENPACE_TEST_CASES "/streams.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    std::vector<StreamCase> cases;
    for (const auto& entry : nlohmann::json::parse(file.readAll().toStdString())) {
        if (!protocol.empty() && entry.at("proto") != protocol) {
            continue;
        }
        StreamCase streamCase;
        streamCase.id = entry.at("id");
        streamCase.protocol = entry.at("proto");
        streamCase.stalls = entry.at("end") == "stall";
        for (const auto& step : entry.at("steps")) {
            const auto encoded = QByteArray::fromStdString(step.at(1).get<std::string>());
            streamCase.steps.push_back({step.at(0), QByteArray::fromBase64(encoded).toStdString()});
        }
        streamCase.expected = entry.at("expected");
        cases.push_back(std::move(streamCase));
    }
    return cases;
}

} // namespace tokenpace::test
