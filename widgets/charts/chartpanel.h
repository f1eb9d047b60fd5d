// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QFrame>

#include "charts/chartspec.h"
#include "settings/redactor.h"

class QItemSelectionModel;
class QMenu;
class QToolButton;

namespace tokenpace {

class ChartCanvas;
class ChartData;
class ThemeController;

/// A chart as a pane of the window: the picture, its expand and menu buttons, its menu. The model of the selection is
/// over the rows of the RequestsModel: its current index gets the ring, its rows the emphasis, and clicks and drags in
/// the chart change it. GUI thread; owns none of what it is given, all of which must outlive it.
class ChartPanel final : public QFrame {
    Q_OBJECT
public:
    ChartPanel(ChartKind kind, ChartData& chartData, QItemSelectionModel& selection, ThemeController& themes,
               QWidget* parent = nullptr);

    [[nodiscard]] const ChartSpec& spec() const;
    /// Limit line; none draws none. `savedMs` is what the settings say: the menu leads back to it, or takes the line's
    /// place into the settings where `canSave`.
    void setLimit(std::optional<double> ms, std::optional<double> savedMs, bool canSave);
    /// What exports say of the data's origin; the date is that of the export when it is not set.
    void setProvenance(const ChartProvenance& provenance);
    [[nodiscard]] const ChartProvenance& provenance() const { return m_provenance; }
    /// Takes secrets out of what is copied.
    void setRedactor(const Redactor& redactor);
    /// A run begins: axes forget what they have shown and, where the plan's shortest and longest prompt are given,
    /// start with them.
    void startRun(std::optional<AxisRange> promptLengths = {});
    [[nodiscard]] ChartCanvas& canvas() const { return *m_canvas; }

    void copyImage() const;
    void copyData() const;

signals:
    void expandRequested(); ///< button, or double click on the title
    void exportRequested();
    void requestMenuRequested(const QPoint& globalPosition); ///< for the requests selected
    void limitMoved(double ms); ///< by hand: the line was dragged, typed, or put back
    void limitSaveRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void fillMenu();
    void fillDistributionMenu();
    void fillLimitMenu();
    void askForLimit();
    void showMenu();
    template <typename Change> void changeSpec(Change change);

    ChartData& m_data; // not owned
    ThemeController& m_themes; // not owned
    ChartCanvas* m_canvas;
    QToolButton* m_expand;
    QToolButton* m_more;
    QMenu* m_menu;
    ChartProvenance m_provenance;
    Redactor m_redactor;
    std::optional<double> m_savedLimitMs;
    bool m_canSaveLimit = false;
};

} // namespace tokenpace
