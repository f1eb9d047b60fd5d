// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chartpanel.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>

#include "chartdata.h"
#include "charts/chartcanvas.h"
#include "charts/chartexport.h"
#include "theme/icons.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int paneBorder = 1;
constexpr int buttonSize = 22;
constexpr int iconSize = 14;

QToolButton* headButton(const QString& icon, const QString& text, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(themedIcon(icon, IconColour::Muted));
    button->setIconSize({iconSize, iconSize});
    button->setFixedSize(buttonSize, buttonSize);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

ChartPanel::ChartPanel(ChartKind kind, ChartData& chartData, QItemSelectionModel& selection, ThemeController& themes,
                       QWidget* parent)
    : QFrame(parent)
    , m_data(chartData)
    , m_themes(themes)
    , m_canvas(new ChartCanvas(kind, chartData, selection, themes, this))
    , m_expand(headButton(QStringLiteral("expand"), tr("Show this chart alone"), this))
    , m_more(headButton(QStringLiteral("more"), tr("Chart menu"), this))
    , m_menu(new QMenu(this))
{
    setProperty("pane", true);
    setAccessibleName(chartTitle(kind));
    setMinimumSize(m_canvas->minimumSizeHint() + QSize(2 * paneBorder, 2 * paneBorder));
    setTabOrder(m_canvas, m_expand);
    setTabOrder(m_expand, m_more);
    connect(m_canvas, &ChartCanvas::titleDoubleClicked, this, &ChartPanel::expandRequested);
    connect(m_canvas, &ChartCanvas::limitMoved, this, &ChartPanel::limitMoved);
    connect(m_expand, &QToolButton::clicked, this, &ChartPanel::expandRequested);
    connect(m_more, &QToolButton::clicked, this, &ChartPanel::showMenu);
    connect(m_menu, &QMenu::aboutToShow, this, &ChartPanel::fillMenu);
}

const ChartSpec& ChartPanel::spec() const
{
    return m_canvas->spec();
}

void ChartPanel::setLimit(std::optional<double> ms, std::optional<double> savedMs, bool canSave)
{
    m_savedLimitMs = savedMs;
    m_canSaveLimit = canSave;
    m_canvas->setLimitMs(ms);
}

void ChartPanel::setProvenance(const ChartProvenance& provenance)
{
    m_provenance = provenance;
}

void ChartPanel::setRedactor(const Redactor& redactor)
{
    m_redactor = redactor;
}

void ChartPanel::startRun(std::optional<AxisRange> promptLengths)
{
    m_canvas->startRun(promptLengths);
}

template <typename Change> void ChartPanel::changeSpec(Change change)
{
    ChartSpec spec = m_canvas->spec();
    change(spec);
    m_canvas->setSpec(spec);
}

void ChartPanel::resizeEvent(QResizeEvent* /*event*/)
{
    m_canvas->setGeometry(rect().adjusted(paneBorder, paneBorder, -paneBorder, -paneBorder));
    const int right = width() - 7;
    m_more->move(right - buttonSize, 8);
    m_expand->move(right - 2 * buttonSize, 8);
}

void ChartPanel::contextMenuEvent(QContextMenuEvent* event)
{
    const QPointF at = m_canvas->mapFrom(this, event->pos());
    if (event->reason() == QContextMenuEvent::Mouse && m_canvas->selectForMenu(at)) {
        emit requestMenuRequested(event->globalPos());
    } else {
        m_menu->popup(event->globalPos());
    }
}

void ChartPanel::showMenu()
{
    m_menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height() + 2)));
}

