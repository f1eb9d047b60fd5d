// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QList>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QObject>
#include <QStringList>
#include <QTest>
#include <QUrl>

#include "net/clientrequest.h"
#include "net/connectionpool.h"
#include "net/manager.h"
#include "support/scriptedserver.h"

namespace tokenpace::test {

/// A manager along a route, with the pool that it may need.
struct MadeManager {
    std::unique_ptr<ConnectionPool> pool = std::make_unique<ConnectionPool>();
    Manager manager;

    MadeManager(Route route, Route::ManagerKind kind, const QUrl& url)
    {
        route.manager = kind;
        manager = makeManager(route, url, pool.get());
    }
    [[nodiscard]] QNetworkAccessManager& access() const { return *manager.access; }
};

constexpr int longWaitMs = 20'000;

inline Route measured()
{
    Route route;
    route.manager = Route::ManagerKind::Measuring;
    return route;
}

inline QUrl urlOf(const ScriptedServer& server)
{
    return QUrl(QString::fromStdString(server.url()));
}

inline QNetworkRequest plainRequest(const QUrl& url)
{
    QNetworkRequest request(url);
    request.setRawHeader("Content-Type", "application/json");
    request.setRawHeader("Accept-Encoding", "identity");
    return request;
}

/// Writes down the signals of a reply, with what can be asked of it in each: name, isFinished, error, status, isOpen,
/// and the bytes that could be read since the last line.
class Trace final : public QObject {
public:
    explicit Trace(QNetworkReply* reply)
        : m_reply(reply)
    {
        connect(reply, &QNetworkReply::socketStartedConnecting, this, [this] {
            note("connecting");
        });
        connect(reply, &QNetworkReply::encrypted, this, [this] {
            note("encrypted");
        });
        connect(reply, &QNetworkReply::requestSent, this, [this] {
            note("requestSent");
        });
        connect(reply, &QNetworkReply::uploadProgress, this, [this](qint64 sent, qint64 total) {
            note("uploadProgress " + QByteArray::number(sent) + '/' + QByteArray::number(total));
        });
        connect(reply, &QNetworkReply::metaDataChanged, this, [this] {
            note("metaDataChanged");
        });
        connect(reply, &QNetworkReply::readyRead, this, [this] {
            body += m_reply->readAll();
            note("readyRead");
        });
        connect(reply, &QNetworkReply::errorOccurred, this, [this] {
            note("errorOccurred");
        });
        connect(reply, &QNetworkReply::readChannelFinished, this, [this] {
            note("readChannelFinished");
        });
        connect(reply, &QNetworkReply::finished, this, [this] {
            if (m_reply->isOpen()) {
                body += m_reply->readAll();
            }
            note("finished");
            over = true;
        });
    }

    /// How many readyReads a body takes is a matter of time: several in a row are one here.
    [[nodiscard]] QStringList lines() const
    {
        QStringList lines;
        for (const QString& line : m_lines) {
            if (lines.isEmpty() || lines.last() != line || !line.startsWith(QStringLiteral("readyRead"))) {
                lines.append(line);
            }
        }
        return lines;
    }

    QByteArray body;
    bool over = false;

private:
    void note(const QByteArray& name)
    {
        const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        m_lines.append(QStringLiteral("%1 finished=%2 error=%3 status=%4 open=%5")
                           .arg(QString::fromLatin1(name))
                           .arg(m_reply->isFinished())
                           .arg(static_cast<int>(m_reply->error()))
                           .arg(status)
                           .arg(m_reply->isOpen()));
    }

    QNetworkReply* m_reply; // outlives this
    QStringList m_lines;
};

inline bool waitUntilOver(const Trace& trace)
{
    return QTest::qWaitFor(
        [&] {
            return trace.over;
        },
        longWaitMs);
}

} // namespace tokenpace::test
