// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "requestsmodel.h"
#include "tickstrip.h"

class QItemSelectionModel;
class QScrollBar;

namespace tokenpace {

struct Theme;

/// Every request as a row, every arrival as a tick, against the time since the request was written. Follows a
/// RequestsModel and shares its selection; draws only the rows in sight, at most 30 times a second. The wheel scrolls
/// through the rows, and zooms time with Ctrl or over the axis; the middle button, or the left one on the axis, pans.
/// GUI thread; owns none of what it is given.
class TokenRaster final : public QWidget {
    Q_OBJECT
public:
    enum class Density { Automatic, Names, Compact };

    /// The request that the plan sends next, shown as a row of its own below the others.
    struct NextRow {
        int seq = 0;
        int series = -1;
        std::optional<std::int64_t> promptTokens;
    };

    struct TimeSpan {
        double fromMs = 0;
        double toMs = 0;
    };

    TokenRaster(RequestsModel& requests, QItemSelectionModel& selection, QWidget* parent = nullptr);

    void setNext(std::optional<NextRow> next);
    void setDensity(Density density);
    [[nodiscard]] Density density() const { return m_density; }
    void setSelectedFirst(bool on);
    [[nodiscard]] bool selectedFirst() const { return m_selectedFirst; }

    /// Rows of the model in the order in which they are drawn; hidden series are left out.
    [[nodiscard]] const std::vector<int>& order() const { return m_order; }
    [[nodiscard]] bool compact() const;
    [[nodiscard]] int rowAt(const QPoint& position) const; ///< row of the model, -1 where none lies
    [[nodiscard]] QRect rowRect(int modelRow) const; ///< empty when it is not in sight
    [[nodiscard]] double timeEndMs() const { return m_endMs; }
    /// The stretch of time in sight: all of it, unless somebody zoomed. It stays while a run goes on.
    [[nodiscard]] TimeSpan timeInSight() const { return m_zoom.value_or(TimeSpan{0, m_endMs}); }
    [[nodiscard]] bool isZoomed() const { return m_zoom.has_value(); }
    /// About a point, in px of the widget; from a day to a millisecond.
    void zoomTime(double x, double factor);
    void panTime(double px);
    void showWholeTime();
    [[nodiscard]] int paintCount() const { return m_paints; } ///< for the bench

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void requestMenuRequested(const QPoint& globalPosition); ///< for the requests selected

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Label {
        QString seq;
        QString name;
        QString length;
    };

    void onRowsInserted(const QModelIndex& parent, int first, int last);
    void onRequestsFinished(const QList<int>& rows);
    void onSelectionChanged();
    void onClock();
    void rebuild();
    void scheduleUpdate();
    void noteEnd(const RequestsModel::Row& row);
    void growAxis();
    void layoutBars();
    void ensureVisible(int modelRow);
    void select(int modelRow, Qt::KeyboardModifiers modifiers);
    void moveCurrent(int step, Qt::KeyboardModifiers modifiers);

    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double rowsHeight() const; ///< room above the axis
    [[nodiscard]] double pageHeight() const; ///< of that what whole rows fill
    [[nodiscard]] int slotCount() const; ///< rows to draw, the next one included
    [[nodiscard]] double plotLeft() const;
    [[nodiscard]] double plotWidth() const;
    [[nodiscard]] bool isOnAxis(const QPointF& at) const;
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] QString tooltipFor(int modelRow) const;

    void paintAxis(QPainter& painter, const Theme& theme) const;
    void paintRow(QPainter& painter, const Theme& theme, int modelRow, double top, bool faded);
    void paintLabel(QPainter& painter, const Theme& theme, const Label& label, int series, double top, bool hollow,
                    const QColor& ink) const;
    void paintEnding(QPainter& painter, const Theme& theme, const RequestsModel::Row& row, double top,
                     double lastX) const;

    RequestsModel& m_requests; // not owned
    QItemSelectionModel& m_selection; // not owned
    QScrollBar* m_bar = nullptr; // child
    QTimer m_repaint; // single shot: several changes, one paint
    QTimer m_clock; // while something runs: rows without arrivals move too
    std::vector<int> m_order;
    std::vector<int> m_live; // rows still running
    std::unordered_map<int, std::vector<StallSpan>> m_stalls; // of finished rows
    std::optional<NextRow> m_next;
    Density m_density = Density::Automatic;
    bool m_selectedFirst = false;
    bool m_follow = true; // the newest rows stay in sight until someone scrolls away
    double m_latestMs = 0; // longest request seen
    double m_endMs = 1000; // right end of the axis
    double m_targetEndMs = 1000;
    std::optional<TimeSpan> m_zoom;
    std::optional<double> m_panX; // where the mouse was last, while it pans
    int m_nameWidth = 0;
    int m_anchor = -1; // model row from which Shift extends
    int m_selected = 0; // rows selected; counted once per change
    int m_paints = 0;
};

} // namespace tokenpace
