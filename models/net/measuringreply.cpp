// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/measuringreply.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "net/connectionpool.h"

namespace tokenpace {

namespace {

constexpr int firstErrorStatus = 400;

/// As QNetworkReply's documentation has them.
QNetworkReply::NetworkError codeOf(int status)
{
    constexpr int firstServerError = 500;
    switch (status) {
    case 400:
        return QNetworkReply::ProtocolInvalidOperationError;
    case 401:
        return QNetworkReply::AuthenticationRequiredError;
    case 403:
        return QNetworkReply::ContentAccessDenied;
    case 404:
        return QNetworkReply::ContentNotFoundError;
    case 405:
        return QNetworkReply::ContentOperationNotPermittedError;
    case 407:
        return QNetworkReply::ProxyAuthenticationRequiredError;
    case 409:
        return QNetworkReply::ContentConflictError;
    case 410:
        return QNetworkReply::ContentGoneError;
    case 418:
        return QNetworkReply::ProtocolInvalidOperationError;
    case 500:
        return QNetworkReply::InternalServerError;
    case 501:
        return QNetworkReply::OperationNotImplementedError;
    case 503:
        return QNetworkReply::ServiceUnavailableError;
    default:
        return status >= firstServerError ? QNetworkReply::UnknownServerError : QNetworkReply::UnknownContentError;
    }
}

bool redirects(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

} // namespace

MeasuringReply::MeasuringReply(QNetworkAccessManager::Operation operation, const QNetworkRequest& request,
                               QObject* parent)
    : QNetworkReply(parent)
{
    setOperation(operation);
    setRequest(request);
    setUrl(request.url());
    QNetworkReply::open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        abort();
    });
}

MeasuringReply::~MeasuringReply()
{
    letGo();
}

void MeasuringReply::send(ConnectionPool& pool, const Outgoing& outgoing, int transferTimeoutMs)
{
    m_bodySize = outgoing.body.size();
    if (transferTimeoutMs > 0) {
        m_silence.start(transferTimeoutMs);
    }
    m_connection = &pool.take(outgoing.endpoint);
    m_connection->send(this, outgoing.head, outgoing.body, operation() == QNetworkAccessManager::HeadOperation);
}

void MeasuringReply::refuse(NetworkError code, const QString& words)
{
    QMetaObject::invokeMethod(
        this,
        [this, code, words] {
            fail(code, words);
        },
        Qt::QueuedConnection);
}

void MeasuringReply::connectionStarted()
{
    emit socketStartedConnecting();
}

void MeasuringReply::connectionSecured()
{
    emit encrypted();
}

void MeasuringReply::requestProgressed(qint64 sent)
{
    emit uploadProgress(sent, m_bodySize);
}

void MeasuringReply::requestWritten()
{
    const QPointer<MeasuringReply> guard(this);
    if (m_bodySize > 0) {
        emit uploadProgress(m_bodySize, m_bodySize);
    }
    if (guard && !m_over) {
        emit requestSent();
    }
}

void MeasuringReply::headReceived(const ResponseHead& head, const ArrivalStamp& stamp)
{
    if (m_silence.isActive()) {
        m_silence.start();
    }
    m_arrival = stamp;
    setHead(head);
    emit metaDataChanged();
}

void MeasuringReply::setHead(const ResponseHead& head)
{
    setAttribute(QNetworkRequest::HttpStatusCodeAttribute, head.status);
    setAttribute(QNetworkRequest::HttpReasonPhraseAttribute, QString::fromLatin1(head.reason));
    setAttribute(QNetworkRequest::ConnectionEncryptedAttribute, m_connection && m_connection->endpoint().secure);
    for (const auto& [name, value] : head.fields) {
        const QByteArray before = rawHeader(name);
        const QByteArray separator = name.toLower() == "set-cookie" ? "\n" : ", ";
        setRawHeader(name, hasRawHeader(name) ? before + separator + value : value);
    }
    if (redirects(head.status) && hasRawHeader("location")) {
        setAttribute(QNetworkRequest::RedirectionTargetAttribute, QUrl::fromEncoded(rawHeader("location")));
    }
    bool isNumber = false;
    const qint64 length = rawHeader("content-length").toLongLong(&isNumber);
    m_expected = isNumber ? length : -1;
}

