// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "controls/datatable.h"
#include "controls/filterfield.h"
#include "controls/tabrow.h"
#include "inspector.h"
#include "numbersdialog.h"
#include "tablefilter.h"
#include "tablespanel.h"
#include "theme/theme.h"
#include "widgets/madeuprun.h"

using namespace tokenpace;

class TestTablesPanel final : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void aRequestSelectedInTheTableIsSelectedEverywhere();
    void aRequestSelectedElsewhereIsSelectedInBothTables();
    void aSummaryRowSelectsItsRequests();
    void theFilterKeepsRowsWithAllWords();
    void filteringDoesNotTouchTheSharedSelection();
    void rowsOfHiddenSeriesAreLeftOut();
    void unknownValuesSortLastBothWays();
    void copyGivesTabSeparatedText();
    void hiddenColumnsAreRemembered();
    void theInspectorShowsTheOneSelected();
    void theInspectorSaysWhatToDoAboutAFailure();
    void theInspectorCountsSeveral();
    void theRecordIsCopiedAsJson();
    void theNumbersAreExplained();

private:
    [[nodiscard]] int requestsRows() const { return m_panel->requestsTable()->model()->rowCount(); }
    void select(int row)
    {
        m_session->selection().setCurrentIndex(m_session->requests().index(row, 0),
                                               QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }

    ThemeController m_themes;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TablesPanel> m_panel;
    std::unique_ptr<Inspector> m_inspector;
    int m_row115 = -1;
};

void TestTablesPanel::init()
{
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<TablesPanel>(m_session->requests(), m_session->summary(), m_session->selection());
    m_inspector = std::make_unique<Inspector>(m_session->requests(), m_session->selection());
    new QAbstractItemModelTester(m_panel->summaryTable()->model(), m_panel.get());
    new QAbstractItemModelTester(m_panel->requestsTable()->model(), m_panel.get());
    m_row115 = test::fillPicture(*m_session);
    m_panel->resize(934, 400);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestTablesPanel::cleanup()
{
    m_inspector.reset();
    m_panel.reset();
    m_session.reset();
}

void TestTablesPanel::aRequestSelectedInTheTableIsSelectedEverywhere()
{
    m_panel->tabs()->setCurrentIndex(TablesPanel::Requests);
    DataTable* table = m_panel->requestsTable();
    const QModelIndex index = table->model()->index(3, RequestsModel::Ttft);
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    QCOMPARE(m_session->selection().selectedRows().size(), 1);
    QCOMPARE(m_session->selection().currentIndex().row(), 3);
    QCOMPARE(m_panel->summaryTable()->selectionModel()->selectedRows().size(), 1);
}

void TestTablesPanel::aRequestSelectedElsewhereIsSelectedInBothTables()
{
    select(m_row115);
    const QModelIndexList inRequests = m_panel->requestsTable()->selectionModel()->selectedRows();
    QCOMPARE(inRequests.size(), 1);
    QCOMPARE(inRequests.first().siblingAtColumn(RequestsModel::Seq).data(RequestsModel::SortRole).toInt(), 115);
    const QModelIndexList inSummary = m_panel->summaryTable()->selectionModel()->selectedRows();
    QCOMPARE(inSummary.size(), 1);
    QCOMPARE(inSummary.first().data().toString(), QStringLiteral("qwen-small"));
    m_session->selection().clear();
    QVERIFY(!m_panel->requestsTable()->selectionModel()->hasSelection());
    QVERIFY(!m_panel->summaryTable()->selectionModel()->hasSelection());
}

void TestTablesPanel::aSummaryRowSelectsItsRequests()
{
    DataTable* table = m_panel->summaryTable();
    const QModelIndex index = table->model()->index(1, SummaryModel::N);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    const QList<int> members = m_session->summary().requestRows(1);
    QVERIFY(members.size() > 1);
    QCOMPARE(m_session->selection().selectedRows().size(), members.size());
    for (const int row : members) {
        QVERIFY(m_session->selection().isRowSelected(row));
    }
    QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
}

void TestTablesPanel::theFilterKeepsRowsWithAllWords()
{
    const int all = requestsRows();
    m_panel->focusFilter();
    QTest::keyClicks(m_panel->filterField(), QStringLiteral("QWEN"));
    QVERIFY(requestsRows() > 0);
    QVERIFY(requestsRows() < all);
    QTest::keyClicks(m_panel->filterField(), QStringLiteral(" nothinglikeit"));
    QCOMPARE(requestsRows(), 0);
    m_panel->filterField()->clear();
    QCOMPARE(requestsRows(), all);
}

void TestTablesPanel::filteringDoesNotTouchTheSharedSelection()
{
    select(m_row115);
    QTest::keyClicks(m_panel->filterField(), QStringLiteral("gemma"));
    QVERIFY(m_session->selection().isRowSelected(m_row115));
    m_panel->filterField()->clear();
    QCOMPARE(m_panel->requestsTable()->selectionModel()->selectedRows().size(), 1);
}

void TestTablesPanel::rowsOfHiddenSeriesAreLeftOut()
{
    const int all = requestsRows();
    const int summaries = m_panel->summaryTable()->model()->rowCount();
    m_session->series().setShown(1, false);
    QVERIFY(requestsRows() < all);
    QCOMPARE(m_panel->summaryTable()->model()->rowCount(), summaries - 5);
    m_session->series().setShown(1, true);
    QCOMPARE(requestsRows(), all);
}

void TestTablesPanel::unknownValuesSortLastBothWays()
{
    QAbstractItemModel* model = m_panel->requestsTable()->model();
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model->sort(RequestsModel::Tpot, order);
        QVERIFY(model->index(0, RequestsModel::Tpot).data(RequestsModel::SortRole).isValid());
        const QModelIndex last = model->index(model->rowCount() - 1, RequestsModel::Tpot);
        QVERIFY(!last.data(RequestsModel::SortRole).isValid());
        const double first = model->index(0, RequestsModel::Tpot).data(RequestsModel::SortRole).toDouble();
        const double second = model->index(1, RequestsModel::Tpot).data(RequestsModel::SortRole).toDouble();
        QVERIFY(order == Qt::AscendingOrder ? first <= second : first >= second);
    }
}

