// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <memory>
#include <optional>

#include <QDialog>
#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include "settings/keychainreader.h"
#include "settings/variablesources.h"
#include "settingsdialog/settingsform.h"
#include "settingsfields.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace tokenpace {

class CheckPanel;
class EndpointCheck;
class FilePreview;
class PageList;
class RoleLabel;
class SettingsNotice;
class TabRow;

/// The settings: endpoints and pages at the left, their fields in the middle, a test at the right; what will be written
/// behind *File*. Everything can be undone until it is saved, and after; only what changed is written. A file that
/// somebody else changes meanwhile is noticed, and never overwritten without a word.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `file` is absolute and need not be there.
    /// Keys are kept in `keychain`; none: the desktop's.
    SettingsDialog(const QString& file, EnvironmentLookup environment, std::shared_ptr<Keychain> keychain = nullptr,
                   QWidget* parent = nullptr);
    ~SettingsDialog() override;

    [[nodiscard]] SettingsEditor& editor() const { return *m_editor; }
    [[nodiscard]] SettingsFields& fields() const { return *m_fields; }
    [[nodiscard]] SettingsForm* form() const { return m_form; }
    [[nodiscard]] PageList* pages() const { return m_pages; }
    [[nodiscard]] FilePreview* preview() const { return m_preview; }
    [[nodiscard]] SettingsNotice* notice() const { return m_notice; }
    [[nodiscard]] CheckPanel* checkPanel() const { return m_check; }
    [[nodiscard]] TabRow* tabs() const { return m_tabs; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QToolButton* undoButton() const { return m_undo; }
    [[nodiscard]] QToolButton* redoButton() const { return m_redo; }
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }

    /// Writes the file; true when it is written, or holds these bytes already.
    bool save();
    /// Asks first when there are changes.
    void reject() override;

signals:
    void saved(const QString& file);

private:
    QWidget* makeFormPage();
    QWidget* makeFoot();
    void load();
    void onChanged();
    void onFileChanged();
    void showEndpoint(int index);
    void showPage(SettingsFields::Page page);
    void find(const QString& text);
    void edit(int endpoint); ///< after a change of the list

    // What is said and tried of the endpoint that is shown (settingsdialog_endpoint.cpp).
    void showNotes();
    void showKeyNotes(const EndpointSettings& endpoint);
    void showModelNotes(const EndpointSettings& endpoint);
    [[nodiscard]] SettingsForm::Actions keyActions(const QString& typed, const EndpointSettings& endpoint);
    [[nodiscard]] QString typedKey() const;
    void readVariablesAnew();
    void lookIntoKeychain();
    void moveKeyToKeychain(const QString& key, const QString& name, int attempt);
    void startTest();
    void runTest(const Settings& filled);
    void finishTest();
    void stopTest();
    void takeChange(const SettingChange& change);
    void forgetTests();
    void forgetChangedTests();

    QString m_file;
    EnvironmentLookup m_environment;
    std::optional<VariableSources> m_variables;
    std::shared_ptr<Keychain> m_keychain;
    KeychainReader m_keychainReader; ///< for the test
    std::map<QString, Keychain::Answer> m_keychainAnswers; ///< by reference
    QTimer m_keychainPause;
    std::optional<QByteArray> m_onDisk; ///< what the file held when it was read last
    std::unique_ptr<SettingsEditor> m_editor;
    std::unique_ptr<SettingsFields> m_fields;
    std::unique_ptr<EndpointCheck> m_running; ///< while testing
    bool m_broken = false; ///< the file can't be read as settings, and no copy of it was kept
    int m_tested = -1; ///< the endpoint of the test
    QStringList m_tryingAs; ///< what the test tries
    QStringList m_listed; ///< models of the last test
    QStringList m_listedAs; ///< how their endpoint is reached
    std::map<int, QStringList> m_testedAs; ///< what the tests that are shown tried, by endpoint
    QFileSystemWatcher m_watcher;
    TabRow* m_tabs = nullptr;
    PageList* m_pages = nullptr;
    SettingsForm* m_form = nullptr;
    CheckPanel* m_check = nullptr;
    FilePreview* m_preview = nullptr;
    SettingsNotice* m_notice = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
    QLineEdit* m_search = nullptr;
    RoleLabel* m_path = nullptr;
    QPushButton* m_discard = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace tokenpace
