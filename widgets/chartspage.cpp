// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "chartspage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <QAbstractItemView>
#include <QActionGroup>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QSettings>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

#include "charts/chartpanel.h"
#include "controls/datatable.h"
#include "controls/pane.h"
#include "controls/toolbarparts.h"
#include "inspector.h"
#include "rasterlegend.h"
#include "requestmenu.h"
#include "session.h"
#include "tablespanel.h"
#include "theme/theme.h"
#include "tokenraster.h"

namespace tokenpace {

namespace {

constexpr int gap = 8;
constexpr int layoutVersion = 1;

// Heights and widths at the size that was designed, and which share of further room each gets.
constexpr int designedWidth = 1280 - 2 * gap;
constexpr int designedHeight = 682; // without the margins of the page
constexpr int rasterHeight = 142;
constexpr int tablesHeight = 206;
constexpr int inspectorWidth = 322;
constexpr int leastInspectorWidth = 290; // below it the captions of the figures run into each other
constexpr double rasterShare = 0.13;
constexpr double tablesShare = 0.5;
constexpr double inspectorShare = 0.1;
constexpr double ttftShare = 690.0 / (690.0 + 566.0);

} // namespace

ChartsPage::ChartsPage(Session& session, ThemeController& themes, QWidget* parent)
    : QMainWindow(parent, Qt::Widget)
    , m_session(session)
    , m_charts(new QSplitter(Qt::Horizontal))
    , m_ttft(new ChartPanel(ChartKind::TtftByLength, session.chartData(), session.selection(), themes))
    , m_tpot(new ChartPanel(ChartKind::TpotByModel, session.chartData(), session.selection(), themes))
{
    setWindowFlags(Qt::Widget);
    setContentsMargins(gap, gap, gap, gap);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks);
    setContextMenuPolicy(Qt::NoContextMenu);
    m_charts->setHandleWidth(gap);
    m_charts->setChildrenCollapsible(false);
    m_charts->addWidget(m_ttft);
    m_charts->addWidget(m_tpot);
    m_charts->setStretchFactor(0, 55);
    m_charts->setStretchFactor(1, 45);
    setCentralWidget(m_charts);
    m_lastUsed = m_ttft;
    for (ChartPanel* panel : {m_ttft, m_tpot}) {
        panel->installEventFilter(this);
        connect(panel, &ChartPanel::expandRequested, this, [this, panel] {
            showAlone(m_alone == panel ? nullptr : panel);
        });
    }
    makeDocks();
    makeRequestMenu();
    placeDocks();
    for (QWidget* pane : std::initializer_list<QWidget*>{m_rasterDock, m_tablesDock, m_inspectorDock}) {
        pane->installEventFilter(this);
    }
}

void ChartsPage::makeDocks()
{
    m_raster = new TokenRaster(m_session.requests(), m_session.selection());
    m_rasterDock = new PaneDock(QStringLiteral("raster"), tr("Token raster"), PaneDock::Head::Small, this);
    m_rasterDock->head()->setSubtitle(tr("a row a request, a tick an arrival · time since the request was written"));
    QToolButton* more =
        makeIconButton(QStringLiteral("more"), tr("What the raster shows"), IconButtonSize::Pane, m_rasterDock);
    m_rasterDock->head()->insertBeforeButtons(new RasterLegend);
    m_rasterDock->head()->insertBeforeButtons(more);
    more->setMenu(makeRasterMenu());
    more->setPopupMode(QToolButton::InstantPopup);
    m_rasterDock->setContent(m_raster);

    m_tables = new TablesPanel(m_session.requests(), m_session.summary(), m_session.selection());
    m_tablesDock = new PaneDock(QStringLiteral("tables"), tr("Tables"), PaneDock::Head::None, this);
    m_tablesDock->setContent(m_tables);
    connect(m_tables->floatButton(), &QToolButton::clicked, this, [this] {
        m_tablesDock->setFloating(!m_tablesDock->isFloating());
    });

    m_inspector = new Inspector(m_session.requests(), m_session.selection());
    m_inspectorDock = new PaneDock(QStringLiteral("inspector"), tr("Inspector"), PaneDock::Head::Small, this);
    QToolButton* copy =
        makeIconButton(QStringLiteral("copy"), tr("Copy the record"), IconButtonSize::Pane, m_inspectorDock);
    m_inspectorDock->head()->insertBeforeButtons(copy);
    m_inspectorDock->setContent(m_inspector);
    connect(copy, &QToolButton::clicked, m_inspector, &Inspector::copy);
    connect(m_inspector, &Inspector::subtitleChanged, m_inspectorDock->head(), &PaneTitle::setSubtitle);
    connect(&m_session, &Session::settingsChanged, this, [this] {
        m_inspector->setRedactor(m_session.redactor());
    });
}

