// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Renders the charts with made-up data into PNG and SVG files and onto one sheet, in both themes: to be looked at
// beside the pictures of the design. Not a test. Usage: look_charts FOLDER (QT_SCALE_FACTOR=2 for high resolution).

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QMouseEvent>
#include <QTextStream>

#include "charts/chartcanvas.h"
#include "charts/chartexport.h"
#include "charts/chartfigure.h"
#include "charts/chartfixture.h"
#include "charts/chartpanel.h"
#include "look/contactsheet.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;
using test::ContactSheet;

namespace {

const std::vector<test::MadeUpModel> threeModels{{"gemma-3-270m", 38, 0.055, 0, 8.2, 0.13},
                                                 {"qwen-small", 120, 0.25, 0, 17.4, 0.13},
                                                 {"gateway/large", 310, 0.42, 0, 36.5, 0.16}};

const std::vector<test::MadeUpModel> eightModels{
    {"Qwen2.5-7B", 22, 0.012, 0.05, 11.6, 0.14},       {"Llama-3.1-8B", 30, 0.02, 0.1, 14.4, 0.2},
    {"Mistral-Nemo-12B", 46, 0.035, 0.15, 19.2, 0.16}, {"Phi-4-14B", 75, 0.05, 0.3, 23.9, 0.25},
    {"Gemma-2-27B", 120, 0.09, 0.5, 33.3, 0.13},       {"DeepSeek-V3", 210, 0.15, 0.9, 41.9, 0.3},
    {"Llama-3.3-70B", 330, 0.2, 1.2, 58.8, 0.2},       {"Qwen2.5-72B", 480, 0.3, 1.8, 77.3, 0.25}};

ChartProvenance provenance()
{
    ChartProvenance result;
    result.date = QDateTime(QDate(2026, 11, 29), QTime(18, 24), Qt::UTC);
    result.endpoints = QStringList{QStringLiteral("127.0.0.1:8080"), QStringLiteral("gateway.example")};
    result.settingsHash = QStringLiteral("9c41e7a");
    result.stampError = QStringLiteral("stamps ±3 µs (P99 9 µs), kernel");
    result.simulated = true;
    return result;
}

struct Shots {
    QDir folder;
    ThemeController& themes;
    QString suffix;
    ContactSheet& sheet;

    void panel(ChartFixture& fixture, ChartKind kind, QSize size, const QString& name, int current = -1,
               bool measured = false, int hovered = -1)
    {
        QWidget ground;
        ground.resize(size + QSize(16, 16));
        ChartPanel panel(kind, fixture.data, fixture.selection, themes, &ground);
        const double limitMs = kind == ChartKind::TtftByLength ? 800 : 50;
        panel.setLimit(limitMs, limitMs, false);
        panel.setGeometry(8, 8, size.width(), size.height());
        if (current >= 0) {
            fixture.selection.setCurrentIndex(fixture.requests.index(current, 0), QItemSelectionModel::NoUpdate);
        }
        QElapsedTimer timer;
        timer.start();
        ground.show();
        if (hovered >= 0) {
            ground.grab(); // dots have their places from the first frame on
            const QPointF at = panel.canvas().figure().placeOf(hovered)->at;
            QMouseEvent move(QEvent::MouseMove, at, panel.canvas().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QCoreApplication::sendEvent(&panel.canvas(), &move);
        }
        const QImage shot = ground.grab().toImage();
        shot.save(folder.filePath(name + suffix + QStringLiteral(".png")));
        sheet.add(shot, name + suffix);
        if (measured) {
            QTextStream(stdout) << name << ": first frame " << timer.elapsed() << " ms\n";
            timer.restart();
            fixture.add("Qwen2.5-7B", 1000, 30, 12);
            const int before = panel.canvas().framesRendered();
            while (panel.canvas().framesRendered() == before) {
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            }
            QTextStream(stdout) << name << ": one more request, drawn after " << timer.elapsed() << " ms\n";
        }
    }

    void file(const QString& name, const QByteArray& bytes)
    {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(bytes);
        }
    }

