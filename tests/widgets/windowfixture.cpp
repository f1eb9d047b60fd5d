// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "widgets/windowfixture.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include "widgets/madeuprun.h"

namespace tokenpace::test {

void WindowFixture::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("tokenpace-test"));
    QCoreApplication::setApplicationName(QString::fromUtf8(metaObject()->className()));
}

void WindowFixture::init()
{
    folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder->path());
    themes = std::make_unique<ThemeController>();
    themes->setChoice(ThemeController::Choice::Dark);
}

void WindowFixture::cleanup()
{
    themes.reset();
    folder.reset();
}

void WindowFixture::show(MainWindow& window)
{
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
}

std::unique_ptr<MainWindow> WindowFixture::picture()
{
    StartUp startUp;
    startUp.settings = pictureSettings();
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*themes, startUp);
    show(*window);
    return window;
}

} // namespace tokenpace::test
