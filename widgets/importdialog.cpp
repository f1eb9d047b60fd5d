// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "importdialog.h"

#include <algorithm>

#include <QFileDialog>
#include <QFileInfo>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "controls/datatable.h"
#include "controls/formparts.h"
#include "controls/rolelabel.h"
#include "controls/tabrow.h"
#include "settings/linediff.h"
#include "settings/redactor.h"
#include "settings/settingseditor.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/settingsnotice.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int pasteHeight = 120;
constexpr int widestColumn = 230;
constexpr int widestKey = 330;
constexpr int sourceMargin = 32;
constexpr int footButtons = 420; // and their margins
constexpr int leastText = 80;
constexpr int leftOutTab = 1;
constexpr int fileTab = 2;

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// The file's name and the line of `folders/file:line:column: key`.
QString shortSource(const QString& source)
{
    static const QRegularExpression place(QStringLiteral("([^/]*:\\d+):\\d+(: .*)?$"));
    const QRegularExpressionMatch match = place.match(source);
    return match.hasMatch() ? match.captured(1) : source;
}

QString withoutSecret(QString text, const ImportedValue& value)
{
    const QString json = QString::fromStdString(value.json);
    if (value.shown.contains(u"***") && json.startsWith(u'"')) {
        text.replace(json, QStringLiteral("\"***\""));
    }
    return text;
}

} // namespace

ImportDialog::ImportDialog(const QString& target, EnvironmentLookup environment, QWidget* parent, QString targetProblem)
    : QDialog(parent)
    , m_environment(std::move(environment))
    , m_target(target)
    , m_targetProblem(std::move(targetProblem))
{
    setWindowTitle(tr("Import settings"));
    resize(900, 600);
    m_notice = new SettingsNotice(this);
    m_pasteArea = new QWidget(this);
    m_paste = new QPlainTextEdit(m_pasteArea);
    m_paste->setFixedHeight(pasteHeight);
    m_paste->setFont(codeFont(12));
    m_paste->setTabChangesFocus(true);
    m_paste->setPlaceholderText(tr("Paste a curl command here, or the text of an .env or a config file"));
    m_paste->setAccessibleName(tr("Text to import"));
    m_leftOut = new QPlainTextEdit;
    m_leftOut->setReadOnly(true);
    m_leftOut->setFrameShape(QFrame::NoFrame);
    m_leftOut->setFont(textFont(13));
    m_leftOut->setAccessibleName(tr("What is not taken"));
    m_file = new FilePreview;
    m_tabs = new TabRow(TabRow::Kind::Main, this);
    m_tabs->addTab(makeTakenPage(), tr("Taken"));
    m_tabs->addTab(m_leftOut, tr("Not taken"));
    m_tabs->addTab(m_file, tr("File"));
    auto* pasteRow = new QVBoxLayout(m_pasteArea);
    pasteRow->setContentsMargins(16, 16, 16, 8);
    pasteRow->addWidget(m_paste);
    m_pasteArea->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_notice);
    column->addWidget(m_pasteArea);
    column->addWidget(m_tabs, 1);
    column->addWidget(makeFoot());
    connect(m_paste, &QPlainTextEdit::textChanged, this, [this] {
        takeText(m_paste->toPlainText());
    });
}

ImportDialog::~ImportDialog() = default;

QWidget* ImportDialog::makeTakenPage()
{
    auto* page = new QWidget;
    m_sources = new RoleLabel({}, RoleLabel::Role::Text2, textFont(12), page);
    m_sources->setWordWrap(true);
    m_sources->setTextFormat(Qt::PlainText);
    m_sources->setContentsMargins(12, 8, 12, 8);
    m_sources->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_model = new QStandardItemModel(0, 4, page);
    m_model->setHorizontalHeaderLabels({tr("Setting"), tr("Value"), tr("In the file now"), tr("From")});
    m_table = new DataTable(page);
    m_table->setModel(m_model);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as they are planned
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setAccessibleName(tr("What is taken, and where it goes"));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sources);
    column->addWidget(m_table, 1);
    return page;
}

QWidget* ImportDialog::makeFoot()
{
    auto* foot = new DialogFoot(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(16, 1, 16, 0);
    row->setSpacing(8);
    m_targetLabel = new RoleLabel({}, RoleLabel::Role::Muted, textFont(12), foot);
    m_targetLabel->setTextFormat(Qt::PlainText);
    m_targetLabel->setMinimumWidth(40);
    m_targetLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* change = new QPushButton(tr("Into another file…"), foot);
    auto* cancel = new QPushButton(tr("Cancel"), foot);
    m_import = new QPushButton(tr("Import"), foot);
    for (QPushButton* button : {change, cancel}) {
        button->setAutoDefault(false);
    }
    m_import->setProperty("main", true);
    m_import->setDefault(true);
    m_import->setEnabled(false);
    row->addWidget(m_targetLabel, 1);
    row->addWidget(change);
    row->addWidget(cancel);
    row->addWidget(m_import);
    connect(change, &QPushButton::clicked, this, &ImportDialog::chooseTarget);
    connect(cancel, &QPushButton::clicked, this, &ImportDialog::reject);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::accept);
    return foot;
}

