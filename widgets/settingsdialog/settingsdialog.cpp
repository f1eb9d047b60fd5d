// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingsdialog/settingsdialog.h"

#include <algorithm>
#include <chrono>

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "checkpanel.h"
#include "controls/filterfield.h"
#include "controls/formparts.h"
#include "controls/rolelabel.h"
#include "controls/tabrow.h"
#include "controls/toolbarparts.h"
#include "experiment/endpointcheck.h"
#include "settings/baseurl.h"
#include "settings/redactor.h"
#include "settings/settingsfile.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/pagelist.h"
#include "settingsdialog/settingsform.h"
#include "settingsdialog/settingsnotice.h"
#include "settingsfields.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

// Nobody wants each letter of a reference looked up.
constexpr auto keychainPause = std::chrono::milliseconds(400);

} // namespace

SettingsDialog::SettingsDialog(const QString& file, EnvironmentLookup environment, std::shared_ptr<Keychain> keychain,
                               QWidget* parent)
    : QDialog(parent)
    , m_file(file)
    , m_environment(std::move(environment))
    , m_keychain(keychain ? std::move(keychain) : std::shared_ptr<Keychain>(desktopKeychain()))
    , m_keychainReader(*m_keychain)
    , m_editor(std::make_unique<SettingsEditor>(m_environment))
    , m_fields(std::make_unique<SettingsFields>(*m_editor))
{
    setWindowTitle(tr("Settings"));
    resize(1000, 700);
    m_tabs = new TabRow(TabRow::Kind::Dialog, this);
    m_preview = new FilePreview;
    m_tabs->addTab(makeFormPage(), tr("Form"));
    m_tabs->addTab(m_preview, tr("File"));
    m_undo = makeIconButton(QStringLiteral("undo"), tr("Undo (Ctrl+Z)"), IconButtonSize::Bar, this);
    m_redo = makeIconButton(QStringLiteral("redo"), tr("Redo (Ctrl+Shift+Z)"), IconButtonSize::Bar, this);
    m_search = new FilterField;
    m_search->setPlaceholderText(tr("Find a setting"));
    m_search->setFixedWidth(190);
    m_search->setAccessibleName(tr("Find a setting"));
    m_tabs->addRight(m_undo);
    m_tabs->addRight(m_redo);
    m_tabs->addRight(m_search);
    m_notice = new SettingsNotice(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_notice);
    column->addWidget(m_tabs, 1);
    column->addWidget(makeFoot());

    const auto key = [this](const QKeySequence& keys, auto slot) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    key(QKeySequence::Undo, [this] {
        m_editor->undo();
    });
    key(QKeySequence::Redo, [this] {
        m_editor->redo();
    });
    key(QKeySequence::Save, [this] {
        save();
    });
    key(QKeySequence::Find, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_undo, &QToolButton::clicked, m_editor.get(), &SettingsEditor::undo);
    connect(m_redo, &QToolButton::clicked, m_editor.get(), &SettingsEditor::redo);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::find);
    connect(m_editor.get(), &SettingsEditor::changed, this, &SettingsDialog::onChanged);
    connect(m_fields.get(), &SettingsFields::badCountChanged, this, &SettingsDialog::onChanged);
    connect(&m_keychainReader, &KeychainReader::filled, this, &SettingsDialog::runTest);
    m_keychainPause.setSingleShot(true);
    m_keychainPause.setInterval(keychainPause);
    connect(&m_keychainPause, &QTimer::timeout, this, &SettingsDialog::lookIntoKeychain);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &SettingsDialog::onFileChanged);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &SettingsDialog::onFileChanged);
    load();
}

SettingsDialog::~SettingsDialog() = default;

QWidget* SettingsDialog::makeFormPage()
{
    auto* page = new QWidget;
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_pages = new PageList(*m_editor, page);
    m_form = new SettingsForm(*m_fields, page);
    m_check = new CheckPanel(page);
    row->addWidget(m_pages);
    row->addWidget(m_form, 1);
    row->addWidget(m_check);
    connect(m_pages, &PageList::endpointChosen, this, &SettingsDialog::showEndpoint);
    connect(m_pages, &PageList::pageChosen, this, &SettingsDialog::showPage);
    connect(m_pages, &PageList::addRequested, this, [this] {
        edit(m_editor->addEndpoint());
    });
    connect(m_pages, &PageList::duplicateRequested, this, [this] {
        edit(m_editor->duplicateEndpoint(m_pages->endpoint()));
    });
    connect(m_pages, &PageList::removeRequested, this, [this] {
        edit(m_editor->removeEndpoint(m_pages->endpoint()));
    });
    connect(m_pages, &PageList::moveRequested, this, [this](int by) {
        edit(m_editor->moveEndpoint(m_pages->endpoint(), by));
    });
    connect(m_check, &CheckPanel::testRequested, this, &SettingsDialog::startTest);
    connect(m_check, &CheckPanel::cancelRequested, this, [this] {
        stopTest();
        m_check->showCancelled();
    });
    m_check->setOffersChanges(true);
    connect(m_check, &CheckPanel::changeRequested, this, &SettingsDialog::takeChange);
    return page;
}

