// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Renders the controls, the first page and the dialog in both themes into PNG files: to be looked at beside the
// pictures of the design. Not a test. Usage: look_controls FOLDER (QT_SCALE_FACTOR=2 for high resolution).

#include <functional>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QRadioButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTextStream>
#include <QVBoxLayout>

#include "checkpanel.h"
#include "connectdialog.h"
#include "controls/chipbar.h"
#include "controls/datatable.h"
#include "controls/filterfield.h"
#include "controls/formparts.h"
#include "controls/labeledvalue.h"
#include "controls/pane.h"
#include "controls/progressstrip.h"
#include "controls/segmentedcontrol.h"
#include "controls/statusitem.h"
#include "controls/tabrow.h"
#include "controls/toolbarparts.h"
#include "experiment/checkstep.h"
#include "firstpage.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

constexpr int seriesRole = Qt::UserRole + 1;

QLabel* caption(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, activeTheme().text2);
    label->setPalette(palette);
    return label;
}

QStandardItemModel* sampleModel(QObject* parent)
{
    const QStringList titles{
        QStringLiteral("Model"),        QStringLiteral("Prompt, tokens"), QStringLiteral("n"),
        QStringLiteral("Not counted"),  QStringLiteral("TTFT P50, ms"),   QStringLiteral("95 % interval, ms"),
        QStringLiteral("TTFT P90, ms"), QStringLiteral("TPOT P50, ms"),   QStringLiteral("E2E P50, ms"),
        QStringLiteral("Tokens/s")};
    const QStringList rows{QStringLiteral("qwen-small|100|8|–|137|118 – 173|168|18.3|2,440|52.4"),
                           QStringLiteral("qwen-small|300|8|–|198|187 – 231|219|17.4|2,420|52.9"),
                           QStringLiteral("qwen-small|1,000|8|–|361|302 – 425|397|18.1|2,640|48.4"),
                           QStringLiteral("qwen-small|3,000|7|1 cached|849|769 – 922|912|16.7|2,990|42.8"),
                           QStringLiteral("qwen-small|8,000|8|–|1,910|1,710 – 2,920|2,540|16.9|4,190|30.6"),
                           QStringLiteral("gateway/large|100|8|–|342|314 – 370|365|36.3|4,940|25.9")};
    auto* model = new QStandardItemModel(0, static_cast<int>(titles.size()), parent);
    model->setHorizontalHeaderLabels(titles);
    for (int repeat = 0; repeat < 3; ++repeat) {
        for (const QString& row : rows) {
            QList<QStandardItem*> items;
            const QStringList cells = row.split(QLatin1Char('|'));
            for (qsizetype column = 0; column < cells.size(); ++column) {
                auto* item = new QStandardItem(cells[column]);
                const bool words = column == 0 || column == 3;
                item->setTextAlignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
                item->setData(row.startsWith(QLatin1String("qwen")) ? 1 : 2, seriesRole);
                items << item;
            }
            model->appendRow(items);
        }
    }
    for (int column = 0; column < titles.size(); ++column) {
        const bool words = column == 0 || column == 3;
        const Qt::Alignment alignment = (words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
        model->setHeaderData(column, Qt::Horizontal, int(alignment), Qt::TextAlignmentRole);
    }
    return model;
}

BarFrame* toolBar(QWidget* parent, bool running)
{
    auto* bar = new BarFrame(BarFrame::Kind::Tool, parent);
    QLayout* row = bar->layout();
    auto* run = new ToolPushButton(QStringLiteral("play"), QStringLiteral("Run"), bar);
    run->setMain(true);
    run->setEnabled(!running);
    auto* stop = new ToolPushButton(QStringLiteral("stop"), QStringLiteral("Stop"), bar);
    stop->setIconName(QStringLiteral("stop"), IconColour::Error);
    stop->setKeyText(running ? QStringLiteral("Esc") : QString());
    stop->setEnabled(running);
    auto* experiment = new QComboBox(bar);
    experiment->addItem(QStringLiteral("Prompt length"));
    experiment->setFixedWidth(136);
    auto* chips = new ChipBar(bar);
    chips->setItems({{QStringLiteral("gemma-3-270m"), 0, true, {}},
                     {QStringLiteral("qwen-small"), 1, true, {}},
                     {QStringLiteral("gateway/large"), 2, running, {}}});
    auto* badge = new Badge(bar);
    badge->setIconName(QStringLiteral("target"), IconColour::Good);
    badge->setText(QStringLiteral("stamps ±3 µs"));
    row->addWidget(run);
    row->addWidget(stop);
    row->addWidget(new BarSeparator(bar));
    row->addWidget(caption(QStringLiteral("Experiment"), bar));
    row->addWidget(experiment);
    row->addWidget(makeIconButton(QStringLiteral("sliders"), QStringLiteral("Parameters"), IconButtonSize::Bar, bar));
    row->addWidget(new BarSeparator(bar));
    row->addWidget(chips);
    row->addWidget(makeIconButton(QStringLiteral("plus"), QStringLiteral("Add"), IconButtonSize::Bar, bar));
    static_cast<QHBoxLayout*>(row)->addStretch(1);
    row->addWidget(badge);
    for (const char* icon : {"search", "export", "contrast", "menu"}) {
        row->addWidget(makeIconButton(QString::fromLatin1(icon), QString::fromLatin1(icon), IconButtonSize::Bar, bar));
    }
    return bar;
}

BarFrame* statusBar(QWidget* parent)
{
    auto* bar = new BarFrame(BarFrame::Kind::Status, parent);
    auto* row = static_cast<QHBoxLayout*>(bar->layout());
    const auto item = [&](const QString& text, StatusItem::State state) {
        auto* status = new StatusItem(bar);
        status->setText(text);
        status->setState(state);
        row->addWidget(status);
    };
    row->setSpacing(16);
    item(QStringLiteral("127.0.0.1:8080 up"), StatusItem::State::Good);
    item(QStringLiteral("gateway.example up, 24 ms"), StatusItem::State::Good);
    row->addWidget(new BarSeparator(bar, 14));
    item(QStringLiteral("logs/token_timing.jsonl, 120 records written"), StatusItem::State::None);
    item(QStringLiteral("0 lost"), StatusItem::State::None);
    row->addStretch(1);
    item(QStringLiteral("event-loop lag 0.2 ms"), StatusItem::State::None);
    return bar;
}

PaneFrame* tablePane(QWidget* parent)
{
    auto* pane = new PaneFrame(parent);
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* tabs = new TabRow(TabRow::Kind::Pane, pane);
    layout->addWidget(tabs);
    auto* table = new DataTable(pane);
    table->setModel(sampleModel(table));
    table->setSeriesRole(0, seriesRole);
    table->sortByColumn(-1, Qt::AscendingOrder);
    const int widths[]{126, 102, 34, 95, 99, 116, 98, 100, 92, 68};
    for (int i = 0; i < 10; ++i) {
        table->setColumnWidth(i, widths[i]);
    }
    table->selectRow(3);
    tabs->addTab(table, QStringLiteral("Summary"));
    const QStringList others{QStringLiteral("Requests"), QStringLiteral("Findings"), QStringLiteral("Phases"),
                             QStringLiteral("History")};
    for (const QString& other : others) {
        tabs->addTab(new QWidget, other);
    }
    tabs->setBadge(2, QStringLiteral("2"));
    auto* filter = new FilterField(tabs);
    filter->setKeyText(QStringLiteral("Ctrl+F"));
    tabs->addRight(filter);
    tabs->addRight(makeIconButton(QStringLiteral("copy"), QStringLiteral("Copy"), IconButtonSize::Pane, tabs));
    tabs->addRight(makeIconButton(QStringLiteral("float"), QStringLiteral("Float"), IconButtonSize::Pane, tabs));
    return pane;
}

/// The parts of the main window that are made of controls, at the places of the picture.
QWidget* window()
{
    auto* page = new QWidget;
    page->resize(1280, 800);
    toolBar(page, true)->setGeometry(0, 0, 1280, 44);
    auto* tabs = new TabRow(TabRow::Kind::Main, page);
    tabs->addTab(new QWidget, QStringLiteral("Charts"));
    tabs->addTab(new QWidget, QStringLiteral("Prompt"));
    auto* strip = new ProgressStrip(tabs);
    strip->setParts({QStringLiteral("120 of 180 requests"), QStringLiteral("3 min 28 s left"),
                     QStringLiteral("$0.07 of about $0.11")});
    strip->setFraction(0.67);
    tabs->addRight(strip);
    tabs->setGeometry(0, 44, 1280, 40);

    auto* charts = new QMainWindow(page);
    charts->setWindowFlags(Qt::Widget);
    charts->setGeometry(0, 76, 1280, 484);
    charts->setContentsMargins(8, 8, 8, 0);
    auto* ttft = new PaneDock(QStringLiteral("ttft"), QStringLiteral("Time to first token vs prompt length"),
                              PaneDock::Head::Chart, charts);
    ttft->head()->setSubtitle(QStringLiteral("118 ok, 1 time-out, 1 cached (hollow) · line: median · band: min–max"));
    auto* tpot = new PaneDock(QStringLiteral("tpot"), QStringLiteral("Time per output token by model"),
                              PaneDock::Head::Overlay, charts);
    tpot->head()->setTitle(QStringLiteral("Time per output token by model"));
    tpot->head()->setSubtitle(QStringLiteral("119 requests, 1 time-out · points and box: quartiles, whiskers P5–P95"));
    auto* raster =
        new PaneDock(QStringLiteral("raster"), QStringLiteral("Token raster"), PaneDock::Head::Small, charts);
    raster->head()->setSubtitle(
        QStringLiteral("a row a request, a tick an arrival · time since the request was written"));
    for (PaneDock* dock : {ttft, tpot}) {
        dock->head()->addButton(QStringLiteral("expand"), QStringLiteral("Expand"));
        dock->head()->addButton(QStringLiteral("more"), QStringLiteral("More"));
        dock->setContent(new QWidget);
    }
    raster->addHeadWidget(makeIconButton(QStringLiteral("more"), QStringLiteral("More"), IconButtonSize::Pane, raster));
    raster->setContent(new QWidget);
    charts->addDockWidget(Qt::TopDockWidgetArea, ttft);
    charts->splitDockWidget(ttft, raster, Qt::Vertical);
    charts->splitDockWidget(ttft, tpot, Qt::Horizontal);
    charts->show();
    charts->resizeDocks({ttft, tpot}, {690, 566}, Qt::Horizontal);
    charts->resizeDocks({ttft, raster}, {318, 142}, Qt::Vertical);

    tablePane(page)->setGeometry(8, 560, 934, 206);
    auto* inspector = new PaneFrame(page);
    inspector->setGeometry(950, 560, 322, 206);
    auto* column = new QVBoxLayout(inspector);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new PaneTitle(PaneTitle::Kind::Small, inspector);
    head->setTitle(QStringLiteral("Inspector"));
    for (const char* icon : {"copy", "float", "close"}) {
        head->addButton(QString::fromLatin1(icon), QString::fromLatin1(icon));
    }
    column->addWidget(head);
    column->addStretch(1);
    auto* values = new QHBoxLayout;
    values->setContentsMargins(12, 0, 12, 10);
    const QList<QStringList> figures{{QStringLiteral("TTFT"), QStringLiteral("894"), QStringLiteral("ms")},
                                     {QStringLiteral("TPOT"), QStringLiteral("17.5"), QStringLiteral("ms")},
                                     {QStringLiteral("E2E"), QStringLiteral("3.12"), QStringLiteral("s")},
                                     {QStringLiteral("Finish"), QStringLiteral("length"), QString()},
                                     {QStringLiteral("Unknown"), QString(), QString()}};
    for (const QStringList& figure : figures) {
        auto* value = new LabeledValue(figure[0], inspector);
        value->setValue(figure[1], figure[2]);
        values->addWidget(value);
    }
    column->addLayout(values);
    statusBar(page)->setGeometry(0, 774, 1280, 26);
    return page;
}

/// States and the controls that the window has no example of.
QWidget* gallery()
{
    auto* page = new QWidget;
    page->resize(1280, 800);
    auto* frame = new QFrame(page);
    frame->setProperty("pane", true);
    frame->setGeometry(8, 60, 1264, 732);
    toolBar(page, false)->setGeometry(0, 0, 1280, 44);
    auto* grid = new QGridLayout(frame);
    grid->setContentsMargins(24, 24, 24, 24);
    grid->setVerticalSpacing(16);
    int line = 0;
    const auto row = [&](const QString& name, const QList<QWidget*>& widgets) {
        grid->addWidget(caption(name, frame), line, 0);
        auto* box = new QHBoxLayout;
        box->setSpacing(12);
        for (QWidget* widget : widgets) {
            box->addWidget(widget);
        }
        box->addStretch(1);
        grid->addLayout(box, line++, 1);
    };
    const auto button = [&](const QString& text, const char* property) {
        auto* result = new QPushButton(text, frame);
        if (property != nullptr) {
            result->setProperty(property, true);
        }
        return result;
    };
    auto* off = button(QStringLiteral("Disabled"), nullptr);
    off->setEnabled(false);
    auto* mainOff = button(QStringLiteral("Main, off"), "main");
    mainOff->setEnabled(false);
    row(QStringLiteral("Buttons"),
        {button(QStringLiteral("Button"), nullptr), button(QStringLiteral("Main"), "main"),
         button(QStringLiteral("Small"), "small"), button(QStringLiteral("Large"), "large"), off, mainOff});
    auto* checked = new QCheckBox(QStringLiteral("Ticked"), frame);
    checked->setChecked(true);
    auto* partly = new QCheckBox(QStringLiteral("Partly"), frame);
    partly->setTristate(true);
    partly->setCheckState(Qt::PartiallyChecked);
    auto* checkOff = new QCheckBox(QStringLiteral("Disabled"), frame);
    checkOff->setChecked(true);
    checkOff->setEnabled(false);
    auto* radio = new QRadioButton(QStringLiteral("Chosen"), frame);
    radio->setChecked(true);
    row(QStringLiteral("Boxes"),
        {checked, new QCheckBox(QStringLiteral("Not ticked"), frame), partly, checkOff, radio,
         new QRadioButton(QStringLiteral("Not chosen"), frame)});
    auto* segments = new SegmentedControl({QStringLiteral("PNG"), QStringLiteral("SVG"), QStringLiteral("CSV")}, frame);
    auto* segmentsOff = new SegmentedControl({QStringLiteral("1×"), QStringLiteral("2×"), QStringLiteral("3×")}, frame);
    segmentsOff->setEnabled(false);
    row(QStringLiteral("Segments"), {segments, segmentsOff});
    auto* bad = new QLineEdit(QStringLiteral("htp:/nowhere"), frame);
    bad->setProperty("bad", true);
    auto* empty = new QLineEdit(frame);
    empty->setPlaceholderText(QStringLiteral("placeholder"));
    auto* fieldOff = new QLineEdit(QStringLiteral("disabled"), frame);
    fieldOff->setEnabled(false);
    auto* editable = new QComboBox(frame);
    editable->setEditable(true);
    editable->addItems({QStringLiteral("gateway/large")});
    auto* spin = new QSpinBox(frame);
    spin->setRange(0, 100000);
    spin->setButtonSymbols(QAbstractSpinBox::NoButtons);
    spin->setValue(30000);
    row(QStringLiteral("Fields"), {new QLineEdit(QStringLiteral("text"), frame), empty, bad, fieldOff, editable, spin});
    auto* squeezed = new ChipBar(frame);
    squeezed->setItems({{QStringLiteral("gateway/a-model-with-a-long-name"), 0, true, {}},
                        {QStringLiteral("qwen-small"), 1, false, {}},
                        {QStringLiteral("another-long-name"), 3, true, {}},
                        {QStringLiteral("llama-8b"), 4, true, {}}});
    squeezed->setFixedWidth(300);
    auto* wide = new ChipBar(frame);
    QList<ChipBar::Item> eight;
    for (int i = 0; i < 8; ++i) {
        eight << ChipBar::Item{QStringLiteral("series %1").arg(i), i, true, {}};
    }
    wide->setItems(eight);
    row(QStringLiteral("Chips"), {squeezed, wide});
    const auto strip = [&](double fraction, const QString& icon) {
        auto* result = new ProgressStrip(frame);
        result->setParts({QStringLiteral("2,400 of 2,400 requests"), QStringLiteral("2 time-outs")});
        result->setFraction(fraction);
        result->setIconName(icon);
        return result;
    };
    row(QStringLiteral("Progress"),
        {strip(0, {}), strip(0.01, {}), strip(1, {}), strip(-1, QStringLiteral("circle-check"))});
    QList<QWidget*> states;
    for (const auto state : {StatusItem::State::Good, StatusItem::State::Warning, StatusItem::State::Error,
                             StatusItem::State::Unknown, StatusItem::State::None}) {
        auto* item = new StatusItem(frame);
        item->setState(state);
        item->setText(QStringLiteral("status text"));
        states << item;
    }
    row(QStringLiteral("Status"), states);
    QList<QWidget*> icons;
    for (const QString& file : QDir(QStringLiteral(":/icons")).entryList()) {
        icons << makeIconButton(file.chopped(4), file, IconButtonSize::Pane, frame);
    }
    row(QStringLiteral("Icons"), icons);
    grid->setRowStretch(line, 1);
    auto* sorted = new DataTable(frame);
    sorted->setModel(sampleModel(sorted));
    sorted->setSeriesRole(0, seriesRole);
    sorted->sortByColumn(4, Qt::DescendingOrder);
    sorted->fitColumns();
    sorted->selectRow(1);
    grid->addWidget(sorted, line, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    sorted->setFocus(Qt::OtherFocusReason);
    return page;
}

void render(const QString& folder, const QString& name, const std::function<QWidget*()>& make)
{
    const std::unique_ptr<QWidget> widget(make());
    widget->show();
    QApplication::processEvents();
    QApplication::processEvents();
    const QString file = QStringLiteral("%1/%2.png").arg(folder, name);
    widget->grab().save(file);
    QTextStream(stdout) << file << Qt::endl;
}

QWidget* firstPage(const QSize& size)
{
    auto* page = new QWidget;
    page->resize(size);
    toolBar(page, false)->setGeometry(0, 0, size.width(), 44);
    auto* first = new FirstPage(page);
    FirstPageFacts facts;
    facts.settingsPlaces = {QStringLiteral("./settings.json and the folders above"),
                            QStringLiteral("~/.config/tokenpace/settings.json"),
                            QStringLiteral("~/.config/taotoken/config.toml")};
    facts.variables = {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY")};
    first->setFacts(facts);
    first->setGeometry(0, 44, size.width(), size.height() - 70);
    statusBar(page)->setGeometry(0, size.height() - 26, size.width(), 26);
    return page;
}

QWidget* dialog(bool tested)
{
    ConnectDialog::Places places;
    places.configFile = QDir::home().filePath(QStringLiteral(".config/tokenpace/settings.json"));
    places.workingFolder = QDir::currentPath();
    places.environment = [](const QString& name) -> std::optional<QString> {
        return name == QLatin1String("TAOTOKEN_API_KEY") ? std::optional(QString(51, QLatin1Char('x'))) : std::nullopt;
    };
    auto* result = new ConnectDialog(places);
    if (!tested) {
        result->baseUrlField()->setText(QStringLiteral("gateway.example/v1"));
        result->keyField()->setText(QStringLiteral("${MY_KEY}"));
        return result;
    }
    result->baseUrlField()->setText(QStringLiteral("https://gateway.example/v1"));
    result->modelField()->setEditText(QStringLiteral("gateway/qwen-smal"));
    CheckPanel* panel = result->checkPanel();
    panel->showRunning();
    const auto add = [&](const char* name, CheckState state, double ms, const char* message, const char* fix = "") {
        panel->addStep(
            {{}, QString::fromUtf8(name), state, ms, QString::fromUtf8(message), QString::fromUtf8(fix), {}});
    };
    add("URL", CheckState::Passed, 0.02, "https://gateway.example/v1/chat/completions");
    add("Proxy", CheckState::NotNeeded, 0, "none is set, none is used");
    add("Name look-up", CheckState::Passed, 3.1, "gateway.example is 203.0.113.5 (IPv4)");
    add("TCP connection", CheckState::Passed, 12.4, "connected to gateway.example:443");
    add("TLS", CheckState::Passed, 31, "TLS 1.3, certificate by Example CA, valid until 2027-01-01");
    add("Key", CheckState::Passed, 88.2, "the list of models came with it");
    add("List of models", CheckState::Noted, 0.1, "14 models – gateway/qwen-smal is not among them",
        "Set \"model\" to a name on the list: gateway/qwen-small.");
    add("Request", CheckState::Failed, 112, "HTTP 404: model not found – the endpoint has no such model",
        "Near names on this endpoint: gateway/qwen-small.");
    for (const char* name : {"Streamed request", "Two at once", "Usage", "Streaming", "Model that answered"}) {
        add(name, CheckState::Skipped, 0, "skipped, since \"Request\" failed");
    }
    panel->showFinished(false);
    return result;
}

void renderPages(const QString& folder, const QString& suffix)
{
    render(folder, QStringLiteral("first") + suffix, [] {
        return firstPage({1280, 800});
    });
    render(folder, QStringLiteral("first-small") + suffix, [] {
        return firstPage({1000, 640});
    });
    render(folder, QStringLiteral("first-large") + suffix, [] {
        return firstPage({1920, 1080});
    });
    render(folder, QStringLiteral("connect") + suffix, [] {
        return dialog(true);
    });
    render(folder, QStringLiteral("connect-bad") + suffix, [] {
        return dialog(false);
    });
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    QDir().mkpath(folder);
    ThemeController themes;
    for (const auto choice : {ThemeController::Choice::Dark, ThemeController::Choice::Light}) {
        themes.setChoice(choice);
        const QString suffix =
            choice == ThemeController::Choice::Dark ? QStringLiteral("-dark") : QStringLiteral("-light");
        render(folder, QStringLiteral("window") + suffix, window);
        render(folder, QStringLiteral("gallery") + suffix, gallery);
        renderPages(folder, suffix);
    }
    return 0;
}
