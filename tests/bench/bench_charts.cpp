// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long exports take: medians of some repetitions, beside what a frame of 60 Hz lasts. Prints a table; no test.
// Usage: bench_charts [REQUESTS]

#include <algorithm>
#include <functional>

#include <QApplication>
#include <QElapsedTimer>
#include <QTextStream>

#include "charts/chartexport.h"
#include "charts/chartfixture.h"
#include "charts/reportpage.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

constexpr int repetitions = 9;
constexpr int usualRequests = 20'000;
constexpr QSizeF slide(711.1, 400);
constexpr double slideText = 1.8;

struct Row {
    const char* name;
    double goalMs; ///< or 0
    std::function<qsizetype()> work; ///< returns the bytes that came of it
};

void print(const Row& row)
{
    std::vector<double> times;
    qsizetype bytes = 0;
    for (int i = 0; i < repetitions; ++i) {
        QElapsedTimer timer;
        timer.start();
        bytes = row.work();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    const double median = times[repetitions / 2];
    QTextStream out(stdout);
    out.setRealNumberPrecision(1);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out << QString::fromLatin1(row.name).leftJustified(34) << QString::number(median, 'f', 1).rightJustified(8) << " ms"
        << QString::number(static_cast<double>(bytes) / 1000, 'f', 0).rightJustified(8) << " kB";
    if (row.goalMs > 0) {
        out << "   goal " << row.goalMs << " ms: " << (median <= row.goalMs ? "kept" : "MISSED");
    }
    out << '\n';
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const ThemeController themes;
    const int requests = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : usualRequests;
    test::ChartFixture fixture;
    const std::vector<test::MadeUpModel> models{{"a", 38, 0.055, 0, 8.2, 0.13},
                                                {"b", 120, 0.25, 0, 17.4, 0.13},
                                                {"c", 310, 0.42, 0, 36.5, 0.16},
                                                {"d", 22, 0.012, 0.05, 11.6, 0.14}};
    const std::vector<int> lengths{100, 300, 1000, 3000, 8000};
    test::fill(fixture, models, lengths, std::max(1, requests / static_cast<int>(models.size() * lengths.size())));
    const ChartData& data = fixture.data;
    QTextStream(stdout) << fixture.requests.rowCount() << " requests, 4 models; medians of " << repetitions << '\n';
    const Theme& light = lightTheme();
    const Row rows[] = {
        {"PNG 2x of a slide, drawn only", 0,
         [&] {
             return renderChart({}, data, {}, light, slide, slideText * 2).sizeInBytes();
         }},
        {"PNG 2x of a slide", 0,
         [&] {
             return chartPng({}, data, {}, light, slide, slideText * 2).size();
         }},
        {"PNG 2x of the screen's size", 150,
         [&] {
             return chartPng({}, data, {}, light, screenChartSize, 2).size();
         }},
        {"SVG", 100,
         [&] {
             return chartSvg({}, data, {}, light).size();
         }},
        {"PDF", 100,
         [&] {
             return chartPdf({ChartSpec()}, data, {}, light).size();
         }},
        {"CSV", 0,
         [&] {
             return chartCsv({}, data).size();
         }},
        {"HTML report of two charts", 0,
         [&] {
             ReportSource source;
             source.charts.resize(2);
             source.charts[1].kind = ChartKind::TpotByModel;
             return reportPage(source, data).size();
         }},
    };
    for (const Row& row : rows) {
        print(row);
    }
    return 0;
}
