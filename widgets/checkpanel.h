// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QWidget>

class QScrollArea;
class QVBoxLayout;

namespace tokenpace {

class RoleLabel;
class ToolPushButton;
struct CheckStep;
struct SettingChange;

/// The test of an endpoint as it goes: a row a step with its time, what went wrong in a frame with what to do. Shows
/// only; the owner runs the check.
class CheckPanel final : public QWidget {
    Q_OBJECT
public:
    explicit CheckPanel(QWidget* parent = nullptr);

    /// Proposals become buttons: changeRequested() says which one was pressed.
    void setOffersChanges(bool offers) { m_offersChanges = offers; }

    void showIdle(const QString& words); ///< nothing has been tested; says what the test does
    void showRunning(); ///< a new test has begun
    void showStarted(const QString& name); ///< a step is under way
    void addStep(const CheckStep& step);
    void showFinished(bool ok);
    void showCancelled();
    void setTestEnabled(bool enabled);

    [[nodiscard]] ToolPushButton* button() const { return m_button; }
    [[nodiscard]] bool running() const { return m_running; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] int stepCount() const { return m_steps; }

signals:
    void testRequested();
    void cancelRequested();
    /// A person wants what a step proposes.
    void changeRequested(const tokenpace::SettingChange& change);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void clearSteps();
    void setButton(bool running);
    void keepInSight(QWidget* row);
    void scrollToRow();
    RoleLabel* m_summary = nullptr;
    ToolPushButton* m_button = nullptr;
    QVBoxLayout* m_rows = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_waiting = nullptr; // the row of the step that is under way
    QWidget* m_failed = nullptr; // the row of the step that failed
    QPointer<QWidget> m_inSight; // the row to scroll to
    QElapsedTimer m_clock;
    int m_steps = 0;
    int m_counted = 0; ///< steps apart from those that were not needed
    int m_passed = 0;
    bool m_running = false;
    bool m_testEnabled = true;
    bool m_offersChanges = false;
};

} // namespace tokenpace
