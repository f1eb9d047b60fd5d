// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/checkprobes.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QSslSocket>
#include <QStringList>
#include <QTcpSocket>
#include <QTimer>

#include "measure/timeline.h"
#include "settings/baseurl.h"

namespace tokenpace {

namespace {

/// NO_PROXY is a list of host names; one also stands for what is below it, and `*` for all.
bool isExcluded(const QString& host, const QString& list)
{
    const QStringList entries = list.split(u',', Qt::SkipEmptyParts);
    return std::any_of(entries.begin(), entries.end(), [&](const QString& entry) {
        QString name = entry.trimmed().section(u':', 0, 0);
        if (name.startsWith(u'.')) {
            name.remove(0, 1);
        }
        return name == u"*"
            || (!name.isEmpty()
                && (host.compare(name, Qt::CaseInsensitive) == 0 || host.endsWith(u'.' + name, Qt::CaseInsensitive)));
    });
}

/// The socket and its limit, on the probe's thread.
class Worker final : public QObject {
public:
    using Report = std::function<void(const ProbeResult&)>;

    Worker(ProbeTarget target, Report report)
        : m_target(std::move(target))
        , m_report(std::move(report))
    {
    }

    void start()
    {
        m_secure = m_target.tls ? new QSslSocket(this) : nullptr;
        m_socket = m_secure ? m_secure : new QTcpSocket(this);
        m_socket->setProxy(m_target.proxy);
        connect(m_socket, &QAbstractSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            m_result.error = error;
            m_result.errorText = m_socket->errorString();
            end(ProbeResult::Outcome::Failed);
        });
        if (m_target.limit.count() > 0) {
            auto* timer = new QTimer(this);
            timer->setSingleShot(true);
            timer->setTimerType(Qt::PreciseTimer); // a coarse one may be early, and the message names the limit
            connect(timer, &QTimer::timeout, this, [this] {
                end(ProbeResult::Outcome::TimedOut);
            });
            timer->start(m_target.limit);
        }
        if (m_target.tls) {
            connect(m_secure, &QSslSocket::sslErrors, this, &Worker::onTlsErrors);
            connect(m_secure, &QSslSocket::encrypted, this, [this] {
                end(ProbeResult::Outcome::Connected);
            });
            m_secure->setSslConfiguration(*m_target.tls);
            m_began = steadyNow();
            m_secure->connectToHostEncrypted(m_target.host, m_target.port);
        } else {
            connect(m_socket, &QAbstractSocket::connected, this, [this] {
                end(ProbeResult::Outcome::Connected);
            });
            m_began = steadyNow();
            m_socket->connectToHost(m_target.host, m_target.port);
        }
    }

private:
    void onTlsErrors(const QList<QSslError>& errors)
    {
        m_result.tlsErrors = errors;
        if (m_target.insecure) {
            m_secure->ignoreSslErrors();
        }
    }

    void end(ProbeResult::Outcome outcome)
    {
        if (std::exchange(m_ended, true)) {
            return;
        }
        m_result.took = steadyNow() - m_began;
        m_result.outcome = outcome;
        m_result.peer = m_socket->peerAddress();
        if (m_secure) {
            m_result.certificate = m_secure->peerCertificate();
            m_result.tlsVersion =
                m_secure->sessionProtocol() == QSsl::TlsV1_3 ? QStringLiteral("TLS 1.3") : QStringLiteral("TLS 1.2");
        }
        m_socket->disconnect(this);
        m_socket->abort();
        m_report(m_result);
    }

    ProbeTarget m_target;
    Report m_report;
    ProbeResult m_result;
    QTcpSocket* m_socket = nullptr; // child
    QSslSocket* m_secure = nullptr; // the same one, where TLS is wanted
    Stamp m_began{};
    bool m_ended = false;
};

} // namespace

std::optional<EnvironmentProxy> environmentProxy(const QUrl& url, const EnvironmentLookup& environment)
{
    const bool secure = url.scheme() == u"https";
    const QStringList names = secure ? QStringList{QStringLiteral("https_proxy"), QStringLiteral("HTTPS_PROXY"),
                                                   QStringLiteral("all_proxy"), QStringLiteral("ALL_PROXY")}
                                     : QStringList{QStringLiteral("http_proxy"), QStringLiteral("HTTP_PROXY"),
                                                   QStringLiteral("all_proxy"), QStringLiteral("ALL_PROXY")};
    for (const QString& name : names) {
        const QString value = environment(name).value_or(QString()).trimmed();
        if (value.isEmpty()) {
            continue;
        }
        const QUrl proxy(value.contains(u"://") ? value : QStringLiteral("http://") + value);
        QString excluded = environment(QStringLiteral("no_proxy")).value_or(QString());
        if (excluded.isEmpty()) {
            excluded = environment(QStringLiteral("NO_PROXY")).value_or(QString());
        }
        return EnvironmentProxy{name, hostLabel(proxy), isExcluded(url.host(), excluded)};
    }
    return std::nullopt;
}

quint16 portOf(const QUrl& url)
{
    constexpr int httpPort = 80;
    constexpr int httpsPort = 443;
    return static_cast<quint16>(url.port(url.scheme() == u"https" ? httpsPort : httpPort));
}

SocketProbe::SocketProbe(QObject* parent)
    : QObject(parent)
{
}

SocketProbe::~SocketProbe() = default;

void SocketProbe::QuitWaitDelete::operator()(QThread* thread) const
{
    thread->quit();
    thread->wait();
    delete thread;
}

void SocketProbe::start(const ProbeTarget& target)
{
    m_thread.reset(); // an earlier attempt's worker goes with its thread
    m_thread.reset(new QThread);
    // The destructor joins the thread before this object goes, and what is queued for it goes with it.
    auto* worker = new Worker(target, [this](const ProbeResult& result) {
        QMetaObject::invokeMethod(
            this,
            [this, result] {
                emit finished(result);
            },
            Qt::QueuedConnection);
    });
    worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, worker, &Worker::start);
    connect(m_thread.get(), &QThread::finished, worker, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("check probe"));
    m_thread->start();
}

} // namespace tokenpace
