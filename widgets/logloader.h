// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include <QObject>
#include <QString>

#include "log/logreader.h"

namespace tokenpace {

/// Reads one log at a time on a thread of its own. Lives on the GUI thread; its destructor cancels and joins.
class LogLoader final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t maxRecords = 10000; // what the charts and tables of this version are made for

    explicit LogLoader(QObject* parent = nullptr);
    ~LogLoader() override;

    /// Starts; a load that is still going on is cancelled first.
    void load(const QString& path);
    /// Records read so far are kept: loaded() still comes.
    void cancel();
    [[nodiscard]] bool loading() const { return m_loading; }
    [[nodiscard]] QString path() const { return m_path; }

signals:
    void loaded(const QString& path, std::shared_ptr<const tokenpace::LoadedLog> log, bool cancelled);

private:
    void join();
    void onLoaded(int token, std::shared_ptr<const LoadedLog> log);

    QString m_path;
    bool m_loading = false;
    int m_token = 0; // of the load that counts; results of earlier ones are dropped
    std::atomic<bool> m_cancel = false;
    std::thread m_thread; // last: joined in the destructor
};

} // namespace tokenpace
