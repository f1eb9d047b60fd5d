// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "inspector.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "controls/labeledvalue.h"
#include "controls/rolelabel.h"
#include "definitions.h"
#include "experiment/rundocument.h"
#include "inspectorhead.h"
#include "measure/metrics.h"
#include "numbertext.h"
#include "phasebars.h"
#include "recordtext.h"
#include "requestwords.h"
#include "sharebars.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int refreshMs = 100; // figures that change faster can't be read

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->viewport()->setAutoFillBackground(false);
    area->setFocusPolicy(Qt::NoFocus);
    content->setAutoFillBackground(false);
    area->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() turns it on
    return area;
}

// "894 ms" as number and unit, so that the unit can be muted.
void setDuration(LabeledValue* value, std::optional<double> ms)
{
    const QString text = ms ? durationText(ms) : QString();
    const qsizetype space = text.indexOf(QLatin1Char(' '));
    const bool plain = space > 0 && text.indexOf(QLatin1Char(' '), space + 1) < 0;
    value->setValue(plain ? text.left(space) : text, plain ? text.mid(space + 1) : QString());
}

LabeledValue* addFigure(QBoxLayout* row, const QString& caption, const QString& help)
{
    auto* value = new LabeledValue(caption);
    value->setToolTip(help);
    row->addWidget(value);
    return value;
}

QLabel* wrapped(RoleLabel::Role role)
{
    auto* label = new RoleLabel(QString(), role, textFont(12));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

void setWords(QLabel* label, const QString& text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

// All digits, or why there are none, and what the number means.
QString figureHelp(Figure figure, std::optional<double> ms, const QString& whyMissing)
{
    return QStringLiteral("<b>%1</b><br>%2")
        .arg(ms ? exactMs(ms) : whyMissing.toHtmlEscaped(), definition(figure).toHtmlEscaped());
}

std::optional<double> median(std::vector<double> values)
{
    return percentile(values, 0.5);
}

} // namespace

Inspector::Inspector(RequestsModel& requests, QItemSelectionModel& selection, QWidget* parent)
    : QWidget(parent)
    , m_requests(requests)
    , m_selection(selection)
    , m_pages(new QStackedWidget(this))
{
    setAccessibleName(tr("Inspector"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 1);
    layout->addWidget(m_pages);
    auto* hint = new RoleLabel(tr("Select a request in a chart, the raster or a table\nto see where its time went."),
                               RoleLabel::Role::Muted, textFont(12));
    hint->setAlignment(Qt::AlignCenter);
    m_pages->addWidget(hint);
    m_pages->addWidget(scrolled(makeOne()));
    m_pages->addWidget(scrolled(makeMany()));

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &Inspector::refresh);
    connect(&m_selection, &QItemSelectionModel::selectionChanged, this, &Inspector::refresh);
    connect(&m_requests, &RequestsModel::arrivalsChanged, this, &Inspector::scheduleRefresh);
    connect(&m_requests, &RequestsModel::requestsFinished, this, &Inspector::scheduleRefresh);
    connect(&m_requests, &QAbstractItemModel::modelReset, this, &Inspector::refresh);
    refresh();
}

QWidget* Inspector::makeOne()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(12, 0, 12, 0);
    layout->setSpacing(0);
    m_head = new InspectorHead;
    m_phases = new PhaseBars;
    m_outcome = wrapped(RoleLabel::Role::Error);
    m_advice = wrapped(RoleLabel::Role::Text);
    m_flags = wrapped(RoleLabel::Role::Text2);
    auto* figures = new QHBoxLayout;
    figures->setSpacing(2);
    const QString connection = tr("Connection");
    m_ttft = addFigure(figures, tr("TTFT"), definition(Figure::Ttft));
    figures->addStretch();
    m_tpot = addFigure(figures, tr("TPOT"), definition(Figure::Tpot));
    figures->addStretch();
    m_e2e = addFigure(figures, tr("E2E"), definition(Figure::E2e));
    figures->addStretch();
    m_finish =
        addFigure(figures, tr("Finish"),
                  tr("Why the model stopped, as the server said it: “length” means that max_tokens was reached."));
    figures->addStretch();
    m_connection = addFigure(figures, connection,
                             tr("Whether an idle connection was used again, or a new one had to be opened first. "
                                "Opening it is before time zero."));
    layout->addWidget(m_head);
    layout->addWidget(m_outcome);
    layout->addWidget(m_advice);
    layout->addSpacing(6);
    layout->addWidget(m_phases);
    layout->addSpacing(5);
    layout->addLayout(figures);
    layout->addWidget(m_flags);
    layout->addStretch();
    return page;
}

