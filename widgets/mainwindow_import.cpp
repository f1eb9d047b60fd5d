// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QSaveFile>

#include "importdialog.h"
#include "mainwindow.h"
#include "messagestrip.h"
#include "session.h"
#include "settings/exporters.h"
#include "settings/importplan.h"
#include "settings/settingsfinder.h"

// Settings of other tools, in and out, and what is dropped on the window.
namespace tokenpace {

namespace {

QStringList localFiles(const QMimeData* data)
{
    QStringList files;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile()) {
            files << url.toLocalFile();
        }
    }
    return files;
}

/// Is it to be imported, rather than opened? A log and a settings file of ours are opened; what is none of these and by
/// its name meant as settings is imported, so that the preview says what is wrong with it.
bool isToImport(const QString& file)
{
    const auto ends = [&file](QLatin1String suffix) {
        return file.endsWith(suffix, Qt::CaseInsensitive);
    };
    if (ends(QLatin1String(".jsonl"))) {
        return false;
    }
    SettingsPlaces places = processPlaces();
    places.explicitFile = file;
    if (ends(QLatin1String(".json"))) {
        const SettingsResult result = findSettings(places);
        if (result.settings && result.settings->foreignShape.isEmpty()) {
            return false;
        }
    }
    return ends(QLatin1String(".toml")) || ends(QLatin1String(".env")) || importFile(file).error.isEmpty();
}

} // namespace

void MainWindow::takeFiles(const QStringList& files)
{
    QStringList imports;
    QStringList others;
    for (const QString& file : files) {
        (isToImport(file) ? imports : others) << file;
    }
    if (!others.isEmpty()) {
        openFile(others.first());
    }
    if (!imports.isEmpty()) {
        importFiles(imports);
    }
}

void MainWindow::chooseImport()
{
    if (m_session->running()) {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Stop the run first (Esc), then import settings."));
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Import settings"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setFilter(dialog->filter() | QDir::Hidden); // .env, ~/.codex
    dialog->setNameFilters({tr("Settings of other tools (*.toml *.json *.env .env* *.txt *.sh)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::importFiles);
    dialog->open();
}

ImportDialog* MainWindow::openImport()
{
    if (m_session->running()) {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Stop the run first (Esc), then import settings."));
        return nullptr;
    }
    const SettingsPlaces places = processPlaces();
    QString target;
    QString problem;
    if (m_session->settings() && !m_session->settings()->file.isEmpty()
        && m_session->settings()->foreignShape.isEmpty()) {
        target = m_session->settings()->file;
    } else {
        target = settingsFileToWrite(places, &problem);
    }
    auto* dialog = new ImportDialog(target, places.environment, this, problem);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::imported, this, &MainWindow::onImported);
    return dialog;
}

void MainWindow::importFiles(const QStringList& files)
{
    if (ImportDialog* dialog = openImport()) {
        dialog->takeFiles(files);
        dialog->open();
    }
}

void MainWindow::importText(const QString& text)
{
    if (ImportDialog* dialog = openImport()) {
        dialog->takeText(text);
        dialog->open();
    }
}

void MainWindow::pasteImport()
{
    if (ImportDialog* dialog = openImport()) {
        const QString text = QGuiApplication::clipboard()->text();
        // What is no settings stays where it is: it may be anything.
        const bool isKnown = importSettings(text.toUtf8(), QString()).error.isEmpty();
        dialog->askForText(isKnown ? text : QString());
        dialog->open();
    }
}

void MainWindow::onImported(const QString& file, const QStringList& warnings)
{
    openSettings(file);
    if (!m_session->settings() || m_session->settings()->file != file) {
        return; // it has said why
    }
    // What the settings themselves gave rise to is not to be lost.
    using Kind = MessageStrip::Kind;
    const QString already = m_messages->text();
    const Kind kind = !already.isEmpty() ? m_messages->kind() : warnings.isEmpty() ? Kind::Info : Kind::Warning;
    QStringList words{tr("Imported into %1.").arg(QDir::toNativeSeparators(file)), already};
    words << warnings;
    words.removeAll(QString());
    m_messages->showMessage(kind, words.join(u' '));
}

void MainWindow::chooseSettingsExport(bool toml)
{
    if (!m_session->settings() || m_session->simulated()) {
        m_messages->showMessage(MessageStrip::Kind::Info,
                                tr("There are no settings to export yet: connect an endpoint first."));
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Export settings"), QString(),
                                   toml ? tr("config.toml (*.toml)") : tr("Environment files (*.env)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(toml ? QStringLiteral("config.toml") : QStringLiteral("tokenpace.env"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, toml](const QString& path) {
        exportSettings(path, toml);
    });
    dialog->open();
}

void MainWindow::exportSettings(const QString& path, bool toml)
{
    const Settings& settings = *m_session->settings();
    QString problem;
    if (!fileThatIsTarget({settings.file}, path).isEmpty()) {
        problem = tr("it is the settings file that is in use");
    } else {
        const QByteArray text = toml ? exportConfigToml(settings) : exportDotenv(settings);
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
            problem = file.errorString();
        }
    }
    const QString shown = QDir::toNativeSeparators(path);
    if (problem.isEmpty()) {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Saved %1").arg(shown));
    } else {
        m_messages->showMessage(MessageStrip::Kind::Error, tr("%1 can't be written: %2").arg(shown, problem));
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QMimeData* dropped = event->mimeData();
    if (!localFiles(dropped).isEmpty() || (!dropped->hasUrls() && dropped->hasText())) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QMimeData* dropped = event->mimeData();
    if (const QStringList files = localFiles(dropped); !files.isEmpty()) {
        event->acceptProposedAction();
        takeFiles(files);
    } else if (!dropped->hasUrls() && dropped->hasText()) {
        event->acceptProposedAction();
        importText(dropped->text());
    }
}

} // namespace tokenpace
