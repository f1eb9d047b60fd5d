// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "exportdialog/exportpreview.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>

#include "charts/chartexport.h"
#include "controls/rolelabel.h"
#include "controls/toolbarparts.h"
#include "exportdialog/exportjob.h"
#include "theme/icons.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int padding = 16;
constexpr double leastZoom = 0.1;
constexpr double mostZoom = 3;
constexpr qsizetype mostTextShown = 20'000; // of a table of 100,000 lines nobody reads the rest here
constexpr double smallestText = 11; // of ticks and footers, in px of the layout

/// Pictures below each other, each with a thin frame as the panel's colour may be that of the ground.
class Sheet final : public QWidget {
public:
    using QWidget::QWidget;
    QList<QImage> pictures;

    void take(const QList<QImage>& images)
    {
        pictures = images;
        QSize size;
        for (const QImage& image : images) {
            const QSize one = image.deviceIndependentSize().toSize() + QSize(2, 2);
            size = {std::max(size.width(), one.width()), size.height() + one.height() + (size.isEmpty() ? 0 : padding)};
        }
        setFixedSize(size);
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        int top = 0;
        for (const QImage& image : std::as_const(pictures)) {
            const QSize size = image.deviceIndependentSize().toSize();
            painter.fillRect(QRect(0, top, size.width() + 2, size.height() + 2), activeTheme().controlLine);
            painter.drawImage(QPoint(1, top + 1), image);
            top += size.height() + 2 + padding;
        }
    }
};

QWidget* noteRow(QLabel* icon, RoleLabel* text)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    icon->setFixedWidth(16);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    text->setWordWrap(true);
    return row;
}

} // namespace

ExportPreview::ExportPreview(const ExportContent& content, QWidget* parent)
    : QWidget(parent)
    , m_content(content)
    , m_stack(new QStackedWidget)
    , m_scroll(new QScrollArea)
    , m_sheet(new Sheet)
    , m_text(new QPlainTextEdit)
    , m_page(new QTextBrowser)
    , m_sizeIcon(new QLabel)
    , m_sizeText(new RoleLabel({}, RoleLabel::Role::Text2, textFont(13)))
    , m_secretIcon(new QLabel)
    , m_secretText(new RoleLabel({}, RoleLabel::Role::Text2, textFont(13)))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(padding, 8, padding, padding);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addSpacing(8);
    column->addWidget(m_stack, 1);
    column->addSpacing(16);
    m_sizeNote = noteRow(m_sizeIcon, m_sizeText);
    column->addWidget(m_sizeNote);
    column->addSpacing(8);
    column->addWidget(noteRow(m_secretIcon, m_secretText));

    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidget(m_sheet);
    m_scroll->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_scroll->setAccessibleName(tr("Preview"));
    m_scroll->viewport()->setAutoFillBackground(false);
    m_sheet->setAutoFillBackground(false);
    m_text->setReadOnly(true);
    m_text->setFont(codeFont(12));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Preview"));
    m_page->setOpenLinks(false);
    m_page->document()->setDefaultStyleSheet(
        QStringLiteral("h1{font-size:20px;font-weight:600;margin:0 0 4px 0}h2{font-size:15px;font-weight:600;"
                       "margin:12px 0 4px 0}p,dd{margin:0 0 4px 0}th,dt{font-weight:400}td,th{padding:2px 6px}"));
    m_page->setAccessibleName(tr("Preview"));
    m_stack->addWidget(m_scroll);
    m_stack->addWidget(m_text);
    m_stack->addWidget(m_page);
}

