// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSaveFile>
#include <QStandardPaths>
#include <QToolButton>

#include "appcommands.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "connectdialog.h"
#include "experiment/rundocument.h"
#include "exportdialog/exportdialog.h"
#include "logloader.h"
#include "mainwindow.h"
#include "messagestrip.h"
#include "modelmenu.h"
#include "numbersdialog.h"
#include "numbertext.h"
#include "runbar.h"
#include "session.h"
#include "settings/settingsfinder.h"
#include "settingsdialog/settingsdialog.h"
#include "statusstrip.h"
#include "theme/theme.h"

// Logs, settings files, endpoints and exports.
namespace tokenpace {

void MainWindow::chooseLog()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a log"), QString(), tr("Logs (*.jsonl);;All files (*)"));
    if (!path.isEmpty()) {
        openFile(path);
    }
}

void MainWindow::openFile(const QString& path)
{
    if (path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        openSettings(path);
    } else {
        openLog(path);
    }
}

void MainWindow::openLog(const QString& path)
{
    m_loader->load(path);
    m_slowLoad.start();
}

void MainWindow::onLogLoaded(const QString& path, const std::shared_ptr<const LoadedLog>& log, bool cancelled)
{
    m_slowLoad.stop();
    m_messages->dismiss();
    const QString name = QFileInfo(path).fileName();
    std::vector<TimelinePtr> fresh;
    for (const TimelinePtr& record : log->records) {
        // The log of this very run holds what is shown already.
        if (m_session->requests().rowOf(QString::fromStdString(record->run), record->seq) < 0) {
            fresh.push_back(record);
        }
    }
    if (!fresh.empty()) {
        m_session->appendLog(fresh);
        m_status->setOpenedLog(path);
        refreshProvenance();
    }
    QStringList notes;
    if (!log->error.isEmpty()) {
        notes.append(log->error);
    } else if (log->records.empty()) {
        notes.append(tr("%1 holds no records of requests. A log has one JSON object a line.").arg(name));
    }
    if (cancelled) {
        notes.append(tr("Reading %1 was cancelled: %2 records are shown.").arg(name, countText(qint64(fresh.size()))));
    } else if (log->truncated) {
        notes.append(
            tr("%1 holds more records: the first %2 are shown.").arg(name, countText(qint64(log->records.size()))));
    }
    if (const auto shown = qint64(log->records.size() - fresh.size()); shown > 0) {
        notes.append(tr("%1 of its records were shown already.").arg(countText(shown)));
    }
    if (log->skippedLines > 0) {
        QStringList numbers;
        for (const std::size_t number : log->skippedLineNumbers) {
            numbers.append(QString::number(number));
        }
        notes.append(tr("%1 lines are no records and were left out (line %2).")
                         .arg(countText(qint64(log->skippedLines)), numbers.join(QStringLiteral(", "))));
    }
    if (!notes.isEmpty()) {
        const bool failed = !log->error.isEmpty() || log->records.empty();
        m_messages->showMessage(failed ? MessageStrip::Kind::Error : MessageStrip::Kind::Info,
                                notes.join(QLatin1Char(' ')));
    }
}

void MainWindow::openSettings(const QString& path)
{
    if (m_session->running()) {
        m_messages->showMessage(MessageStrip::Kind::Info,
                                tr("Stop the run first (Esc), then open %1 again.").arg(path));
        return;
    }
    SettingsPlaces places = processPlaces();
    places.explicitFile = path;
    const SettingsResult result = findSettings(places);
    if (!result.settings) {
        m_messages->showMessage(MessageStrip::Kind::Error,
                                result.error.isEmpty() ? tr("%1 holds no settings of ours: no key starts with "
                                                            "tokenpace or taotoken.")
                                                             .arg(path)
                                                       : result.error);
        return;
    }
    m_messages->dismiss();
    m_session->setSettings(*result.settings, m_startUp.logPath);
}

