// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/chip.h"
#include "controls/chipbar.h"
#include "controls/dataheader.h"
#include "controls/datatable.h"
#include "controls/filterfield.h"
#include "controls/labeledvalue.h"
#include "controls/pane.h"
#include "controls/progressstrip.h"
#include "controls/segmentedcontrol.h"
#include "controls/statusitem.h"
#include "controls/tabrow.h"
#include "controls/toolbarparts.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

constexpr int seriesRole = Qt::UserRole + 1;

std::unique_ptr<QStandardItemModel> tableModel(int rows)
{
    auto model = std::make_unique<QStandardItemModel>(rows, 3);
    model->setHorizontalHeaderLabels({QStringLiteral("Model"), QStringLiteral("n"), QStringLiteral("TTFT, ms")});
    for (int row = 0; row < rows; ++row) {
        model->setData(model->index(row, 0), QStringLiteral("model %1").arg(row));
        model->setData(model->index(row, 0), row % 3, seriesRole);
        model->setData(model->index(row, 1), row);
        model->setData(model->index(row, 2), row == 0 ? QVariant(QStringLiteral("–")) : QVariant(row * 10));
        for (const int column : {1, 2}) {
            model->setData(model->index(row, column), int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
        }
    }
    return model;
}

QScrollBar* barOverRows(DataTable& table)
{
    for (QScrollBar* bar : table.findChildren<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (bar->orientation() == Qt::Vertical && bar != table.verticalScrollBar()) {
            return bar;
        }
    }
    return nullptr;
}

void show(QWidget& widget)
{
    widget.show();
    widget.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&widget));
}

} // namespace

class TestControls final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();

    void aChipTogglesByClickAndSpace();
    void anOffChipHasAHollowDot();
    void aChipOffersItsWholeNameWhenElided();
    void aBarWithRoomFoldsNothing();
    void chipsShortenBeforeTheyFold();
    void foldedChipsToggleFromTheMenu();
    void settingAChipFromOutsideIsSilent();
    void aToolButtonIsPressedByMouseAndKey();
    void theKeyTextTakesRoom();
    void segmentsFollowArrowsAndClicks();
    void headerTitlesAndRowsHaveTheirHeights();
    void aTableStaysInTheModelsOrderUntilAsked();
    void theHeaderSorts();
    void theHeaderMenuShowsAndHidesColumns();
    void theLastColumnCannotBeHidden();
    void copyTakesSelectedRowsAndVisibleColumns();
    void copyWithoutSelectionTakesAllRows();
    void copiedCellsHaveNoTabs();
    void movedColumnsAreCopiedAsTheyStand();
    void theBarLiesOverTheRowsAndMovesThem();
    void theBarIsHiddenWhenAllRowsFit();
    void theDotHasTheColourOfItsSeries();
    void escapeClearsTheFilterFirst();
    void tabsSwitchPagesAndWhatIsBesideThem();
    void aBadgeIsSaidToScreenReaders();
    void aPaneKeepsItsBorderFree();
    void anOverlaidPaneGivesAllToItsContent();
    void aDoubleClickOnTheHeadIsTheWindows();
    void theFloatButtonFloats();
    void progressLeavesOutWhatFindsNoRoom();
    void anUnknownValueIsADash();
    void aStatusWithoutStateHasNoDot();

private:
    std::unique_ptr<ThemeController> m_themes;
};

void TestControls::initTestCase()
{
    m_themes = std::make_unique<ThemeController>();
    m_themes->setChoice(ThemeController::Choice::Dark);
}

void TestControls::aChipTogglesByClickAndSpace()
{
    Chip chip(QStringLiteral("gemma-3-270m"), 0);
    show(chip);
    QSignalSpy toggled(&chip, &Chip::toggled);
    QVERIFY(chip.isChecked());
    QTest::mouseClick(&chip, Qt::LeftButton);
    QVERIFY(!chip.isChecked());
    QTest::keyClick(&chip, Qt::Key_Space);
    QVERIFY(chip.isChecked());
    QCOMPARE(toggled.size(), 2);
    QCOMPARE(chip.accessibleName(), QStringLiteral("gemma-3-270m"));
}

void TestControls::anOffChipHasAHollowDot()
{
    Chip chip(QStringLiteral("model"), 1);
    chip.resize(chip.sizeHint());
    QCOMPARE(chip.height(), 26);
    QCOMPARE(chip.grab().toImage().pixelColor(14, 13), darkTheme().series(1));
    chip.setChecked(false);
    QVERIFY(chip.grab().toImage().pixelColor(14, 13) != darkTheme().series(1));
}