void ChartsPage::makeRequestMenu()
{
    m_requestMenu = new RequestMenu(m_session, *m_inspector, this);
    for (ChartPanel* panel : {m_ttft, m_tpot}) {
        connect(panel, &ChartPanel::requestMenuRequested, m_requestMenu, [this](const QPoint& at) {
            m_requestMenu->popup(at);
        });
    }
    connect(m_raster, &TokenRaster::requestMenuRequested, m_requestMenu, [this](const QPoint& at) {
        m_requestMenu->popup(at);
    });
    DataTable* table = m_tables->requestsTable();
    table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table, &QWidget::customContextMenuRequested, m_requestMenu, [this, table](const QPoint& at) {
        m_requestMenu->popup(table->viewport()->mapToGlobal(at));
    });
}

void ChartsPage::placeDocks()
{
    for (PaneDock* dock : {m_rasterDock, m_tablesDock, m_inspectorDock}) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::BottomDockWidgetArea, m_rasterDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_tablesDock);
    splitDockWidget(m_rasterDock, m_tablesDock, Qt::Vertical);
    splitDockWidget(m_tablesDock, m_inspectorDock, Qt::Horizontal);
}

QMenu* ChartsPage::makeRasterMenu()
{
    auto* menu = new QMenu(this);
    auto* group = new QActionGroup(menu);
    const auto addDensity = [this, menu, group](const QString& text, TokenRaster::Density density) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(density == TokenRaster::Density::Automatic);
        group->addAction(action);
        connect(action, &QAction::triggered, m_raster, [this, density] {
            m_raster->setDensity(density);
        });
    };
    addDensity(tr("Rows as they fit"), TokenRaster::Density::Automatic);
    addDensity(tr("Rows with names"), TokenRaster::Density::Names);
    addDensity(tr("Compact rows"), TokenRaster::Density::Compact);
    menu->addSeparator();
    QAction* first = menu->addAction(tr("Selected rows first"));
    first->setCheckable(true);
    connect(first, &QAction::toggled, m_raster, &TokenRaster::setSelectedFirst);
    menu->addSeparator();
    QAction* whole = menu->addAction(tr("Whole time axis"), m_raster, &TokenRaster::showWholeTime);
    whole->setToolTip(
        tr("Ctrl and the wheel zoom in at the mouse, as + and - do by keyboard; a drag on the axis pans."));
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, whole, [this, whole] {
        whole->setEnabled(m_raster->isZoomed());
    });
    return menu;
}

QList<QAction*> ChartsPage::paneActions() const
{
    return {m_rasterDock->toggleViewAction(), m_tablesDock->toggleViewAction(), m_inspectorDock->toggleViewAction()};
}

void ChartsPage::applyProportions()
{
    const double moreHeight = height() - 2 * gap - designedHeight;
    const double moreWidth = width() - 2 * gap - designedWidth;
    // In a low window raster and tables give way first: both scroll, the charts cannot.
    constexpr double lowRasterShare = 0.45;
    constexpr double lowTablesShare = 0.6;
    const bool low = moreHeight < 0;
    const int raster = std::lround(rasterHeight + (low ? lowRasterShare : rasterShare) * moreHeight);
    const int tables = std::lround(tablesHeight + (low ? lowTablesShare : tablesShare) * moreHeight);
    const int inspector = std::max<int>(leastInspectorWidth, std::lround(inspectorWidth + inspectorShare * moreWidth));
    resizeDocks({m_rasterDock, m_tablesDock}, {raster, tables}, Qt::Vertical);
    resizeDocks({m_tablesDock, m_inspectorDock}, {width() - 3 * gap - inspector, inspector}, Qt::Horizontal);
    const int room = width() - 3 * gap;
    const int left = static_cast<int>(std::lround(room * ttftShare));
    m_charts->setSizes({left, room - left});
    // Sizes settle when the layout next runs.
    m_settling = true;
    QTimer::singleShot(0, this, &ChartsPage::noteSizes);
}

