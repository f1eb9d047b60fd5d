// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QItemSelection>
#include <QPersistentModelIndex>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include "charts/chartspec.h"

class QItemSelectionModel;

namespace tokenpace {

class ChartData;
class ChartFigure;
class ThemeController;

/// A chart on the screen: a ChartFigure painted into a cached frame at most ten times a second, and only while it can
/// be seen, with ring, tooltip and rubber band painted over it. Wheel zooms at the cursor, drag selects, drag with the
/// middle button or the space bar pans, double click resets; the limit line can be dragged. GUI thread; owns none of
/// what it is given.
class ChartCanvas final : public QWidget {
    Q_OBJECT
public:
    ChartCanvas(ChartKind kind, ChartData& chartData, QItemSelectionModel& selection, ThemeController& themes,
                QWidget* parent = nullptr);
    ~ChartCanvas() override;

    [[nodiscard]] const ChartSpec& spec() const;
    void setSpec(const ChartSpec& spec);
    void startRun(std::optional<AxisRange> promptLengths);
    void resetZoom();
    [[nodiscard]] bool isZoomed() const;
    void undo(); ///< of zooms, and of where the limit was moved to
    void redo();
    /// What somebody else says that the limit is: nothing to undo.
    void setLimitMs(std::optional<double> ms);
    /// As if the line had been dragged there.
    void moveLimit(double ms);

    /// Is there a request to have a menu of? Selects it, unless it is already, as the current one among others.
    [[nodiscard]] bool selectForMenu(QPointF at);
    [[nodiscard]] const ChartFigure& figure() const { return *m_figure; }
    [[nodiscard]] int framesRendered() const { return m_frames; }
    [[nodiscard]] QSize sizeHint() const override { return {560, 316}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 190}; }

signals:
    void titleDoubleClicked();
    void specChanged();
    void limitMoved(double ms); ///< by a drag that has ended, by key, or by undoing one

protected:
    bool event(QEvent* event) override;
    void customEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Drag { None, Press, Select, Pan, OnLimit, Limit };
    struct View {
        std::optional<AxisRange> x;
        std::optional<AxisRange> y;
        std::optional<double> limitMs;

        friend bool operator==(const View&, const View&) = default;
    };

    void onDataChanged();
    void onSelectionChanged();
    void scheduleFrame(int leastGapMs);
    void takeTurn();
    void renderFrame();
    void describe();
    [[nodiscard]] View view() const;
    void setView(const View& view, bool remember);
    [[nodiscard]] bool isOnLimit(QPointF at) const;
    [[nodiscard]] double limitAt(double y) const;
    void dragLimit(double y);
    void endLimitDrag(bool keep);
    void showCursor(QPointF at);
    void zoomAt(QPointF at, double factor);
    void pan(QPointF by);
    void click(QPointF at, bool add);
    void selectIn(QRectF rect, bool add);
    void hover(QPointF at);
    void paintRing(QPainter& painter) const;
    void paintTooltip(QPainter& painter) const;
    [[nodiscard]] QRectF rubberBand() const;

    ChartData& m_data; // not owned
    QItemSelectionModel& m_selection; // not owned
    ThemeController& m_themes; // not owned
    std::unique_ptr<ChartFigure> m_figure;
    QPixmap m_frame;
    QTimer m_frameTimer;
    QTimer m_describeTimer;
    QElapsedTimer m_sinceFrame;
    bool m_stale = true; ///< the frame is older than the data
    int m_frames = 0;

    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
    double m_frameCostMs = 0; ///< of late
    bool m_framePosted = false; ///< an event on its way says to render
    bool m_space = false;
    int m_hovered = -1; ///< row, or -1
    std::optional<double> m_limitBefore; ///< of the drag
    std::vector<View> m_undo;
    std::vector<View> m_redo;
    QItemSelection m_cleared; ///< what the first click of a double click let go of
    QPersistentModelIndex m_clearedCurrent;
};

} // namespace tokenpace