void TestControls::aChipOffersItsWholeNameWhenElided()
{
    Chip chip(QStringLiteral("a model with quite a long name"), 0);
    QVERIFY(chip.minimumSizeHint().width() < chip.sizeHint().width() / 2);
    chip.setHelp(QStringLiteral("help"));
    QCOMPARE(chip.toolTip(), QStringLiteral("help"));
}

void TestControls::aBarWithRoomFoldsNothing()
{
    ChipBar bar;
    bar.setItems({{QStringLiteral("one"), 0, true, {}}, {QStringLiteral("two"), 1, false, {}}});
    bar.resize(bar.sizeHint());
    show(bar);
    QCOMPARE(bar.folded(), 0);
    QCOMPARE(bar.chip(0)->width(), bar.chip(0)->sizeHint().width());
    QCOMPARE(bar.chip(1)->x(), bar.chip(0)->width() + 8);
    QVERIFY(!bar.chip(1)->isChecked());
}

void TestControls::chipsShortenBeforeTheyFold()
{
    ChipBar bar;
    bar.setItems({{QStringLiteral("a model with a long name"), 0, true, {}}, {QStringLiteral("short"), 1, true, {}}});
    show(bar);
    bar.resize(bar.sizeHint().width() - 40, 28);
    QCOMPARE(bar.folded(), 0);
    QCOMPARE(bar.chip(0)->width(), bar.chip(0)->sizeHint().width() - 40);
    QCOMPARE(bar.chip(1)->width(), bar.chip(1)->sizeHint().width());
    QVERIFY(bar.chip(1)->geometry().right() < bar.width());

    bar.resize(bar.minimumSizeHint());
    QCOMPARE(bar.folded(), 2);
}

void TestControls::foldedChipsToggleFromTheMenu()
{
    ChipBar bar;
    bar.setItems({{QStringLiteral("one"), 0, true, {}}, {QStringLiteral("two"), 1, true, {}}});
    bar.resize(bar.minimumSizeHint());
    show(bar);
    QSignalSpy toggled(&bar, &ChipBar::toggled);
    auto* more = bar.findChild<QToolButton*>();
    QVERIFY(more && more->menu());
    emit more->menu()->aboutToShow();
    QCOMPARE(more->menu()->actions().size(), 2);
    QVERIFY(more->menu()->actions().at(1)->isChecked());
    more->menu()->actions().at(1)->trigger();
    QCOMPARE(toggled.size(), 1);
    QCOMPARE(toggled.first().at(0).toInt(), 1);
    QCOMPARE(toggled.first().at(1).toBool(), false);
}

void TestControls::settingAChipFromOutsideIsSilent()
{
    ChipBar bar;
    bar.setItems({{QStringLiteral("one"), 0, true, {}}});
    QSignalSpy toggled(&bar, &ChipBar::toggled);
    bar.setOn(0, false);
    QVERIFY(!bar.chip(0)->isChecked());
    QCOMPARE(toggled.size(), 0);
    bar.chip(0)->click();
    QCOMPARE(toggled.size(), 1);
}

void TestControls::aToolButtonIsPressedByMouseAndKey()
{
    QWidget window;
    ToolPushButton button(QStringLiteral("play"), QStringLiteral("Run"), &window);
    button.setMain(true);
    show(window);
    QSignalSpy clicked(&button, &ToolPushButton::clicked);
    QTest::mouseClick(&button, Qt::LeftButton);
    QTest::keyClick(&button, Qt::Key_Space);
    QCOMPARE(clicked.size(), 2);
    QCOMPARE(button.grab().toImage().pixelColor(4, 14), darkTheme().accent);
    button.setEnabled(false);
    QTest::mouseClick(&button, Qt::LeftButton);
    QCOMPARE(clicked.size(), 2);
    QVERIFY(button.grab().toImage().pixelColor(4, 14) != darkTheme().accent);
}

void TestControls::theKeyTextTakesRoom()
{
    ToolPushButton button(QStringLiteral("stop"), QStringLiteral("Stop"));
    const int without = button.sizeHint().width();
    QCOMPARE(button.sizeHint().height(), 28);
    button.setKeyText(QStringLiteral("Esc"));
    QVERIFY(button.sizeHint().width() > without + 15);
    button.setSmall(true);
    QCOMPARE(button.sizeHint().height(), 24);
}

