// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/focusring.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFocusEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSplitter>
#include <QTabBar>
#include <QTextEdit>
#include <QToolButton>

#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int ringWidth = 2;
constexpr int gapOfMain = 1;

/// The widget that shows the ring: never takes part in anything.
class RingOverlay final : public QWidget {
public:
    explicit RingOverlay(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        setObjectName(QStringLiteral("focusRing"));
    }

    void setRadius(qreal radius)
    {
        m_radius = radius;
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(activeTheme().accentLine, ringWidth));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), m_radius - 1, m_radius - 1);
    }

private:
    qreal m_radius = 6;
};

bool paintsItsOwnFocus(const QWidget* widget)
{
    if (widget->property("ownFocus").toBool() || widget->isWindow()) {
        return true;
    }
    const auto* combo = qobject_cast<const QComboBox*>(widget);
    return (combo != nullptr && combo->isEditable()) || qobject_cast<const QLineEdit*>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr
        || qobject_cast<const QAbstractScrollArea*>(widget) != nullptr || qobject_cast<const QMenu*>(widget) != nullptr;
}

bool isMain(const QWidget* widget)
{
    return widget->property("main").toBool();
}

bool standsFree(const QWidget* widget)
{
    return qobject_cast<const QCheckBox*>(widget) != nullptr || qobject_cast<const QRadioButton*>(widget) != nullptr;
}

QRect ringRect(const QWidget* control)
{
    if (const auto* tabs = qobject_cast<const QTabBar*>(control)) {
        return tabs->tabRect(tabs->currentIndex()).adjusted(3, 3, -3, -3);
    }
    if (isMain(control) || standsFree(control)) {
        const int out = ringWidth + gapOfMain;
        return control->rect().adjusted(-out, -out, out, out);
    }
    return control->rect();
}

qreal ringRadius(const QWidget* control)
{
    const QVariant own = control->property("focusRadius");
    if (own.isValid()) {
        return own.toReal();
    }
    if (isMain(control)) {
        return 6 + ringWidth + gapOfMain;
    }
    return qobject_cast<const QPushButton*>(control) != nullptr || qobject_cast<const QComboBox*>(control) != nullptr
        ? 6
        : 4;
}

} // namespace

FocusRing::FocusRing(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

FocusRing::~FocusRing()
{
    delete m_overlay;
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride:
        m_byKeyboard = true;
        break;
    case QEvent::MouseButtonPress:
    case QEvent::TouchBegin:
        m_byKeyboard = false;
        if (watched == m_target) {
            hide();
            m_lastShown = nullptr;
        }
        break;
    case QEvent::FocusIn:
        if (auto* widget = qobject_cast<QWidget*>(watched)) {
            onFocusIn(widget, static_cast<QFocusEvent*>(event)->reason());
        }
        break;
    case QEvent::FocusOut:
        if (watched == m_target) {
            hide();
        }
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::ZOrderChange:
        if (m_target != nullptr && watched == m_target) {
            follow();
        }
        break;
    case QEvent::ParentChange:
        if (watched == m_target) {
            showOn(m_target);
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void FocusRing::onFocusIn(QWidget* widget, Qt::FocusReason reason)
{
    bool shown = m_byKeyboard;
    if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason) {
        shown = true;
    } else if (reason == Qt::MouseFocusReason) {
        shown = false;
    } else if (reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason) {
        // A window or menu in between changes nothing for the control that had the ring; a window that has just opened
        // shows it when a key opened it.
        shown = m_byKeyboard || widget == m_lastShown;
    }
    if (shown && !paintsItsOwnFocus(widget)) {
        showOn(widget);
    } else {
        if (reason == Qt::MouseFocusReason) {
            m_lastShown = nullptr;
        }
        hide();
    }
}

void FocusRing::showOn(QWidget* control)
{
    QWidget* parent = control->parentWidget();
    if (parent == nullptr || qobject_cast<QSplitter*>(parent) != nullptr) {
        parent = control->window(); // a splitter would take the ring as one of its panes
    }
    if (m_overlay == nullptr || m_overlay->parentWidget() != parent) {
        delete m_overlay;
        m_overlay = new RingOverlay(parent);
    }
    m_target = control;
    m_lastShown = control;
    if (auto* tabs = qobject_cast<QTabBar*>(control)) {
        connect(tabs, &QTabBar::currentChanged, this, &FocusRing::follow, Qt::UniqueConnection);
    }
    follow();
}

void FocusRing::hide()
{
    m_target = nullptr;
    if (m_overlay != nullptr) {
        m_overlay->hide();
    }
}

void FocusRing::follow()
{
    if (m_target == nullptr || m_overlay == nullptr) {
        return;
    }
    const QRect rect = ringRect(m_target);
    QWidget* parent = m_overlay->parentWidget();
    m_overlay->setGeometry(QRect(m_target->mapTo(parent, rect.topLeft()), rect.size()));
    static_cast<RingOverlay*>(m_overlay.data())->setRadius(ringRadius(m_target));
    m_overlay->setVisible(m_target->isVisible());
    m_overlay->raise();
}

} // namespace tokenpace
