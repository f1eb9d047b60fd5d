// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace tokenpace::bench {

inline constexpr int loadModels = 8;
[[nodiscard]] QString loadModelName(int index);

/// The whole program of the child process: serves the models until standard input ends. Each model streams a token to
/// each of its streams every `tpotMs`.
int serveLoad(double tpotMs, int streamsPerModel);

/// The simulated endpoint in a process of its own, so that its work is in none of the figures of this one.
class LoadServer {
public:
    LoadServer(double tpotMs, int streamsPerModel);
    ~LoadServer();

    [[nodiscard]] QString baseUrl() const { return m_baseUrl; } ///< empty: it did not start
    [[nodiscard]] double cpuSeconds() const; ///< used so far

private:
    QProcess m_process;
    QString m_baseUrl;
};

} // namespace tokenpace::bench