void TestControls::segmentsFollowArrowsAndClicks()
{
    SegmentedControl control({QStringLiteral("PNG"), QStringLiteral("SVG"), QStringLiteral("CSV")});
    control.resize(control.sizeHint());
    show(control);
    QSignalSpy changed(&control, &SegmentedControl::currentIndexChanged);
    QTest::keyClick(&control, Qt::Key_Right);
    QCOMPARE(control.currentIndex(), 1);
    QTest::keyClick(&control, Qt::Key_End);
    QCOMPARE(control.currentIndex(), 2);
    QTest::keyClick(&control, Qt::Key_Right);
    QCOMPARE(control.currentIndex(), 2);
    QTest::mouseClick(&control, Qt::LeftButton, Qt::NoModifier, QPoint(10, 10));
    QCOMPARE(control.currentIndex(), 0);
    QCOMPARE(changed.size(), 3);
}

void TestControls::headerTitlesAndRowsHaveTheirHeights()
{
    const auto model = tableModel(3);
    DataTable table;
    table.setModel(model.get());
    table.resize(400, 200);
    show(table);
    QCOMPARE(table.dataHeader()->height(), 27);
    QCOMPARE(table.rowHeight(0), 24);
    QCOMPARE(table.viewport()->height(), 200 - 27);
}

void TestControls::aTableStaysInTheModelsOrderUntilAsked()
{
    const auto model = tableModel(3);
    model->setData(model->index(0, 0), QStringLiteral("zzz"));
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(model.get());
    DataTable table;
    table.setModel(&proxy);
    QCOMPARE(proxy.index(0, 0).data().toString(), QStringLiteral("zzz"));
    QCOMPARE(table.dataHeader()->sortIndicatorSection(), -1);
}

void TestControls::theHeaderSorts()
{
    const auto model = tableModel(5);
    QSortFilterProxyModel proxy;
    const QAbstractItemModelTester tester(&proxy);
    proxy.setSourceModel(model.get());
    DataTable table;
    table.setModel(&proxy);
    table.fitColumns();
    table.resize(500, 200);
    show(table);
    DataHeader* header = table.dataHeader();
    const QPoint place(header->sectionViewportPosition(1) + 8, 12);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier, place);
    QCOMPARE(header->sortIndicatorSection(), 1);
    QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier, place);
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    QCOMPARE(proxy.index(0, 1).data().toInt(), 4);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier, place);
    QCOMPARE(proxy.index(0, 1).data().toInt(), 0);
}

void TestControls::theHeaderMenuShowsAndHidesColumns()
{
    const auto model = tableModel(2);
    DataTable table;
    table.setModel(model.get());
    table.setHiddenColumns({2});
    table.dataHeader()->setLocked(0);
    QSignalSpy shown(table.dataHeader(), &DataHeader::columnShownChanged);
    QMenu menu;
    table.dataHeader()->fillMenu(&menu);
    const QList<QAction*> actions = menu.actions();
    QCOMPARE(actions.size(), 3);
    QVERIFY(!actions[0]->isEnabled());
    QVERIFY(!actions[2]->isChecked());
    QCOMPARE(actions[2]->text(), QStringLiteral("TTFT, ms"));
    actions[2]->trigger();
    QVERIFY(!table.isColumnHidden(2));
    QVERIFY(table.columnWidth(2) > 40);
    actions[1]->trigger();
    QVERIFY(table.isColumnHidden(1));
    QCOMPARE(shown.size(), 2);
}

void TestControls::theLastColumnCannotBeHidden()
{
    const auto model = tableModel(2);
    DataTable table;
    table.setModel(model.get());
    table.setHiddenColumns({0, 2});
    QMenu menu;
    table.dataHeader()->fillMenu(&menu);
    QVERIFY(!menu.actions().at(1)->isEnabled());
    QVERIFY(menu.actions().at(0)->isEnabled());
}

