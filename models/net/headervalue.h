// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

namespace tokenpace {

/// A header value made fit to send, or the reason why it is not. QNetworkRequest::setRawHeader checks nothing: a
/// newline in a key would become a header of its own.
struct HeaderValue {
    QByteArray value; ///< trimmed of white space, NBSP included
    QString problem; ///< empty when good; names the position and code point, never the value
    bool trimmed = false;
};

/// For a key: only U+0021 to U+007E inside.
[[nodiscard]] HeaderValue keyValue(const QString& text);
/// For any other header: spaces and tabs inside are allowed as well.
[[nodiscard]] HeaderValue headerValue(const QString& text);

} // namespace tokenpace
