// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QNetworkAccessManager>

#include "net/tlssession.h"

namespace tokenpace {

class ConnectionPool;

// clang-format off
/// A network manager made for measuring, used as Qt's own: HTTP/1.1 on our own transport, one connection per request in
/// flight, without a limit to their number; each phase and each arrival stamped by itself, by the kernel where it can.
/// Lives on the thread of its pool, which must outlive it.
///
/// A reply tells, in this order: socketStartedConnecting (on a new connection), encrypted, uploadProgress (with a body),
/// requestSent, metaDataChanged, readyRead once for each stamp, then on a failure or a status of 400 and above
/// errorOccurred, and downloadProgress, readChannelFinished, finished. Nothing is emitted inside post(). abort() and close()
/// end all of it inside the call. Where it differs from the stock manager (tst_managers traces the cases up to "body over
/// 16 KiB", abort() in errorOccurred and the cut body; the other rows are by design):
///
/// | case                                 | stock                                            | here                                     |
/// |--------------------------------------|--------------------------------------------------|------------------------------------------|
/// | every request                        | uploadProgress(0, 0) before the end              | none                                     |
/// | 103 first                            | taken as the answer, its body lost               | skipped                                  |
/// | close before any header, not HTTP    | sends a POST again, up to four times             | sent once; an error in words             |
/// | bad chunk                            | "Connection closed"                              | ProtocolFailure, in words                |
/// | abort() right after post()           | may still tell of connecting and headers         | silence                                  |
/// | empty body in a POST                 | no requestSent                                   | requestSent                              |
/// | body over 16 KiB                     | in slices, requestSent after the first, 40 ms    | one uploadProgress; requestSent after it |
/// | headers                              | Connection, Accept-Language, User-Agent, gzip    | the client's, Host, Content-Length, identity |
/// | a compressed body                    | unpacked                                         | handed on as it came                     |
/// | abort() in errorOccurred             | ends inside the call                             | ends after the slot                      |
/// | a body cut short, or reset           | mostly no error                                  | RemoteHostClosedError                    |
/// | bytes behind the response            | kept for the next                                | the connection is closed                 |
/// | TLS                                  | QSslConfiguration, sslErrors                     | TlsTrust; no sslErrors                   |
/// | look-ups                             | kept by Qt for a minute, whatever happens        | ConnectionPool::forget()                 |
/// | left out                             |                                                  | redirects, cookies, cache, HTTP/2, SOCKS, sequential bodies, authentication dialogs |
// clang-format on
class MeasuringManager final : public QNetworkAccessManager {
    Q_OBJECT
public:
    MeasuringManager(ConnectionPool& pool, TlsTrust trust, QObject* parent = nullptr);

protected:
    QNetworkReply* createRequest(Operation operation, const QNetworkRequest& request, QIODevice* body) override;

private:
    ConnectionPool& m_pool;
    const TlsTrust m_trust;
};

} // namespace tokenpace
