// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "loadserver.h"

#include <cstdio>
#include <string>

#include <unistd.h>

#include <QCoreApplication>
#include <QFile>

#include "sim/simserver.h"

namespace tokenpace::bench {

namespace {
constexpr int startTimeoutMs = 10'000;
} // namespace

QString loadModelName(int index)
{
    return QStringLiteral("load-%1").arg(index + 1);
}

int serveLoad(double tpotMs, int streamsPerModel)
{
    sim::SimOptions options;
    for (int i = 0; i < loadModels; ++i) {
        sim::SimModel model;
        model.name = loadModelName(i).toStdString();
        // Short prefills: while one runs, the model's other streams stand still, and here it is tokens that count.
        model.prefillFixedMs = 2 + i;
        model.prefillMsPerToken = 0.004;
        model.decodeFloorMs = tpotMs;
        model.decodeMsPerSequence = 0;
        model.maxBatch = streamsPerModel * 2;
        options.models.push_back(model);
    }
    sim::SimServer server(std::move(options));
    if (!server.start()) {
        std::fprintf(stderr, "%s\n", server.error().c_str());
        return 1;
    }
    std::printf("%s\n", server.baseUrl().c_str());
    std::fflush(stdout);
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) > 0) { }
    return 0;
}

LoadServer::LoadServer(double tpotMs, int streamsPerModel)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--serve"), QStringLiteral("--tpot-ms"), QString::number(tpotMs),
                     QStringLiteral("--streams"), QString::number(streamsPerModel * loadModels)});
    while (m_process.state() != QProcess::NotRunning && !m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(startTimeoutMs)) {
            return;
        }
    }
    m_baseUrl = QString::fromUtf8(m_process.readLine()).trimmed();
}

LoadServer::~LoadServer()
{
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(startTimeoutMs)) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

double LoadServer::cpuSeconds() const
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(m_process.processId()));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it.
    const QByteArray text = file.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    constexpr int userField = 11;
    if (fields.size() <= userField + 1) {
        return 0;
    }
    const double ticks = fields[userField].toDouble() + fields[userField + 1].toDouble();
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace tokenpace::bench
