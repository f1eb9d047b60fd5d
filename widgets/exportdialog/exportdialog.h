// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>

#include "exportdialog/exportjob.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace tokenpace {

class ExportPreview;
class HelpLine;
class ProgressStrip;
class RoleLabel;
class SegmentedControl;
class ToolPushButton;

/// Asks what is to be saved, in which format and how large, shows what it will look like, and saves it. The charts on
/// the screen are left alone. A failure leaves the dialog open with the reason. GUI thread.
class ExportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `content.data` must outlive the dialog. `chart` is the one to begin with; `dark` the window's theme, which a
    /// first export takes.
    ExportDialog(ExportContent content, int chart, bool dark, QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] const ExportChoices& choices() const { return m_choices; }
    [[nodiscard]] QComboBox* whatBox() const { return m_what; }
    [[nodiscard]] QComboBox* sizeBox() const { return m_size; }
    [[nodiscard]] SegmentedControl* formats() const; ///< of what is to be exported
    [[nodiscard]] SegmentedControl* scales() const { return m_scale; }
    [[nodiscard]] SegmentedControl* colours() const { return m_colours; }
    [[nodiscard]] QList<QCheckBox*> footerBoxes() const { return m_footer; }
    [[nodiscard]] QLineEdit* nameField() const { return m_name; }
    [[nodiscard]] HelpLine* nameHelp() const { return m_nameHelp; }
    [[nodiscard]] ExportPreview* preview() const { return m_preview; }
    [[nodiscard]] QPushButton* exportButton() const { return m_export; }
    [[nodiscard]] ToolPushButton* copyImageButton() const { return m_copyImage; }
    [[nodiscard]] ToolPushButton* copyDataButton() const { return m_copyData; }

    void reject() override; ///< while files are written: stops that

signals:
    void exported(const QStringList& paths);

private:
    QWidget* makeForm();
    QWidget* makeFoot();
    void addFooterBoxes(QVBoxLayout* column);
    void onWhatChosen();
    void onChanged(); ///< something that the picture or the file depends on
    void refreshName();
    void refreshNameHelp();
    void refreshWhatMatters();
    void measure();
    void save();
    void onSaved(const QString& why, const QStringList& written);
    void copyImage();
    void copyData();
    [[nodiscard]] QString path() const;

    ExportContent m_content;
    ExportChoices m_choices;
    QString m_folder;
    bool m_ownName = false; ///< someone typed a name
    std::optional<qint64> m_bytes; ///< of what would be saved now
    QString m_failure;
    std::unique_ptr<ExportJob> m_job; // writes, or only measures
    bool m_saving = false;
    QTimer m_measureTimer; // single shot: only a choice that stays is measured
    QTimer m_slow; // single shot: only what takes long shows its progress
    // All below are children of this.
    QComboBox* m_what = nullptr;
    QList<SegmentedControl*> m_formats; // for charts, the summary, the requests
    QComboBox* m_size = nullptr;
    HelpLine* m_sizeHelp = nullptr;
    SegmentedControl* m_scale = nullptr;
    SegmentedControl* m_colours = nullptr;
    QList<QCheckBox*> m_footer;
    QLineEdit* m_name = nullptr;
    HelpLine* m_nameHelp = nullptr;
    ExportPreview* m_preview = nullptr;
    ToolPushButton* m_copyImage = nullptr;
    ToolPushButton* m_copyData = nullptr;
    ProgressStrip* m_progress = nullptr;
    QPushButton* m_export = nullptr;
};

} // namespace tokenpace