void MeasuringReply::bodyReceived(const QByteArray& bytes, const ArrivalStamp& stamp)
{
    if (m_silence.isActive()) {
        m_silence.start();
    }
    m_segments.push_back({bytes, 0, stamp});
    m_available += bytes.size();
    m_received += bytes.size();
    emit readyRead();
}

void MeasuringReply::responseEnded()
{
    letGo();
    const int status = attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= firstErrorStatus) {
        fail(codeOf(status),
             tr("Error transferring %1 - server replied: %2")
                 .arg(url().toDisplayString(), attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString()));
    } else {
        finish();
    }
}

void MeasuringReply::exchangeFailed(NetworkError code, const QString& words)
{
    letGo();
    fail(code, words);
}

void MeasuringReply::fail(NetworkError code, const QString& words)
{
    if (m_over) {
        return;
    }
    const QPointer<MeasuringReply> guard(this);
    setError(code, words);
    emit errorOccurred(code);
    if (guard) {
        finish();
    }
}

void MeasuringReply::finish()
{
    if (m_over) {
        return;
    }
    m_over = true;
    m_silence.stop();
    setFinished(true);
    const QPointer<MeasuringReply> guard(this);
    emit downloadProgress(m_received, m_expected >= 0 ? m_expected : m_received);
    if (guard) {
        emit readChannelFinished();
    }
    if (guard) {
        emit finished();
    }
}

void MeasuringReply::letGo()
{
    if (m_connection) {
        m_stamps = m_connection->stamps();
        HttpConnection* const connection = m_connection;
        m_connection.clear();
        connection->abandon(); // nothing, once the exchange is over
    }
}

void MeasuringReply::abort()
{
    if (m_over || error() != NoError) {
        return; // over, or about to be: a slot of errorOccurred called
    }
    QNetworkReply::close();
    m_segments.clear();
    m_available = 0;
    letGo();
    fail(OperationCanceledError, tr("Operation canceled"));
}

void MeasuringReply::close()
{
    if (m_over) {
        QNetworkReply::close();
        return;
    }
    abort();
}

qint64 MeasuringReply::bytesAvailable() const
{
    return m_available + QNetworkReply::bytesAvailable(); // that is what peek() took
}

bool MeasuringReply::canReadLine() const
{
    return QNetworkReply::canReadLine()
        || std::any_of(m_segments.begin(), m_segments.end(), [](const Segment& segment) {
               return segment.bytes.indexOf('\n', segment.done) >= 0;
           });
}

qint64 MeasuringReply::take(char* data, qint64 size)
{
    Segment& first = m_segments.front();
    const qint64 taken = std::min<qint64>(size, first.bytes.size() - first.done);
    std::memcpy(data, first.bytes.constData() + first.done, static_cast<std::size_t>(taken));
    first.done += taken;
    m_available -= taken;
    m_arrival = first.stamp;
    if (first.done == first.bytes.size()) {
        m_segments.pop_front();
    }
    return taken;
}

qint64 MeasuringReply::readData(char* data, qint64 size)
{
    if (m_segments.empty()) {
        return m_over ? -1 : 0;
    }
    return take(data, size);
}

/// QIODevice's own would read byte by byte.
qint64 MeasuringReply::readLineData(char* data, qint64 size)
{
    if (m_segments.empty()) {
        return m_over ? -1 : 0;
    }
    qint64 done = 0;
    while (done < size && !m_segments.empty() && (done == 0 || data[done - 1] != '\n')) {
        const Segment& first = m_segments.front();
        const qsizetype lineEnd = first.bytes.indexOf('\n', first.done);
        const qint64 wanted = lineEnd < 0 ? first.bytes.size() - first.done : lineEnd + 1 - first.done;
        done += take(data + done, std::min(size - done, wanted));
    }
    return done;
}

const ExchangeStamps& MeasuringReply::exchange() const
{
    return m_connection ? m_connection->stamps() : m_stamps;
}

PhaseDurations MeasuringReply::phases() const
{
    const ExchangeStamps& stamps = exchange();
    PhaseDurations phases;
    Stamp ready = stamps.begin;
    const auto until = [&ready](const std::optional<Stamp>& end, std::optional<Stamp>& duration) {
        if (end) {
            duration = *end - ready;
            ready = *end;
        }
    };
    until(stamps.found, phases.dns);
    until(stamps.connected, phases.connect);
    until(stamps.secured, phases.tls);
    until(stamps.sent, phases.send);
    return phases;
}

} // namespace tokenpace