QList<int> ChartsPage::sizes() const
{
    return {m_rasterDock->height(), m_tablesDock->height(), m_inspectorDock->width(), m_ttft->width()};
}

void ChartsPage::noteSizes()
{
    m_settling = false;
    m_applied = sizes();
    m_appliedFor = size();
}

// A pane got another size although the page did not: someone dragged a separator, or moved or hid a pane. From then on
// the layout is theirs.
void ChartsPage::notePaneResized()
{
    if (m_ownLayout || m_settling || m_alone || m_applied.isEmpty() || size() != m_appliedFor) {
        return;
    }
    const QList<int> now = sizes();
    for (qsizetype i = 0; i < now.size(); ++i) {
        m_ownLayout = m_ownLayout || std::abs(now.at(i) - m_applied.at(i)) > 2;
    }
}

void ChartsPage::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_shown && !m_ownLayout && !m_alone) {
        applyProportions();
    }
}

void ChartsPage::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (!m_shown) {
        m_shown = true;
        if (!m_ownLayout) {
            applyProportions();
            // The sideways part of the first call is lost before the layout has run once.
            QTimer::singleShot(0, this, &ChartsPage::applyProportions);
        }
    }
}

bool ChartsPage::eventFilter(QObject* watched, QEvent* event)
{
    ChartPanel* panel = qobject_cast<ChartPanel*>(watched);
    if (panel && (event->type() == QEvent::Enter || event->type() == QEvent::FocusIn)) {
        m_lastUsed = panel;
    }
    if (event->type() == QEvent::Resize) {
        notePaneResized();
    }
    return QMainWindow::eventFilter(watched, event);
}

void ChartsPage::showAlone(ChartPanel* panel)
{
    if (panel == m_alone) {
        return;
    }
    // Panes change their sizes on the way; nobody dragged anything.
    m_settling = true;
    for (QWidget* widget : std::as_const(m_hiddenForAlone)) {
        widget->show();
    }
    m_hiddenForAlone.clear();
    m_alone = panel;
    if (panel) {
        m_lastUsed = panel;
        for (QWidget* widget :
             std::initializer_list<QWidget*>{m_ttft, m_tpot, m_rasterDock, m_tablesDock, m_inspectorDock}) {
            const auto* dock = qobject_cast<QDockWidget*>(widget);
            if (widget != panel && !widget->isHidden() && !(dock && dock->isFloating())) {
                widget->hide();
                m_hiddenForAlone.append(widget);
            }
        }
    } else if (!m_ownLayout) {
        applyProportions();
    } else {
        QTimer::singleShot(0, this, &ChartsPage::noteSizes);
    }
    emit aloneChanged(m_alone != nullptr);
}

void ChartsPage::orderTabs(QWidget* first)
{
    QWidget* last = first;
    for (const QWidget* pane :
         std::initializer_list<const QWidget*>{m_ttft, m_tpot, m_rasterDock, m_tablesDock, m_inspectorDock}) {
        QList<QWidget*> children = pane->findChildren<QWidget*>();
        // Tables were made before the row of tabs and buttons over them.
        std::stable_partition(children.begin(), children.end(), [](const QWidget* child) {
            return qobject_cast<const QAbstractItemView*>(child) == nullptr;
        });
        for (QWidget* child : std::as_const(children)) {
            if ((child->focusPolicy() & Qt::TabFocus) != 0 && !child->isWindow()) {
                setTabOrder(last, child);
                last = child;
            }
        }
    }
}

void ChartsPage::resetLayout()
{
    showAlone(nullptr);
    m_ownLayout = false;
    m_settling = true;
    placeDocks();
    applyProportions();
    QTimer::singleShot(0, this, &ChartsPage::applyProportions);
}

void ChartsPage::saveLayout(QSettings& settings) const
{
    if (!m_ownLayout) {
        settings.remove(QStringLiteral("layout/docks"));
        return;
    }
    settings.setValue(QStringLiteral("layout/docks"), saveState(layoutVersion));
    settings.setValue(QStringLiteral("layout/charts"), m_charts->saveState());
}

void ChartsPage::restoreLayout(const QSettings& settings)
{
    const QByteArray docks = settings.value(QStringLiteral("layout/docks")).toByteArray();
    if (docks.isEmpty() || !restoreState(docks, layoutVersion)) {
        return;
    }
    m_charts->restoreState(settings.value(QStringLiteral("layout/charts")).toByteArray());
    m_ownLayout = true;
}

} // namespace tokenpace
