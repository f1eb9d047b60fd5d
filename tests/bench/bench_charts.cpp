// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What charts cost to draw, and exports to make: medians of some repetitions as parts of a frame of 60 Hz, beside what
// an empty widget and QCustomPlot (Debian package libqcustomplot-dev, where it is installed) cost in the same run.
// Prints tables; no test. Usage: bench_charts [REQUESTS]

#include <algorithm>
#include <functional>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <QTextStream>

#include "charts/chartcanvas.h"
#include "charts/chartexport.h"
#include "charts/chartfigure.h"
#include "charts/chartfixture.h"
#include "charts/reportpage.h"
#include "rivalplot.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

namespace {

constexpr int repetitions = 15;
constexpr int usualRequests = 100'000;
constexpr double frameMs = 1000.0 / 60;
constexpr QSizeF slide(711.1, 400);
constexpr double slideText = 1.8;
constexpr QSize chartSize(798, 612);

const std::vector<test::MadeUpModel> eightModels{{"a", 22, 0.012, 0.05, 11.6, 0.14}, {"b", 30, 0.02, 0.1, 14.4, 0.2},
                                                 {"c", 46, 0.035, 0.15, 19.2, 0.16}, {"d", 75, 0.05, 0.3, 23.9, 0.25},
                                                 {"e", 120, 0.09, 0.5, 33.3, 0.13},  {"f", 210, 0.15, 0.9, 41.9, 0.3},
                                                 {"g", 330, 0.2, 1.2, 58.8, 0.2},    {"h", 480, 0.3, 1.8, 77.3, 0.25}};

QTextStream& out()
{
    static QTextStream stream(stdout);
    return stream;
}

double medianMs(const std::function<void()>& work)
{
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        QElapsedTimer timer;
        timer.start();
        work();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    return times[repetitions / 2];
}

void printRow(const QString& name, double ms, const QString& more)
{
    out() << name.leftJustified(52) << QString::number(ms, 'f', 2).rightJustified(9) << " ms  " << more << Qt::endl;
}

QString ratio(double value, double of, double goal, const char* ofWhat)
{
    const double share = value / of;
    const QString text = QStringLiteral("%1 x %2").arg(share, 0, 'f', 3).arg(QLatin1String(ofWhat));
    return goal > 0 ? QStringLiteral("%1, goal %2: %3")
                          .arg(text)
                          .arg(goal)
                          .arg(share <= goal ? QStringLiteral("kept") : QStringLiteral("MISSED"))
                    : text;
}

void printFrames(const QString& name, double ms, double goal = 0)
{
    printRow(name, ms, ratio(ms, frameMs, goal, "a frame"));
}

std::unique_ptr<ChartFigure> figureOf(const ChartFixture& fixture, ChartKind kind, bool perGap = false)
{
    ChartSpec spec;
    spec.kind = kind;
    spec.perGap = perGap;
    auto figure = ChartFigure::make(spec, fixture.data);
    figure->setTheme(darkTheme());
    figure->setSize(chartSize, 1);
    return figure;
}

void draw(ChartFigure& figure, QImage& ground)
{
    QPainter painter(&ground);
    figure.paint(painter);
}

std::vector<int> lengthsOf(int count)
{
    std::vector<int> lengths;
    for (int i = 0; i < count; ++i) {
        lengths.push_back(static_cast<int>(20 * std::pow(10.0, i * 3.76 / (count - 1))));
    }
    return lengths;
}

void drawDots(int requests)
{
    ChartFixture fixture;
    constexpr int lengths = 24;
    test::fill(fixture, eightModels, lengthsOf(lengths), std::max(1, requests / (lengths * 8)));
    out() << '\n' << fixture.requests.rowCount() << " requests of 8 models as dots" << Qt::endl;
    QImage ground(chartSize, QImage::Format_RGB32);
    const auto figure = figureOf(fixture, ChartKind::TtftByLength);
    figure->update();
    draw(*figure, ground);
    const double repeated = medianMs([&] {
        draw(*figure, ground);
    });
    printFrames(QStringLiteral("painted again"), repeated, 0.5);
    const double grown = medianMs([&] {
        fixture.add("a", 1000, 30, 12);
        figure->update();
        draw(*figure, ground);
    });
    printFrames(QStringLiteral("one more request, updated and painted"), grown, 0.5);
    bool zoomed = false;
    const double anew = medianMs([&] {
        ChartSpec spec = figure->spec();
        zoomed = !zoomed;
        spec.zoomY = zoomed ? std::optional(AxisRange{20, 20'000}) : std::nullopt;
        figure->setSpec(spec);
        figure->update();
        draw(*figure, ground);
    });
    printFrames(QStringLiteral("all dots anew, as after a zoom"), anew);

    RivalPlot rival;
    for (const auto& [series, one] : fixture.data.ttft()) {
        std::vector<QPointF> points;
        for (const ChartDot& dot : one.dots) {
            points.emplace_back(dot.x, dot.ms);
        }
        rival.add(points, darkTheme().series(series));
    }
    if (!rival.isThere()) {
        out() << "QCustomPlot is not installed (Debian package libqcustomplot-dev)" << Qt::endl;
        return;
    }
    rival.fit(chartSize);
    const double theirs = medianMs([&] {
        rival.draw();
    });
    printFrames(QStringLiteral("QCustomPlot, all dots anew"), theirs);
    printRow(QStringLiteral("all dots anew beside it"), anew, ratio(anew, theirs, 0.7, "QCustomPlot"));
}

/// A reply of as many output events as given, with gaps that vary.
Timeline streamOf(ChartFixture& fixture, const std::string& model, int events)
{
    Timeline one = fixture.timeline(model, 1000, 1000, 120, 20);
    one.arrivals.resize(1);
    for (int i = 1; i < events; ++i) {
        one.arrivals.push_back(one.arrivals.back() + fromMs(12 + (i * 7919 + one.seq * 104729) % 997 / 60.0));
    }
    one.channels = std::string(one.arrivals.size(), 't');
    one.usage.completionTokens = events;
    return one;
}

double drawGaps(int requests, double goal)
{
    constexpr int events = 126;
    ChartFixture fixture;
    for (int i = 0; i < requests; ++i) {
        fixture.add({streamOf(fixture, eightModels[static_cast<std::size_t>(i % 8)].name, events)});
    }
    const auto figure = figureOf(fixture, ChartKind::TpotByModel, true);
    QImage ground(chartSize, QImage::Format_RGB32);
    figure->update();
    draw(*figure, ground);
    const double ms = medianMs([&] {
        fixture.add({streamOf(fixture, "a", events)});
        figure->update();
        draw(*figure, ground);
    });
    printFrames(QStringLiteral("%1 gaps of 8 models, one more request").arg(requests * (events - 1)), ms, goal);
    return ms;
}

void hoverAndZoom(int requests)
{
    ChartFixture fixture;
    ThemeController themes;
    constexpr int lengths = 24;
    test::fill(fixture, eightModels, lengthsOf(lengths), std::max(1, requests / (lengths * 8)));
    ChartCanvas canvas(ChartKind::TtftByLength, fixture.data, fixture.selection, themes);
    canvas.resize(chartSize);
    canvas.show();
    while (canvas.framesRendered() == 0) {
        QCoreApplication::processEvents();
    }
    QWidget control;
    control.resize(chartSize);
    control.show();
    out() << "\nMouse over them" << Qt::endl;
    const double empty = medianMs([&] {
        control.repaint();
    });
    printFrames(QStringLiteral("an empty widget of that size, repainted"), empty);
    int row = 0;
    const double hover = medianMs([&] {
        row += 997;
        const auto place = canvas.figure().placeOf(row % fixture.requests.rowCount());
        const QPointF at = place ? place->at : canvas.figure().plot().center();
        QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QElapsedTimer timer;
        timer.start();
        QCoreApplication::sendEvent(&canvas, &move);
        canvas.repaint();
    });
    printFrames(QStringLiteral("the nearest request found, ring and words painted"), hover, 0.1);
    const int before = canvas.framesRendered();
    QWheelEvent wheel(canvas.figure().plot().center(), canvas.mapToGlobal(canvas.figure().plot().center()), {},
                      {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    const AxisRange goal = canvas.figure().yScale().range;
    QCoreApplication::sendEvent(&canvas, &wheel);
    int frames = 0;
    while (canvas.figure().yScale().range.low == goal.low) {
        QCoreApplication::processEvents();
        frames = canvas.framesRendered() - before;
    }
    out() << "a zoom is on the screen with frame " << frames << ", goal 2: " << (frames <= 2 ? "kept" : "MISSED")
          << Qt::endl;
}

void makeExports()
{
    ChartFixture fixture;
    const std::vector<test::MadeUpModel> models(eightModels.begin(), eightModels.begin() + 4);
    test::fill(fixture, models, {100, 300, 1000, 3000, 8000}, 1000);
    const ChartData& data = fixture.data;
    const Theme& light = lightTheme();
    out() << "\nExports of " << fixture.requests.rowCount() << " requests of 4 models" << Qt::endl;
    const auto print = [](const char* name, double goalMs, const std::function<qsizetype()>& work) {
        qsizetype bytes = 0;
        const double ms = medianMs([&] {
            bytes = work();
        });
        const QString size = QStringLiteral("%1 kB").arg(static_cast<double>(bytes) / 1000, 0, 'f', 0);
        printRow(QLatin1String(name), ms,
                 goalMs > 0 ? QStringLiteral("%1, goal %2 ms: %3")
                                  .arg(size)
                                  .arg(goalMs)
                                  .arg(ms <= goalMs ? QStringLiteral("kept") : QStringLiteral("MISSED"))
                            : size);
    };
    print("PNG 2x of a slide, drawn only", 0, [&] {
        return renderChart({}, data, {}, light, slide, slideText * 2).sizeInBytes();
    });
    print("PNG 2x of a slide", 0, [&] {
        return chartPng({}, data, {}, light, slide, slideText * 2).size();
    });
    print("PNG 2x of the screen's size", 150, [&] {
        return chartPng({}, data, {}, light, screenChartSize, 2).size();
    });
    print("SVG", 0, [&] {
        return chartSvg({}, data, {}, light).size();
    });
    print("PDF", 0, [&] {
        return chartPdf({ChartSpec()}, data, {}, light).size();
    });
    print("CSV", 0, [&] {
        return chartCsv({}, data).size();
    });
    print("HTML report of two charts", 0, [&] {
        ReportSource source;
        source.charts.resize(2);
        source.charts[1].kind = ChartKind::TpotByModel;
        return reportPage(source, data).size();
    });
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const ThemeController themes;
    const int requests = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : usualRequests;
    out() << "Medians of " << repetitions << "; a frame lasts " << QString::number(frameMs, 'f', 1) << " ms"
          << Qt::endl;
    drawDots(requests);
    out() << "\nThe distribution of gaps" << Qt::endl;
    const double few = drawGaps(800, 0);
    const double many = drawGaps(80'000, 0.35);
    printRow(QStringLiteral("a hundred times as many"), many, ratio(many, few, 1.5, "as before"));
    hoverAndZoom(requests);
    makeExports();
    return 0;
}