void TestTablesPanel::copyGivesTabSeparatedText()
{
    m_panel->tabs()->setCurrentIndex(TablesPanel::Summary);
    m_session->selection().clear();
    m_panel->copy();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), m_panel->summaryTable()->model()->rowCount() + 1);
    QVERIFY(lines.first().contains(QLatin1Char('\t')));
    QVERIFY(lines.at(1).contains(QStringLiteral("gemma-3-270m")));
}

void TestTablesPanel::hiddenColumnsAreRemembered()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("state.ini")), QSettings::IniFormat);
    m_panel->summaryTable()->setColumnHidden(SummaryModel::TtftP95, false);
    m_panel->summaryTable()->setColumnHidden(SummaryModel::TtftP90, true);
    m_panel->saveColumns(settings);
    TablesPanel other(m_session->requests(), m_session->summary(), m_session->selection());
    QVERIFY(other.summaryTable()->isColumnHidden(SummaryModel::TtftP95));
    other.restoreColumns(settings);
    QVERIFY(!other.summaryTable()->isColumnHidden(SummaryModel::TtftP95));
    QVERIFY(other.summaryTable()->isColumnHidden(SummaryModel::TtftP90));
    QVERIFY(other.summaryTable()->isColumnHidden(SummaryModel::Goodput));
}

void TestTablesPanel::theInspectorShowsTheOneSelected()
{
    QCOMPARE(m_inspector->shownText(), QString());
    select(m_row115);
    const QString text = m_inspector->shownText();
    QVERIFY2(text.contains(QStringLiteral("qwen-small #115")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("→ 128 tokens")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("length")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("reused")), qPrintable(text));
}

void TestTablesPanel::theInspectorSaysWhatToDoAboutAFailure()
{
    test::MadeUpRun run(3);
    const int row = m_session->requests().rowCount();
    m_session->appendLog({run.failed(test::pictureModels().first(), 500, 100, Status::Timeout, ErrorKind::Timeout,
                                     "no output within 30 s")});
    select(row);
    const QString text = m_inspector->shownText();
    QVERIFY2(text.contains(QStringLiteral("no output within 30 s")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("ttftTimeoutMs")), qPrintable(text));
}

void TestTablesPanel::theInspectorCountsSeveral()
{
    m_session->selection().select(QItemSelection(m_session->requests().index(0, 0), m_session->requests().index(29, 0)),
                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    QVERIFY2(m_inspector->shownText().startsWith(QStringLiteral("30\n")), qPrintable(m_inspector->shownText()));
    QVERIFY(m_inspector->copyText().count(QLatin1Char('\n')) >= 30);
}

void TestTablesPanel::theRecordIsCopiedAsJson()
{
    select(m_row115);
    m_inspector->copy();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(QLatin1Char('{')));
    QVERIFY(text.contains(QStringLiteral("\"seq\": 115")));
    QVERIFY(text.contains(QStringLiteral("\"model\": \"qwen-small\"")));
}

void TestTablesPanel::theNumbersAreExplained()
{
    const NumbersDialog dialog({&m_session->summary(), &m_session->requests()});
    for (const QString& word : {QStringLiteral("TTFT"), QStringLiteral("TPOT"), QStringLiteral("E2E")}) {
        QVERIFY(dialog.text().contains(word));
    }
    // Every figure of the tables has its definition there.
    const QString help =
        m_session->summary().headerData(SummaryModel::Goodput, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY(!help.isEmpty());
    QVERIFY(dialog.text().simplified().contains(help.simplified()));
}

QTEST_MAIN(TestTablesPanel)
#include "tst_tablespanel.moc"
