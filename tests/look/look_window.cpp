// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Builds the window with made-up requests in the state of the design's picture of a run and saves it as PNG files, in
// three sizes and both themes: to be looked at, no test. Usage: look_window FOLDER

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>

#include "chartspage.h"
#include "controls/progressstrip.h"
#include "controls/statusitem.h"
#include "controls/toolbarparts.h"
#include "look/contactsheet.h"
#include "mainwindow.h"
#include "runbar.h"
#include "statusstrip.h"
#include "theme/focusring.h"
#include "theme/theme.h"
#include "tokenraster.h"
#include "widgets/madeuprun.h"

using namespace tokenpace;

namespace {

void settle()
{
    for (int i = 0; i < 30; ++i) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
}

// What a run that goes on shows; nothing is sent here, so it is put there by hand.
void pretendRunning(MainWindow& window)
{
    RunBar* bar = window.runBar();
    bar->runButton()->setMain(false);
    bar->runButton()->setEnabled(false);
    bar->stopButton()->setEnabled(true);
    bar->stopButton()->setKeyText(QStringLiteral("Esc"));
    bar->stopButton()->setIconName(QStringLiteral("stop"), IconColour::Error);
    window.progress()->setParts({QStringLiteral("120 of 180 requests"), QStringLiteral("3 min 28 s left")});
    window.progress()->setFraction(0.67);
    const QList<StatusItem*> items = window.status()->findChildren<StatusItem*>();
    for (StatusItem* item : items) {
        if (item->text().startsWith(QStringLiteral("127"))) {
            item->setText(QStringLiteral("127.0.0.1:8080 up"));
            item->setState(StatusItem::State::Good);
        } else if (item->text().startsWith(QStringLiteral("gateway"))) {
            item->setText(QStringLiteral("gateway.example up, 24 ms"));
            item->setState(StatusItem::State::Good);
        } else if (item->text().contains(QStringLiteral("records"))) {
            item->setText(QStringLiteral("logs/token_timing.jsonl, 120 records written"));
        }
    }
    TokenRaster::NextRow next;
    next.seq = 122;
    next.series = 1;
    next.promptTokens = 100;
    window.page()->raster()->setNext(next);
}

void shoot(MainWindow& window, const QSize& size, const QString& path, test::ContactSheet& sheet)
{
    window.resize(size);
    settle();
    const QImage shot = window.grab().toImage();
    shot.save(path);
    sheet.add(shot, QFileInfo(path).completeBaseName());
    QTextStream(stdout) << path << '\n';
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("tokenpace-look"));
    QCoreApplication::setApplicationName(QStringLiteral("look_window"));
    const QTemporaryDir settingsFolder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settingsFolder.path());
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("."));
    folder.mkpath(QStringLiteral("."));
    ThemeController themes;
    const FocusRing ring;

    test::ContactSheet sheet;
    for (const bool dark : {true, false}) {
        themes.setChoice(dark ? ThemeController::Choice::Dark : ThemeController::Choice::Light);
        const QString suffix = dark ? QStringLiteral("dark.png") : QStringLiteral("light.png");
        {
            MainWindow first(themes, StartUp());
            first.show();
            shoot(first, {1280, 800}, folder.filePath(QStringLiteral("first-") + suffix), sheet);
        }
        StartUp startUp;
        startUp.settings = test::pictureSettings();
        startUp.logPath = settingsFolder.filePath(QStringLiteral("token_timing.jsonl"));
        MainWindow window(themes, startUp);
        window.show();
        shoot(window, {1280, 800}, folder.filePath(QStringLiteral("before-") + suffix), sheet);
        const int row = test::fillPicture(window.session());
        window.session().selection().setCurrentIndex(window.session().requests().index(row, 0),
                                                     QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        settle();
        pretendRunning(window);
        shoot(window, {1280, 800}, folder.filePath(QStringLiteral("window-1280-") + suffix), sheet);
        shoot(window, {1920, 1080}, folder.filePath(QStringLiteral("window-1920-") + suffix), sheet);
        shoot(window, {1000, 640}, folder.filePath(QStringLiteral("window-1000-") + suffix), sheet);
        QItemSelection many;
        many.select(window.session().requests().index(40, 0), window.session().requests().index(80, 0));
        window.session().selection().select(many, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        shoot(window, {1920, 1080}, folder.filePath(QStringLiteral("selected-1920-") + suffix), sheet);
        // Nothing runs any more: the same picture each time.
        test::finishPicture(window.session());
        window.page()->raster()->setNext(std::nullopt);
        window.session().selection().setCurrentIndex(window.session().requests().index(row, 0),
                                                     QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        shoot(window, {1280, 800}, folder.filePath(QStringLiteral("finished-1280-") + suffix), sheet);
        shoot(window, {1920, 1080}, folder.filePath(QStringLiteral("finished-1920-") + suffix), sheet);
    }
    sheet.save(folder.filePath(QStringLiteral("sheet.png")));
    return 0;
}
