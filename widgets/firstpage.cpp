// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "firstpage.h"

#include <algorithm>

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QEvent>
#include <QGridLayout>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>
#include <QVBoxLayout>

#include "controls/rolelabel.h"
#include "firstpagecard.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr int widest = 1040; // the cards don't grow beyond what reads well
constexpr int narrowFrom = widest + 2 * 24;

QString code(const QString& text)
{
    // A font-family drops the fall-backs: all are named.
    const QString families = codeFont(12).families().join(QStringLiteral("','"));
    return QStringLiteral("<span style=\"font-family:'%1'; font-size:12px\">%2</span>")
        .arg(families, text.toHtmlEscaped());
}

/// Rich text with paths and names of variables in the code face, the home folder as `~`.
QString withCode(QString text)
{
    const QString home = QDir::homePath();
    if (home.size() > 1) {
        text.replace(home + QLatin1Char('/'), QStringLiteral("~/"));
    }
    static const QRegularExpression codeLike(
        QStringLiteral("(?<!\\S)(?:(?:~|\\.{0,2})/[^\\s,;]*[^\\s,;:.]|[A-Z][A-Z0-9]*_[A-Z0-9_]+)"));
    QString rich;
    qsizetype from = 0;
    for (auto it = codeLike.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        rich += text.mid(from, match.capturedStart() - from).toHtmlEscaped() + code(match.captured());
        from = match.capturedEnd();
    }
    return rich + text.mid(from).toHtmlEscaped();
}

QString localFile(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

class Rule final : public QWidget {
public:
    explicit Rule(QWidget* parent)
        : QWidget(parent)
    {
        setFixedHeight(1);
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Mid); // the line's colour in our palettes
    }
};

} // namespace

FirstPage::FirstPage(QWidget* parent)
    : QWidget(parent)
    , m_column(new QWidget(this))
{
    setAcceptDrops(true);
    QFont headingFont = textFont(26, QFont::DemiBold);
    headingFont.setLetterSpacing(QFont::AbsoluteSpacing, -0.25); // a large size looks loose without
    auto* heading = new RoleLabel(tr("How fast does your model answer?"), RoleLabel::Role::Text, headingFont, m_column);
    heading->setAlignment(Qt::AlignCenter);
    heading->setFixedHeight(34);
    auto* line = new RoleLabel(tr("Tokenpace times every token that arrives, and says where the time went."),
                               RoleLabel::Role::Text2, textFont(14), m_column);
    line->setAlignment(Qt::AlignCenter);
    line->setFixedHeight(22);

    using Words = FirstPageCard::Words;
    m_tryIt = new FirstPageCard(Words{QStringLiteral("pulse"),
                                      tr("Try it now"),
                                      tr("Measure a simulated endpoint on this machine. Charts within two seconds."),
                                      {{QStringLiteral("check"), tr("Three models, five prompt lengths")},
                                       {QStringLiteral("check"), tr("No key, no network, no cost")},
                                       {QStringLiteral("check"), tr("Everything works as with a real endpoint")}},
                                      tr("Start"),
                                      tr("simulated, always labelled")},
                                true, m_column);
    m_connect = new FirstPageCard(Words{QStringLiteral("plug"),
                                        tr("Connect an endpoint"),
                                        tr("A server on this machine or a gateway that speaks the OpenAI protocol."),
                                        {{QStringLiteral("key"), tr("The key is read from a variable, never shown")},
                                         {QStringLiteral("circle-check"), tr("A test says what works and what to fix")},
                                         {QStringLiteral("file"), tr("Saved to settings.json")}},
                                        tr("Connect…"),
                                        tr("Ctrl+,")},
                                  false, m_column);
    m_open = new FirstPageCard(Words{QStringLiteral("folder"),
                                     tr("Open a log"),
                                     tr("Look again at a run, or at what a colleague has recorded."),
                                     {{QStringLiteral("file"), tr("token_timing.jsonl")},
                                      {QStringLiteral("table"), tr("The same charts and tables as live")},
                                      {QStringLiteral("eye"), tr("Only read, never changed")}},
                                     tr("Open…"),
                                     tr("Ctrl+O")},
                               false, m_column);
    connect(m_tryIt->button(), &QPushButton::clicked, this, &FirstPage::tryItRequested);
    connect(m_connect->button(), &QPushButton::clicked, this, &FirstPage::connectRequested);
    connect(m_open->button(), &QPushButton::clicked, this, &FirstPage::openLogRequested);

    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    for (FirstPageCard* card : {m_tryIt, m_connect, m_open}) {
        cards->addWidget(card, 1);
    }

    auto* column = new QVBoxLayout(m_column);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(heading);
    column->addSpacing(8);
    column->addWidget(line);
    column->addSpacing(36);
    column->addLayout(cards);
    column->addSpacing(32);
    column->addWidget(new Rule(m_column));
    column->addSpacing(13);
    column->addWidget(makeFacts());

    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(16, 8, 16, 8);
    page->setSpacing(0);
    // A little above the middle, where the eye takes it for the middle.
    page->addStretch(4);
    page->addWidget(m_column, 0, Qt::AlignHCenter);
    page->addStretch(5);
    refreshFacts();
    fitMargins();
}

