// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>

#include <QTimer>
#include <QWidget>

#include "startup.h"

class QStackedWidget;

namespace tokenpace {

class AppCommands;
class ChartPanel;
class ChartsPage;
class FirstPage;
class ImportDialog;
class LagProbe;
class LogLoader;
class MessageStrip;
class ModelMenu;
class ProgressStrip;
class RunBar;
class Session;
class StatusStrip;
class TabRow;
class ThemeController;
struct LimitSettings;
struct LoadedLog;

/// The window: tool bar, a strip for messages, the first page or the charts, status bar. GUI thread; owns its session,
/// not the themes. Closing it stops a run and keeps what was finished.
class MainWindow final : public QWidget {
    Q_OBJECT
public:
    MainWindow(ThemeController& themes, StartUp startUp, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Session& session() const { return *m_session; }
    [[nodiscard]] RunBar* runBar() const { return m_runBar; }
    [[nodiscard]] ChartsPage* page() const { return m_page; }
    [[nodiscard]] FirstPage* firstPage() const { return m_firstPage; }
    [[nodiscard]] MessageStrip* messages() const { return m_messages; }
    [[nodiscard]] ProgressStrip* progress() const { return m_progress; }
    [[nodiscard]] StatusStrip* status() const { return m_status; }
    [[nodiscard]] AppCommands* commands() const { return m_commands; }
    [[nodiscard]] bool showsFirstPage() const;

    /// Reads a log on another thread and shows its records beside those that are there.
    void openLog(const QString& path);
    /// A log or a settings file, by what it is.
    void openFile(const QString& path);
    /// What was dropped: logs and settings files are opened, other tools' settings imported after a preview.
    void takeFiles(const QStringList& files);
    /// Writes the first endpoint as config.toml, else as an environment file; never a key. There must be settings.
    void exportSettings(const QString& path, bool toml);

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void connectCommands();
    void connectSession();
    void start();
    [[nodiscard]] RunSpec specFor(RunSpec spec) const;
    void restoreState();
    void saveState() const;
    void reduceMotion(bool reduced);
    void chooseTextSize(int percent);
    void setFirstPageFacts();
    void refreshPage();

    // The run (mainwindow_run.cpp).
    void onRunStarted();
    void onRunEnded(bool stopped);
    void onRunFailing(const QString& why);
    void onRecordsChanged();
    void refreshProgress();
    void refreshNext();
    void refreshProvenance();
    void checkSettings();
    void tryIt();

    // Files, export and endpoints (mainwindow_files.cpp).
    void chooseLog();
    void onLogLoaded(const QString& path, const std::shared_ptr<const LoadedLog>& log, bool cancelled);
    void openSettings(const QString& path);
    void connectEndpoint();
    void editSettings();
    void onEndpointChosen(const EndpointSettings& endpoint, const QString& savedFile);
    void onModelsListed(const QString& endpoint, const QStringList& models);
    void showModelMenu(const QPoint& globalPosition);
    void showNumbers();
    void showAbout();
    void openExport(ChartPanel* panel);

    // Limits (mainwindow_limits.cpp).
    [[nodiscard]] bool canSaveLimits() const;
    void refreshLimits();
    void moveLimit(double LimitSettings::*which, double ms);
    void saveLimit(const char* key, double LimitSettings::*which);

    // Import and export of settings (mainwindow_import.cpp).
    void chooseImport();
    void pasteImport();
    void importFiles(const QStringList& files);
    void importText(const QString& text);
    [[nodiscard]] ImportDialog* openImport(); ///< null, after saying why, while a run goes on
    void onImported(const QString& file, const QStringList& warnings);
    void chooseSettingsExport(bool toml);

    ThemeController& m_themes; // not owned
    StartUp m_startUp;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<LogLoader> m_loader;
    QTimer m_slowLoad; // single shot: only a load that takes long is worth words
    QTimer m_tick; // while a run goes on: time left
    QTimer m_progressClock; // single shot: gathers requests that end close together
    // All below are children of this window.
    LagProbe* m_probe = nullptr;
    AppCommands* m_commands = nullptr;
    RunBar* m_runBar = nullptr;
    MessageStrip* m_messages = nullptr;
    QStackedWidget* m_stack = nullptr;
    FirstPage* m_firstPage = nullptr;
    TabRow* m_tabs = nullptr;
    ProgressStrip* m_progress = nullptr;
    ChartsPage* m_page = nullptr;
    StatusStrip* m_status = nullptr;
    ModelMenu* m_models = nullptr;

    int m_done = 0; // of the run that goes on, or of the last one
    int m_planned = 0;
    int m_nextSeq = 0;
    bool m_lastStopped = false;
    bool m_saidLost = false;
};

} // namespace tokenpace