void MainWindow::connectEndpoint()
{
    if (m_session->running()) {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Stop the run first (Esc), then connect an endpoint."));
        return;
    }
    const SettingsPlaces places = processPlaces();
    ConnectDialog::Places where;
    where.configFile = places.configHome + QStringLiteral("/tokenpace/settings.json");
    where.workingFolder = places.workingFolder;
    where.environment = places.environment;
    auto* dialog = new ConnectDialog(where, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectDialog::endpointChosen, this, &MainWindow::onEndpointChosen);
    dialog->open();
}

void MainWindow::editSettings()
{
    if (m_session->running()) {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Stop the run first (Esc), then change the settings."));
        return;
    }
    const SettingsPlaces places = processPlaces();
    // A file of another tool is read only: what is edited then is our own file.
    const bool hasFile = m_session->settings() && !m_session->settings()->file.isEmpty()
        && m_session->settings()->foreignShape.isEmpty();
    const QString file =
        hasFile ? m_session->settings()->file : places.configHome + QStringLiteral("/tokenpace/settings.json");
    if (!hasFile && !QFileInfo::exists(file)) {
        connectEndpoint(); // nothing is there to be edited
        return;
    }
    auto* dialog = new SettingsDialog(file, places.environment, m_session->keychain(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::saved, this, &MainWindow::openSettings);
    dialog->open();
}

void MainWindow::onEndpointChosen(const EndpointSettings& endpoint, const QString& savedFile)
{
    if (!savedFile.isEmpty()) {
        openSettings(savedFile);
        if (m_session->settings() && m_session->settings()->file == savedFile) {
            return;
        }
    }
    Settings settings;
    if (m_session->settings() && !m_session->simulated()) {
        settings = *m_session->settings();
        settings.endpoints.removeIf([&endpoint](const EndpointSettings& each) {
            return each.name == endpoint.name;
        });
    } else {
        settings.source = tr("this session");
        settings.telemetry.outputPath = defaultLogPath(processEnvironment());
    }
    settings.endpoints.append(endpoint);
    m_session->setSettings(settings, m_startUp.logPath);
}

void MainWindow::onModelsListed(const QString& endpoint, const QStringList& models)
{
    for (const EndpointSettings& each :
         m_session->settings() ? m_session->settings()->endpoints : QList<EndpointSettings>()) {
        if (each.name == endpoint && each.models.isEmpty() && models.size() == 1) {
            m_session->setTarget(each, ModelSettings{models.first(), {}, {}}, true);
            return;
        }
    }
    if (m_session->targets().isEmpty()) {
        m_messages->showMessage(
            MessageStrip::Kind::Info,
            tr("%1 lists %2 models: choose which to measure.").arg(endpoint, countText(models.size())),
            tr("Choose models"), [this] {
                m_runBar->addButton()->click();
            });
    }
}

void MainWindow::showModelMenu(const QPoint& globalPosition)
{
    m_models->popup(globalPosition);
}

void MainWindow::openExport(ChartPanel* panel)
{
    ExportContent content;
    content.data = &m_session->chartData();
    content.charts = {m_page->ttftPanel()->spec(), m_page->tpotPanel()->spec()};
    content.provenance = m_page->ttftPanel()->provenance();
    if (m_session->run()) {
        content.run = *m_session->run();
    }
    content.limits = {m_session->limits().ttftMs, m_session->limits().tpotMs, {}};
    content.redactor = m_session->redactor();
    auto* dialog =
        new ExportDialog(std::move(content), panel == m_page->tpotPanel() ? 1 : 0, m_themes.theme().dark, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::exported, this, [this](const QStringList& paths) {
        m_messages->showMessage(MessageStrip::Kind::Info,
                                tr("Saved %1").arg(QDir::toNativeSeparators(paths.join(QStringLiteral(", ")))));
    });
    dialog->open();
}

void MainWindow::showNumbers()
{
    auto* dialog = new NumbersDialog({&m_session->summary(), &m_session->requests()}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Tokenpace"),
                       tr("<b>Tokenpace %1</b><br>Times every token that arrives, and says where the time went."
                          "<br><br>Free software under the GNU General Public License, version 3 or later.")
                           .arg(QStringLiteral(TOKENPACE_VERSION)));
}

} // namespace tokenpace
