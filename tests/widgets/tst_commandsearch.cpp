// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include "commandsearch.h"
#include "theme/theme.h"

using namespace tokenpace;

class TestCommandSearch : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void allThatCanBeUsedIsThere();
    void anyWordsOfTheNameFindIt();
    void enterDoesWhatIsChosen();
    void aClickDoesIt();
    void escapeDoesNothing();
    void whatMatchesNothingDoesNothing();

private:
    [[nodiscard]] QStringList shown() const;

    ThemeController m_themes;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<QMenu> m_menu;
    QAction* m_run = nullptr;
    QAction* m_png = nullptr;
    QPointer<CommandSearch> m_search;
};

void TestCommandSearch::init()
{
    m_window = std::make_unique<QWidget>();
    m_window->resize(800, 600);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_menu = std::make_unique<QMenu>();
    m_run = m_menu->addAction(QStringLiteral("&Run"));
    m_run->setShortcut(Qt::Key_F5);
    m_menu->addAction(QStringLiteral("Stop"))->setEnabled(false);
    m_menu->addSeparator();
    QMenu* exports = m_menu->addMenu(QStringLiteral("Export"));
    m_png = exports->addAction(QStringLiteral("As PNG"));
    m_search = new CommandSearch(*m_menu, m_window.get());
    m_search->open();
    QVERIFY(QTest::qWaitForWindowExposed(m_search));
}

void TestCommandSearch::cleanup()
{
    m_window.reset();
    m_menu.reset();
}

QStringList TestCommandSearch::shown() const
{
    QStringList names;
    const QAbstractItemModel* model = m_search->list()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        names << model->index(row, 0).data().toString();
    }
    return names;
}

void TestCommandSearch::allThatCanBeUsedIsThere()
{
    QCOMPARE(shown(), (QStringList{QStringLiteral("Run"), QStringLiteral("Export: As PNG")}));
    const QModelIndex first = m_search->list()->model()->index(0, 0);
    QCOMPARE(first.data(Qt::AccessibleTextRole).toString(), QStringLiteral("Run, F5"));
}

void TestCommandSearch::anyWordsOfTheNameFindIt()
{
    QTest::keyClicks(m_search->field(), QStringLiteral("png exp"));
    QCOMPARE(shown(), QStringList{QStringLiteral("Export: As PNG")});
    m_search->field()->clear();
    QCOMPARE(shown().size(), 2);
}

void TestCommandSearch::enterDoesWhatIsChosen()
{
    const QSignalSpy run(m_run, &QAction::triggered);
    const QSignalSpy png(m_png, &QAction::triggered);
    QTest::keyClick(m_search->field(), Qt::Key_Down);
    QTest::keyClick(m_search->field(), Qt::Key_Down); // there is no further one
    QTest::keyClick(m_search->field(), Qt::Key_Return);
    QCOMPARE(png.size(), 1);
    QCOMPARE(run.size(), 0);
    QTRY_VERIFY(!m_search);
}

void TestCommandSearch::aClickDoesIt()
{
    const QSignalSpy run(m_run, &QAction::triggered);
    const QListView* list = m_search->list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
    QCOMPARE(run.size(), 1);
}

void TestCommandSearch::escapeDoesNothing()
{
    const QSignalSpy run(m_run, &QAction::triggered);
    QTest::keyClick(m_search->field(), Qt::Key_Escape);
    QTRY_VERIFY(!m_search);
    QCOMPARE(run.size(), 0);
}

void TestCommandSearch::whatMatchesNothingDoesNothing()
{
    QTest::keyClicks(m_search->field(), QStringLiteral("no such thing"));
    QCOMPARE(shown(), QStringList());
    QTest::keyClick(m_search->field(), Qt::Key_Return);
    QVERIFY(m_search && m_search->isVisible());
}

QTEST_MAIN(TestCommandSearch)
#include "tst_commandsearch.moc"
