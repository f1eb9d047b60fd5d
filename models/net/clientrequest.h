// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>
#include <QUrl>

#include "measure/timeline.h"
#include "net/mailbox.h"

namespace tokenpace {

/// Separate limits, each over its own stretch of a request's life; zero switches one off.
struct TimeLimits {
    std::chrono::milliseconds connect{10000}; ///< until the request can be written
    std::chrono::milliseconds ttft{30000}; ///< from time zero to the first output event; off for a whole reply
    std::chrono::milliseconds idle{30000}; ///< between bytes, from the first body byte on
    std::chrono::milliseconds total{120000}; ///< from time zero
};

/// How to reach one endpoint. Requests that share all of it may share connections.
struct Route {
    enum class ManagerKind { Measuring, Stock };
    enum class ProxyMode { None, System, Url };
    ManagerKind manager = ManagerKind::Stock;
    ProxyMode proxyMode = ProxyMode::None;
    QUrl proxy; ///< with ProxyMode::Url
    QString caFile; ///< PEM file of further authorities, or empty
    bool insecure = false; ///< certificates are not checked
    bool http2 = false;

    friend bool operator==(const Route&, const Route&) = default;
};

/// One request, ready to send: a value that moves to the network thread. `timeline` brings what is known beforehand
/// (run, seq, model, endpoint, protocol, targets, params, warm-up flag) and is filled in there.
struct ClientRequest {
    QUrl url;
    QList<QPair<QByteArray, QByteArray>> headers; ///< checked values; includes authentication
    QByteArray body;
    TimeLimits limits;
    int maxRetries = 0; ///< connect failures, 429 and 503 only
    Route route;
    Timeline timeline;
};

/// What the network thread tells while requests run, in order, through one mailbox.
struct RequestStarted { ///< time zero of an attempt; a retry or a hidden resend starts again
    QString run;
    int seq = 0;
    Stamp zero{};
};
struct OutputsArrived { ///< output events of one read
    QString run;
    int seq = 0;
    Stamp at{};
    int count = 0;
    Channel channel = Channel::Text;
};
struct RequestFinished { ///< pushed only after its log line is written, or the failed write is known
    std::shared_ptr<const Timeline> timeline;
    QString logError; ///< empty when written or when no log is kept
};
using ClientUpdate = std::variant<RequestStarted, OutputsArrived, RequestFinished>;
using ClientMailbox = Mailbox<ClientUpdate>;

} // namespace tokenpace
