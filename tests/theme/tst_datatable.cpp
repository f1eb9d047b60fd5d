// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTest>

#include "controls/dataheader.h"
#include "controls/datatable.h"
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

class TestTables final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();

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

private:
    std::unique_ptr<ThemeController> m_themes;
};

void TestTables::initTestCase()
{
    m_themes = std::make_unique<ThemeController>();
    m_themes->setChoice(ThemeController::Choice::Dark);
}

void TestTables::headerTitlesAndRowsHaveTheirHeights()
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

void TestTables::aTableStaysInTheModelsOrderUntilAsked()
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

void TestTables::theHeaderSorts()
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

void TestTables::theHeaderMenuShowsAndHidesColumns()
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

void TestTables::theLastColumnCannotBeHidden()
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

void TestTables::copyTakesSelectedRowsAndVisibleColumns()
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

void TestTables::copyWithoutSelectionTakesAllRows()
{
    const auto model = tableModel(2);
    DataTable table;
    table.setModel(model.get());
    QCOMPARE(table.selectionText(), QStringLiteral("Model\tn\tTTFT, ms\nmodel 0\t0\t–\nmodel 1\t1\t10\n"));
}

void TestTables::copiedCellsHaveNoTabs()
{
    const auto model = tableModel(1);
    model->setData(model->index(0, 0), QStringLiteral("a\tb\nc"));
    DataTable table;
    table.setModel(model.get());
    QVERIFY(table.selectionText().contains(QStringLiteral("\na b c\t0\t")));
}

void TestTables::movedColumnsAreCopiedAsTheyStand()
{
    const auto model = tableModel(1);
    DataTable table;
    table.setModel(model.get());
    table.dataHeader()->moveSection(2, 0);
    QVERIFY(table.selectionText().startsWith(QStringLiteral("TTFT, ms\tModel\tn\n")));
}

void TestTables::theBarLiesOverTheRowsAndMovesThem()
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

void TestTables::theBarIsHiddenWhenAllRowsFit()
{
    const auto model = tableModel(3);
    DataTable table;
    table.setModel(model.get());
    table.resize(400, 200);
    show(table);
    QVERIFY(!barOverRows(table)->isVisible());
}

void TestTables::theDotHasTheColourOfItsSeries()
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

QTEST_MAIN(TestTables)
#include "tst_datatable.moc"
