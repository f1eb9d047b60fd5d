// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <QAbstractSocket>
#include <QHostAddress>
#include <QList>
#include <QNetworkProxy>
#include <QObject>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>
#include <QString>
#include <QThread>
#include <QUrl>

#include "settings/environment.h"

namespace tokenpace {

/// The proxy that environment variables name for a URL, as most command-line programs read them.
struct EnvironmentProxy {
    QString variable; ///< such as HTTPS_PROXY
    QString place; ///< host and port; never its user or password
    bool excluded = false; ///< NO_PROXY takes this host out
};
[[nodiscard]] std::optional<EnvironmentProxy> environmentProxy(const QUrl& url, const EnvironmentLookup& environment);

/// The port that a URL means.
[[nodiscard]] quint16 portOf(const QUrl& url);

/// Where to knock.
struct ProbeTarget {
    QString host;
    quint16 port = 0;
    QNetworkProxy proxy{QNetworkProxy::NoProxy}; ///< to go through
    std::optional<QSslConfiguration> tls; ///< set: shake hands as well
    bool insecure = false; ///< go on in spite of a bad certificate
    std::chrono::milliseconds limit{10000}; ///< for all of it; zero: none
};

/// How it went. Without an error the connection stood; it has been closed again.
struct ProbeResult {
    enum class Outcome { Connected, TimedOut, Failed };
    Outcome outcome = Outcome::Failed;
    QAbstractSocket::SocketError error = QAbstractSocket::UnknownSocketError; ///< when failed
    QString errorText; ///< the system's words
    std::chrono::nanoseconds took{0}; ///< from the call to the end; not the loading of the TLS library
    QHostAddress peer;
    QList<QSslError> tlsErrors; ///< also the ones that `insecure` let pass
    QSslCertificate certificate; ///< the server's
    QString tlsVersion;
};

/// Opens a connection of its own, with or without TLS, and closes it: no request is sent. Lives on the thread that made
/// it and never blocks it: the socket is on a thread of the probe's, which its destructor ends and joins, whatever the
/// socket is about. One attempt at a time.
class SocketProbe final : public QObject {
    Q_OBJECT
public:
    explicit SocketProbe(QObject* parent = nullptr);
    ~SocketProbe() override;

    void start(const ProbeTarget& target);

signals:
    void finished(const tokenpace::ProbeResult& result);

private:
    struct QuitWaitDelete {
        void operator()(QThread* thread) const;
    };
    std::unique_ptr<QThread, QuitWaitDelete> m_thread; // owns the socket's worker until it finishes
};

} // namespace tokenpace
