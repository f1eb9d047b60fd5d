// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "log/logreader.h"

#include <algorithm>

#include <QFile>

#include "log/record.h"

namespace tokenpace {

LoadedLog loadLog(const QString& path, std::size_t maxRecords, const std::atomic<bool>* cancel)
{
    constexpr std::size_t maxNamedLines = 20;
    LoadedLog log;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        log.error = QStringLiteral("cannot read %1: %2").arg(path, file.errorString());
        return log;
    }
    std::size_t number = 0;
    while (!file.atEnd()) {
        if (cancel != nullptr && cancel->load()) {
            return log;
        }
        const QByteArray line = file.readLine().trimmed();
        ++number;
        if (line.isEmpty()) {
            continue;
        }
        if (log.records.size() >= maxRecords) {
            log.truncated = true;
            return log;
        }
        ParsedRecord parsed = parseRecordLine({line.constData(), static_cast<std::size_t>(line.size())});
        if (parsed.timeline) {
            log.records.push_back(std::make_shared<const Timeline>(std::move(*parsed.timeline)));
            continue;
        }
        ++log.skippedLines;
        if (log.skippedLineNumbers.size() < maxNamedLines) {
            log.skippedLineNumbers.push_back(number);
        }
    }
    if (file.error() != QFileDevice::NoError) {
        log.error = QStringLiteral("cannot read %1 to its end: %2").arg(path, file.errorString());
    }
    return log;
}

} // namespace tokenpace
