// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDir>

#include "charts/chartpanel.h"
#include "chartspage.h"
#include "mainwindow.h"
#include "messagestrip.h"
#include "session.h"
#include "settings/settingseditor.h"
#include "settings/settingsfile.h"
#include "settings/settingsfinder.h"

// Where the limits stand: in the charts, in the numbers, in the settings.
namespace tokenpace {

bool MainWindow::canSaveLimits() const
{
    const std::optional<Settings>& settings = m_session->settings();
    return settings && !settings->file.isEmpty() && settings->foreignShape.isEmpty();
}

void MainWindow::refreshLimits()
{
    const LimitSettings saved = m_session->settings() ? m_session->settings()->limits : LimitSettings();
    const LimitSettings& now = m_session->limits();
    m_page->ttftPanel()->setLimit(now.ttftMs, saved.ttftMs, canSaveLimits());
    m_page->tpotPanel()->setLimit(now.tpotMs, saved.tpotMs, canSaveLimits());
}

void MainWindow::moveLimit(double LimitSettings::*which, double ms)
{
    LimitSettings limits = m_session->limits();
    limits.*which = ms;
    m_session->setLimits(limits);
}

void MainWindow::saveLimit(const char* key, double LimitSettings::*which)
{
    if (!canSaveLimits()) {
        return;
    }
    const QString file = m_session->settings()->file;
    const auto fail = [this](const QString& why) {
        m_messages->showMessage(MessageStrip::Kind::Error, tr("The limit is not saved: %1").arg(why));
    };
    const SettingsFileContent content = loadSettingsFile(file);
    if (!content.error.isEmpty()) {
        fail(content.error);
        return;
    }
    SettingsPlaces places = processPlaces();
    places.explicitFile = file;
    SettingsEditor editor(places.environment);
    if (!editor.open(content.bytes.value_or(QByteArray()), file)
        || !editor.set({}, settingKey(key), QString::number(m_session->limits().*which, 'g', 10).toStdString())) {
        fail(editor.error());
        return;
    }
    const SaveResult result = saveSettingsFile(file, editor.text(), content.bytes, editor.holdsKey());
    if (result.outcome == SaveOutcome::ChangedOnDisk) {
        fail(tr("%1 was changed at the same moment. Try again.").arg(QDir::toNativeSeparators(file)));
        return;
    }
    if (result.outcome == SaveOutcome::Failed) {
        fail(result.error);
        return;
    }
    if (const SettingsResult read = findSettings(places); read.settings) {
        m_session->noteSavedLimits(*read.settings);
    }
    const QStringList words =
        QStringList{tr("Saved %1 in %2.").arg(QString::fromLatin1(key), QDir::toNativeSeparators(file))}
        + result.warnings;
    m_messages->showMessage(result.warnings.isEmpty() ? MessageStrip::Kind::Info : MessageStrip::Kind::Warning,
                            words.join(QLatin1Char('\n')));
}

} // namespace tokenpace
