// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <memory>

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QTest>

#include "controls/rolelabel.h"
#include "controls/toolbarparts.h"
#include "theme/icons.h"
#include "theme/stylesheet.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

double luminance(const QColor& colour)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const auto [low, high] =
        std::minmax({luminance(a), luminance(b)}); // values: of two temporaries it would keep references
    return (high + 0.05) / (low + 0.05);
}

QWidget* ring(QWidget* window)
{
    return window->findChild<QWidget*>(QStringLiteral("focusRing"));
}

bool ringIsShown(QWidget* window)
{
    return ring(window) != nullptr && ring(window)->isVisible();
}

} // namespace

class TestTheme final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();

    void textStandsOutFromEveryGround_data();
    void textStandsOutFromEveryGround();
    void seriesNamesStandOutFromThePanel();
    void coloursComeAgainFromTheNinthSeries();
    void aSwitchSendsOneChangeAndAllFollows();
    void choosingTheSameAgainSendsNothing();
    void toggleIsAnExplicitChoice();
    void theDesktopIsFollowedUntilAChoiceIsMade();
    void everyNameInTheSheetIsKnown();
    void everyIconIsDrawnInItsColour();
    void anIconFollowsTheSwitchAndTheState();
    void iconsAreSharpAtTwiceTheSize();
    void numbersHaveDigitsOfOneWidth();
    void checkBoxesAreSixteenPixels();
    void theRingComesByKeyboardOnly();
    void theRingOfTheMainButtonStandsOutside();
    void fieldsGetNoRing();
    void theRingFollowsItsControl();

private:
    std::unique_ptr<ThemeController> m_themes;
};

void TestTheme::initTestCase()
{
    m_themes = std::make_unique<ThemeController>();
}

void TestTheme::init()
{
    m_themes->setChoice(ThemeController::Choice::Dark);
}

void TestTheme::textStandsOutFromEveryGround_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
}

void TestTheme::textStandsOutFromEveryGround()
{
    QFETCH(bool, dark);
    const Theme& t = dark ? darkTheme() : lightTheme();
    const QList<QColor> grounds{t.bg,    t.panel,     t.ctl,         t.field,        t.alt,
                                t.hover, t.selection, t.errorGround, t.warningGround};
    for (const QColor& ground : grounds) {
        for (const QColor& text : {t.text, t.text2, t.muted, t.accentText, t.error, t.warning, t.good}) {
            QVERIFY2(
                contrast(text, ground) >= 4.5,
                qPrintable(QStringLiteral("%1 on %2: %3").arg(text.name(), ground.name()).arg(contrast(text, ground))));
        }
    }
    for (const QColor& text : {t.text, t.text2}) {
        QVERIFY(contrast(text, t.press) >= 4.5);
    }
    QVERIFY(contrast(Qt::white, t.accent) >= 4.5);
    QVERIFY(contrast(t.accentLine, t.panel) >= 3);
    QVERIFY(contrast(t.box, t.panel) >= 3);
}

void TestTheme::seriesNamesStandOutFromThePanel()
{
    for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
        for (int series = 0; series < Theme::seriesColours; ++series) {
            QVERIFY(contrast(theme->seriesText(series), theme->panel) >= 4.5);
        }
    }
}

void TestTheme::coloursComeAgainFromTheNinthSeries()
{
    QCOMPARE(darkTheme().series(8), darkTheme().series(0));
    QVERIFY(darkTheme().series(7) != darkTheme().series(0));
}

void TestTheme::aSwitchSendsOneChangeAndAllFollows()
{
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    row->setContentsMargins(0, 0, 0, 0);
    auto* bar = new BarFrame(BarFrame::Kind::Tool, &window);
    auto* label = new RoleLabel(QStringLiteral("words"), RoleLabel::Role::Text2, textFont(12), &window);
    auto* field = new QLineEdit(&window);
    row->addWidget(bar);
    row->addWidget(label);
    row->addWidget(field);
    window.resize(300, 60);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCOMPARE(bar->grab().toImage().pixelColor(2, 2), darkTheme().panel);

    QSignalSpy changed(m_themes.get(), &ThemeController::changed);
    m_themes->setChoice(ThemeController::Choice::Light);
    QCOMPARE(changed.size(), 1);
    QVERIFY(!m_themes->theme().dark);
    QVERIFY(!activeTheme().dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), lightTheme().bg);
    QTRY_COMPARE(label->palette().color(QPalette::WindowText), lightTheme().text2);
    QCOMPARE(bar->grab().toImage().pixelColor(2, 2), lightTheme().panel);
    QCOMPARE(field->grab().toImage().pixelColor(field->width() / 2, 5), lightTheme().field);
    QCOMPARE(field->palette().color(QPalette::PlaceholderText), lightTheme().muted);
}

void TestTheme::choosingTheSameAgainSendsNothing()
{
    QSignalSpy changed(m_themes.get(), &ThemeController::changed);
    m_themes->setChoice(ThemeController::Choice::Dark);
    QCOMPARE(changed.size(), 0);
}

void TestTheme::toggleIsAnExplicitChoice()
{
    m_themes->toggle();
    QCOMPARE(m_themes->choice(), ThemeController::Choice::Light);
    m_themes->toggle();
    QCOMPARE(m_themes->choice(), ThemeController::Choice::Dark);
}

