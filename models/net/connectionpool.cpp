// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/connectionpool.h"

#include <algorithm>

namespace tokenpace {

ConnectionPool::ConnectionPool(QObject* parent)
    : QObject(parent)
    , m_cipher(readSize)
    , m_plain(ResponseParser::longestRest + readSize)
{
}

ConnectionPool::~ConnectionPool()
{
    m_idle.clear();
    const auto all = children(); // the connections, before what they refer to
    for (QObject* const connection : all) {
        delete connection;
    }
}

HttpConnection& ConnectionPool::take(const HttpEndpoint& endpoint)
{
    for (auto i = m_idle.size(); i > 0; --i) {
        HttpConnection* const connection = m_idle[i - 1];
        if (!(connection->endpoint() == endpoint)) {
            continue;
        }
        if (connection->usable()) {
            std::erase(m_idle, connection);
            return *connection;
        }
        connection->close(); // takes it out of m_idle
    }
    return *new HttpConnection(*this, endpoint);
}

void ConnectionPool::release(HttpConnection& connection)
{
    m_idle.push_back(&connection);
}

void ConnectionPool::discard(HttpConnection& connection)
{
    std::erase(m_idle, &connection);
    connection.deleteLater();
}

void ConnectionPool::closeIdle(std::chrono::milliseconds longerThan)
{
    const Stamp now = steadyNow();
    const auto idle = m_idle;
    for (HttpConnection* const connection : idle) {
        if (now - connection->idleSince() >= longerThan) {
            connection->close();
        }
    }
}

void ConnectionPool::forget(const QString& host)
{
    m_resolver.forget(host);
    const auto idle = m_idle;
    for (HttpConnection* const connection : idle) {
        if (connection->endpoint().host == host) {
            connection->close();
        }
    }
}

} // namespace tokenpace