QWidget* ExportPreview::makeHead()
{
    auto* head = new QWidget;
    head->setFixedHeight(28);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new RoleLabel(tr("Preview"), RoleLabel::Role::Text, textFont(13, QFont::DemiBold)));
    row->addWidget(new RoleLabel(tr("in the export’s own proportions"), RoleLabel::Role::Muted, textFont(12)), 1);
    m_smaller = makeIconButton(QStringLiteral("minus"), tr("Smaller"), IconButtonSize::Pane, head);
    m_larger = makeIconButton(QStringLiteral("plus"), tr("Larger"), IconButtonSize::Pane, head);
    m_percent = new RoleLabel({}, RoleLabel::Role::Text2, numberFont(12));
    m_percent->setAlignment(Qt::AlignCenter);
    m_percent->setFixedWidth(48);
    m_fit = new QPushButton(tr("Fit"));
    m_fit->setProperty("small", true);
    m_fit->setAutoDefault(false);
    row->addWidget(m_smaller);
    row->addWidget(m_percent);
    row->addWidget(m_larger);
    row->addWidget(m_fit);
    constexpr double step = 1.25;
    connect(m_smaller, &QToolButton::clicked, this, [this] {
        setZoom(m_zoom / step);
    });
    connect(m_larger, &QToolButton::clicked, this, [this] {
        setZoom(m_zoom * step);
    });
    connect(m_fit, &QPushButton::clicked, this, &ExportPreview::fit);
    return head;
}

void ExportPreview::showChoices(const ExportChoices& choices)
{
    m_choices = choices;
    refresh();
}

void ExportPreview::setZoom(double zoom)
{
    m_fitted = false;
    m_zoom = std::clamp(zoom, leastZoom, mostZoom);
    refresh();
}

void ExportPreview::fit()
{
    m_fitted = true;
    refresh();
}

double ExportPreview::fittingZoom() const
{
    const QSize full = exportSize(m_choices.preset).pixels(1);
    const QSizeF room = m_stack->size() - QSize(2, 2);
    const bool several = m_choices.charts(m_content).size() > 1; // they scroll
    const double wide = (room.width() - (several ? 12 : 0)) / full.width();
    return std::clamp(several ? wide : std::min(wide, room.height() / full.height()), leastZoom, 1.0);
}

QImage ExportPreview::picture() const
{
    return static_cast<const Sheet*>(m_sheet)->pictures.value(0);
}

QString ExportPreview::text() const
{
    return m_stack->currentWidget() == m_page ? m_page->toPlainText() : m_text->toPlainText();
}

void ExportPreview::refresh()
{
    const bool picture = m_choices.isPicture();
    for (QWidget* control : std::initializer_list<QWidget*>{m_smaller, m_larger, m_fit, m_percent}) {
        control->setVisible(picture);
    }
    refreshNotes();
    if (!picture) {
        if (m_choices.ofCharts() && m_choices.format == ExportFormat::Html) {
            showPage();
            m_stack->setCurrentWidget(m_page);
            return;
        }
        QString shown;
        const QList<ChartSpec> charts = m_choices.ofCharts() ? m_choices.charts(m_content) : QList<ChartSpec>(1);
        for (const ChartSpec& spec : charts) {
            shown += QString::fromUtf8(exportText(m_content, m_choices, {spec})) + QLatin1Char('\n');
        }
        if (shown.size() > mostTextShown) {
            shown.truncate(shown.lastIndexOf(QLatin1Char('\n'), mostTextShown) + 1);
            shown += tr("… and more");
        }
        m_text->setPlainText(shown);
        m_stack->setCurrentWidget(m_text);
        return;
    }
    m_stack->setCurrentWidget(m_scroll);
    if (m_fitted) {
        m_zoom = fittingZoom();
    }
    m_percent->setText(tr("%1 %").arg(qRound(m_zoom * 100)));
    const ExportSize size = exportSize(m_choices.preset);
    const double ratio = devicePixelRatioF();
    QList<QImage> images;
    for (const ChartSpec& spec : m_choices.charts(m_content)) {
        QImage image =
            renderChart(spec, *m_content.data, m_choices.provenance(m_content),
                        m_choices.dark ? darkTheme() : lightTheme(), size.layout, size.text * m_zoom * ratio);
        image.setDevicePixelRatio(ratio);
        images << image;
    }
    static_cast<Sheet*>(m_sheet)->take(images);
}

