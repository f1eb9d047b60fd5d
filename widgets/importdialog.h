// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <vector>

#include <QDialog>

#include "settings/environment.h"
#include "settings/importplan.h"
#include "settings/settingsfile.h"

class QPlainTextEdit;
class QPushButton;
class QStandardItemModel;

namespace tokenpace {

class DataTable;
class FilePreview;
class RoleLabel;
class SettingsNotice;
class TabRow;

/// "Import settings": what an import takes from other tools' files or from a pasted text, where each value goes and
/// what stood there, what is not taken and why, and the settings.json that results. Nothing is written before Import;
/// secrets are never shown outside of the field that they are pasted into. GUI thread.
class ImportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `target`: the settings.json to write, or empty with the reason in `targetProblem`.
    ImportDialog(const QString& target, EnvironmentLookup environment, QWidget* parent = nullptr,
                 QString targetProblem = {});
    ~ImportDialog() override;

    void takeFiles(const QStringList& files);
    void takeText(const QString& text); ///< what was dropped: not shown, it may hold a key
    void askForText(const QString& text = {}); ///< shows a field to paste into

    [[nodiscard]] const QString& target() const { return m_target; }
    void setTarget(const QString& file);
    [[nodiscard]] const ImportPlan& plan() const { return m_plan; }

    [[nodiscard]] SettingsNotice* notice() const { return m_notice; }
    [[nodiscard]] TabRow* tabs() const { return m_tabs; }
    [[nodiscard]] DataTable* table() const { return m_table; }
    [[nodiscard]] QPlainTextEdit* leftOut() const { return m_leftOut; }
    [[nodiscard]] FilePreview* file() const { return m_file; }
    [[nodiscard]] QPlainTextEdit* pasteField() const { return m_paste; }
    [[nodiscard]] QPushButton* importButton() const { return m_import; }

    void accept() override;

signals:
    /// The file was written; `warnings` are to be told.
    void imported(const QString& file, const QStringList& warnings);

private:
    QWidget* makeTakenPage();
    QWidget* makeFoot();
    void chooseFiles();
    void chooseTarget();
    void refresh();
    void showPlan();
    void showResult();
    void showNotice();
    [[nodiscard]] QString masked(QString line) const;

    EnvironmentLookup m_environment;
    QString m_target;
    QString m_targetProblem;
    QStringList m_names; ///< files that are imported
    std::vector<ImportPreview> m_previews;
    SettingsFileContent m_before; ///< of the target
    ImportPlan m_plan;
    SettingsNotice* m_notice = nullptr; // all below are children
    QWidget* m_pasteArea = nullptr;
    QPlainTextEdit* m_paste = nullptr;
    TabRow* m_tabs = nullptr;
    RoleLabel* m_sources = nullptr;
    QStandardItemModel* m_model = nullptr;
    DataTable* m_table = nullptr;
    QPlainTextEdit* m_leftOut = nullptr;
    FilePreview* m_file = nullptr;
    RoleLabel* m_targetLabel = nullptr;
    QPushButton* m_import = nullptr;
};

} // namespace tokenpace
