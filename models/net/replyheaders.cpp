// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/replyheaders.h"

#include <algorithm>
#include <array>

#include <QByteArrayView>
#include <QString>
#include <QTime>

namespace tokenpace {

namespace {

constexpr double longestWaitMs = 60'000; // the longest that a retry waits
constexpr double msPerSecond = 1000;

bool isRecorded(const QByteArray& name)
{
    constexpr std::array<QByteArrayView, 4> names{"x-request-id", "request-id", "server-timing", "retry-after"};
    return std::find(names.begin(), names.end(), QByteArrayView(name)) != names.end() || name.startsWith("x-ratelimit-")
        || name.endsWith("-processing-ms") || name == "retry-after-ms";
}

QByteArray valueOf(const RawHeaders& headers, QByteArrayView name)
{
    const auto found = std::find_if(headers.begin(), headers.end(), [name](const auto& header) {
        return header.first.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == headers.end() ? QByteArray() : found->second.trimmed();
}

/// A plain decimal number: no sign, no exponent, no words such as `inf`.
std::optional<double> plainNumber(const QByteArray& text)
{
    const bool plain = !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '.';
    });
    bool good = false;
    const double number = plain ? text.toDouble(&good) : 0;
    return good ? std::optional(number) : std::nullopt;
}

int monthOf(const QByteArray& name)
{
    constexpr std::array<QByteArrayView, 12> months{"jan", "feb", "mar", "apr", "may", "jun",
                                                    "jul", "aug", "sep", "oct", "nov", "dec"};
    const auto found = std::find(months.begin(), months.end(), QByteArrayView(name));
    return found == months.end() ? 0 : static_cast<int>(found - months.begin()) + 1;
}

/// The three forms of an HTTP date; all mean UTC. Taken apart by hand: QLocale would read it as local time first,
/// where some hours do not exist.
std::optional<QDateTime> httpDate(const QByteArray& text, const QDateTime& now)
{
    // Thu, 01 Jan 2026 00:00:10 GMT | Thursday, 01-Jan-26 00:00:10 GMT | Thu Jan 1 00:00:10 2026
    QList<QByteArray> parts = text.toLower().replace('-', ' ').simplified().split(' ');
    constexpr qsizetype datedParts = 6;
    constexpr qsizetype asctimeParts = 5;
    if (parts.size() == asctimeParts) {
        parts = {parts[0], parts[2], parts[1], parts[4], parts[3], "gmt"};
    }
    if (parts.size() != datedParts || parts.back() != "gmt") {
        return std::nullopt;
    }
    bool dayIsNumber = false;
    bool yearIsNumber = false;
    constexpr int century = 100;
    constexpr int millennium = 2000;
    int year = parts[3].toInt(&yearIsNumber);
    if (year < century) {
        year += millennium;
    }
    const QDate date(year, monthOf(parts[2]), parts[1].toInt(&dayIsNumber));
    const QTime time = QTime::fromString(QString::fromLatin1(parts[4]), QStringLiteral("hh:mm:ss"));
    if (!dayIsNumber || !yearIsNumber || !date.isValid() || !time.isValid()) {
        return std::nullopt;
    }
    QDateTime moment(date, time, Qt::UTC);
    constexpr int farYears = 50; // a two-digit year that seems further ahead means the past
    if (parts[3].size() == 2 && moment > now.addYears(farYears)) {
        moment = moment.addYears(-century);
    }
    return moment;
}

} // namespace

std::vector<std::pair<std::string, std::string>> recordedHeaders(const RawHeaders& headers)
{
    std::vector<std::pair<std::string, std::string>> recorded;
    for (const auto& [name, value] : headers) {
        const QByteArray lower = name.toLower();
        if (isRecorded(lower)) {
            recorded.emplace_back(lower.toStdString(), value.toStdString());
        }
    }
    return recorded;
}

std::optional<std::string> requestIdOf(const RawHeaders& headers)
{
    for (const QByteArrayView name : {QByteArrayView("x-request-id"), QByteArrayView("request-id")}) {
        const QByteArray value = valueOf(headers, name);
        if (!value.isEmpty()) {
            return value.toStdString();
        }
    }
    return std::nullopt;
}

std::optional<double> retryAfterMs(const RawHeaders& headers, const QDateTime& now)
{
    std::optional<double> wait = plainNumber(valueOf(headers, "retry-after-ms"));
    if (!wait) {
        const QByteArray value = valueOf(headers, "retry-after");
        if (const auto seconds = plainNumber(value)) {
            wait = *seconds * msPerSecond;
        } else if (const auto date = httpDate(value, now)) {
            wait = static_cast<double>(std::max<qint64>(0, now.msecsTo(*date)));
        }
    }
    return wait ? std::optional(std::min(*wait, longestWaitMs)) : std::nullopt;
}

} // namespace tokenpace
