// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "checkpanel.h"

#include <memory>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "controls/paintparts.h"
#include "controls/rolelabel.h"
#include "controls/toolbarparts.h"
#include "experiment/checkstep.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int iconSize = 16;
constexpr int rowMargin = 12; // around a row that is scrolled to
constexpr int frameOut = 9; // how far a failed step's frame reaches beyond its words

enum class Outcome { Passed, Noted, Failed, Skipped, Waiting };

Outcome outcomeOf(CheckState state)
{
    switch (state) {
    case CheckState::Passed:
        return Outcome::Passed;
    case CheckState::Noted:
        return Outcome::Noted;
    case CheckState::Failed:
        return Outcome::Failed;
    case CheckState::NotNeeded:
    case CheckState::Skipped:
        break;
    }
    return Outcome::Skipped;
}

/// Three significant digits, as everywhere.
QString timeText(double ms)
{
    const int decimals = ms < 10 ? 2 : (ms < 100 ? 1 : 0);
    return ms < 1000 ? CheckPanel::tr("%1 ms").arg(ms, 0, 'f', decimals)
                     : CheckPanel::tr("%1 s").arg(ms / 1000, 0, 'f', ms < 10000 ? 2 : 1);
}

/// What the button of a proposal says.
QString changeText(const SettingChange& change)
{
    if (change.key == QStringLiteral("model") || change.key == QStringLiteral("path")
        || change.key == QStringLiteral("baseUrl")) {
        return CheckPanel::tr("Use %1").arg(change.value);
    }
    return CheckPanel::tr("Set %1 to %2").arg(change.key, change.value);
}

class StepRow final : public QWidget {
public:
    StepRow(const CheckStep& step, Outcome outcome, QWidget* parent)
        : QWidget(parent)
        , m_outcome(outcome)
    {
        using Role = RoleLabel::Role;
        const bool failed = outcome == Outcome::Failed;
        const bool untried = outcome == Outcome::Waiting || outcome == Outcome::Skipped;
        auto* grid = new QGridLayout(this);
        grid->setContentsMargins(frameOut + iconSize + 9, failed ? 9 : 0, frameOut, failed ? 10 : 0);
        grid->setHorizontalSpacing(8);
        grid->setVerticalSpacing(0);
        grid->setColumnStretch(0, 1);
        auto* name = new RoleLabel({}, untried ? Role::Muted : Role::Text,
                                   textFont(12, failed ? QFont::DemiBold : QFont::Normal), this);
        name->setLines(step.name, 17);
        grid->addWidget(name, 0, 0);
        if (!untried) {
            auto* time = new RoleLabel(timeText(step.ms), Role::Muted, numberFont(12), this);
            grid->addWidget(time, 0, 1, Qt::AlignRight | Qt::AlignTop);
        }
        int row = 1;
        const auto addText = [&](const QString& text, Role role, int above) {
            if (!text.isEmpty()) {
                auto* label = new RoleLabel({}, role, textFont(12), this);
                label->setTextInteractionFlags(Qt::TextSelectableByMouse);
                label->setFocusPolicy(Qt::NoFocus);
                label->setLines(text, 17);
                label->setContentsMargins(0, above, 0, 0);
                grid->addWidget(label, row++, 0, 1, 2);
            }
        };
        addText(step.message, failed ? Role::Text : Role::Muted, failed ? 6 : 0);
        addText(step.fix, failed ? Role::Text : Role::Warning, failed ? 6 : 0);
        m_nextRow = row;
        setAccessibleName(QStringLiteral("%1: %2 %3").arg(step.name, step.message, step.fix));
    }

    QPushButton* addButton(const QString& text)
    {
        auto* button = new QPushButton(text, this);
        button->setProperty("small", true);
        button->setAutoDefault(false);
        button->setMaximumWidth(240);
        button->setToolTip(text);
        auto* grid = static_cast<QGridLayout*>(layout());
        grid->setRowMinimumHeight(m_nextRow, 8);
        grid->addWidget(button, m_nextRow + 1, 0, 1, 2, Qt::AlignLeft);
        return button;
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        const Theme& theme = activeTheme();
        QPainter painter(this);
        if (m_outcome == Outcome::Failed) {
            drawFrame(painter, rect(), 6, theme.error, theme.errorGround);
        }
        QString name = QStringLiteral("circle-check");
        QColor colour = theme.good;
        if (m_outcome == Outcome::Failed) {
            name = QStringLiteral("circle-x");
            colour = theme.error;
        } else if (m_outcome == Outcome::Noted) {
            name = QStringLiteral("warning");
            colour = theme.warning;
        } else if (m_outcome == Outcome::Waiting) {
            name = QStringLiteral("circle-dots");
            colour = theme.muted;
        } else if (m_outcome == Outcome::Skipped) {
            name = QStringLiteral("circle-minus");
            colour = theme.muted;
        }
        const int top = m_outcome == Outcome::Failed ? 10 : 1;
        drawIcon(painter, QRect(frameOut, top, iconSize, iconSize), name, colour, iconSize);
    }

private:
    Outcome m_outcome;
    int m_nextRow = 1;
};

} // namespace