void ChartPanel::fillMenu()
{
    m_menu->clear();
    const ChartSpec now = spec();
    const bool ttft = now.kind == ChartKind::TtftByLength;
    const auto toggle = [this](const QString& text, bool on, bool ChartSpec::*member) {
        QAction* action = m_menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, [this, member](bool checked) {
            changeSpec([=](ChartSpec& spec) {
                spec.*member = checked;
            });
        });
        return action;
    };
    // A zoom is a range of the scale that it was made on.
    const auto scale = [this](const QString& text, bool on, bool ChartSpec::*member) {
        QAction* action = m_menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, [this, member](bool checked) {
            m_canvas->resetZoom();
            changeSpec([=](ChartSpec& spec) {
                spec.*member = checked;
            });
        });
    };
    scale(tr("Logarithmic time"), now.logY, &ChartSpec::logY);
    if (ttft) {
        scale(tr("Logarithmic prompt length"), now.logX, &ChartSpec::logX);
    }
    m_menu->addSeparator();
    toggle(tr("Points"), now.dots, &ChartSpec::dots);
    toggle(ttft ? tr("Median") : tr("Boxes"), now.median, &ChartSpec::median);
    toggle(ttft ? tr("Band") : tr("Violins"), now.band, &ChartSpec::band);
    toggle(tr("Limit"), now.limits, &ChartSpec::limits)->setEnabled(now.limitMs && !now.perGap);
    m_menu->addSeparator();
    if (!ttft) {
        fillDistributionMenu();
        m_menu->addSeparator();
    }
    fillLimitMenu();
    m_menu->addSeparator();
    m_menu->addAction(tr("Reset zoom"), m_canvas, &ChartCanvas::resetZoom)->setEnabled(m_canvas->isZoomed());
    m_menu->addSeparator();
    m_menu->addAction(tr("Copy image"), this, &ChartPanel::copyImage);
    m_menu->addAction(tr("Copy data"), this, &ChartPanel::copyData);
    m_menu->addSeparator();
    m_menu->addAction(tr("Export…"), this, &ChartPanel::exportRequested);
}

void ChartPanel::fillDistributionMenu()
{
    const auto add = [this](const QString& text, bool perGap) {
        QAction* action = m_menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(spec().perGap == perGap);
        connect(action, &QAction::triggered, this, [this, perGap] {
            m_canvas->resetZoom(); // a zoom is into the values of before
            changeSpec([=](ChartSpec& spec) {
                spec.perGap = perGap;
            });
        });
    };
    add(tr("Per request (TPOT)"), false);
    add(tr("Per gap between outputs (ITL)"), true);
}

void ChartPanel::fillLimitMenu()
{
    const std::optional<double> now = spec().limitMs;
    const bool moved = now && m_savedLimitMs && *now != *m_savedLimitMs;
    m_menu->addAction(tr("Set limit…"), this, &ChartPanel::askForLimit)->setEnabled(spec().drawnLimitMs().has_value());
    if (m_savedLimitMs) {
        QAction* back = m_menu->addAction(tr("Limit of the settings (%1)").arg(msTickText(*m_savedLimitMs)), this,
                                          [this, ms = *m_savedLimitMs] {
                                              m_canvas->moveLimit(ms);
                                          });
        back->setEnabled(moved);
    }
    m_menu->addAction(tr("Save limit to settings"), this, &ChartPanel::limitSaveRequested)
        ->setEnabled(moved && m_canSaveLimit);
}

void ChartPanel::askForLimit()
{
    constexpr double leastMs = 0.1;
    constexpr double mostMs = 86'400'000; // a day
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Set limit"));
    dialog->setLabelText(spec().kind == ChartKind::TtftByLength ? tr("Most time to the first token, in ms")
                                                                : tr("Most time per output token, in ms"));
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleDecimals(1);
    dialog->setDoubleRange(leastMs, mostMs);
    dialog->setDoubleValue(spec().limitMs.value_or(leastMs));
    connect(dialog, &QInputDialog::doubleValueSelected, m_canvas, &ChartCanvas::moveLimit);
    dialog->open();
}

void ChartPanel::copyImage() const
{
    QGuiApplication::clipboard()->setMimeData(
        chartMimeData({spec()}, m_data, m_provenance, m_themes.theme(), m_canvas->size(), 2, m_redactor).release());
}

void ChartPanel::copyData() const
{
    const QByteArray csv = m_redactor.redacted(QString::fromUtf8(chartCsv(spec(), m_data))).toUtf8();
    auto* copied = new QMimeData; // the clipboard takes it
    copied->setText(QString::fromUtf8(csv));
    copied->setData(QStringLiteral("text/csv"), csv);
    QGuiApplication::clipboard()->setMimeData(copied);
}

} // namespace tokenpace
