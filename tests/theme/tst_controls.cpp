// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "controls/chip.h"
#include "controls/chipbar.h"
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
    const auto offered = [&chip](int width) {
        chip.resize(width, 26);
        chip.show();
        QHelpEvent event(QEvent::ToolTip, QPoint(5, 5), chip.mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(&chip, &event);
        return QToolTip::text();
    };
    QCOMPARE(offered(chip.sizeHint().width()), QStringLiteral("help"));
    QCOMPARE(offered(80), QStringLiteral("a model with quite a long name\nhelp"));
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
    const int withOne = tabs.tabBar()->tabRect(0).width();
    tabs.setBadge(0, QStringLiteral("2 lines changed"));
    QVERIFY(tabs.tabBar()->tabRect(0).width() > withOne);
    QVERIFY(!tabs.tabBar()->tabButton(0, QTabBar::RightSide)->isHidden());
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
