// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "controls/pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/paintparts.h"
#include "controls/toolbarparts.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int border = 1;
constexpr int smallHeight = 28;
constexpr int chartHeight = 48;

/// Text that gives way: elided when plain, cut off when rich.
class HeadLabel final : public QLabel {
public:
    HeadLabel(bool muted, QWidget* parent)
        : QLabel(parent)
        , m_muted(muted)
    {
    }

    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        if (Qt::mightBeRichText(text())) {
            QLabel::paintEvent(event);
            return;
        }
        QPainter painter(this);
        // Not the palette's: after a switch of theme the style sheet may put a label's earlier palette back.
        drawTextLine(painter, rect(), font(), m_muted ? activeTheme().text2 : activeTheme().text, text());
    }

private:
    bool m_muted;
};

void setLabelColour(QLabel* label, const QColor& colour)
{
    QPalette palette = label->palette();
    if (palette.color(QPalette::WindowText) != colour) {
        palette.setColor(QPalette::WindowText, colour);
        label->setPalette(palette);
    }
}

} // namespace

PaneTitle::PaneTitle(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_title(new HeadLabel(false, this))
    , m_subtitle(new HeadLabel(true, this))
{
    const bool chart = kind == Kind::Chart;
    setFixedHeight(chart ? chartHeight : smallHeight);
    m_title->setFont(chart ? textFont(15, QFont::DemiBold) : textFont(12, QFont::DemiBold));
    m_subtitle->setFont(textFont(12));
    m_subtitle->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    for (QLabel* label : {m_title, m_subtitle}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents, label == m_title);
    }
    connect(m_subtitle, &QLabel::linkActivated, this, &PaneTitle::linkActivated);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(chart ? 17 : 12, 0, chart ? 6 : 4, 0);
    row->setSpacing(8);
    if (chart) {
        auto* column = new QVBoxLayout;
        column->setContentsMargins(0, 10, 0, 0);
        column->setSpacing(0);
        m_title->setFixedHeight(20);
        m_subtitle->setFixedHeight(18);
        column->addWidget(m_title);
        column->addWidget(m_subtitle);
        column->addStretch();
        row->addLayout(column, 1);
    } else {
        m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        row->addWidget(m_title);
        row->addWidget(m_subtitle, 1);
    }
    m_right = new QHBoxLayout;
    m_right->setContentsMargins(0, chart ? 7 : 0, 0, 0);
    m_right->setSpacing(chart ? 0 : 8);
    row->addLayout(m_right);
    row->setAlignment(m_right, chart ? Qt::AlignTop : Qt::AlignVCenter);
    changeEvent(nullptr);
}

void PaneTitle::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void PaneTitle::setSubtitle(const QString& subtitle)
{
    if (m_subtitle->text() != subtitle) {
        m_subtitle->setText(subtitle);
    }
}

void PaneTitle::addRight(QWidget* widget)
{
    m_right->addWidget(widget);
}

void PaneTitle::insertBeforeButtons(QWidget* widget)
{
    m_right->insertWidget(m_inserted++, widget);
    if (const QLayoutItem* next = m_right->itemAt(m_inserted); next && next->widget()) {
        widget->stackUnder(next->widget()); // focus goes through a pane's children in their order
    }
}

QToolButton* PaneTitle::addButton(const QString& iconName, const QString& toolTip)
{
    QToolButton* button = makeIconButton(iconName, toolTip, IconButtonSize::Pane, this);
    m_right->addWidget(button);
    return button;
}

QSize PaneTitle::sizeHint() const
{
    return {QWidget::sizeHint().width(), minimumHeight()};
}

QSize PaneTitle::minimumSizeHint() const
{
    return {m_right->minimumSize().width() + 60, minimumHeight()};
}

void PaneTitle::mouseDoubleClickEvent(QMouseEvent* event)
{
    // Not passed on: the dock would float, which belongs to its button.
    emit doubleClicked();
    event->accept();
}