CheckPanel::CheckPanel(QWidget* parent)
    : QWidget(parent)
{
    setFixedWidth(300);
    auto* title = new RoleLabel(tr("Test"), RoleLabel::Role::Text, textFont(13, QFont::DemiBold), this);
    m_button = new ToolPushButton(QStringLiteral("pulse"), QString(), this);
    m_button->setSmall(true);
    m_button->setAutoDefault(false);
    connect(m_button, &ToolPushButton::clicked, this, [this] {
        m_running ? emit cancelRequested() : emit testRequested();
    });
    m_summary = new RoleLabel({}, RoleLabel::Role::Muted, textFont(12), this);
    m_summary->setWordWrap(true);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(17, 14, 16, 0);
    head->addWidget(title);
    head->addStretch(1);
    head->addWidget(m_button);
    auto* summary = new QHBoxLayout;
    summary->setContentsMargins(17, 3, 16, 0);
    summary->addWidget(m_summary);

    auto* steps = new QWidget;
    m_rows = new QVBoxLayout(steps);
    m_rows->setContentsMargins(8, 5, 7, 12);
    m_rows->setSpacing(10);
    m_rows->addStretch(1);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setWidget(steps);
    steps->setAutoFillBackground(false);
    // A new row has its place only after the layout has been done, which the range of the bar tells.
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, &CheckPanel::scrollToRow,
            Qt::QueuedConnection);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 0, 0); // the line at the left
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(summary);
    column->addSpacing(8);
    column->addWidget(m_scroll, 1);
    setButton(false);
}

QString CheckPanel::summary() const
{
    return m_summary->text();
}

void CheckPanel::setButton(bool running)
{
    m_running = running;
    const bool again = m_steps > 0;
    m_button->setText(running ? tr("Cancel") : (again ? tr("Test again") : tr("Test")));
    m_button->setIconName(running ? QStringLiteral("close")
                                  : (again ? QStringLiteral("refresh") : QStringLiteral("pulse")));
    m_button->setEnabled(running || m_testEnabled);
}

void CheckPanel::setTestEnabled(bool enabled)
{
    m_testEnabled = enabled;
    m_button->setEnabled(m_running || enabled);
}

void CheckPanel::clearSteps()
{
    m_waiting = nullptr;
    while (m_rows->count() > 1) { // the stretch stays
        const std::unique_ptr<QLayoutItem> item(m_rows->takeAt(0));
        delete item->widget();
    }
    m_failed = nullptr;
    m_steps = m_passed = m_counted = 0;
}

void CheckPanel::showIdle(const QString& words)
{
    clearSteps();
    m_summary->setText(words);
    setButton(false);
}

void CheckPanel::showRunning()
{
    clearSteps();
    m_clock.start();
    m_summary->setText(tr("Testing…"));
    showStarted(tr("Waiting for the endpoint"));
    setButton(true);
}

void CheckPanel::showStarted(const QString& name)
{
    delete m_waiting;
    CheckStep waiting;
    waiting.name = name;
    m_waiting = new StepRow(waiting, Outcome::Waiting, this);
    m_rows->insertWidget(m_steps, m_waiting);
    keepInSight(m_waiting);
}

void CheckPanel::keepInSight(QWidget* row)
{
    m_inSight = row;
    scrollToRow();
}

void CheckPanel::scrollToRow()
{
    if (m_inSight) {
        m_scroll->ensureWidgetVisible(m_inSight, 0, rowMargin);
    }
}

void CheckPanel::addStep(const CheckStep& step)
{
    delete m_waiting;
    m_waiting = nullptr;
    auto* row = new StepRow(step, outcomeOf(step.state), this);
    if (m_offersChanges && step.change) {
        connect(row->addButton(changeText(*step.change)), &QPushButton::clicked, this, [this, change = *step.change] {
            emit changeRequested(change);
        });
    }
    m_rows->insertWidget(m_steps, row);
    ++m_steps;
    m_counted += step.state == CheckState::NotNeeded ? 0 : 1;
    m_passed += step.state == CheckState::Passed || step.state == CheckState::Noted ? 1 : 0;
    if (step.state == CheckState::Failed) {
        m_failed = row;
    }
    keepInSight(m_failed ? m_failed : row);
}

void CheckPanel::showFinished(bool ok)
{
    delete m_waiting;
    m_waiting = nullptr;
    const QString time = timeText(static_cast<double>(m_clock.elapsed()));
    m_summary->setText(ok ? tr("It works: %1 of %2 steps passed, %3").arg(m_passed).arg(m_counted).arg(time)
                          : tr("%1 of %2 steps passed, %3").arg(m_passed).arg(m_counted).arg(time));
    setButton(false);
}

void CheckPanel::showCancelled()
{
    delete m_waiting;
    m_waiting = nullptr;
    m_summary->setText(tr("Cancelled"));
    setButton(false);
}

void CheckPanel::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(0, 0, 1, height(), activeTheme().line);
}

} // namespace tokenpace