// A QTextDocument draws no SVG: the same charts stand in as pictures. A browser lays the page out wider.
void ExportPreview::showPage()
{
    const QList<ChartSpec> charts = m_choices.charts(m_content);
    QString html = QString::fromUtf8(exportText(m_content, m_choices, charts));
    ChartProvenance none;
    none.showDate = false;
    none.view.clear();
    const double width = std::max(200.0, m_stack->width() - 48.0);
    for (qsizetype i = 0; i < charts.size(); ++i) {
        const qsizetype from = html.indexOf(QStringLiteral("<svg "));
        const qsizetype to = html.indexOf(QStringLiteral("</svg>"), from);
        if (from < 0 || to < 0) {
            break;
        }
        const QString name = QStringLiteral("chart%1").arg(i);
        constexpr QSizeF layout(820, 440);
        QImage image = renderChart(charts.at(i), *m_content.data, none, activeTheme(), layout, width / layout.width());
        image.setDevicePixelRatio(1);
        m_page->document()->addResource(QTextDocument::ImageResource, QUrl(name), image);
        html.replace(from, to + 6 - from, QStringLiteral("<img src=\"%1\">").arg(name));
    }
    const qsizetype style = html.indexOf(QStringLiteral("<style>"));
    html.remove(style, html.indexOf(QStringLiteral("</style>")) - style);
    for (const char* unknown : {"section", "figure", "figcaption", "main", "footer"}) { // to a QTextDocument
        html.replace(QStringLiteral("<%1>").arg(QLatin1String(unknown)), QStringLiteral("<div>"));
        html.replace(QStringLiteral("</%1>").arg(QLatin1String(unknown)), QStringLiteral("</div>"));
    }
    m_page->setHtml(html);
}

void ExportPreview::refreshNotes()
{
    const ExportSize size = exportSize(m_choices.preset);
    const double px = smallestText * size.text;
    constexpr double pointsPerInch = 72;
    constexpr double mmPerInch = 25.4;
    m_sizeNote->setVisible(m_choices.isPicture());
    switch (m_choices.preset) {
    case ExportPreset::Screen:
        m_sizeText->setText(tr("As on the screen: the smallest text is %1 px high at 1×.").arg(qRound(px)));
        break;
    case ExportPreset::Slide:
        m_sizeText->setText(tr("Readable on a slide: the smallest text is %1 px high at 1×.").arg(qRound(px)));
        break;
    case ExportPreset::Paper:
        m_sizeText->setText(tr("%1 mm wide on paper: the smallest text is %2 pt high.")
                                .arg(qRound(size.pixels(1).width() / size.dpi * mmPerInch))
                                .arg(px / size.dpi * pointsPerInch, 0, 'f', 1));
        break;
    }
    const bool footer = m_choices.isPicture() || m_choices.format == ExportFormat::Html;
    const bool prompt = footer && m_choices.prompt && m_content.run && !m_content.run->spec.prompt.isEmpty();
    QString words = prompt ? tr("No key and no answer is in this file; the prompt is.")
                           : tr("No key, no prompt and no answer is in this file.");
    if (m_choices.isPicture() && m_choices.host) {
        words += QLatin1Char(' ')
            + tr("Hosts are; untick %1 to leave them out.")
                  .arg(QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(tr("Endpoint host")));
    } else if (m_choices.ofCharts() && m_choices.format == ExportFormat::Html) {
        words += QLatin1Char(' ') + tr("The settings name the endpoints’ hosts.");
    } else if (!m_choices.isPicture()) {
        words += QLatin1Char(' ') + tr("Names of endpoints and models are.");
    }
    m_secretText->setText(words);
    m_sizeIcon->setPixmap(themedIcon(QStringLiteral("circle-check"), IconColour::Good).pixmap(QSize(16, 16)));
    m_secretIcon->setPixmap(themedIcon(QStringLiteral("info"), IconColour::Text2).pixmap(QSize(16, 16)));
}

void ExportPreview::paintEvent(QPaintEvent* /*event*/)
{
    QPainter(this).fillRect(rect(), activeTheme().bg);
}

void ExportPreview::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    // The layout gives its sizes after this; only then is it known what fits.
    QMetaObject::invokeMethod(this, &ExportPreview::refresh, Qt::QueuedConnection);
}

void ExportPreview::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_fitted && m_content.data != nullptr && isVisible()) {
        QMetaObject::invokeMethod(this, &ExportPreview::refresh, Qt::QueuedConnection);
    }
}

} // namespace tokenpace