    void exports(ChartFixture& fixture, ChartKind kind, const QString& name)
    {
        ChartSpec spec;
        spec.kind = kind;
        spec.limitMs = kind == ChartKind::TtftByLength ? 800 : 50;
        const Theme& theme = themes.theme();
        const QByteArray png = chartPng(spec, fixture.data, provenance(), theme, {711, 400}, 2);
        file(name + suffix + QStringLiteral("-2x.png"), png);
        sheet.add(QImage::fromData(png), name + suffix + QStringLiteral("-2x"));
        // A column of a paper at 1x: smaller than its layout.
        sheet.add(renderChart(spec, fixture.data, provenance(), theme, {480, 326}, 350.0 / 480),
                  name + suffix + QStringLiteral("-paper"));
        file(name + suffix + QStringLiteral(".svg"), chartSvg(spec, fixture.data, provenance(), theme, {711, 400}));
        file(name + QStringLiteral(".csv"), chartCsv(spec, fixture.data));
        spec.zoomX = AxisRange{500, 4000};
        spec.zoomY = AxisRange{100, 1500};
        if (kind == ChartKind::TpotByModel) {
            spec.zoomY = AxisRange{12, 30};
        }
        file(name + suffix + QStringLiteral("-zoomed.svg"), chartSvg(spec, fixture.data, provenance(), theme));
    }
};

void renderAll(Shots& shots)
{
    const ChartKind ttft = ChartKind::TtftByLength;
    const ChartKind tpot = ChartKind::TpotByModel;
    {
        ChartFixture fixture;
        test::fill(fixture, threeModels, {100, 300, 1000, 3000, 8000}, 8);
        Timeline cached = fixture.timeline("qwen-small", 3000, 3010, 380, 17);
        cached.flags.set(Flag::Cached);
        Timeline late = fixture.timeline("gateway/large", 3000, 3010, 380, 17);
        late.status = Status::Timeout;
        late.arrivals.clear();
        late.channels.clear();
        fixture.add({cached, late});
        shots.panel(fixture, ttft, {690, 318}, QStringLiteral("ttft"), 100);
        shots.panel(fixture, tpot, {566, 318}, QStringLiteral("tpot"), 100);
        shots.panel(fixture, tpot, {300, 260}, QStringLiteral("tpot-narrow"), 100);
        shots.panel(fixture, ttft, {420, 260}, QStringLiteral("ttft-narrow"), 100);
        shots.exports(fixture, ttft, QStringLiteral("export-ttft"));
        shots.exports(fixture, tpot, QStringLiteral("export-tpot"));
    }
    {
        ChartFixture fixture;
        test::fill(fixture, {threeModels.front()}, {100, 1000, 3000}, 1);
        shots.panel(fixture, ttft, {690, 318}, QStringLiteral("few-ttft"));
        shots.panel(fixture, tpot, {566, 318}, QStringLiteral("few-tpot"));
    }
    {
        ChartFixture fixture;
        shots.panel(fixture, ttft, {690, 318}, QStringLiteral("empty-ttft"));
        shots.panel(fixture, tpot, {566, 318}, QStringLiteral("empty-tpot"));
    }
    {
        ChartFixture fixture;
        test::fill(fixture, threeModels, {100, 200, 300, 500, 700, 1000, 2000, 3000, 5000, 8000, 12000, 16000}, 40);
        QItemSelection some;
        some.append(QItemSelectionRange(fixture.requests.index(600, 0), fixture.requests.index(800, 0)));
        fixture.selection.select(some, QItemSelectionModel::Select);
        shots.panel(fixture, ttft, {1018, 420}, QStringLiteral("selected-ttft"), 700, false, 760);
        shots.panel(fixture, tpot, {886, 420}, QStringLiteral("selected-tpot"), 700);
    }
}

void renderMany(Shots& shots, ChartFixture& many)
{
    shots.panel(many, ChartKind::TtftByLength, {798, 612}, QStringLiteral("many-ttft"), -1, true);
    shots.panel(many, ChartKind::TpotByModel, {798, 612}, QStringLiteral("many-tpot"), -1, true);
    shots.exports(many, ChartKind::TtftByLength, QStringLiteral("export-many"));
}

void renderManySeries(Shots& shots)
{
    ChartFixture fixture;
    std::vector<test::MadeUpModel> models;
    for (int i = 0; i < 18; ++i) {
        models.push_back({"model-" + std::to_string(i + 1), 20 * std::pow(1.35, i), 0.02 * std::pow(1.3, i), 0,
                          5 * std::pow(1.18, i), 0.05});
    }
    test::fill(fixture, models, {100, 1000, 10000}, 4);
    shots.panel(fixture, ChartKind::TtftByLength, {798, 480}, QStringLiteral("series-ttft"));
    shots.panel(fixture, ChartKind::TpotByModel, {798, 480}, QStringLiteral("series-tpot"));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2) {
        QTextStream(stderr) << "Usage: look_charts FOLDER [many]\n";
        return 2;
    }
    QDir folder(arguments[1]);
    folder.mkpath(QStringLiteral("."));
    ThemeController themes;
    const QString scale = application.devicePixelRatio() > 1 ? QStringLiteral("-hidpi") : QString();
    std::unique_ptr<ChartFixture> many;
    if (arguments.contains(QStringLiteral("many"))) {
        many = std::make_unique<ChartFixture>();
        std::vector<int> lengths;
        for (int i = 0; i < 24; ++i) {
            lengths.push_back(static_cast<int>(20 * std::pow(10.0, i * 3.76 / 23)));
        }
        test::fill(*many, eightModels, lengths, 521);
    }
    ContactSheet sheet;
    for (const bool dark : {true, false}) {
        themes.setChoice(dark ? ThemeController::Choice::Dark : ThemeController::Choice::Light);
        Shots shots{folder, themes, (dark ? QStringLiteral("-dark") : QStringLiteral("-light")) + scale, sheet};
        renderAll(shots);
        renderManySeries(shots);
        if (many) {
            renderMany(shots, *many);
        }
    }
    sheet.save(folder.filePath(QStringLiteral("sheet%1.png").arg(scale)));
    return 0;
}