void PaneTitle::changeEvent(QEvent* event)
{
    if (event == nullptr || event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        setLabelColour(m_title, activeTheme().text);
        setLabelColour(m_subtitle, activeTheme().text2);
    }
    if (event != nullptr) {
        QWidget::changeEvent(event);
    }
}

PaneDock::PaneDock(const QString& name, const QString& title, Head head, QWidget* parent)
    : QDockWidget(title, parent)
    , m_headKind(head)
{
    setObjectName(name);
    if (head == Head::None) {
        auto* none = new QWidget(this); // a title bar without height: the content's own head is the only one
        none->setFixedHeight(0);
        setTitleBarWidget(none);
        return;
    }
    m_head = new PaneTitle(head == Head::Small ? PaneTitle::Kind::Small : PaneTitle::Kind::Chart, this);
    connect(m_head, &PaneTitle::doubleClicked, this, &PaneDock::titleDoubleClicked);
    m_head->setContentsMargins(border, border, border, 0);
    m_head->setFixedHeight(m_head->height() + border);
    setTitleBarWidget(m_head);
    if (head != Head::Overlay) {
        m_head->setTitle(title);
    }
    if (head == Head::Small) {
        m_float = m_head->addButton(QStringLiteral("float"), tr("Float"));
        QToolButton* close = m_head->addButton(QStringLiteral("close"), tr("Close"));
        connect(m_float, &QToolButton::clicked, this, [this] {
            setFloating(!isFloating());
        });
        connect(close, &QToolButton::clicked, this, &QDockWidget::close);
        connect(this, &QDockWidget::topLevelChanged, this, [this](bool floating) {
            m_float->setToolTip(floating ? tr("Dock") : tr("Float"));
        });
    }
}

void PaneDock::addHeadWidget(QWidget* widget)
{
    if (m_head != nullptr) {
        m_head->insertBeforeButtons(widget);
    }
}

void PaneDock::setContent(QWidget* content)
{
    m_content = content;
    if (m_headKind != Head::Overlay) {
        // A dock with a title bar of its own gives its whole rectangle away: the holder keeps the border free.
        m_holder = new QWidget(this);
        auto* layout = new QVBoxLayout(m_holder);
        layout->setContentsMargins(border, m_headKind == Head::None ? border : 0, border, border);
        layout->addWidget(content);
        setWidget(m_holder);
        return;
    }
    // The dock's layout keeps the place below the head for a widget of the same needs that shows nothing; the content
    // itself lies under both, so that the head stays what the pane is dragged by.
    m_holder = new QWidget(this);
    m_holder->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_holder->setAttribute(Qt::WA_NoSystemBackground);
    const QSize least = content->minimumSizeHint().expandedTo(content->minimumSize());
    m_holder->setMinimumSize(least.width(), std::max(0, least.height() - chartHeight));
    setWidget(m_holder);
    content->setParent(this);
    content->lower();
    content->show();
    placeOverlay();
}

void PaneDock::placeOverlay()
{
    if (m_headKind == Head::Overlay && m_content != nullptr) {
        m_content->setGeometry(rect().adjusted(border, border, -border, -border));
        m_content->lower();
    }
}

void PaneDock::resizeEvent(QResizeEvent* event)
{
    QDockWidget::resizeEvent(event);
    placeOverlay();
}

void PaneDock::changeEvent(QEvent* event)
{
    QDockWidget::changeEvent(event);
    if (event->type() == QEvent::WindowTitleChange && m_head != nullptr && m_headKind != Head::Overlay) {
        m_head->setTitle(windowTitle());
    }
}

void PaneDock::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = activeTheme();
    QPainter painter(this);
    if (isFloating()) {
        painter.fillRect(rect(), theme.panel);
    }
    drawFrame(painter, rect(), isFloating() ? 0 : 8, theme.line, theme.panel);
}

PaneFrame::PaneFrame(QWidget* parent)
    : QWidget(parent)
{
    setContentsMargins(border, border, border, border);
}

void PaneFrame::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    drawFrame(painter, rect(), 8, activeTheme().line, activeTheme().panel);
}

} // namespace tokenpace