QWidget* Inspector::makeMany()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(14, 4, 14, 8);
    layout->setSpacing(0);
    auto* figures = new QHBoxLayout;
    figures->setSpacing(8);
    m_count = addFigure(figures, tr("Requests"), tr("How many requests are selected"));
    figures->addStretch();
    m_ttftP50 = addFigure(figures, tr("TTFT P50"), definition(Figure::Ttft));
    figures->addStretch();
    m_ttftP95 = addFigure(figures, tr("TTFT P95"), tr("Shown from 20 requests on"));
    figures->addStretch();
    m_tpotP50 = addFigure(figures, tr("TPOT P50"), definition(Figure::Tpot));
    for (LabeledValue* value : {m_count, m_ttftP50, m_ttftP95, m_tpotP50}) {
        value->setLarge(true);
    }
    m_shares = new ShareBars;
    auto* copyCsv = new QPushButton(tr("Copy as CSV"));
    copyCsv->setProperty("small", true);
    auto* clear = new QPushButton(tr("Clear selection"));
    clear->setProperty("small", true);
    connect(copyCsv, &QPushButton::clicked, this, &Inspector::copy);
    connect(clear, &QPushButton::clicked, &m_selection, &QItemSelectionModel::clear);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copyCsv);
    buttons->addStretch();
    buttons->addWidget(clear);
    layout->addLayout(figures);
    layout->addSpacing(12);
    layout->addWidget(m_shares);
    layout->addStretch();
    layout->addSpacing(8);
    layout->addLayout(buttons);
    return page;
}