void TestControls::copyTakesSelectedRowsAndVisibleColumns()
{
    const auto model = tableModel(4);
    DataTable table;
    table.setModel(model.get());
    table.setHiddenColumns({1});
    table.resize(400, 200);
    show(table);
    table.selectRow(2);
    table.selectionModel()->select(model->index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Model\tTTFT, ms\nmodel 0\t–\nmodel 2\t20\n"));
}

void TestControls::copyWithoutSelectionTakesAllRows()
{
    const auto model = tableModel(2);
    DataTable table;
    table.setModel(model.get());
    QCOMPARE(table.selectionText(), QStringLiteral("Model\tn\tTTFT, ms\nmodel 0\t0\t–\nmodel 1\t1\t10\n"));
}

void TestControls::copiedCellsHaveNoTabs()
{
    const auto model = tableModel(1);
    model->setData(model->index(0, 0), QStringLiteral("a\tb\nc"));
    DataTable table;
    table.setModel(model.get());
    QVERIFY(table.selectionText().contains(QStringLiteral("\na b c\t0\t")));
}

void TestControls::movedColumnsAreCopiedAsTheyStand()
{
    const auto model = tableModel(1);
    DataTable table;
    table.setModel(model.get());
    table.dataHeader()->moveSection(2, 0);
    QVERIFY(table.selectionText().startsWith(QStringLiteral("TTFT, ms\tModel\tn\n")));
}

void TestControls::theBarLiesOverTheRowsAndMovesThem()
{
    const auto model = tableModel(50);
    DataTable table;
    table.setModel(model.get());
    table.resize(400, 200);
    show(table);
    QScrollBar* bar = barOverRows(table);
    QVERIFY(bar);
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(table.viewport()->width(), 400);
    QVERIFY(table.viewport()->geometry().contains(bar->geometry()));
    QCOMPARE(bar->maximum(), table.verticalScrollBar()->maximum());
    bar->setValue(48);
    QCOMPARE(table.rowAt(0), 2);
    table.scrollToBottom();
    QCOMPARE(bar->value(), bar->maximum());
}

void TestControls::theBarIsHiddenWhenAllRowsFit()
{
    const auto model = tableModel(3);
    DataTable table;
    table.setModel(model.get());
    table.resize(400, 200);
    show(table);
    QVERIFY(!barOverRows(table)->isVisible());
}

void TestControls::theDotHasTheColourOfItsSeries()
{
    const auto model = tableModel(3);
    DataTable table;
    table.setModel(model.get());
    table.setSeriesRole(0, seriesRole);
    table.resize(400, 200);
    show(table);
    const QImage image = table.viewport()->grab().toImage();
    for (int row = 0; row < 3; ++row) {
        QCOMPARE(image.pixelColor(16, row * 24 + 12), darkTheme().series(row));
        QCOMPARE(image.pixelColor(200, row * 24 + 23), darkTheme().line);
    }
    table.selectRow(1);
    QCOMPARE(table.viewport()->grab().toImage().pixelColor(350, 24 + 12), darkTheme().selection);
}

void TestControls::escapeClearsTheFilterFirst()
{
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* field = new FilterField(&window);
    column->addWidget(field);
    show(window);
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("qwen"));
    QCOMPARE(field->text(), QStringLiteral("qwen"));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(field->text().isEmpty());
    QCOMPARE(field->height(), 22);
}

void TestControls::tabsSwitchPagesAndWhatIsBesideThem()
{
    TabRow tabs(TabRow::Kind::Pane);
    auto* one = new QLabel(QStringLiteral("one"));
    auto* two = new QLabel(QStringLiteral("two"));
    tabs.addTab(one, QStringLiteral("One"));
    tabs.addTab(two, QStringLiteral("Two"));
    auto* filter = new FilterField(&tabs);
    tabs.addRightFor(1, filter);
    tabs.resize(500, 200);
    show(tabs);
    QSignalSpy changed(&tabs, &TabRow::currentChanged);
    QVERIFY(one->isVisible());
    QVERIFY(!filter->isVisible());
    QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, Qt::NoModifier, tabs.tabBar()->tabRect(1).center());
    QCOMPARE(changed.size(), 1);
    QVERIFY(two->isVisible());
    QVERIFY(filter->isVisible());
    QTest::keyClick(tabs.tabBar(), Qt::Key_Left);
    QCOMPARE(tabs.currentIndex(), 0);
    QCOMPARE(one->mapTo(&tabs, QPoint(0, 0)).y(), 30);
}

void TestControls::aBadgeIsSaidToScreenReaders()
{
    TabRow tabs(TabRow::Kind::Pane);
    tabs.addTab(new QWidget, QStringLiteral("Findings"));
    const int without = tabs.tabBar()->tabRect(0).width();
    tabs.setBadge(0, QStringLiteral("2"));
    QCOMPARE(tabs.tabBar()->accessibleTabName(0), QStringLiteral("Findings 2"));
    QVERIFY(tabs.tabBar()->tabRect(0).width() > without);
    tabs.setBadge(0, {});
    QCOMPARE(tabs.tabBar()->tabRect(0).width(), without);
}