QWidget* SettingsDialog::makeFoot()
{
    auto* foot = new DialogFoot(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(16, 1, 16, 0);
    row->setSpacing(8);
    m_path = new RoleLabel(shortPath(m_file), RoleLabel::Role::Muted, textFont(12), foot);
    m_path->setToolTip(m_file);
    m_path->setMinimumWidth(40);
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_discard = new QPushButton(tr("Discard changes"), foot);
    auto* cancel = new QPushButton(tr("Cancel"), foot);
    m_save = new QPushButton(tr("Save"), foot);
    for (QPushButton* button : {m_discard, cancel, m_save}) {
        button->setAutoDefault(false);
    }
    m_save->setProperty("main", true);
    row->addWidget(m_path, 1);
    row->addWidget(m_discard);
    row->addWidget(cancel);
    row->addWidget(m_save);
    connect(m_discard, &QPushButton::clicked, this, [this] {
        m_fields->dropDrafts();
        m_editor->discard();
    });
    connect(cancel, &QPushButton::clicked, this, &SettingsDialog::reject);
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (save() && m_notice->isHidden()) { // else there is something to be read first
            accept();
        }
    });
    return foot;
}

void SettingsDialog::load()
{
    const SettingsFileContent content = loadSettingsFile(m_file);
    m_onDisk = content.bytes;
    m_fields->dropDrafts();
    m_broken = false;
    m_variables.emplace(m_file, m_environment);
    m_editor->setEnvironment(m_variables->lookup());
    forgetTests();
    if (!content.error.isEmpty()) {
        m_notice->ask(SettingsNotice::Kind::Error, content.error);
        m_editor->open({}, m_file);
    } else if (!m_editor->open(content.bytes.value_or(QByteArray()), m_file)) {
        // A file that can't be read is never written over without a copy of it.
        m_broken = true;
        m_notice->ask(SettingsNotice::Kind::Error, m_editor->error(),
                      {{tr("Read it again"),
                        [this] {
                            load();
                        }},
                       {tr("Keep a copy and begin anew"), [this] {
                            QString error;
                            const QString copy = keepCopy(m_file, &error);
                            if (copy.isEmpty()) {
                                m_notice->ask(SettingsNotice::Kind::Error, error);
                                return;
                            }
                            m_broken = false;
                            m_editor->open({}, m_file);
                            m_notice->ask(SettingsNotice::Kind::Info, tr("The file was copied to %1.").arg(copy));
                        }}});
    }
    if (!m_watcher.files().contains(m_file) && QFileInfo::exists(m_file)) {
        m_watcher.addPath(m_file);
    }
    if (const QString folder = QFileInfo(m_file).absolutePath(); QFileInfo::exists(folder)) {
        m_watcher.addPath(folder);
    }
    m_pages->refresh();
    m_pages->chooseEndpoint(0);
    onChanged();
}

void SettingsDialog::onChanged()
{
    m_pages->refresh();
    // The endpoint that was shown may be gone, or be another one.
    const int endpoint = m_pages->endpoint();
    if (m_fields->page() == SettingsFields::Page::Endpoint && m_fields->target().endpoint != endpoint) {
        m_fields->show(SettingsFields::Page::Endpoint, endpoint);
    }
    m_undo->setEnabled(m_editor->canUndo());
    m_redo->setEnabled(m_editor->canRedo());
    m_undo->setToolTip(m_editor->canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(m_editor->undoText()) : tr("Undo (Ctrl+Z)"));
    m_redo->setToolTip(m_editor->canRedo() ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(m_editor->redoText())
                                           : tr("Redo (Ctrl+Shift+Z)"));
    const int lines = m_editor->changedLines();
    m_tabs->setBadge(1, lines == 0 ? QString() : lines == 1 ? tr("1 line changed") : tr("%1 lines changed").arg(lines));
    QList<SettingsLine> shown = m_editor->lines();
    if (const auto& settings = m_editor->settings()) {
        const Redactor redactor = redactorFor(*settings);
        for (SettingsLine& line : shown) {
            line.text = redactor.redacted(line.text);
        }
    }
    m_preview->showLines(shown);
    const int bad = m_fields->badCount();
    m_discard->setEnabled(m_editor->isChanged() || bad > 0);
    m_save->setEnabled(m_editor->isChanged() && bad == 0 && !m_broken);
    m_pages->setEnabled(!m_broken);
    m_form->setEnabled(!m_broken);
    m_path->setRole(bad > 0 ? RoleLabel::Role::Error : RoleLabel::Role::Muted);
    m_path->setText(bad == 0       ? shortPath(m_file)
                        : bad == 1 ? tr("1 field is not good yet")
                                   : tr("%1 fields are not good yet").arg(bad));
    forgetChangedTests();
    showNotes();
}

