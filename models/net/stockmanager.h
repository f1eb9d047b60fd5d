// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QNetworkAccessManager>
#include <QSslConfiguration>

namespace tokenpace {

/// Qt's own manager, used well: for one request at a time, on any one thread. What it does by itself, as tried on Qt
/// 6.4.2, and what becomes of it here (P: prevented by a setting or by the way it is used; D: detected, and flagged or
/// refused by Lane and wire::ReplyReader; N: needs nothing):
///
/// | Qt's doing                                                   | here |
/// |--------------------------------------------------------------|-----------------------------------------------------|
/// | headers of its own: Accept-Encoding, Accept-Language, agent  | P: all set by outgoingRequest() | | a flushed gzip
/// stream is decoded, one not flushed comes late | P: `Accept-Encoding: identity`                      | | what is
/// compressed all the same is handed on raw             | D: kind `parse`, flag `compressed`                  | |
/// `Content-Encoding` on a plain body is error 299 by default   | P: no decoder runs; D: kind `parse`                 |
/// | a close without the last chunk is no error                   | D: no terminal event, status `truncated` | | a
/// close inside a chunk, a body too short, a reset            | D: status `truncated`, unless the reply had ended   |
/// | a Content-Length that is too short cuts the body             | D: no terminal event, status `truncated` | | six
/// connections a host, the seventh request waits            | P: a lane, with a manager of its own, per request   | | a
/// transfer time-out that counts the wait in that queue       | P: off; the limits are Lane's                       |
/// | its time-out and an abort are one error code                 | P: off; Lane knows what it ended | | a POST is sent
/// again when the server closes without a byte   | D: requestSent comes twice, flag `resent`; P: after | | | a kept
/// connection was found closed, none is kept    | | redirects are followed as GET, with the key                  | P:
/// ManualRedirectPolicy; D: kind `http`             | | a 307 is sent twice                                          |
/// P: ManualRedirectPolicy                             | | `103 Early Hints` ends the reply without an error | D:
/// status below 200, kind `transport`               | | header values go out as they are, line breaks too            |
/// P: headerValue() refuses them                       | | cookies are kept and sent | P: Cookie*ControlAttribute
/// Manual                   | | 401 is an error with its body, and asks nobody               | N: the body is read,
/// kind `http`                    | | a blocked thread stamps late and merges reads                | P: nothing else
/// runs on the network thread          | | events 1 ms apart share a read                               | D: flags
/// `coalesced`, `buffered`, `bursty`          | | headers and first byte have a signal each                    | N:
/// both are stamped                                 | | one event of megabytes comes in many reads                   |
/// N: the event has the stamp of its last              | | headers of one name are joined with a comma | N: media types
/// end at a comma or semicolon          | | HTTP/2 is offered and chosen                                 | P:
/// Http2AllowedAttribute, unless asked for          | | bodies over 16 KiB are written in slices, and Nagle's        |
/// P: on a fresh connection, with TCP_NODELAY set on   | | algorithm holds the last one for 40 ms | the socket; D: flag
/// `coarse-stamp` otherwise        |
class StockManager final : public QNetworkAccessManager {
    Q_OBJECT
public:
    /// The largest body that it writes at once.
    static constexpr qint64 sliceBytes = qint64{16} * 1024;

    StockManager(QSslConfiguration tls, bool http2, QObject* parent = nullptr);

protected:
    QNetworkReply* createRequest(Operation operation, const QNetworkRequest& request, QIODevice* body) override;

private:
    QSslConfiguration m_tls;
    bool m_http2 = false;
    bool m_used = false; ///< there may be a connection
    bool m_serverCloses = false; ///< a kept connection was found closed: none is used again
};

} // namespace tokenpace
