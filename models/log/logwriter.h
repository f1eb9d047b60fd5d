// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <memory>

#include <QObject>
#include <QString>
#include <QThread>

#include "measure/timeline.h"

namespace tokenpace {

class LogWorker;

/// Appends records to one file from a thread of its own: one write(2) per line on a file opened with O_APPEND, so
/// that several programs may append at once; a torn last line is left behind by starting on a new one; a file that was
/// deleted or replaced is opened anew. Lives on the thread that made it; its destructor writes what was handed over
/// and joins. append() may be called from any thread.
class LogWriter final {
public:
    /// Makes the line (on the log thread): serialises and takes secrets out.
    using Formatter = std::function<std::string(const Timeline&)>;
    /// Told on the log thread once the line is written; `error` is empty, or says in words why it was not.
    using Done = std::function<void(const QString& error)>;

    /// An empty path keeps no log: done is still called, in order.
    LogWriter(QString path, Formatter formatter);
    ~LogWriter();
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    void append(std::shared_ptr<const Timeline> timeline, Done done);

    [[nodiscard]] QString path() const { return m_path; }

private:
    struct QuitWaitDelete {
        void operator()(QThread* thread) const;
    };
    QString m_path;
    LogWorker* m_worker = nullptr; // lives on m_thread; deleted when that finishes
    std::unique_ptr<QThread, QuitWaitDelete> m_thread; // last: joins before the rest goes
};

} // namespace tokenpace