void SettingsDialog::showEndpoint(int index)
{
    if (m_tested != index) {
        stopTest();
        m_check->showIdle(tr("Asks for the list of models, then sends requests of a few tokens."));
        m_tested = -1;
    }
    m_check->show();
    m_fields->show(SettingsFields::Page::Endpoint, index);
    showNotes();
}

void SettingsDialog::showPage(SettingsFields::Page page)
{
    m_check->hide();
    m_fields->show(page);
}

void SettingsDialog::edit(int endpoint)
{
    if (!m_editor->error().isEmpty()) {
        m_notice->ask(SettingsNotice::Kind::Warning, m_editor->error());
        return;
    }
    m_fields->dropDrafts(); // they belong to endpoints by number
    forgetTests();
    m_pages->refresh();
    m_pages->chooseEndpoint(endpoint);
}

void SettingsDialog::find(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return;
    }
    m_tabs->setCurrentIndex(0);
    const auto matches = [&text](const SettingKey& key) {
        return key.labelText().contains(text, Qt::CaseInsensitive)
            || QString::fromUtf8(key.path).contains(text, Qt::CaseInsensitive);
    };
    using Page = SettingsFields::Page;
    const bool hasEndpoint = !m_editor->endpoints().isEmpty();
    for (const SettingKey& key : settingKeys()) {
        const Page page = SettingsFields::pageOf(key);
        const bool hasPlace = page != Page::Endpoint || hasEndpoint || key.scope == SettingScope::Both;
        if (!matches(key) || !hasPlace) {
            continue;
        }
        if (page != Page::Endpoint) {
            m_pages->choosePage(page);
        } else if (hasEndpoint) {
            m_pages->chooseEndpoint(std::max(m_pages->endpoint(), 0));
        } else {
            m_pages->choosePage(Page::Request);
        }
        m_form->showField(QString::fromUtf8(key.path));
        return;
    }
}

bool SettingsDialog::save()
{
    if (m_fields->badCount() > 0 || m_broken) {
        return false;
    }
    const QByteArray bytes = m_editor->text();
    const SaveResult result = saveSettingsFile(m_file, bytes, m_onDisk, m_editor->holdsKey());
    switch (result.outcome) {
    case SaveOutcome::Saved:
    case SaveOutcome::Unchanged:
        m_onDisk = bytes;
        m_editor->markSaved();
        m_notice->dismiss();
        if (!result.warnings.isEmpty()) {
            m_notice->ask(SettingsNotice::Kind::Warning, result.warnings.join(QLatin1Char('\n')));
        }
        emit saved(m_file);
        return true;
    case SaveOutcome::ChangedOnDisk:
        onFileChanged();
        return false;
    case SaveOutcome::Failed:
        m_notice->ask(SettingsNotice::Kind::Error, result.error);
        return false;
    }
    return false;
}

void SettingsDialog::onFileChanged()
{
    if (QFileInfo::exists(m_file) && !m_watcher.files().contains(m_file)) {
        m_watcher.addPath(m_file); // replaced by another file of its name
    }
    readVariablesAnew();
    const SettingsFileContent content = loadSettingsFile(m_file);
    if (content.bytes == m_onDisk || !content.error.isEmpty()) {
        return;
    }
    if (!m_editor->isChanged() && m_fields->badCount() == 0) {
        load();
        return;
    }
    const QByteArray theirs = content.bytes.value_or(QByteArray());
    m_notice->ask(SettingsNotice::Kind::Warning,
                  tr("%1 was changed by another program while it is open here.").arg(shortPath(m_file)),
                  {{tr("Reload, without my changes"),
                    [this] {
                        load();
                    }},
                   {tr("Make my changes there"),
                    [this, theirs, content] {
                        if (m_editor->rebase(theirs)) {
                            m_onDisk = content.bytes;
                        } else {
                            m_notice->ask(SettingsNotice::Kind::Error, m_editor->error());
                        }
                    }},
                   {tr("Overwrite with mine"), [this, content] {
                        m_onDisk = content.bytes;
                        save();
                    }}});
}

void SettingsDialog::reject()
{
    if (!m_editor->isChanged()) {
        QDialog::reject();
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Question, tr("Settings"), tr("Save the changes to the settings?"),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this, [this, box](QAbstractButton* button) {
        const auto chosen = box->standardButton(button);
        if (chosen == QMessageBox::Discard || (chosen == QMessageBox::Save && save())) {
            QDialog::reject();
        }
    });
    box->open();
}

} // namespace tokenpace
