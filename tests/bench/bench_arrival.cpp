// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How true are arrival stamps, and what do they cost? The same load, from a server in another process that tells when
// it sent each event, for a raw epoll client, the measuring manager and the stock manager, one after the other in one
// run, while this process's window paints. Prints errors, CPU for each token, and ratios to the raw client. Goals at 64
// streams, steady: arrivals <= 0.2 x at P50 and <= 0.25 x at P99, CPU <= 1.5 x, TTFT error <= 1 x.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QPainter>
#include <QTimer>
#include <QWidget>

#include "arrivalclients.h"
#include "net/sockets.h"
#include "stampserver.h"

using namespace tokenpace;
using namespace tokenpace::bench;

namespace {

/// Paints for some 8 ms, 60 times a second, as a window full of charts does.
class PaintingWindow final : public QWidget {
public:
    PaintingWindow()
    {
        resize(1280, 800);
        m_timer.callOnTimeout(this, qOverload<>(&QWidget::update));
        m_timer.start(16);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        constexpr int busyMs = 8;
        QPainter painter(this);
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; clock.elapsed() < busyMs; ++i) {
            painter.drawLine(i % width(), 0, width() - i % width(), height());
        }
    }

private:
    QTimer m_timer;
};

struct Row {
    double p50 = 0;
    double p99 = 0;
    double worst = 0;
};

Row rowOf(std::vector<double> values, bool absolute)
{
    if (values.empty()) {
        return {};
    }
    if (absolute) {
        std::ranges::transform(values, values.begin(), [](double value) {
            return std::abs(value);
        });
    }
    std::ranges::sort(values);
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    return {at(0.5), at(0.99), values.back()};
}

struct Figures {
    Row arrival;
    Row ttft;
    Row send;
    double cpuUs = 0;
};

Figures print(const char* name, const Errors& errors, const Figures* raw)
{
    Figures figures{rowOf(errors.arrivalUs, false), rowOf(errors.ttftUs, true), rowOf(errors.sendUs, false), 0};
    figures.cpuUs = errors.cpuUs / std::max(1.0, static_cast<double>(errors.arrivalUs.size()));
    std::printf("  %-10s %9.1f %9.1f %9.1f  %9.1f %9.1f %9.1f  %9.1f %9.1f  %8.1f", name, figures.arrival.p50,
                figures.arrival.p99, figures.arrival.worst, figures.ttft.p50, figures.ttft.p99, figures.ttft.worst,
                figures.send.p50, figures.send.p99, figures.cpuUs);
    if (raw) {
        std::printf("   %5.2f %5.2f  %5.2f  %5.2f", figures.arrival.p50 / raw->arrival.p50,
                    figures.arrival.p99 / raw->arrival.p99, figures.ttft.p50 / raw->ttft.p50,
                    figures.cpuUs / raw->cpuUs);
    }
    if (errors.failed > 0) {
        std::printf("   %d failed", errors.failed);
    }
    std::printf("\n");
    std::fflush(stdout);
    return figures;
}

void add(Errors& all, const Errors& more)
{
    all.arrivalUs.insert(all.arrivalUs.end(), more.arrivalUs.begin(), more.arrivalUs.end());
    all.ttftUs.insert(all.ttftUs.end(), more.ttftUs.begin(), more.ttftUs.end());
    all.sendUs.insert(all.sendUs.end(), more.sendUs.begin(), more.sendUs.end());
    all.cpuUs += more.cpuUs;
    all.failed += more.failed;
}

void compare(const Load& load, int repeats)
{
    std::printf("%d streams, %s, bodies of %d bytes\n", load.streams, load.burst ? "burst" : "steady", load.bodyBytes);
    Errors raw;
    Errors measuring;
    Errors stock;
    for (int i = 0; i < repeats; ++i) {
        add(raw, runRaw(load));
        add(measuring, runManager(load, Route::ManagerKind::Measuring));
        add(stock, runManager(load, Route::ManagerKind::Stock));
    }
    const Figures reference = print("raw epoll", raw, nullptr);
    print("measuring", measuring, &reference);
    print("stock", stock, &reference);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--serve") {
        return serveStamps();
    }
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOption({QStringLiteral("tokens"), QStringLiteral("Tokens of each stream."), QStringLiteral("N"),
                      QStringLiteral("100")});
    parser.addOption({QStringLiteral("repeats"), QStringLiteral("Runs of each client, interleaved."),
                      QStringLiteral("N"), QStringLiteral("2")});
    parser.addOption({QStringLiteral("streams"), QStringLiteral("Numbers of streams."), QStringLiteral("LIST"),
                      QStringLiteral("1,8,64,256")});
    parser.addHelpOption();
    parser.process(application);

    growDescriptorTable();
    const StampServer server;
    if (server.port() == 0) {
        std::fprintf(stderr, "the server did not start\n");
        return 1;
    }
    PaintingWindow window;
    window.show();
    std::printf(
        "µs, P50 P99 max: error of arrivals, of TTFT (absolute); call to request received P50 P99; CPU a token\n"
        "ratios to raw epoll: arrivals P50 P99, TTFT P50, CPU\n");
    const int repeats = parser.value(QStringLiteral("repeats")).toInt();
    const auto counts = parser.value(QStringLiteral("streams")).split(u',');
    for (const QString& streams : counts) {
        for (const bool burst : {false, true}) {
            Load load;
            load.port = server.port();
            load.tokens = parser.value(QStringLiteral("tokens")).toInt();
            load.streams = streams.toInt();
            load.burst = burst;
            compare(load, repeats);
        }
    }
    // bodies on reused connections: Nagle's algorithm must not hold the last piece
    for (const int bodyBytes : {1000, 40'000}) {
        Load load;
        load.port = server.port();
        load.streams = 4;
        load.tokens = 2;
        load.rounds = 25;
        load.bodyBytes = bodyBytes;
        compare(load, repeats);
    }
    return 0;
}
