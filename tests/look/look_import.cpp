// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Saves the import's preview as PNG files, in both themes: to be looked at, no test. Usage: look_import FOLDER FILE...

#include <QApplication>
#include <QDir>
#include <QTabBar>

#include "controls/tabrow.h"
#include "importdialog.h"
#include "theme/theme.h"

using namespace tokenpace;

int main(int argc, char* argv[])
{
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 3) {
        return 2;
    }
    const QDir folder(arguments.at(1));
    ThemeController themes;
    for (const auto choice : {ThemeController::Choice::Dark, ThemeController::Choice::Light}) {
        themes.setChoice(choice);
        ImportDialog dialog(folder.filePath(QStringLiteral("settings.json")), processEnvironment());
        dialog.takeFiles(arguments.mid(2));
        dialog.show();
        for (int tab = 0; tab < dialog.tabs()->tabBar()->count(); ++tab) {
            dialog.tabs()->setCurrentIndex(tab);
            QApplication::processEvents();
            const QString theme =
                choice == ThemeController::Choice::Dark ? QStringLiteral("dark") : QStringLiteral("light");
            if (!dialog.grab().save(folder.filePath(QStringLiteral("import-%1-%2.png").arg(theme).arg(tab)))) {
                return 1;
            }
        }
    }
    return 0;
}
