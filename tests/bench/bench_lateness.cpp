// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How late does the window's event queue answer while tokens stream into all charts? Opens the real window on a
// simulated endpoint of eight models in another process, measures an idle control run, then a loaded one, and prints
// both side by side. A thread posts a stamped event every 5 ms; its lateness is the delay that a person's key or mouse
// would have met. Goal: P99 under 8 ms at 10,000 tokens per second.

#include <algorithm>
#include <cstdio>
#include <memory>

#include <sys/resource.h>

#include <QCommandLineParser>
#include <QEventLoop>
#include <QMouseEvent>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include "appcommands.h"
#include "charts/chartcanvas.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "eventcosts.h"
#include "heartbeat.h"
#include "loadserver.h"
#include "mainwindow.h"
#include "measure/statistics.h"
#include "session.h"
#include "theme/theme.h"
#include "tokenraster.h"

using namespace tokenpace;
using namespace tokenpace::bench;

namespace {

constexpr double goalP99Ms = 8;
constexpr int hoverIntervalMs = 16; // a mouse that moves reports about 60 times a second
constexpr int outputTokens = 128;
const QList<int> promptLengths{100, 300, 1000};

struct Options {
    int seconds = 20;
    int controlSeconds = 10;
    int rampSeconds = 5; ///< after the run's start, until the streams are in step with the limit
    int streams = 80;
    double tpotMs = 7;
    int dots = 0; ///< finished requests in the window before the run
    int costs = 14; ///< lines of the list of costs
    bool hover = true;
    QString screenshot;
};

void wait(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

double cpuSeconds(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Frames {
    int ttft = 0;
    int tpot = 0;
    int raster = 0;
};

/// What one stretch of time gave.
struct Figures {
    double seconds = 0;
    std::vector<double> latenessMs;
    Frames frames;
    double tokensPerS = 0;
    double processCpu = 0; ///< share of one core
    double guiCpu = 0;
    double serverCpu = 0;
    std::vector<EventCosts::Cost> costs;
};

class Bench {
public:
    Bench(EventCosts& application, MainWindow& window, const LoadServer& server)
        : m_application(application)
        , m_window(window)
        , m_server(server)
    {
    }

    [[nodiscard]] Figures measure(int seconds)
    {
        const Frames framesBefore = frames();
        const double processBefore = cpuSeconds(RUSAGE_SELF);
        const double guiBefore = cpuSeconds(RUSAGE_THREAD);
        const double serverBefore = m_server.cpuSeconds();
        m_application.restart();
        m_heartbeat.restart();
        const Stamp begin = steadyNow();
        wait(seconds * 1000);
        const Stamp end = steadyNow();

        Figures figures;
        figures.seconds = toMs(end - begin) / 1000;
        figures.latenessMs = m_heartbeat.latenessMs();
        figures.costs = m_application.costs();
        figures.processCpu = (cpuSeconds(RUSAGE_SELF) - processBefore) / figures.seconds;
        figures.guiCpu = (cpuSeconds(RUSAGE_THREAD) - guiBefore) / figures.seconds;
        figures.serverCpu = (m_server.cpuSeconds() - serverBefore) / figures.seconds;
        const Frames after = frames();
        figures.frames = {after.ttft - framesBefore.ttft, after.tpot - framesBefore.tpot,
                          after.raster - framesBefore.raster};
        figures.tokensPerS = static_cast<double>(arrivals(begin, end)) / figures.seconds;
        return figures;
    }

private:
    [[nodiscard]] Frames frames() const
    {
        const ChartsPage& page = *m_window.page();
        return {page.ttftPanel()->canvas().framesRendered(), page.tpotPanel()->canvas().framesRendered(),
                page.raster()->paintCount()};
    }

    /// Output events that arrived in between; an event is a token here.
    [[nodiscard]] std::ptrdiff_t arrivals(Stamp begin, Stamp end) const
    {
        std::ptrdiff_t count = 0;
        const RequestsModel& requests = m_window.session().requests();
        for (int row = 0; row < requests.rowCount(); ++row) {
            const std::vector<Stamp>& all = requests.row(row).arrivals();
            count += std::count_if(all.begin(), all.end(), [begin, end](Stamp at) {
                return at >= begin && at < end;
            });
        }
        return count;
    }

    EventCosts& m_application;
    MainWindow& m_window;
    const LoadServer& m_server;
    Heartbeat m_heartbeat;
};

/// A mouse that wanders over the TTFT chart.
class Hover {
public:
    explicit Hover(QWidget& widget)
        : m_widget(widget)
    {
        QObject::connect(&m_timer, &QTimer::timeout, &widget, [this] {
            move();
        });
        m_timer.start(hoverIntervalMs);
    }

private:
    void move()
    {
        ++m_steps;
        const QSize size = m_widget.size();
        const QPointF at((m_steps * 7) % size.width(), (m_steps * 3) % size.height());
        QCoreApplication::postEvent(&m_widget,
                                    new QMouseEvent(QEvent::MouseMove, at, m_widget.mapToGlobal(at), Qt::NoButton,
                                                    Qt::NoButton, Qt::NoModifier));
    }

    QWidget& m_widget; // not owned
    QTimer m_timer;
    int m_steps = 0;
};

StartUp startUp(const Options& options, const QString& baseUrl, const QString& logPath)
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("load");
    endpoint.baseUrl = baseUrl;
    endpoint.simulated = true;
    endpoint.concurrency.maxParallel = options.streams;
    for (int i = 0; i < loadModels; ++i) {
        endpoint.models.append(ModelSettings{loadModelName(i), {}, {}});
    }
    Settings settings;
    settings.source = QStringLiteral("bench");
    settings.endpoints = {endpoint};
    settings.telemetry.outputPath = logPath;

    RunSpec spec;
    spec.promptTokens = promptLengths;
    spec.concurrency = options.streams;
    spec.maxTokens = outputTokens;
    // More than can be sent in the time: the run is stopped when the time is over.
    const double requestsPerS = options.streams * 1000 / (options.tpotMs * outputTokens);
    const double perRepeat = static_cast<double>(promptLengths.size() * loadModels);
    spec.repeats = static_cast<int>(2 * requestsPerS * (options.seconds + options.rampSeconds) / perRepeat) + 2;
    for (const ModelSettings& model : std::as_const(endpoint.models)) {
        spec.targets.append(Target{endpoint, model.name, model.alias});
    }

    StartUp start;
    start.settings = settings;
    start.spec = spec;
    return start;
}

/// Requests of an earlier run, so that the charts hold many dots.
void addDots(Session& session, int count)
{
    constexpr int events = 8;
    std::vector<TimelinePtr> all;
    for (int i = 0; i < count; ++i) {
        auto timeline = std::make_shared<Timeline>();
        const int model = i % loadModels;
        const int length = promptLengths[i / loadModels % promptLengths.size()];
        const double spread = 1 + (i * 7919 % 1000) / 2000.0;
        timeline->run = "earlier";
        timeline->seq = i;
        timeline->model = loadModelName(model).toStdString();
        timeline->endpoint = "load";
        timeline->promptTokensTarget = length;
        timeline->usage.promptTokens = length - 3 + i % 7;
        timeline->usage.completionTokens = events;
        timeline->streamed = true;
        timeline->zero = fromMs(i);
        const double ttftMs = (4 + model + 0.004 * length) * spread;
        for (int event = 0; event < events; ++event) {
            timeline->arrivals.push_back(fromMs(i + ttftMs + event * 7 * spread));
        }
        timeline->channels.assign(events, 't');
        all.push_back(std::move(timeline));
    }
    session.appendLog(all);
}

void print(const char* name, const Figures& figures)
{
    const auto at = [&figures](double p) {
        return percentile(figures.latenessMs, p).value_or(0);
    };
    const double worst =
        figures.latenessMs.empty() ? 0 : *std::max_element(figures.latenessMs.begin(), figures.latenessMs.end());
    const auto perS = [&figures](int count) {
        return count / figures.seconds;
    };
    std::printf("%-8s %6zu %7.2f %7.2f %7.2f %7.2f | %5.1f %5.1f %5.1f | %8.0f | %5.0f %5.0f %5.0f\n", name,
                figures.latenessMs.size(), at(0.5), at(0.95), at(0.99), worst, perS(figures.frames.ttft),
                perS(figures.frames.tpot), perS(figures.frames.raster), figures.tokensPerS, figures.processCpu * 100,
                figures.guiCpu * 100, figures.serverCpu * 100);
}

void printCosts(const Figures& figures, int lines)
{
    std::printf("\nWhat kept the GUI thread in the loaded run (paint events are inside the lines of their windows):\n");
    std::printf("%9s %8s %9s %9s  %s\n", "ms/s", "per s", "mean ms", "worst ms", "receiver and event");
    for (const EventCosts::Cost& cost : figures.costs) {
        if (lines-- <= 0) {
            break;
        }
        std::printf("%9.2f %8.1f %9.3f %9.2f  %s\n", cost.totalMs / figures.seconds, cost.count / figures.seconds,
                    cost.totalMs / cost.count, cost.worstMs, qPrintable(cost.what));
    }
}

int run(EventCosts& application, const Options& options)
{
    const LoadServer server(options.tpotMs, options.streams / loadModels);
    if (server.baseUrl().isEmpty()) {
        std::fprintf(stderr, "bench_lateness: the simulated endpoint did not start\n");
        return 1;
    }
    const QTemporaryDir folder;
    ThemeController themes;
    MainWindow window(themes,
                      startUp(options, server.baseUrl(), folder.filePath(QStringLiteral("token_timing.jsonl"))));
    if (options.dots > 0) {
        addDots(window.session(), options.dots);
    }
    // The size that the look is made for, whatever screen the platform invents.
    window.resize(1280, 800);
    window.show();
    std::unique_ptr<Hover> hover;
    if (options.hover) {
        hover = std::make_unique<Hover>(window.page()->ttftPanel()->canvas());
    }
    wait(options.rampSeconds * 1000);

    Bench bench(application, window, server);
    const Figures idle = bench.measure(options.controlSeconds);
    window.commands()->run()->trigger();
    if (!window.session().running()) {
        std::fprintf(stderr, "bench_lateness: the run did not start: %s\n",
                     qPrintable(window.session().problems().join(QStringLiteral("; "))));
        return 1;
    }
    wait(options.rampSeconds * 1000);
    const Figures loaded = bench.measure(options.seconds);
    const bool ranThrough = window.session().running();
    if (!options.screenshot.isEmpty()) {
        window.grab().save(options.screenshot);
    }
    window.commands()->stop()->trigger();

    std::printf("window %dx%d, %s, %d streams of %d models, a token every %g ms each, %d requests shown\n",
                window.width(), window.height(), qPrintable(QGuiApplication::platformName()), options.streams,
                loadModels, options.tpotMs, window.session().requests().finishedCount());
    std::printf("%-8s %6s %7s %7s %7s %7s | %5s %5s %5s | %8s | %5s %5s %5s\n", "", "beats", "P50 ms", "P95 ms",
                "P99 ms", "max ms", "ttft", "tpot", "rastr", "tokens/s", "CPU %", "GUI %", "sim %");
    print("idle", idle);
    print("loaded", loaded);
    std::printf("(frames per second of each chart; CPU as share of one core: this process, its GUI thread, the "
                "endpoint's process)\n");
    printCosts(loaded, options.costs);
    const double p99 = percentile(loaded.latenessMs, 0.99).value_or(0);
    std::printf("\nP99 %.2f ms, goal %g ms: %s\n", p99, goalP99Ms, p99 < goalP99Ms ? "met" : "missed");
    if (!ranThrough) {
        std::fprintf(stderr, "bench_lateness: the run was over before the time was: the figures are too good\n");
        return 1;
    }
    QEventLoop loop;
    QObject::connect(&window.session(), &Session::runEnded, &loop, &QEventLoop::quit);
    if (window.session().running()) {
        loop.exec();
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !qEnvironmentVariableIsSet("DISPLAY")
        && !qEnvironmentVariableIsSet("WAYLAND_DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    // Neither reads nor writes what the program itself remembers of its window.
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("tokenpace-bench"));
    QCoreApplication::setApplicationName(QStringLiteral("bench_lateness"));

    QCommandLineParser parser;
    Options options;
    parser.setApplicationDescription(
        QStringLiteral("Prints how late the window's event queue answers, idle and under load."));
    parser.addHelpOption();
    const auto number = [&parser](const QString& name, const QString& what, double value) {
        parser.addOption({name, what, QStringLiteral("N"), QString::number(value)});
    };
    number(QStringLiteral("seconds"), QStringLiteral("length of the loaded run"), options.seconds);
    number(QStringLiteral("control-seconds"), QStringLiteral("length of the idle run"), options.controlSeconds);
    number(QStringLiteral("streams"), QStringLiteral("requests in flight"), options.streams);
    number(QStringLiteral("tpot-ms"), QStringLiteral("time per output token of each"), options.tpotMs);
    number(QStringLiteral("dots"), QStringLiteral("finished requests in the charts beforehand"), options.dots);
    number(QStringLiteral("costs"), QStringLiteral("lines in the list of costs"), options.costs);
    parser.addOption({QStringLiteral("no-hover"), QStringLiteral("no mouse moves over the chart")});
    parser.addOption(
        {QStringLiteral("screenshot"), QStringLiteral("write a picture of the loaded window"), QStringLiteral("FILE")});
    QCommandLineOption serve(QStringLiteral("serve"));
    serve.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(serve);

    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments.append(QString::fromLocal8Bit(argv[i]));
    }
    const bool child = arguments.contains(QStringLiteral("--serve"));
    const std::unique_ptr<QCoreApplication> plain = child ? std::make_unique<QCoreApplication>(argc, argv) : nullptr;
    const std::unique_ptr<EventCosts> application = child ? nullptr : std::make_unique<EventCosts>(argc, argv);
    parser.process(arguments);
    const auto value = [&parser](const char* name) {
        return parser.value(QString::fromLatin1(name)).toDouble();
    };
    options.seconds = std::max(1, static_cast<int>(value("seconds")));
    options.controlSeconds = std::max(1, static_cast<int>(value("control-seconds")));
    options.streams = std::max(loadModels, static_cast<int>(value("streams")));
    options.tpotMs = std::max(0.1, value("tpot-ms"));
    options.dots = static_cast<int>(value("dots"));
    options.costs = static_cast<int>(value("costs"));
    options.hover = !parser.isSet(QStringLiteral("no-hover"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    return child ? serveLoad(options.tpotMs, options.streams / loadModels) : run(*application, options);
}
