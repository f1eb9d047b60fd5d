// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "arrivalclients.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QEventLoop>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QTimer>

#include "measure/timeline.h"
#include "net/connectionpool.h"
#include "net/manager.h"
#include "net/stamps.h"

namespace tokenpace::bench {

namespace {

// Starts are spread: a server that reads many requests at once blurs its own zero.
constexpr std::chrono::microseconds spread(1700);

std::string pathOf(const Load& load)
{
    return "/" + std::to_string(load.tokens) + "/" + std::to_string(load.gapUs) + "/"
        + std::to_string(load.burst ? 1 : 0);
}

/// Reads the server's stamps out of what arrives.
class Reader {
public:
    Reader(Errors& errors, const Load& load)
        : m_errors(errors)
        , m_load(load)
    {
    }

    void begin(Stamp called)
    {
        m_called = called;
        m_tokens = 0;
        m_text.clear();
    }
    void sent(Stamp zero) { m_zero = zero; }

    /// True once all tokens have come.
    bool take(std::string_view bytes, Stamp at)
    {
        m_text += bytes;
        for (;;) {
            const auto end = m_text.find("}\n\n");
            if (end == std::string::npos) {
                return m_tokens == m_load.tokens && m_text.find("0\r\n\r\n") != std::string::npos;
            }
            const Stamp sent = number("\"sent\":");
            if (++m_tokens == 1) {
                const Stamp received = number("\"received\":");
                m_errors.ttftUs.push_back(us((at - m_zero) - (sent - received)));
                m_errors.sendUs.push_back(us(received - m_called));
            }
            m_errors.arrivalUs.push_back(us(at - sent));
            m_text.erase(0, end + 3);
        }
    }
    [[nodiscard]] bool whole() const { return m_tokens == m_load.tokens; }

private:
    static double us(Stamp duration) { return static_cast<double>(duration.count()) / 1000; }
    [[nodiscard]] Stamp number(std::string_view name) const
    {
        std::int64_t value = 0;
        const auto at = m_text.find(name);
        if (at != std::string::npos) {
            std::from_chars(m_text.data() + at + name.size(), m_text.data() + m_text.size(), value);
        }
        return Stamp(value);
    }