void ImportDialog::takeFiles(const QStringList& files)
{
    m_pasteArea->hide();
    m_names = files;
    m_previews.clear();
    for (const QString& file : files) {
        m_previews.push_back(importFile(file));
    }
    m_table->setFocus(Qt::OtherFocusReason);
    refresh();
}

void ImportDialog::takeText(const QString& text)
{
    m_names.clear();
    m_previews.clear();
    if (!m_pasteArea->isHidden() && text.trimmed().isEmpty()) {
        refresh();
        return;
    }
    m_previews.push_back(importSettings(text.toUtf8(), tr("pasted text")));
    refresh();
}

void ImportDialog::askForText(const QString& text)
{
    m_pasteArea->show();
    m_paste->setFocus(Qt::OtherFocusReason);
    if (m_paste->toPlainText() == text) {
        takeText(text);
    } else {
        m_paste->setPlainText(text);
    }
}

void ImportDialog::setTarget(const QString& file)
{
    m_target = file;
    m_targetProblem.clear();
    refresh();
}

void ImportDialog::chooseFiles()
{
    auto* dialog = new QFileDialog(this, tr("Import settings"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &ImportDialog::takeFiles);
    dialog->open();
}

void ImportDialog::chooseTarget()
{
    auto* dialog = new QFileDialog(this, tr("Import into"), QFileInfo(m_target).absolutePath(),
                                   tr("Settings (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // what it holds stays
    dialog->selectFile(m_target.isEmpty() ? QStringLiteral("settings.json") : QFileInfo(m_target).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &ImportDialog::setTarget);
    dialog->open();
}

void ImportDialog::refresh()
{
    std::vector<ImportPreview> readable;
    std::ranges::copy_if(m_previews, std::back_inserter(readable), [](const ImportPreview& preview) {
        return preview.error.isEmpty();
    });
    m_plan = {};
    m_before = {};
    if (!m_target.isEmpty()) {
        m_before = loadSettingsFile(m_target);
        m_plan = planImport(readable, m_before.bytes.value_or(QByteArray()), m_target);
    }
    showPlan();
    showResult();
    showNotice();
}

void ImportDialog::showPlan()
{
    QStringList sources;
    QStringList whole;
    for (const ImportPreview& preview : m_previews) {
        if (preview.error.isEmpty()) {
            const QString kind = QStringLiteral(": ") + preview.kind;
            const QFontMetrics metrics = m_sources->fontMetrics();
            const int room = std::max(width() - sourceMargin - metrics.horizontalAdvance(kind), leastText);
            sources << metrics.elidedText(shortPath(preview.file), Qt::ElideMiddle, room) + kind;
            whole << preview.file;
        }
    }
    m_sources->setText(sources.join(u'\n'));
    m_sources->setToolTip(whole.join(u'\n').toHtmlEscaped());
    m_sources->setVisible(!sources.isEmpty());
    m_model->removeRows(0, m_model->rowCount());
    for (const ImportRow& row : m_plan.rows) {
        QList<QStandardItem*> items;
        const QString value = row.note.isEmpty() ? row.shown : QStringLiteral("%1 (%2)").arg(row.shown, row.note);
        const QString before = row.isThere ? tr("the same") : row.before.isEmpty() ? QStringLiteral("–") : row.before;
        for (const QString& text : {row.key, value, before, shortSource(row.source)}) {
            items << new QStandardItem(text);
            items.last()->setToolTip(text);
        }
        items.last()->setToolTip(row.source);
        m_model->appendRow(items);
    }
    m_table->fitColumns();
    for (int column = 0; column + 1 < m_model->columnCount(); ++column) {
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), column == 0 ? widestKey : widestColumn));
    }
    m_tabs->setBadge(0, m_plan.rows.empty() ? QString() : QString::number(m_plan.rows.size()));
    QStringList left = m_plan.notTaken;
    if (!m_plan.warnings.isEmpty()) {
        left << (left.isEmpty() ? QStringList() : QStringList(QString())) << tr("Warnings:") << m_plan.warnings;
    }
    m_leftOut->setPlainText(left.isEmpty() ? tr("Everything is taken.") : left.join(u'\n'));
    const qsizetype count = m_plan.notTaken.size() + m_plan.warnings.size();
    m_tabs->setBadge(leftOutTab, count == 0 ? QString() : QString::number(count));
}

QString ImportDialog::masked(QString line) const
{
    for (const ImportPreview& preview : m_previews) {
        for (const ImportedValue& value : preview.values) {
            line = withoutSecret(line, value);
        }
        for (const ImportedEndpoint& endpoint : preview.endpoints) {
            for (const ImportedValue& value : endpoint.values) {
                line = withoutSecret(line, value);
            }
        }
    }
    return line;
}

