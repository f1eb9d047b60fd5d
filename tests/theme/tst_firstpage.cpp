// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>
#include <QVBoxLayout>

#include "firstpage.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

/// All the words on the page, without markup.
QString words(const FirstPage& page)
{
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        QString text = label->text();
        texts << text.remove(QRegularExpression(QStringLiteral("<[^>]*>")))
                     .replace(QStringLiteral("&nbsp;"), QStringLiteral(" "));
    }
    return texts.join(QLatin1Char('\n'));
}

bool fits(const FirstPage& page)
{
    for (const QWidget* child : page.findChildren<QWidget*>()) {
        if (child->isVisible() && !page.rect().contains(QRect(child->mapTo(&page, QPoint(0, 0)), child->size()))) {
            return false;
        }
    }
    return true;
}

} // namespace

class TestFirstPage final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theKeyboardIsOnStartFirst();
    void eachButtonSaysWhatIsWanted();
    void tabGoesFromCardToCard();
    void nothingIsCutOffFromSmallToLarge_data();
    void nothingIsCutOffFromSmallToLarge();
    void theFactsSayWhatWasLookedFor();
    void theValueOfAVariableIsNeverShown();
    void markupInAPathIsText();
    void aDroppedFileIsHandedOn();
    void onlyOneLocalFileMayBeDropped();

private:
    std::unique_ptr<ThemeController> m_themes;
};

void TestFirstPage::initTestCase()
{
    m_themes = std::make_unique<ThemeController>();
    m_themes->setChoice(ThemeController::Choice::Light);
}

void TestFirstPage::theKeyboardIsOnStartFirst()
{
    QWidget window; // with a button that comes before the page, as the tool bar's do
    auto* column = new QVBoxLayout(&window);
    column->addWidget(new QPushButton(QStringLiteral("before"), &window));
    auto* shown = new FirstPage(&window);
    column->addWidget(shown);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const FirstPage& page = *shown;
    QTRY_VERIFY(page.startButton()->hasFocus());
    QSignalSpy tryIt(shown, &FirstPage::tryItRequested);
    QTest::keyClick(page.startButton(), Qt::Key_Return);
    QTest::keyClick(page.startButton(), Qt::Key_Space);
    QCOMPARE(tryIt.size(), 2);
}

void TestFirstPage::eachButtonSaysWhatIsWanted()
{
    FirstPage page;
    QSignalSpy tryIt(&page, &FirstPage::tryItRequested);
    QSignalSpy connectIt(&page, &FirstPage::connectRequested);
    QSignalSpy openLog(&page, &FirstPage::openLogRequested);
    QTest::mouseClick(page.startButton(), Qt::LeftButton);
    QTest::mouseClick(page.connectButton(), Qt::LeftButton);
    QTest::mouseClick(page.openButton(), Qt::LeftButton);
    QCOMPARE(tryIt.size(), 1);
    QCOMPARE(connectIt.size(), 1);
    QCOMPARE(openLog.size(), 1);
}

void TestFirstPage::tabGoesFromCardToCard()
{
    FirstPage page;
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QTRY_VERIFY(page.startButton()->hasFocus());
    QTest::keyClick(&page, Qt::Key_Tab);
    QVERIFY(page.connectButton()->hasFocus());
    QTest::keyClick(&page, Qt::Key_Tab);
    QVERIFY(page.openButton()->hasFocus());
}

void TestFirstPage::nothingIsCutOffFromSmallToLarge_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1000 x 640, less the bars") << QSize(1000, 570);
    QTest::newRow("1280 x 800, less the bars") << QSize(1280, 730);
    QTest::newRow("1920 x 1080, less the bars") << QSize(1920, 1010);
}

void TestFirstPage::nothingIsCutOffFromSmallToLarge()
{
    QFETCH(QSize, size);
    FirstPage page;
    page.setFacts(
        {{QStringLiteral("./settings.json and the folders above"), QStringLiteral("~/.config/tokenpace/settings.json")},
         {},
         {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY")},
         {}});
    page.resize(size);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QCOMPARE(page.size(), size);
    QVERIFY(fits(page));
    for (const QPushButton* button : {page.startButton(), page.connectButton(), page.openButton()}) {
        QVERIFY(button->width() >= button->sizeHint().width());
    }
}

void TestFirstPage::theFactsSayWhatWasLookedFor()
{
    FirstPage page;
    FirstPageFacts facts;
    facts.settingsPlaces = {QDir::homePath() + QStringLiteral("/.config/tokenpace/settings.json")};
    facts.variables = {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY")};
    facts.variablesSet = {QStringLiteral("OPENAI_API_KEY")};
    page.setFacts(facts);
    const QString text = words(page);
    QVERIFY(text.contains(QStringLiteral("none found")));
    QVERIFY(text.contains(QStringLiteral("~/.config/tokenpace/settings.json")));
    QVERIFY(text.contains(QStringLiteral("OPENAI_API_KEY: set")));
    QVERIFY(text.contains(QStringLiteral("TAOTOKEN_API_KEY: not set")));
}

void TestFirstPage::theValueOfAVariableIsNeverShown()
{
    const QByteArray secret("sk-never-shown-0123456789");
    qputenv("OPENAI_API_KEY", secret);
    FirstPage page;
    FirstPageFacts facts;
    facts.variables = facts.variablesSet = {QStringLiteral("OPENAI_API_KEY")};
    page.setFacts(facts);
    QVERIFY(!words(page).contains(QString::fromLatin1(secret)));
    qunsetenv("OPENAI_API_KEY");
}

void TestFirstPage::markupInAPathIsText()
{
    FirstPage page;
    FirstPageFacts facts;
    facts.settingsPlaces = {QStringLiteral("/srv/<b>bold</b>/settings.json")};
    facts.settingsFound = QStringLiteral("line 3: \"<i>\" is no key");
    page.setFacts(facts);
    bool found = false;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        found = found || label->text().contains(QStringLiteral("&lt;b&gt;bold&lt;/b&gt;"));
        QVERIFY(!label->text().contains(QStringLiteral("<b>")));
        QVERIFY(!label->text().contains(QStringLiteral("<i>")));
    }
    QVERIFY(found);
}

void TestFirstPage::aDroppedFileIsHandedOn()
{
    FirstPage page;
    QSignalSpy dropped(&page, &FirstPage::logDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/token_timing.jsonl"))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&page, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&page, &drop);
    QCOMPARE(dropped.size(), 1);
    QCOMPARE(dropped.first().first().toString(), QStringLiteral("/data/token_timing.jsonl"));
}

void TestFirstPage::onlyOneLocalFileMayBeDropped()
{
    FirstPage page;
    QMimeData web;
    web.setUrls({QUrl(QStringLiteral("https://example.org/token_timing.jsonl"))});
    QMimeData two;
    two.setUrls({QUrl::fromLocalFile(QStringLiteral("/a")), QUrl::fromLocalFile(QStringLiteral("/b"))});
    for (const QMimeData* data : {&web, &two}) {
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&page, &enter);
        QVERIFY(!enter.isAccepted());
    }
}

QTEST_MAIN(TestFirstPage)
#include "tst_firstpage.moc"