    Errors& m_errors;
    const Load& m_load;
    std::string m_text;
    int m_tokens = 0;
    Stamp m_called{};
    Stamp m_zero{};
};

double cpuUs(int who)
{
    rusage usage{};
    ::getrusage(who, &usage);
    const auto us = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
    };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

/// Runs on a thread of its own while this one turns its event loop (and paints). CPU is that of all other threads.
template <typename Work> Errors beside(Work work)
{
    Errors errors;
    const double before = cpuUs(RUSAGE_SELF) - cpuUs(RUSAGE_THREAD);
    QEventLoop loop;
    std::thread thread([&] {
        work(errors);
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    loop.exec();
    thread.join();
    errors.cpuUs = cpuUs(RUSAGE_SELF) - cpuUs(RUSAGE_THREAD) - before;
    return errors;
}

struct RawStream {
    int socket = -1;
    std::unique_ptr<Reader> reader;
    int rounds = 0;
};

void sendRaw(RawStream& stream, const std::string& request)
{
    stream.reader->begin(steadyNow());
    std::size_t done = 0;
    while (done < request.size()) {
        const auto sent = ::send(stream.socket, request.data() + done, request.size() - done, MSG_NOSIGNAL);
        done += sent > 0 ? static_cast<std::size_t>(sent) : 0;
    }
    stream.reader->sent(steadyNow());
    ++stream.rounds;
}

void rawClient(const Load& load, Errors& errors)
{
    const std::string request = "POST " + pathOf(load) + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
        + std::to_string(load.bodyBytes) + "\r\n\r\n" + std::string(static_cast<std::size_t>(load.bodyBytes), 'x');
    union {
        sockaddr any;
        sockaddr_in four;
    } address{};
    address.four.sin_family = AF_INET;
    address.four.sin_port = htons(static_cast<std::uint16_t>(load.port));
    address.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    std::vector<RawStream> streams(static_cast<std::size_t>(load.streams));
    std::size_t started = 0;
    int running = load.streams;
    const Stamp begin = steadyNow();
    while (running > 0) {
        while (started < streams.size() && steadyNow() >= begin + started * Stamp(spread)) {
            RawStream& stream = streams[started];
            stream.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            const int on = 1;
            ::setsockopt(stream.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            stream.reader = std::make_unique<Reader>(errors, load);
            if (::connect(stream.socket, &address.any, sizeof address.four) != 0) {
                ++errors.failed;
                --running;
            }
            epoll_event event{};
            event.events = EPOLLIN;
            event.data.u64 = started++;
            ::epoll_ctl(epoll, EPOLL_CTL_ADD, stream.socket, &event);
            sendRaw(stream, request);
        }
        std::array<epoll_event, 64> events;
        const int count =
            ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), started < streams.size() ? 1 : 1000);
        for (int i = 0; i < count; ++i) {
            RawStream& stream = streams[events[static_cast<std::size_t>(i)].data.u64];
            std::array<char, 65536> buffer;
            const auto size = ::recv(stream.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
            const Stamp now = steadyNow();
            if (size > 0 && !stream.reader->take({buffer.data(), static_cast<std::size_t>(size)}, now)) {
                continue;
            }
            if (size > 0 && stream.rounds < load.rounds) {
                sendRaw(stream, request);
                continue;
            }
            errors.failed += size > 0 ? 0 : 1;
            ::close(stream.socket);
            --running;
        }
    }
    ::close(epoll);
}

/// Streams through managers, on the thread that made it.
class ManagerStreams final : public QObject {
public:
    ManagerStreams(const Load& load, Route::ManagerKind kind, Errors& errors, QEventLoop& loop)
        : m_load(load)
        , m_errors(errors)
        , m_loop(loop)
        , m_url(QString::fromStdString("http://127.0.0.1:" + std::to_string(load.port) + pathOf(load)))
        , m_body(load.bodyBytes, 'x')
        , m_left(load.streams)
    {
        m_route.manager = kind;
        m_begin = steadyNow();
        connect(&m_timer, &QTimer::timeout, this, &ManagerStreams::startDue);
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.start(1);
    }

private:
    struct Stream {
        Manager manager;
        std::unique_ptr<Reader> reader;
        int rounds = 0;
    };

    void startDue()
    {
        while (static_cast<int>(m_streams.size()) < m_load.streams
               && steadyNow() >= m_begin + m_streams.size() * Stamp(spread)) {
            m_streams.push_back(std::make_unique<Stream>());
            Stream& stream = *m_streams.back();
            stream.manager = makeManager(m_route, m_url, &m_pool);
            stream.reader = std::make_unique<Reader>(m_errors, m_load);
            post(stream);
        }
        if (static_cast<int>(m_streams.size()) == m_load.streams) {
            m_timer.stop();
        }
    }

    void post(Stream& stream)
    {
        QNetworkRequest request(m_url);
        request.setRawHeader("Content-Type", "application/json");
        request.setRawHeader("Accept-Encoding", "identity");
        ++stream.rounds;
        stream.reader->begin(steadyNow());
        QNetworkReply* const reply = stream.manager.access->post(request, m_body);
        connect(reply, &QNetworkReply::requestSent, this, [&stream, reply] {
            stream.reader->sent(sentOf(*reply, steadyNow()));
        });
        connect(reply, &QNetworkReply::readyRead, this, [&stream, reply] {
            const Stamp now = steadyNow();
            std::array<char, 16384> piece;
            while (reply->bytesAvailable() > 0) {
                const qint64 size = reply->read(piece.data(), piece.size());
                stream.reader->take({piece.data(), static_cast<std::size_t>(std::max<qint64>(0, size))},
                                    arrivalOf(*reply, now));
            }
        });
        connect(reply, &QNetworkReply::finished, this, [this, &stream, reply] {
            reply->deleteLater();
            m_errors.failed += stream.reader->whole() ? 0 : 1;
            if (stream.rounds < m_load.rounds) {
                post(stream);
            } else if (--m_left == 0) {
                m_loop.quit();
            }
        });
    }

    const Load& m_load;
    Errors& m_errors;
    QEventLoop& m_loop;
    const QUrl m_url;
    const QByteArray m_body;
    int m_left;
    Route m_route;
    Stamp m_begin{};
    QTimer m_timer;
    ConnectionPool m_pool; // before what uses it
    std::vector<std::unique_ptr<Stream>> m_streams;
};

} // namespace

Errors runRaw(const Load& load)
{
    return beside([&](Errors& errors) {
        rawClient(load, errors);
    });
}

Errors runManager(const Load& load, Route::ManagerKind kind)
{
    return beside([&](Errors& errors) {
        QEventLoop loop;
        const ManagerStreams streams(load, kind, errors, loop);
        loop.exec();
    });
}

} // namespace tokenpace::bench