void ImportDialog::showResult()
{
    const QByteArray before = m_before.bytes.value_or(QByteArray());
    const LineDiff diff = diffLines(view(before), view(m_plan.text));
    // The editor masks keys by their place; the marks are those of the difference.
    SettingsEditor editor(m_environment);
    QList<SettingsLine> lines;
    if (m_plan.error.isEmpty() && m_before.error.isEmpty() && editor.open(m_plan.text, m_target)) {
        lines = editor.lines();
        const Redactor redactor = editor.settings() ? redactorFor(*editor.settings()) : Redactor();
        for (qsizetype i = 0; i < lines.size(); ++i) {
            lines[i].text = redactor.redacted(masked(lines.at(i).text));
            lines[i].isChanged =
                i < static_cast<qsizetype>(diff.lines.size()) && diff.lines[static_cast<std::size_t>(i)].isNew;
        }
    }
    m_file->showLines(lines);
    const int changed = m_plan.changes == 0 ? 0 : diff.changes;
    m_tabs->setBadge(fileTab,
                     changed == 0       ? QString()
                         : changed == 1 ? tr("1 line changed")
                                        : tr("%1 lines changed").arg(changed));
}

void ImportDialog::showNotice()
{
    using Kind = SettingsNotice::Kind;
    const QString path = m_target.isEmpty() ? tr("no file yet") : tr("Into %1").arg(shortPath(m_target));
    m_targetLabel->setText(
        m_targetLabel->fontMetrics().elidedText(path, Qt::ElideMiddle, std::max(width() - footButtons, leastText)));
    m_targetLabel->setToolTip(m_target);
    m_targetLabel->setAccessibleName(path);
    QStringList unread;
    for (const ImportPreview& preview : m_previews) {
        if (!preview.error.isEmpty()) {
            unread << preview.error;
        }
    }
    const bool allUnread = !m_previews.empty() && unread.size() == qsizetype(m_previews.size());
    const SettingsNotice::Ways other{{tr("Choose files…"), [this] {
                                          chooseFiles();
                                      }}};
    const SettingsNotice::Ways another{{tr("Into another file…"), [this] {
                                            chooseTarget();
                                        }}};
    const QString same = fileThatIsTarget(m_names, m_target);
    bool canImport = false;
    if (m_previews.empty()) {
        m_notice->dismiss();
    } else if (allUnread) {
        const QString todo = m_pasteArea->isHidden()
            ? tr("Choose a file that one of these tools has written.")
            : tr("Paste the whole command, from the word curl to its last line.");
        m_notice->ask(Kind::Error, unread.join(u'\n') + u'\n' + todo, other);
    } else if (m_target.isEmpty()) {
        m_notice->ask(Kind::Error, m_targetProblem.isEmpty() ? tr("Choose the file to write.") : m_targetProblem,
                      another);
    } else if (!same.isEmpty()) {
        m_notice->ask(Kind::Error, tr("%1: the file to import is the one to write; choose another.").arg(same),
                      another);
    } else if (const QString error = m_before.error.isEmpty() ? m_plan.error : m_before.error; !error.isEmpty()) {
        m_notice->ask(Kind::Error, tr("%1\nNothing can be added to it: mend it, or choose another file.").arg(error),
                      another);
    } else {
        canImport = m_plan.changes > 0;
        if (!unread.isEmpty()) {
            m_notice->ask(Kind::Warning, tr("Left out: %1").arg(unread.join(u'\n')), other);
        } else if (!canImport) {
            m_notice->ask(Kind::Info, tr("There is nothing to import: the file holds all of it already."));
        } else if (m_plan.holdsKey) {
            m_notice->ask(Kind::Warning,
                          tr("A key stands in this as such: it would be saved as it is, for you alone to read. Better "
                             "set a variable and write ${NAME}."));
        } else {
            m_notice->dismiss();
        }
    }
    m_import->setEnabled(canImport);
}

void ImportDialog::accept()
{
    if (!m_import->isEnabled()) {
        return;
    }
    const SaveResult result = saveSettingsFile(m_target, m_plan.text, m_before.bytes, m_plan.holdsKey);
    if (result.outcome == SaveOutcome::ChangedOnDisk) {
        m_notice->ask(SettingsNotice::Kind::Warning, result.error, {{tr("Read it again"), [this] {
                                                                         refresh();
                                                                     }}});
        return;
    }
    if (result.outcome == SaveOutcome::Failed) {
        m_notice->ask(SettingsNotice::Kind::Error, result.error, {{tr("Into another file…"), [this] {
                                                                       chooseTarget();
                                                                   }}});
        return;
    }
    QDialog::accept();
    emit imported(m_target, result.warnings);
}

} // namespace tokenpace
