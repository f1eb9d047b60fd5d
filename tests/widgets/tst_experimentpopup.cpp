// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>

#include "experimentpopup.h"
#include "lengthlist.h"
#include "theme/theme.h"

using namespace tokenpace;

class TestExperimentPopup final : public QObject {
    Q_OBJECT
private slots:
    void lengthsAreReadAsPeopleWriteThem_data();
    void lengthsAreReadAsPeopleWriteThem();
    void whatIsNoLengthIsNamed_data();
    void whatIsNoLengthIsNamed();
    void typedLengthsAreTakenOver();
    void aBadLengthIsMarkedAndNotTakenOver();
    void aSinglePromptNeedsItsText();
    void anEmptySeedMeansANewOne();
    void showingASpecIsNoEdit();

private:
    static QLineEdit* field(const ExperimentPopup& popup, const QString& name);
    ThemeController m_themes;
};

QLineEdit* TestExperimentPopup::field(const ExperimentPopup& popup, const QString& name)
{
    for (QLineEdit* edit : popup.findChildren<QLineEdit*>()) {
        if (edit->accessibleName() == name) {
            return edit;
        }
    }
    return nullptr;
}

void TestExperimentPopup::lengthsAreReadAsPeopleWriteThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("lengths");
    QTest::newRow("commas") << QStringLiteral("100, 300,1000") << QList<int>{100, 300, 1000};
    QTest::newRow("spaces and semicolons") << QStringLiteral(" 100 300; 1000 ") << QList<int>{100, 300, 1000};
    QTest::newRow("thousands") << QStringLiteral("1k, 2.5K") << QList<int>{1000, 2500};
    QTest::newRow("one") << QStringLiteral("1") << QList<int>{1};
}

void TestExperimentPopup::lengthsAreReadAsPeopleWriteThem()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, lengths);
    const LengthList list = parseLengths(text);
    QCOMPARE(list.problem, QString());
    QCOMPARE(list.lengths, lengths);
}

void TestExperimentPopup::whatIsNoLengthIsNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("a word") << QStringLiteral("100, many") << QStringLiteral("many");
    QTest::newRow("zero") << QStringLiteral("0") << QStringLiteral("0");
    QTest::newRow("negative") << QStringLiteral("-5") << QStringLiteral("-5");
    QTest::newRow("part of a token") << QStringLiteral("10.5") << QStringLiteral("10.5");
    QTest::newRow("twice") << QStringLiteral("1000, 1k") << QStringLiteral("1k");
    QTest::newRow("too large") << QStringLiteral("99999999999") << QStringLiteral("99999999999");
    QTest::newRow("nothing") << QStringLiteral(" , ") << QStringLiteral("at least one");
}

void TestExperimentPopup::whatIsNoLengthIsNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, named);
    QVERIFY2(parseLengths(text).problem.contains(named), qPrintable(parseLengths(text).problem));
}

void TestExperimentPopup::typedLengthsAreTakenOver()
{
    ExperimentPopup popup;
    popup.setSpec(RunSpec());
    QSignalSpy edited(&popup, &ExperimentPopup::edited);
    QLineEdit* lengths = field(popup, QStringLiteral("Prompt lengths"));
    QVERIFY(lengths);
    lengths->selectAll();
    QTest::keyClicks(lengths, QStringLiteral("50,200"));
    QVERIFY(edited.count() > 0);
    const QList<int> expected{50, 200};
    QCOMPARE(popup.spec().promptTokens, expected);
    QVERIFY(popup.problems().isEmpty());
}

void TestExperimentPopup::aBadLengthIsMarkedAndNotTakenOver()
{
    ExperimentPopup popup;
    popup.setSpec(RunSpec());
    const QList<int> before = popup.spec().promptTokens;
    QLineEdit* lengths = field(popup, QStringLiteral("Prompt lengths"));
    lengths->clear();
    QSignalSpy edited(&popup, &ExperimentPopup::edited);
    QTest::keyClicks(lengths, QStringLiteral("x"));
    QCOMPARE(edited.count(), 0);
    QCOMPARE(popup.problems().size(), 1);
    QVERIFY(lengths->property("bad").toBool());
    QCOMPARE(popup.spec().promptTokens, before);
    QTest::keyClick(lengths, Qt::Key_Backspace);
    QTest::keyClicks(lengths, QStringLiteral("7"));
    QVERIFY(popup.problems().isEmpty());
    QVERIFY(!lengths->property("bad").toBool());
    QCOMPARE(popup.spec().promptTokens, QList<int>{7});
}

void TestExperimentPopup::aSinglePromptNeedsItsText()
{
    ExperimentPopup popup;
    RunSpec spec;
    spec.experiment = Experiment::Single;
    popup.setSpec(spec);
    auto* prompt = popup.findChild<QPlainTextEdit*>();
    QVERIFY(prompt);
    QTest::keyClicks(prompt, QStringLiteral("Hi"));
    QCOMPARE(popup.spec().prompt, QStringLiteral("Hi"));
    QVERIFY(popup.problems().isEmpty());
    QTest::keyClick(prompt, Qt::Key_Backspace);
    QTest::keyClick(prompt, Qt::Key_Backspace);
    QCOMPARE(popup.problems().size(), 1);
}

void TestExperimentPopup::anEmptySeedMeansANewOne()
{
    ExperimentPopup popup;
    RunSpec spec;
    spec.seed = 17;
    popup.setSpec(spec);
    QLineEdit* seed = field(popup, QStringLiteral("Seed"));
    QVERIFY(seed);
    QCOMPARE(seed->text(), QStringLiteral("17"));
    QTest::keyClicks(seed, QStringLiteral("x"));
    QCOMPARE(popup.problems().size(), 1);
    QCOMPARE(popup.spec().seed, quint64(17));
    seed->selectAll();
    QTest::keyClick(seed, Qt::Key_Delete);
    QVERIFY(popup.problems().isEmpty());
    QCOMPARE(popup.spec().seed, quint64(0));
}

void TestExperimentPopup::showingASpecIsNoEdit()
{
    ExperimentPopup popup;
    QSignalSpy edited(&popup, &ExperimentPopup::edited);
    RunSpec spec;
    spec.repeats = 3;
    spec.interleaved = false;
    spec.maxTokens.reset();
    popup.setSpec(spec);
    QCOMPARE(edited.count(), 0);
    QCOMPARE(popup.spec().repeats, 3);
    QVERIFY(!popup.spec().maxTokens);
}

QTEST_MAIN(TestExperimentPopup)
#include "tst_experimentpopup.moc"
