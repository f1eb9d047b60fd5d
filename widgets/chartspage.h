// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QMainWindow>

class QSettings;
class QSplitter;

namespace tokenpace {

class ChartPanel;
class Inspector;
class PaneDock;
class RequestMenu;
class Session;
class TablesPanel;
class ThemeController;
class TokenRaster;

/// The page of charts, raster, tables and inspector: two charts in a splitter, the others as docks that can be moved,
/// torn off and hidden. GUI thread; owns neither the session nor the themes.
class ChartsPage final : public QMainWindow {
    Q_OBJECT
public:
    ChartsPage(Session& session, ThemeController& themes, QWidget* parent = nullptr);

    [[nodiscard]] ChartPanel* ttftPanel() const { return m_ttft; }
    [[nodiscard]] ChartPanel* tpotPanel() const { return m_tpot; }
    [[nodiscard]] TokenRaster* raster() const { return m_raster; }
    [[nodiscard]] TablesPanel* tables() const { return m_tables; }
    [[nodiscard]] Inspector* inspector() const { return m_inspector; }
    [[nodiscard]] QList<QAction*> paneActions() const;
    [[nodiscard]] RequestMenu* requestMenu() const { return m_requestMenu; }

    /// One chart takes the whole page; null gives the others their room back.
    void showAlone(ChartPanel* panel);
    [[nodiscard]] ChartPanel* alone() const { return m_alone; }
    /// The chart that the keyboard or the mouse was last on.
    [[nodiscard]] ChartPanel* lastUsed() const { return m_lastUsed; }

    /// Puts all that takes the keyboard, pane by pane in reading order, after `first` in the order of the tabulator.
    void orderTabs(QWidget* first);

    void resetLayout();
    void saveLayout(QSettings& settings) const;
    void restoreLayout(const QSettings& settings);

signals:
    void aloneChanged(bool alone);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeDocks();
    void makeRequestMenu();
    void placeDocks();
    void applyProportions();
    void noteSizes();
    void notePaneResized();
    [[nodiscard]] QList<int> sizes() const; ///< of what separators move
    [[nodiscard]] QMenu* makeRasterMenu();

    Session& m_session; // not owned
    QSplitter* m_charts = nullptr;
    ChartPanel* m_ttft = nullptr;
    ChartPanel* m_tpot = nullptr;
    PaneDock* m_rasterDock = nullptr;
    PaneDock* m_tablesDock = nullptr;
    PaneDock* m_inspectorDock = nullptr;
    TokenRaster* m_raster = nullptr;
    TablesPanel* m_tables = nullptr;
    Inspector* m_inspector = nullptr;
    RequestMenu* m_requestMenu = nullptr;
    ChartPanel* m_alone = nullptr;
    ChartPanel* m_lastUsed = nullptr;
    QList<QWidget*> m_hiddenForAlone;
    QList<int> m_applied; // sizes that the proportions gave, and the size of the page that they were for
    QSize m_appliedFor;
    bool m_ownLayout = false; // someone dragged, moved or hid a pane: proportions no longer follow the page
    bool m_settling = false; // proportions were applied, the layout has not run since
    bool m_shown = false;
};

} // namespace tokenpace