void TestControls::aPaneKeepsItsBorderFree()
{
    QMainWindow window;
    auto* dock = new PaneDock(QStringLiteral("pane"), QStringLiteral("Pane"), PaneDock::Head::Small, &window);
    auto* content = new QWidget;
    dock->setContent(content);
    window.addDockWidget(Qt::TopDockWidgetArea, dock);
    window.resize(400, 300);
    show(window);
    const QRect inside(content->mapTo(dock, QPoint(0, 0)), content->size());
    QCOMPARE(inside, dock->rect().adjusted(1, 29, -1, -1));
    const QImage image = dock->grab().toImage();
    QCOMPARE(image.pixelColor(0, 50), darkTheme().line);
    QCOMPARE(image.pixelColor(3, 50), darkTheme().panel);
}

void TestControls::anOverlaidPaneGivesAllToItsContent()
{
    QMainWindow window;
    auto* dock = new PaneDock(QStringLiteral("pane"), QStringLiteral("Pane"), PaneDock::Head::Overlay, &window);
    auto* content = new QWidget;
    content->setMinimumSize(300, 250);
    dock->setContent(content);
    QToolButton* button = dock->head()->addButton(QStringLiteral("expand"), QStringLiteral("Expand"));
    window.addDockWidget(Qt::TopDockWidgetArea, dock);
    window.resize(400, 350);
    show(window);
    QCOMPARE(content->geometry(), dock->rect().adjusted(1, 1, -1, -1));
    QVERIFY(dock->minimumSizeHint().height() >= 250);
    QSignalSpy clicked(button, &QToolButton::clicked);
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, Qt::NoModifier,
                      button->mapTo(&window, button->rect().center()));
    QCOMPARE(clicked.size(), 1);
}

void TestControls::aDoubleClickOnTheHeadIsTheWindows()
{
    QMainWindow window;
    auto* dock = new PaneDock(QStringLiteral("pane"), QStringLiteral("Pane"), PaneDock::Head::Small, &window);
    dock->setContent(new QWidget);
    window.addDockWidget(Qt::TopDockWidgetArea, dock);
    window.resize(400, 300);
    show(window);
    QSignalSpy doubleClicked(dock, &PaneDock::titleDoubleClicked);
    QTest::mouseDClick(dock->head(), Qt::LeftButton, Qt::NoModifier, QPoint(200, 10));
    QCOMPARE(doubleClicked.size(), 1);
    QVERIFY(!dock->isFloating());
}

void TestControls::theFloatButtonFloats()
{
    QMainWindow window;
    auto* dock = new PaneDock(QStringLiteral("pane"), QStringLiteral("Pane"), PaneDock::Head::Small, &window);
    dock->setContent(new QWidget);
    window.addDockWidget(Qt::TopDockWidgetArea, dock);
    window.resize(400, 300);
    show(window);
    const QList<QToolButton*> buttons = dock->head()->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    buttons[0]->click();
    QVERIFY(dock->isFloating());
    buttons[0]->click();
    QVERIFY(!dock->isFloating());
    buttons[1]->click();
    QVERIFY(dock->isHidden());
}

void TestControls::progressLeavesOutWhatFindsNoRoom()
{
    ProgressStrip strip;
    strip.setParts({QStringLiteral("1 of 2 requests"), QStringLiteral("3 min left")});
    const int bare = strip.sizeHint().width();
    strip.setFraction(0.5);
    QVERIFY(strip.sizeHint().width() >= bare + 150);
    QVERIFY(strip.minimumSizeHint().width() < strip.sizeHint().width());
    strip.setFraction(7);
    QCOMPARE(strip.fraction(), 1.0);
    strip.setFraction(-3);
    QCOMPARE(strip.fraction(), -1.0);
    QCOMPARE(strip.sizeHint().width(), bare);
}

void TestControls::anUnknownValueIsADash()
{
    LabeledValue value(QStringLiteral("TTFT"));
    QCOMPARE(value.text(), QStringLiteral("–"));
    value.setValue(QStringLiteral("894"), QStringLiteral("ms"));
    QCOMPARE(value.text(), QStringLiteral("894 ms"));
    QCOMPARE(value.accessibleName(), QStringLiteral("TTFT: 894 ms"));
    value.setValue({}, QStringLiteral("ms"));
    QCOMPARE(value.text(), QStringLiteral("–"));
}

void TestControls::aStatusWithoutStateHasNoDot()
{
    StatusItem item;
    item.setText(QStringLiteral("0 lost"));
    const int without = item.sizeHint().width();
    item.setState(StatusItem::State::Good);
    QCOMPARE(item.sizeHint().width(), without + 14);
    item.resize(item.sizeHint());
    QCOMPARE(item.grab().toImage().pixelColor(4, item.height() / 2), darkTheme().good);
}

QTEST_MAIN(TestControls)
#include "tst_controls.moc"
