// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logloader.h"

namespace tokenpace {

LogLoader::LogLoader(QObject* parent)
    : QObject(parent)
{
}

LogLoader::~LogLoader()
{
    join();
}

void LogLoader::join()
{
    m_cancel = true;
    if (m_thread.joinable()) {
        m_thread.join();
    }
    m_cancel = false;
}

void LogLoader::load(const QString& path)
{
    join();
    m_path = path;
    m_loading = true;
    const int token = ++m_token;
    m_thread = std::thread([this, path, token] {
        auto log = std::make_shared<const LoadedLog>(loadLog(path, maxRecords, &m_cancel));
        QMetaObject::invokeMethod(
            this,
            [this, token, log] {
                onLoaded(token, log);
            },
            Qt::QueuedConnection);
    });
}

void LogLoader::cancel()
{
    m_cancel = true;
}

void LogLoader::onLoaded(int token, std::shared_ptr<const LoadedLog> log)
{
    if (token != m_token) {
        return;
    }
    m_loading = false;
    const bool cancelled = m_cancel;
    join();
    emit loaded(m_path, std::move(log), cancelled);
}

} // namespace tokenpace