std::vector<int> Inspector::selectedRows() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_selection.selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.push_back(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void Inspector::scheduleRefresh()
{
    if (!m_refresh.isActive() && m_selection.hasSelection()) {
        m_refresh.start();
    }
}

void Inspector::refresh()
{
    const std::vector<int> rows = selectedRows();
    if (rows.empty()) {
        m_pages->setCurrentIndex(0);
    } else if (rows.size() == 1) {
        showOne(m_requests.row(rows.front()));
        m_pages->setCurrentIndex(1);
    } else {
        showMany(rows);
        m_pages->setCurrentIndex(2);
    }
    emit subtitleChanged(rows.size() > 1 ? tr("selection") : QString());
}

void Inspector::showOne(const RequestsModel::Row& row)
{
    const QString name = row.series >= 0 ? m_requests.series().at(row.series).label : tr("unknown model");
    QString tokens;
    if (row.timeline) {
        const Timeline& timeline = *row.timeline;
        const std::optional<PromptLength> length = promptLength(timeline);
        const QString prompt = length ? (length->estimated ? QStringLiteral("≈ ") : QString())
                + countText(static_cast<qint64>(std::llround(length->tokens)))
                                      : QString(dashText);
        tokens = tr("%1 → %2 tokens").arg(prompt, countText(outputTokens(timeline)));
        showFinished(timeline);
    } else {
        tokens = tr("receiving, %n tokens", nullptr, static_cast<int>(row.liveArrivals.size()));
        showRunning(row);
    }
    m_head->setRequest(row.series, name, QStringLiteral("#%1").arg(row.seq), tokens);
    m_phases->setPhases(row.timeline ? phasesOf(*row.timeline) : phasesOf(row.liveArrivals, row.zero, steadyNow()),
                        row.arrivals(), row.zeroStamp(), row.series);
}

void Inspector::showFinished(const Timeline& timeline)
{
    setDuration(m_ttft, ttftMs(timeline));
    setDuration(m_tpot, tpotMs(timeline));
    setDuration(m_e2e, e2eMs(timeline));
    m_ttft->setToolTip(figureHelp(Figure::Ttft, ttftMs(timeline), noTtftReason(timeline)));
    m_tpot->setToolTip(figureHelp(Figure::Tpot, tpotMs(timeline), noTpotReason(timeline)));
    m_e2e->setToolTip(figureHelp(Figure::E2e, e2eMs(timeline), noE2eReason(timeline)));
    m_finish->setValue(timeline.finishReason ? QString::fromStdString(*timeline.finishReason) : QString());
    m_connection->setValue(timeline.reused ? (*timeline.reused ? tr("reused") : tr("new")) : QString());
    setWords(m_outcome, outcomeText(timeline));
    setWords(m_advice, timeline.error ? adviceFor(*timeline.error) : QString());
    QStringList words{serverTimesText(timeline.serverTimes), chunksText(timeline), flagsText(timeline.flags)};
    words.removeAll(QString());
    setWords(m_flags, words.join(QLatin1Char('\n')));
}

void Inspector::showRunning(const RequestsModel::Row& row)
{
    const std::vector<Stamp>& arrivals = row.liveArrivals;
    setDuration(m_ttft, arrivals.empty() ? std::nullopt : std::optional(toMs(arrivals.front() - row.zero)));
    setDuration(m_tpot, std::nullopt);
    setDuration(m_e2e, std::nullopt);
    m_finish->setValue(QString());
    m_connection->setValue(QString());
    setWords(m_outcome, {});
    setWords(m_advice, {});
    setWords(m_flags, {});
}

void Inspector::showMany(const std::vector<int>& rows)
{
    struct Group {
        int count = 0;
        std::vector<double> prefill;
        std::vector<double> decode;
    };
    std::map<int, Group> groups;
    std::vector<double> ttft;
    std::vector<double> tpot;
    for (const int i : rows) {
        const RequestsModel::Row& row = m_requests.row(i);
        if (!row.timeline) {
            continue;
        }
        Group& group = groups[row.series];
        ++group.count;
        const std::optional<double> first = ttftMs(*row.timeline);
        const std::optional<double> last = e2eMs(*row.timeline);
        if (first) {
            ttft.push_back(*first);
        }
        if (const std::optional<double> pace = tpotMs(*row.timeline)) {
            tpot.push_back(*pace);
        }
        if (first && last) {
            group.prefill.push_back(*first);
            group.decode.push_back(*last - *first);
        }
    }
    m_count->setValue(countText(static_cast<qint64>(rows.size())));
    const std::size_t n = ttft.size();
    setDuration(m_ttftP50, median(ttft));
    setDuration(m_ttftP95, n >= smallestN(0.95) ? percentile(ttft, 0.95) : std::nullopt);
    setDuration(m_tpotP50, median(tpot));
    std::vector<ShareBars::Item> items;
    for (const auto& [series, group] : groups) {
        const QString name = series >= 0 ? m_requests.series().at(series).label : tr("unknown model");
        items.push_back(
            {name, series, group.count, median(group.prefill).value_or(0), median(group.decode).value_or(0)});
    }
    std::sort(items.begin(), items.end(), [](const ShareBars::Item& a, const ShareBars::Item& b) {
        return a.prefillMs + a.decodeMs > b.prefillMs + b.decodeMs;
    });
    m_shares->setItems(std::move(items));
}

QString Inspector::copyText() const
{
    std::vector<TimelinePtr> records;
    for (const int row : selectedRows()) {
        if (m_requests.row(row).timeline) {
            records.push_back(m_requests.row(row).timeline);
        }
    }
    if (records.empty()) {
        return {};
    }
    return records.size() == 1 ? recordText(*records.front(), m_redactor)
                               : m_redactor.redacted(QString::fromUtf8(recordsCsv(records)));
}

void Inspector::copy() const
{
    const QString text = copyText();
    if (!text.isEmpty()) {
        QGuiApplication::clipboard()->setText(text);
    }
}

QString Inspector::shownText() const
{
    switch (m_pages->currentIndex()) {
    case 1: {
        QStringList lines{m_head->text()};
        for (const LabeledValue* value : {m_ttft, m_tpot, m_e2e, m_finish, m_connection}) {
            lines.append(value->text());
        }
        for (const QLabel* label : {m_outcome, m_advice, m_flags}) {
            lines.append(label->text());
        }
        return lines.join(QLatin1Char('\n'));
    }
    case 2:
        return QStringList{m_count->text(), m_ttftP50->text(), m_ttftP95->text(), m_tpotP50->text()}.join(
            QLatin1Char('\n'));
    default:
        return {};
    }
}

} // namespace tokenpace
