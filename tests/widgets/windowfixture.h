// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include "mainwindow.h"
#include "theme/theme.h"

namespace tokenpace::test {

/// Windows with settings and a log of their own, in a folder that goes with each test. Base of test classes.
class WindowFixture : public QObject {
    Q_OBJECT

protected slots:
    void initTestCase();
    void init();
    void cleanup();

protected:
    static void show(MainWindow& window);
    /// A window with the models of the picture, dark.
    [[nodiscard]] std::unique_ptr<MainWindow> picture();
    [[nodiscard]] QString logPath() const { return folder->filePath(QStringLiteral("token_timing.jsonl")); }

    std::unique_ptr<QTemporaryDir> folder;
    std::unique_ptr<ThemeController> themes;
};

} // namespace tokenpace::test