void TestTheme::theDesktopIsFollowedUntilAChoiceIsMade()
{
    m_themes->setChoice(ThemeController::Choice::FollowDesktop);
    m_themes->setDesktopPrefersDark(true);
    QVERIFY(m_themes->theme().dark);
    m_themes->setDesktopPrefersDark(false);
    QVERIFY(!m_themes->theme().dark);

    m_themes->setChoice(ThemeController::Choice::Dark);
    m_themes->setDesktopPrefersDark(true);
    m_themes->setDesktopPrefersDark(false);
    QVERIFY(m_themes->theme().dark);
}

void TestTheme::everyNameInTheSheetIsKnown()
{
    for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
        const QString sheet = styleSheetOf(*theme);
        QVERIFY(!sheet.contains(QLatin1Char('@')));
        QVERIFY(sheet.contains(theme->dark ? QStringLiteral(":/dark/down.svg") : QStringLiteral(":/light/down.svg")));
        QVERIFY(sheet.contains(theme->accentLine.name()));
    }
    QVERIFY(QFile::exists(QStringLiteral(":/dark/down.svg")));
    QVERIFY(QFile::exists(QStringLiteral(":/light/down-disabled.svg")));
}

void TestTheme::everyIconIsDrawnInItsColour()
{
    const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
    QVERIFY(files.size() > 30);
    const QColor colour(10, 200, 30);
    for (const QString& file : files) {
        const QImage image = iconPixmap(file.chopped(4), colour, 16, 2).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                drawn += pixel.alpha() == 255 && pixel == colour ? 1 : 0;
            }
        }
        QVERIFY2(drawn >= 6, qPrintable(file));
    }
}

void TestTheme::anIconFollowsTheSwitchAndTheState()
{
    const QIcon icon = themedIcon(QStringLiteral("stop"), IconColour::Error);
    const auto centre = [&](QIcon::Mode mode) {
        return icon.pixmap(QSize(16, 16), 1, mode).toImage().pixelColor(8, 8);
    };
    QCOMPARE(centre(QIcon::Normal), darkTheme().error);
    QCOMPARE(centre(QIcon::Disabled), darkTheme().disabled);
    m_themes->setChoice(ThemeController::Choice::Light);
    QCOMPARE(centre(QIcon::Normal), lightTheme().error);
}

void TestTheme::iconsAreSharpAtTwiceTheSize()
{
    const QPixmap pixmap = themedIcon(QStringLiteral("menu")).pixmap(QSize(16, 16), 2);
    QCOMPARE(pixmap.size(), QSize(32, 32));
    QCOMPARE(pixmap.devicePixelRatio(), 2.0);
    QCOMPARE(pixmap.toImage().pixelColor(16, 16), darkTheme().text2);
}

void TestTheme::numbersHaveDigitsOfOneWidth()
{
    const QFontMetricsF metrics(numberFont(12));
    for (char digit = '1'; digit <= '9'; ++digit) {
        QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
    }
    QCOMPARE(textFont(13).hintingPreference(), QFont::PreferNoHinting);
    QCOMPARE(codeFont(12).pixelSize(), 12);
}

void TestTheme::checkBoxesAreSixteenPixels()
{
    QCheckBox box(QStringLiteral("box"));
    box.setChecked(true);
    QCOMPARE(box.style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, &box), 16);
    box.resize(box.sizeHint());
    const QImage image = box.grab().toImage();
    const int y = image.height() / 2;
    QCOMPARE(image.pixelColor(2, y), darkTheme().accent);
}

void TestTheme::theRingComesByKeyboardOnly()
{
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    auto* first = new QPushButton(QStringLiteral("first"), &window);
    auto* second = new QPushButton(QStringLiteral("second"), &window);
    row->addWidget(first);
    row->addWidget(second);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    first->clearFocus();
    first->setFocus(Qt::TabFocusReason);
    QVERIFY(ringIsShown(&window));
    QTest::mouseClick(first, Qt::LeftButton);
    QVERIFY(!ringIsShown(&window));

    QTest::keyClick(first, Qt::Key_Tab);
    QVERIFY(second->hasFocus());
    QVERIFY(ringIsShown(&window));
    QCOMPARE(ring(&window)->geometry(), second->geometry());

    first->setFocus(Qt::MouseFocusReason);
    QVERIFY(!ringIsShown(&window));
}

void TestTheme::theRingOfTheMainButtonStandsOutside()
{
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    auto* button = new ToolPushButton(QStringLiteral("play"), QStringLiteral("Run"), &window);
    button->setMain(true);
    row->addWidget(button);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button->clearFocus();
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(ringIsShown(&window));
    QCOMPARE(ring(&window)->geometry(), button->geometry().adjusted(-3, -3, 3, 3));
}

void TestTheme::fieldsGetNoRing()
{
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    auto* button = new QPushButton(QStringLiteral("button"), &window);
    auto* field = new QLineEdit(&window);
    row->addWidget(button);
    row->addWidget(field);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button->clearFocus();
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(ringIsShown(&window));
    field->setFocus(Qt::TabFocusReason);
    QVERIFY(!ringIsShown(&window));
}

void TestTheme::theRingFollowsItsControl()
{
    QWidget window;
    window.resize(200, 200);
    auto* button = new QPushButton(QStringLiteral("button"), &window);
    button->setGeometry(10, 10, 80, 28);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button->clearFocus();
    button->setFocus(Qt::TabFocusReason);
    button->setGeometry(50, 60, 90, 28);
    QCOMPARE(ring(&window)->geometry(), button->geometry());
    button->hide();
    QVERIFY(!ringIsShown(&window));
    delete button;
    QVERIFY(!ringIsShown(&window));
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