QWidget* FirstPage::makeFacts()
{
    auto* facts = new QWidget(m_column);
    auto* grid = new QGridLayout(facts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(0);
    grid->setColumnMinimumWidth(0, 138);
    grid->setColumnStretch(1, 1);
    const auto add = [&](int row, const QString& name) {
        auto* label = new RoleLabel(name, RoleLabel::Role::Muted, textFont(12), facts);
        auto* text = new RoleLabel({}, RoleLabel::Role::Text2, textFont(12), facts);
        text->setTextFormat(Qt::RichText);
        text->setWordWrap(true);
        label->setFixedHeight(24);
        text->setMinimumHeight(24);
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(text, row, 1);
        return text;
    };
    m_settingsText = add(0, tr("Settings looked for"));
    m_variablesText = add(1, tr("Variables"));
    add(2, tr("Files"))
        ->setText(tr("A log, settings of another tool or a curl command can be dropped on this page.").toHtmlEscaped());
    return facts;
}

void FirstPage::setFacts(const FirstPageFacts& facts)
{
    m_facts = facts;
    refreshFacts();
}

void FirstPage::refreshFacts()
{
    QStringList places;
    for (const QString& place : m_facts.settingsPlaces) {
        places << withCode(place);
    }
    const QString found = m_facts.settingsFound.isEmpty() ? tr("none found") : m_facts.settingsFound;
    const QString between = QStringLiteral("&nbsp;&nbsp;·&nbsp;&nbsp;");
    const QString rich = withCode(found);
    m_settingsText->setText(places.isEmpty() ? rich : rich + between + places.join(between));

    QStringList set;
    QStringList notSet;
    for (const QString& name : m_facts.variables) {
        (m_facts.variablesSet.contains(name) ? set : notSet) << code(name);
    }
    QStringList parts;
    const auto comma = QStringLiteral(", ");
    if (!set.isEmpty()) {
        parts << tr("%1: set").arg(set.join(comma));
    }
    if (!notSet.isEmpty()) {
        parts << tr("%1: not set").arg(notSet.join(comma));
    }
    m_variablesText->setText(parts.isEmpty() ? tr("none").toHtmlEscaped() : parts.join(between));
}

void FirstPage::focusStart()
{
    startButton()->setFocus(Qt::OtherFocusReason);
}

QPushButton* FirstPage::startButton() const
{
    return m_tryIt->button();
}
QPushButton* FirstPage::connectButton() const
{
    return m_connect->button();
}
QPushButton* FirstPage::openButton() const
{
    return m_open->button();
}

void FirstPage::fitMargins()
{
    const bool narrow = width() < narrowFrom;
    layout()->setContentsMargins(narrow ? 16 : 24, 8, narrow ? 16 : 24, 8);
    m_column->setFixedWidth(std::max(0, std::min(widest, width() - (narrow ? 32 : 48))));
    for (FirstPageCard* card : {m_tryIt, m_connect, m_open}) {
        card->setPadding(narrow ? 16 : 24);
    }
}

void FirstPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitMargins();
}

void FirstPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_shownBefore) {
        m_shownBefore = true;
        focusStart();
    }
}

void FirstPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_settingsText != nullptr) {
        refreshFacts();
    }
}

void FirstPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFile(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void FirstPage::dropEvent(QDropEvent* event)
{
    const QString file = localFile(event->mimeData());
    if (!file.isEmpty()) {
        event->acceptProposedAction();
        emit logDropped(file);
    }
}

} // namespace tokenpace
