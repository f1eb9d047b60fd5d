// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include "settingsdialog/settingsdialog.h"
#include "support/fakekeychain.h"
#include "theme/theme.h"

namespace tokenpace::test {

/// A settings file with two endpoints: one with a key in a variable, one with the key itself.
extern const QByteArray twoEndpoints;
/// `KEY` and `OPENAI_API_KEY` are set, nothing else.
[[nodiscard]] std::optional<QString> dialogEnvironment(const QString& name);

/// The settings dialog on a file of its own, with a keychain of the test's. Base of test classes.
class SettingsDialogFixture : public QObject {
    Q_OBJECT

protected slots:
    void init();
    void cleanup();

protected:
    void put(const QByteArray& bytes) const;
    [[nodiscard]] QByteArray held() const;
    void open();
    [[nodiscard]] QLineEdit* lineOf(const char* path) const;
    void type(const char* path, const QString& text) const;
    void clickWay(const QString& text) const;

    [[nodiscard]] QPushButton* buttonOf(const QWidget* parent, const QString& text) const;

    ThemeController m_themes;
    std::shared_ptr<FakeKeychain> m_keychain;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
    std::unique_ptr<SettingsDialog> m_dialog;
};

} // namespace tokenpace::test
